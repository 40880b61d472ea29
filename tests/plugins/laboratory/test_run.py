"""A world run round by round: same seed, same bits; nobody disturbs anybody."""

from collections.abc import Mapping
from math import nan

import numpy as np
import pytest
from attrs import evolve, frozen
from joblib import parallel_config
from ratingcore_laboratory import Contender, Laboratory, Trial, trials
from ratingcore_laboratory.results import DRAW, LOSS, WIN

from ratingcore.errors import BadParameter, BadResult, BadValue, BrokenContract, MissingField
from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Rated, State
from tests.plugins.laboratory.making import SMALL, THESIS, contender, method, run


def same(one: Trial, other: Trial, name: str) -> bool:
    mine, theirs = one[name], other[name]
    arrays = ("estimated", "true", "games", "last", "table", "estimated_curve", "true_curve")
    return mine.measures == theirs.measures and all(
        getattr(mine, each).tobytes() == getattr(theirs, each).tobytes() for each in arrays
    )


def test_the_same_seed_gives_the_same_bits_and_another_seed_does_not() -> None:
    one, other, third = (Laboratory(SMALL, THESIS, seed).run() for seed in (4, 4, 5))
    assert all(same(one, other, name) for name in "ABC")
    assert not any(same(one, third, name) for name in "ABC")


def test_adding_a_contender_changes_nothing_for_the_others() -> None:
    alone, all_ = Laboratory(SMALL, THESIS[1:2], 4).run(), Laboratory(SMALL, THESIS[::-1], 4).run()
    assert same(alone, all_, "B")
    assert alone.people.left.tolist() == all_.people.left.tolist()


def test_keeping_results_changes_no_number() -> None:
    assert same(Laboratory(SMALL, THESIS, 4, keep=True).run(), Laboratory(SMALL, THESIS, 4).run(), "C")


def test_step_by_step_is_the_same_as_at_once() -> None:
    laboratory = Laboratory(SMALL, THESIS, 4)
    told = [laboratory.step() for _ in range(SMALL.rounds)]
    trial = laboratory.trial()
    assert same(trial, Laboratory(SMALL, THESIS, 4).run(), "A")
    assert [each["A"] for each in told] == list(trial["A"].measures)


def test_several_processes_give_what_one_gives() -> None:
    one, two = (list(trials(SMALL, THESIS, [3, 9], jobs)) for jobs in (1, 2))
    assert [trial.seed for trial in two] == [3, 9]
    assert all(same(a, b, name) for a, b in zip(one, two, strict=True) for name in "ABC")


def test_the_workers_of_the_user_give_what_one_gives() -> None:
    alone = list(trials(SMALL, THESIS, [3, 9], None))
    with parallel_config(backend="threading", n_jobs=2):
        shared = list(trials(SMALL, THESIS, [3, 9], None))
    assert all(same(a, b, name) for a, b in zip(alone, shared, strict=True) for name in "ABC")


def test_a_trial_taken_midway_stays_as_it_is() -> None:
    laboratory = Laboratory(SMALL, THESIS, 4)
    laboratory.step()
    before = laboratory.trial()
    kept = before["A"].estimated.copy(), before.people.left.copy(), before["A"].table.copy()
    laboratory.run()
    assert before.rounds == 1
    assert all(
        (x == y).all()
        for x, y in zip(kept, (before["A"].estimated, before.people.left, before["A"].table), strict=True)
    )


def test_the_world_may_be_changed_between_rounds() -> None:
    laboratory = Laboratory(SMALL, THESIS, 4)
    first = laboratory.step()["A"].games
    laboratory.world = evolve(SMALL, games_mean=4.0 * SMALL.games_mean)
    assert laboratory.step()["A"].games > 3 * first
    trial = laboratory.trial()
    assert [world.games_mean for world in trial.worlds] == [8.0, 32.0]
    assert trial.world == SMALL


def test_players_may_be_added_once() -> None:
    laboratory = Laboratory(SMALL, THESIS, 4)
    laboratory.step()
    before = len(laboratory.trial().people)
    laboratory.add(base=[2500.0, 2600.0], appetite=[2.0, 0.0])
    laboratory.step()
    trial = laboratory.trial()
    assert trial.people.base[before : before + 2].tolist() == [2500.0, 2600.0]
    assert trial.people.joined[before : before + 2].tolist() == [1, 1]
    assert trial["A"].games[before] > 0
    # who came with a trial has a first rating that is not the start
    assert trial["A"].estimated[before + 1] == pytest.approx(1100.0, abs=400.0)
    assert trial["B"].estimated[before + 1] > 1300.0


@pytest.mark.parametrize(("base", "appetite"), [([nan], None), ([1.0], [-1.0]), ([1.0, 2.0], [1.0])])
def test_players_that_cannot_be_are_not_added(base: list[float], appetite: list[float] | None) -> None:
    with pytest.raises(BadValue):
        Laboratory(SMALL, THESIS, 4).add(base, appetite)


def test_all_contenders_have_the_same_people_and_the_tables_add_up() -> None:
    trial = Laboratory(SMALL, THESIS, 4).run()
    for name in "ABC":
        standing = trial[name]
        assert [m.active for m in standing.measures] == trial.active.tolist()
        assert standing.table.sum(axis=(1, 2)).tolist() == standing.games.tolist()
        assert standing.games.sum() == 2 * sum(m.games for m in standing.measures)
        wins, draws, losses = map(standing.results, (WIN, DRAW, LOSS))
        assert wins.sum() == losses.sum()
        assert (wins + draws + losses == standing.games).all()
        total = standing.table.sum(axis=0)
        assert total.tolist() == np.flip(total, (0, 1)).tolist()  # what one side should and did, the other did not
    assert trial["A"].boosts == {}
    boosts = trial["C"].boosts["boosts"]
    assert boosts is not None
    assert 0 < boosts.sum() < trial["C"].games.sum()


def test_measures_are_of_those_who_stay_and_curves_end_where_players_leave() -> None:
    trial = run("elo")
    standing, people = trial["elo"], trial.people
    last = standing.measures[-1]
    old = np.flatnonzero((people.left < 0) & (people.joined < trial.rounds))
    apart = np.abs(standing.estimated - standing.true)[old]
    assert last.mean == pytest.approx(apart.mean())
    assert last.whose_largest == old[np.argmax(apart)]
    curve = standing.estimated_curve
    assert (curve[-1, old] == standing.estimated[old]).all()
    for who in np.flatnonzero(people.left > 0).tolist():
        assert np.isnan(curve[people.left[who] - 1 :, who]).all()
    for who in np.flatnonzero(people.joined > 0).tolist():
        assert np.isnan(curve[: people.joined[who], who]).all()


def test_strength_moves_with_the_games_that_were_played() -> None:
    trial = run("elo", evolution="initial")
    standing = trial["elo"]
    games = standing.games
    gained = 3 * np.minimum(games, 33) + 2 * np.clip(games - 33, 0, 33) + np.clip(games - 66, 0, 34)
    assert (standing.true == trial.people.base + gained).all()


def test_entry_games_count_for_the_newcomer_alone() -> None:
    trial = run("elo:k=0,initial=1100,entry=trial(15)", leaving_mean=0.0, leaving_sd=0.0)
    standing = trial.standings[0]
    start = trial.people.joined == 0
    assert set(standing.estimated[start].tolist()) == {1100.0}
    assert len(set(standing.estimated[~start].tolist())) > 3
    newest = trial.people.joined == trial.rounds
    assert newest.any()
    assert not standing.games[newest].any()


# bad or extreme worlds


@pytest.mark.parametrize("text", ["elo", "elo:entry=trial(15)", "elo:period=month", "berkin", "periodic", "adaptive-k"])
@pytest.mark.parametrize(
    "changed",
    [
        {"games_mean": 0.0},
        {"appetite_mean": 0.0, "appetite_sd": 0.0},
        {"leaving_mean": 1000.0},
        {"leaving_mean": 1000.0, "joining_mean": 0.0, "joining_sd": 0.0},
        {"players": 0},
        {"players": 1, "joining_mean": 0.0, "joining_sd": 0.0, "leaving_mean": 0.0, "leaving_sd": 0.0},
        {"groups": 1},
        {"group_width": 1e9},
        {"base_sd": 0.0},
        {"half_band": 50.0},
    ],
    ids=str,
)
def test_a_world_at_its_limits_runs_and_measures_what_is_there(text: str, changed: Mapping[str, float]) -> None:
    trial = run(text, **changed)
    last = trial.standings[0].measures[-1]
    assert trial.rounds == SMALL.rounds
    assert last.active == trial.active[-1]
    assert (last.mean is None) == (last.rated == 0)


def test_a_k_of_zero_leaves_everybody_where_he_was() -> None:
    trial = run("elo:k=0")
    assert set(trial["elo:k=0"].estimated.tolist()) == {1500.0}
    assert trial["elo:k=0"].measures[-1].pearson is None


def test_a_method_that_reads_sides_says_what_it_misses_in_games() -> None:
    with pytest.raises(BadResult, match="scores of games are shares of a point, not percents"):
        run("bridge-bayes")


def test_a_method_that_reads_games_is_refused_before_anything_is_played_in_a_world_of_sides() -> None:
    with pytest.raises(BadParameter, match="seats must be 1, since elo reads games of two players: 2"):
        Laboratory(evolve(SMALL, seats=2), [contender("elo")])


def test_where_games_have_no_points_a_method_that_needs_them_says_so() -> None:
    with pytest.raises(MissingField, match="points_a: missing at a simulated result"):
        run("elo-margin", margin=0.0)


def test_margins_change_nothing_for_who_reads_none() -> None:
    with_, without = run("elo"), run("elo", margin=0.0)
    assert same(with_, without, "elo")
    alone = run("elo-margin:margin=none,initial=1500", margin=5.0)
    assert (
        alone.standings[0].estimated.tolist()
        == run("elo-margin:margin=none,initial=1500").standings[0].estimated.tolist()
    )


def test_newcomers_play_unrated_until_enough_games_are_recent_enough() -> None:
    trial = run("elo:k=0,initial=1100,entry=pooled(5,3)", keep=True, leaving_mean=0.0, leaving_sd=0.0)
    standing, people = trial.standings[0], trial.people
    assert set(standing.estimated[people.joined == 0].tolist()) == {1100.0}
    assert np.isnan(standing.estimated[people.joined == trial.rounds]).all()
    unrated = np.isnan(standing.estimated)
    entered = ~unrated & (people.joined > 0)
    assert entered.any()
    # all opponents have 1100, so a first rating depends on the share of the points alone
    rated_opponents = np.zeros(len(people), dtype=int)
    for round_, part in enumerate(standing.round_results):
        known = ~np.isnan(standing.estimated_curve[round_ - 2]) if round_ > 1 else people.joined == 0
        known = np.append(known, np.zeros(len(people) - len(known), dtype=bool)) | (people.joined == 0)
        for a, b in zip(part.results.a[:, 0].tolist(), part.results.b[:, 0].tolist(), strict=True):
            rated_opponents[a] += known[b] and not known[a]
            rated_opponents[b] += known[a] and not known[b]
    assert (rated_opponents[entered] >= 5).all()
    assert (rated_opponents[unrated] < 15).all()


@pytest.mark.parametrize("names", [(), ("x", "x")])
def test_contenders_are_one_at_least_and_have_different_names(names: tuple[str, ...]) -> None:
    with pytest.raises(BadValue, match="contenders"):
        Laboratory(SMALL, [Contender(name, method("elo")) for name in names])


@pytest.mark.parametrize("seed", [-1, 1.5, True])
def test_a_seed_is_a_whole_number(seed: int) -> None:
    with pytest.raises(BadValue, match="seed"):
        Laboratory(SMALL, THESIS, seed)


def test_a_seed_given_twice_is_refused() -> None:
    with pytest.raises(BadValue, match="seeds must be different"):
        next(trials(SMALL, THESIS, [1, 1]))


@frozen
class Toy(Method):
    """Counts games of players and of pairs."""

    name = "toy"
    broken: bool = False

    @property
    def cadence(self) -> Cadence:
        return Cadence.PERIODIC

    def columns(self) -> tuple[Column, ...]:
        return Column("rating", 1000.0), Column("met", per="pair", digits=None)

    def rate(self, state: State, games: Games) -> Rated:
        rating, met = state.copy("rating"), state.copy("met")
        assert len(games.pair) == len(games)
        for who in (games.a, games.b):
            rating += np.bincount(who, minlength=len(rating))
        met += np.bincount(games.pair, minlength=len(met))
        expected = np.full(len(games) + self.broken, 0.5)
        return Rated(state.replace(rating=rating, met=met), expected, (games.blank(), games.blank()))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))


def test_pairs_of_players_keep_their_row() -> None:
    laboratory = Laboratory(SMALL, [Contender("toy", Toy())], 1, keep=True)
    standing = laboratory.run().standings[0]
    assert (standing.estimated == 1000.0 + standing.games).all()
    a, b = (np.concatenate([getattr(part.results, side)[:, 0] for part in standing.round_results]) for side in "ab")
    keys = np.minimum(a, b).astype(np.int64) * 10_000 + np.maximum(a, b)
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    state = laboratory._courses[0].state
    assert state["met"].tolist() == counts[np.argsort(first)].tolist()


def test_a_method_that_breaks_its_contract_is_found() -> None:
    with pytest.raises(BrokenContract):
        Laboratory(SMALL, [Contender("toy", Toy(broken=True))], 1).step()


def test_a_batch_joins_at_once_between_two_rounds() -> None:
    usual, besides = (Laboratory(evolve(SMALL, batch=batch, batch_after=3), THESIS, 4).run() for batch in (0, 30))
    came = [np.bincount(trial.people.joined, minlength=6)[:4] for trial in (usual, besides)]
    assert (came[1] - came[0]).tolist() == [0, 0, 0, 30]
    for name in "ABC":  # no round before the batch knows of it
        assert usual[name].measures[:3] == besides[name].measures[:3]
        assert usual[name].measures[3] != besides[name].measures[3]

"""The rest of a season: held against an enumeration of all results, and against plain simulations of its own."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import exp, log, sqrt
from random import Random

import numpy as np
import pytest
from ratingcore_season import Season, season

import ratingcore as rc
from ratingcore.errors import BadValue, CannotSay, UnknownName
from ratingcore.explain.points_table import Worth

TEAMS = ("ajax", "brno", "celje", "dukla", "eibar", "fulham")
SIX = [("ajax", "brno"), ("celje", "dukla"), ("brno", "celje"), ("dukla", "ajax"), ("ajax", "celje"), ("brno", "dukla")]


SCORES = (0.0, 0.5, 1.0, 1.0)


def league(teams: Sequence[str] = TEAMS[:4], games: int = 30, scores: Sequence[float] = SCORES) -> rc.Engine:
    dice, engine = Random(8), rc.open(":memory:")
    for day in range(games):
        a, b = dice.sample(teams, 2)
        played = str(np.datetime64("2024-01-01") + 2 * day)
        engine.record(rc.GamePlayed(pool="p", played=played, a=a, b=b, score=dice.choice(scores)))
    return engine


def shared(points: dict[str, float]) -> dict[tuple[str, int], float]:
    """The part of each place that each team has in one final table."""
    count, place, found = Counter(points.values()), 1, dict[tuple[str, int], float]()
    for level, many in sorted(count.items(), reverse=True):
        for team in (team for team, of in points.items() if of == level):
            found |= {(team, place + n): 1.0 / many for n in range(many)}
        place += many
    return found


Chances = dict[tuple[str, int], float]


def chances_of(found: Season) -> Chances:
    rows = enumerate(found.player)
    return {(team, n + 1): float(found.places[row, n]) for row, team in rows for n in range(len(found))}


@cache
def draw_of(expected: float, nu: float) -> float:
    """Davidson's chance of a draw: the ratio of strengths that makes this share of the point, by halving."""
    low, high = -40.0, 40.0
    for _ in range(200):
        gap = 0.5 * (low + high)
        whole = exp(gap / 2) + exp(-gap / 2) + nu
        low, high = (gap, high) if (exp(gap / 2) + nu / 2) / whole < expected else (low, gap)
    return nu / whole


def fitted(engine: rc.Engine, rating: dict[str, float]) -> float:
    """The nu that makes the results of a pool likeliest, by trying many; ratings are on the scale of Elo."""
    games = []
    for row in engine.forecasts("p", "elo"):
        games.append((1.0 / (1.0 + 10.0 ** ((rating[row["b"]] - rating[row["a"]]) / 400.0)), row["score"]))

    def likely(nu: float) -> float:
        total = 0.0
        for share, score in games:
            draw = draw_of(share, nu)
            total += log(draw if score == 0.5 else abs(1.0 - score - share) - 0.5 * draw)
        return total

    return max((0.01 * n for n in range(1, 400)), key=likely)


def test_draws_that_a_method_does_not_forecast_are_as_frequent_as_in_the_pool() -> None:
    engine = league()
    listed = engine.rating_list("p", "elo")
    nu = fitted(engine, dict(zip(listed.player, listed.exact["rating"].tolist(), strict=True)))
    assert season(engine, "p", "elo", SIX, runs=10).nu == pytest.approx(nu, abs=0.01)
    notes = " ".join(season(engine, "p", "elo", SIX, runs=10).notes())
    assert f"equals draw {nu / (2 + nu):.0%} of their games, as in the pool so far" in notes


def test_a_pool_without_a_draw_has_none_to_come() -> None:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(pool="p", played="2024-01-01", a="ajax", b="brno", score=1.0))
    found = season(engine, "p", "elo", SIX[:1], runs=100)
    assert found.nu == 0.0
    assert "every game to come is won or lost" in " ".join(found.notes())


def test_expected_points_are_those_that_seasons_with_draws_bring() -> None:
    """Without draws, teams had 0.93 points too many each: half a point for every drawn game."""
    dice, over = np.random.default_rng(11), []
    for _ in range(40):
        strength = dict(zip(TEAMS, dice.normal(0.0, 120.0, len(TEAMS)).tolist(), strict=True))
        engine, left, points = rc.open(":memory:"), [], dict.fromkeys(TEAMS, 0.0)
        for number, (a, b) in enumerate([*permutations(TEAMS, 2)] * 2):
            share = 1.0 / (1.0 + 10.0 ** ((strength[b] - strength[a]) / 400.0))
            draw, luck = draw_of(share, 0.9), float(dice.random())
            score = 1.0 if luck < share - draw / 2 else 0.5 if luck < share + draw / 2 else 0.0
            if number % 3:
                played = str(np.datetime64("2024-01-01") + number)
                engine.record(rc.GamePlayed(pool="p", played=played, a=a, b=b, score=score))
            else:
                left.append((a, b))
            for team, own in ((a, score), (b, 1.0 - score)):
                points[team] += 3.0 if own == 1.0 else 1.0 if own == 0.5 else 0.0
        found = season(engine, "p", "elo", left, "3,1,0", runs=2000)
        over.append(float(np.mean([found.expected[n] - points[team] for n, team in enumerate(found.player)])))
    assert abs(np.mean(over)) < 0.2


def points_so_far(engine: rc.Engine, method: str) -> dict[str, float]:
    listed = engine.with_columns(engine.rating_list("p", method), worth="3,1,0")
    return {row["player"]: row["points"] or 0.0 for row in listed}


@pytest.mark.parametrize("method", ["elo:curve=normal,draw_band=60", "elo"])
def test_chances_are_those_of_all_results_of_six_fixtures(method: str) -> None:
    engine = league()
    so_far = points_so_far(engine, method)
    ways = []
    for one in engine.predict("p", method, SIX, after=False):
        share, draw = one.expected[0] or 0.0, one.draw or 0.0
        if one.draw is None:
            draw = draw_of(share, season(engine, "p", method, SIX, runs=1).nu or 0.0)
        ways.append([(share - 0.5 * draw, 3.0, 0.0), (draw, 1.0, 1.0), (1.0 - share - 0.5 * draw, 0.0, 3.0)])
    exact, mean = Chances(), dict.fromkeys(so_far, 0.0)
    for results in product(*ways):
        chance, points = 1.0, dict(so_far)
        for (a, b), (likely, to_a, to_b) in zip(SIX, results, strict=True):
            chance *= likely
            points[a] += to_a
            points[b] += to_b
        for key, part in shared(points).items():
            exact[key] = exact.get(key, 0.0) + chance * part
        for team, final in points.items():
            mean[team] += chance * final
    runs = 200_000
    found = season(engine, "p", method, SIX, "3,1,0", runs=runs)
    for key, simulated in chances_of(found).items():
        chance = exact.get(key, 0.0)
        assert simulated == pytest.approx(chance, abs=5.0 * sqrt(max(chance * (1.0 - chance), 1e-6) / runs))
    assert found.points.tolist() == [so_far[team] for team in found.player]
    assert found.expected.tolist() == pytest.approx([mean[team] for team in found.player], abs=0.05)
    assert found.places.sum(axis=0).tolist() == pytest.approx([1.0] * 4)
    assert found.places.sum(axis=1).tolist() == pytest.approx([1.0] * 4)


def plainly(
    points: dict[str, float], fixtures: Sequence[tuple[str, str]], drawn: "np.ndarray", names: Sequence[str], nu: float
) -> tuple[Chances, dict[str, float]]:
    """A season played once for every row of ratings: chances of places, and deviations of final points."""
    dice, times = Random(5), Chances()
    finals: dict[str, list[float]] = {team: [] for team in points}
    for ratings in drawn.tolist():
        rating, final = dict(zip(names, ratings, strict=True)), dict(points)
        for a, b in fixtures:
            share, luck = 1.0 / (1.0 + 10.0 ** ((rating[b] - rating[a]) / 400.0)), dice.random()
            half = 0.5 * draw_of(round(share, 3), nu)
            if abs(luck - share) < half:
                final[a] += 1.0
                final[b] += 1.0
            else:
                final[a if luck < share else b] += 3.0
        for key, part in shared(final).items():
            times[key] = times.get(key, 0.0) + part / len(drawn)
        for team, of in final.items():
            finals[team].append(of)
    return times, {team: float(np.std(of)) for team, of in finals.items()}


@pytest.mark.parametrize("method", ["glicko", "bradley-terry"])
def test_ratings_are_drawn_from_their_deviations_once_a_run(method: str) -> None:
    """Without them the spread of the final points would be that of dice alone: a third of what it is."""
    engine = league(TEAMS, 40, (0.0, 1.0) if method == "bradley-terry" else SCORES)  # draws make its ratings surer
    fixtures = list(permutations(TEAMS, 2)) * 2
    listed = engine.rating_list("p", method)
    names, mean, deviation = listed.player, listed.exact["rating"], listed.exact["deviation"]
    joint = np.diag(deviation**2)
    if method == "bradley-terry":
        joint = np.linalg.pinv(information(engine, dict(zip(names, mean.tolist(), strict=True)), names))
        assert np.sqrt(np.diag(joint)) == pytest.approx(deviation, rel=1e-6)
    runs = 6000
    drawn = np.random.default_rng(9).multivariate_normal(mean, joint, runs)
    found = season(engine, "p", method, fixtures, "3,1,0", runs=runs, seed=4)
    wanted, spread = plainly(points_so_far(engine, method), fixtures, drawn, names, found.nu or 0.0)
    for key, simulated in chances_of(found).items():
        chance = wanted.get(key, 0.0)
        assert simulated == pytest.approx(chance, abs=5.0 * sqrt(2.0 * max(chance * (1.0 - chance), 1e-3) / runs))
    assert found.spread.tolist() == pytest.approx([spread[team] for team in found.player], rel=0.06)
    assert found.deviations


def information(engine: rc.Engine, rating: dict[str, float], names: Sequence[str]) -> "np.ndarray":
    """The curvature of the Bradley-Terry likelihood at these ratings, game by game."""
    slope, matrix = log(10.0) / 400.0, np.zeros((len(names), len(names)))
    for row in engine.forecasts("p", "elo"):
        i, j = names.index(row["a"]), names.index(row["b"])
        share = 1.0 / (1.0 + 10.0 ** ((rating[row["b"]] - rating[row["a"]]) / 400.0))
        matrix[[i, j], [i, j]] += share * (1.0 - share) * slope**2
        matrix[[i, j], [j, i]] -= share * (1.0 - share) * slope**2
    return matrix


@pytest.mark.parametrize(
    "method", ["weng-lin", "trueskill", "whr", "bradley-terry:ties=davidson", "chess-bayes", "periodic"]
)
def test_methods_of_every_kind_play_a_season(method: str) -> None:
    engine = league()
    found = season(engine, "p", method, SIX, "3,1,0", runs=4000)
    one, *_ = engine.predict("p", method, SIX[:1], after=False)
    alone = season(engine, "p", method, SIX[:1], "2,1,0", runs=40_000, since="2030-01-01")
    assert alone.player == tuple(sorted(SIX[0], key=lambda team: -alone.expected[alone.player.index(team)]))
    assert one.expected[0] is not None
    ahead = float(alone.expected[alone.player.index(SIX[0][0])]) / 2.0
    assert ahead == pytest.approx(one.expected[0], abs=0.03)  # forecasts average over deviations nearly as runs do
    assert found.places.sum() == pytest.approx(4.0)
    assert (found.nu is None) is (one.draw is not None)


def test_the_same_seed_gives_the_same_season_and_another_one_another() -> None:
    engine = league()
    first, again, other = (season(engine, "p", "glicko", SIX, runs=500, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert list(first) == list(first.as_table())


def test_only_results_of_the_season_are_counted_and_all_who_played_in_it_are_in_the_table() -> None:
    engine = league()
    engine.record(rc.GamePlayed(pool="p", played="2025-01-01", a="ajax", b="zlin", score=0.5))
    found = season(engine, "p", "elo", [("brno", "celje")], "3,1,0", since="2025-01-01", runs=100)
    cells = {row["player"]: (row["played"], row["points"], row["left"]) for row in found}
    assert cells == {"ajax": (1, 1.0, 0), "zlin": (1, 1.0, 0), "brno": (0, 0.0, 1), "celje": (0, 0.0, 1)}
    early = season(engine, "p", "elo", [("brno", "celje")], known_at=10, runs=100)
    assert sum(row["played"] for row in early) == 20


def test_home_ground_is_a_fact_of_each_fixture() -> None:
    engine = league()
    chance = []
    for side in "ab":
        left = season(engine, "p", "elo:first_move=300", SIX[:1], facts={"home": side}, since="2030-01-01", runs=20_000)
        chance.append(float(left.places[left.player.index("ajax"), 0]))
    assert chance[0] > chance[1] + 0.3


def test_what_is_no_season_is_refused() -> None:
    engine = league()
    for wrong in ([], "ajax", [("ajax", "brno", "celje")], [(("ajax", "dukla"), "brno")]):
        with pytest.raises(BadValue):
            season(engine, "p", "elo", wrong)
    for given in ({"runs": 0}, {"runs": 1.5}, {"seed": -1}, {"worth": "3,1"}):
        with pytest.raises(BadValue):
            season(engine, "p", "elo", SIX, **given)
    with pytest.raises(UnknownName, match="zlin"):
        season(engine, "p", "elo", [("ajax", "zlin")])
    with pytest.raises(CannotSay, match="no number for ajax against zlin; one may be unrated"):
        season(engine, "p", "bradley-terry", [("ajax", "zlin")], newcomers=True)
    engine.record(rc.SessionPlayed(pool="q", played="2024-01-01", sides=[rc.Side(["x"], 1.0), rc.Side(["y"], 2.0)]))
    with pytest.raises(BadValue):
        season(engine, "q", "weng-lin", [("x", "y")])


def test_a_newcomer_has_the_first_rating_of_the_method() -> None:
    found = season(league(), "p", "glicko", [("ajax", "zlin")], newcomers=True, runs=2000)
    assert found.played[found.player.index("zlin")] == 0


def test_worth_may_be_a_value_and_may_count_losses() -> None:
    engine = league()
    for a, b in combinations(TEAMS[:4], 2):
        one = season(engine, "p", "elo", [(a, b)], Worth(1, 0, -1), runs=200, since="2030-01-01")
        assert one.expected.sum() == pytest.approx(0.0)

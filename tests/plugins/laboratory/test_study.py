"""A study puts the runs of several seeds into tables, with a sentence that says what they say."""

import csv
import io
import json
from functools import cache

import numpy as np
import pytest
from ratingcore_laboratory import Laboratory, World
from ratingcore_laboratory.study import Study, simulate

from ratingcore.errors import BadValue
from tests.plugins.laboratory.making import SMALL, THESIS, contender


@cache
def small() -> Study:
    return simulate(SMALL, THESIS, seeds=(3, 4, 5))


def test_the_band_of_a_measure_is_mean_least_and_most_of_the_seeds() -> None:
    made = small()
    for name in "ABC":
        curves = np.array([trial.series(name, "mean") for trial in made.trials])
        rows = [row for row in made.rounds if row["contender"] == name]
        assert [row["deviation"] for row in rows] == pytest.approx(curves.mean(axis=0).tolist())
        assert [row["deviation_low"] for row in rows] == curves.min(axis=0).tolist()
        assert [row["deviation_high"] for row in rows] == curves.max(axis=0).tolist()


def test_runs_tell_whose_deviation_is_largest() -> None:
    made = small()
    last = next(row for row in made.runs if (row["seed"], row["round"], row["contender"]) == (3, 5, "B"))
    standing = made.trials[0]["B"]
    assert last["whose_largest"] == standing.measures[-1].whose_largest
    assert last["largest"] == standing.measures[-1].largest


def test_outcomes_count_every_result_for_both_players() -> None:
    made = small()
    for name in "ABC":
        rows = [row for row in made.outcomes if row["contender"] == name]
        assert sum(row["results"] for row in rows) == sum(int(trial[name].games.sum()) for trial in made.trials)
        for due in ("win", "draw", "lose"):
            assert sum(row["share"] for row in rows if row["should"] == due) == pytest.approx(1.0)


def test_every_player_is_told_with_his_results_and_boosts() -> None:
    made = small()
    for row in made.players:
        assert row["wins"] + row["draws"] + row["losses"] == row["games"]
        counts = [name for name in row if name.startswith("should_") and not name.endswith("_percent")]
        assert sum(row[name] for name in counts) == row["games"]
        assert (row["boosts"] is None) == (row["contender"] != "C")
    assert len(made.players) == 3 * len(made.trials[0].people)


def test_every_player_has_percentages_and_boosts_by_win_and_by_loss() -> None:
    for row in small().players:
        shares = [row[f"{name}_percent"] for name in ("win", "draw", "loss")]
        if not row["games"]:
            assert shares == [None] * 3
            continue
        assert shares == pytest.approx([100.0 * row[name] / row["games"] for name in ("wins", "draws", "losses")])
        for due in ("win", "draw", "lose"):
            counts = [row[f"should_{due}_{done}"] for done in ("won", "drawn", "lost")]
            percents = [row[f"should_{due}_{done}_percent"] for done in ("won", "drawn", "lost")]
            if sum(counts):
                assert percents == pytest.approx([100.0 * count / sum(counts) for count in counts])
            else:
                assert percents == [None] * 3
        if row["contender"] == "C":
            assert row["boosts_won"] + row["boosts_lost"] == row["boosts"]
            assert row["boosts_won"] <= row["losses"]  # as the method demands
            assert row["boosts_lost"] <= row["wins"]
        else:
            assert row["boosts_won"] is row["boosts_lost"] is None


def test_the_best_and_the_worst_estimated_player_of_each_round_are_told() -> None:
    made = small()
    trial = made.trials[0]
    assert len(made.extremes) == 3 * SMALL.rounds
    for row in made.extremes:
        measures = trial[str(row["contender"])].measures[int(str(row["round"])) - 1]
        assert (row["best"], row["worst"]) == (measures.whose_smallest, measures.whose_largest)
        assert abs(row["best_true"] - row["best_estimated"]) == measures.smallest
        assert abs(row["worst_true"] - row["worst_estimated"]) == measures.largest


def test_distributions_hold_all_who_are_there() -> None:
    made = small()
    for name in "ABC":
        for kind in ("true", "estimated"):
            told = sum(row[kind] for row in made.distributions if row["contender"] == name)
            assert told == len(made.trials[0].people.active)


def test_the_answer_names_who_is_nearest_with_how_many_seeds() -> None:
    made = small()
    off = {name: np.array([trial.series(name, "mean")[-1] for trial in made.trials]) for name in "ABC"}
    order = sorted(off, key=lambda name: off[name].mean())
    assert made.answer.startswith(f"{order[0]} comes nearest to the truth.")
    nearer = int((off[order[0]] < off[order[1]]).sum())
    assert f"It is ahead of {order[1]} with {nearer} of 3 seeds." in made.answer


def test_processes_change_no_number() -> None:
    world = World(players=30, rounds=2, joining_mean=2, leaving_mean=2)
    alone, shared = (simulate(world, THESIS[:2], (1, 2), jobs) for jobs in (1, 2))
    assert alone.json() == shared.json()


def test_it_says_so_where_nobody_is_left() -> None:
    gone = simulate(World(players=5, rounds=2, joining_mean=0, joining_sd=0, leaving_mean=9, leaving_sd=0), THESIS)
    assert "nobody with a rating is left" in gone.answer
    assert len(gone.curves) == len(gone.distributions) == 0
    json.loads(gone.json())


def test_a_whole_pool_method_that_rates_nobody_is_left_out_of_the_answer() -> None:
    lonely = World(players=12, rounds=1, games_mean=0.0, joining_mean=0, joining_sd=0, leaving_mean=0, leaving_sd=0)
    made = simulate(lonely, [contender("berkin"), contender("elo:initial=1100", "elo")])
    assert "No result for berkin" in made.answer


def test_players_are_followed_as_asked_and_strangers_are_refused() -> None:
    trial = Laboratory(SMALL, THESIS[:1], 1).run()
    made = Study.of([trial], follow=(7, 2, 7))
    assert list(dict.fromkeys(made.curves["player"])) == [7, 2]
    with pytest.raises(BadValue, match="not a player of this world"):
        Study.of([trial], follow=(10_000,))


def test_players_chosen_beforehand_are_followed_in_a_world_too_large_for_all() -> None:
    world = World(players=7000, rounds=2, games_mean=1.0, joining_mean=5, joining_sd=0, leaving_mean=5, leaving_sd=0)
    made = simulate(world, THESIS[:1], follow=(1, 7003))
    standing = made.trials[0]["A"]
    assert len(standing.sample) < 5000
    of = {who: [row for row in made.curves if row["player"] == who] for who in (1, 7003)}
    assert [row["round"] for row in of[1]] == [1, 2]
    assert [row["round"] for row in of[7003]] == [2]  # who joined after the first
    assert of[7003][0]["estimated"] == standing.estimated[7003]
    with pytest.raises(BadValue, match="give follow= to the laboratory"):
        Study.of(made.trials, follow=(3,))


def test_runs_of_different_worlds_make_no_study() -> None:
    one, other = (Laboratory(SMALL, THESIS[:1], seed).run() for seed in (1, 2))
    different = Laboratory(World(players=30, rounds=5), THESIS[:1], 3).run()
    assert Study.of([one, other]).seeds == (1, 2)
    for trials in ([], [one, different]):
        with pytest.raises(BadValue):
            Study.of(trials)


def test_everything_is_in_json_and_csv() -> None:
    made = small()
    told = json.loads(made.json())
    assert told["answer"] == made.answer
    assert set(told["tables"]) == set(made.tables)
    assert [float(row["kendall"]) for row in csv.DictReader(io.StringIO(made.csv("rounds")))] == list(
        made.rounds["kendall"]
    )
    assert "SMALL" not in repr(made)
    assert str(made).startswith(made.answer)

"""Elo as FIDE makes lists: the rules in the README of elo, and calculations that FIDE published."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.errors import OddResults
from ratingcore.plugin.curves import table_gap
from ratingcore.plugin.rules import half_away
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated, state
from tests.plugins.test_elo_rules import at, made

NAN = float("nan")
OFFICIAL = Path(__file__).parents[2] / "fixtures" / "archives" / "chess_official" / "fide.json"
CASES = json.loads(OFFICIAL.read_text(encoding="utf-8"))["cases"]
FIDE = made("elo:preset=fide")


# published


def _published(case: Any) -> dict[str, float]:
    """What the method makes of a case, with the decimals that FIDE prints."""
    opponents, scores = (np.array(column, dtype=np.float64) for column in zip(*case["games"], strict=True))
    elo = made(f"elo:k={case['k']},rule=pre2009,curve=table,period=month")
    n = len(scores)
    result = rated(elo, [case["rating"], *opponents], games([0] * n, range(1, n + 1), scores))
    mean = float(opponents.mean())
    performance = mean + float(table_gap(np.array([scores.mean()]))[0])
    return {
        "rating_change": float(half_away(10.0 * result.change[0].sum()) / 10.0),
        "expected_points": round(float(result.expected.sum()), 2),
        "performance": float(half_away(np.array(mean))) + round(performance - mean),
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_calculations_that_fide_published(case: Any) -> None:
    got = _published(case)
    assert {name: got[name] for name in case["published"]} == case["published"]


def test_all_published_numbers_are_there() -> None:
    names = [name for case in CASES for name in case["published"]]
    assert [names.count(name) for name in ("rating_change", "expected_points", "performance")] == [6, 6, 4]


# the list at the end of a period


def test_the_change_is_rounded_once_and_told() -> None:
    """The sum of a period, half away from zero, on a line of its own."""
    elo = made("elo:k=10,curve=table,period=month,rounding=true")
    result = rated(elo, [2000.0, 2000.0, 2000.0], games([0, 0], [1, 2], [1.0, 0.5]))
    assert result.state["rating"].tolist() == [2005.0, 1995.0, 2000.0]
    half = rated(made("elo:k=1,curve=table,period=month,rounding=true"), [2000.0] * 2, games([0], [1], [1.0]))
    assert half.state["rating"].tolist() == [2001.0, 1999.0]
    assert half.after["rounding"].tolist() == [0.5, -0.5]


def test_the_raise_of_march_2024_is_a_line_of_its_own() -> None:
    """1000 < R < 2000 becomes R + 0.4 (2000 - R) on one list, for those who pause too."""
    start = [1000.0, 1500.0, 1751.0, 2000.0, 1999.0]
    elo = made("elo:rule=by-date,rounding=true,period=month,unrated=skip")
    months = ("2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01")
    lists = [elo.rate(state(elo, start), at(*span, [], [], [])) for span in pairwise(months)]
    assert [one.after["March 2024"].any() for one in lists] == [False, True, False]
    assert lists[1].state["rating"].tolist() == [1000.0, 1700.0, 1851.0, 2000.0, 1999.0]
    exact = made("elo:rule=by-date,period=month,unrated=skip")
    raised = exact.rate(state(exact, start), at("2024-02-01", "2024-03-01", [], [], [])).state["rating"]
    assert raised.tolist() == pytest.approx([1000.0, 1700.0, 1850.6, 2000.0, 1999.4])


def test_the_raise_follows_the_games_of_the_last_old_period() -> None:
    result = FIDE.rate(state(FIDE, [1800.0, 1800.0]), at("2024-02-01", "2024-03-01", [0], [1], [1.0]))
    assert result.state["rating"].tolist() == [1820.0 + 72.0, 1780.0 + 88.0]


def test_who_falls_below_the_floor_of_the_list_starts_again_as_a_newcomer() -> None:
    """1400 since March 2024, 1000 before."""
    begin = state(FIDE, [1405.0, 1405.0, 1399.0]).replace(counted=np.array([50.0, 50.0, 9.0]))
    now = FIDE.rate(begin, at("2024-05-01", "2024-06-01", [0], [1], [0.0]))
    assert np.isnan(now.state["rating"]).tolist() == [True, False, True]
    assert now.state["counted"].tolist() == [0.0, 51.0, 0.0]
    assert np.isnan(now.after["below the list floor"]).tolist() == [True, False, True]
    then = FIDE.rate(begin, at("2024-01-01", "2024-02-01", [0], [1], [0.0]))
    assert then.state["rating"].tolist() == [1395.0, 1415.0, 1399.0]


def test_the_order_inside_a_month_does_not_matter_to_the_last_bit() -> None:
    rng = np.random.default_rng(6)
    a = rng.integers(0, 12, 90)
    b = (a + rng.integers(1, 12, 90)) % 12
    month = at("2019-01-01", "2019-02-01", a, b, rng.choice([0.0, 0.5, 1.0], 90))
    begin = state(FIDE, rng.integers(1500, 2500, 12))
    mixed = month.take(rng.permutation(90))
    assert FIDE.rate(begin, month).state["rating"].tobytes() == FIDE.rate(begin, mixed).state["rating"].tobytes()


def test_a_floor_holds_after_the_rounded_change() -> None:
    elo = made("elo:k=40,rounding=true,floor=100,period=month")
    result = rated(elo, [105.0, 105.0], games([0], [1], [0.0]))
    assert result.state["rating"].tolist() == [100.0, 125.0]
    assert result.after["floor"].tolist() == [15.0, 0.0]


# players without a rating


@pytest.mark.parametrize("text", ["elo:unrated=skip", "elo:unrated=skip,period=month", "elo:k=fide2009,unrated=skip"])
def test_games_against_the_unrated_count_for_nobody(text: str) -> None:
    elo = made(text)
    begin = state(elo, [1500.0, NAN, NAN, 1500.0])
    result = elo.rate(begin, games([0, 1, 0], [1, 2, 3], [1.0, 1.0, 1.0]))
    assert np.isnan(result.state["rating"]).tolist() == [False, True, True, False]
    assert np.isnan(result.expected).tolist() == [True, True, False]
    assert result.change[0][:2].tolist() == [0.0, 0.0]
    assert result.change[0][2] > 0.0
    if "counted" in result.state:
        assert result.state["counted"].tolist() == [1.0, 0.0, 0.0, 1.0]


def test_newcomers_have_no_rating_where_the_unrated_are_told_apart() -> None:
    assert [np.isnan(made(f"elo:unrated={word}").columns()[0].start) for word in ("initial", "skip", "error")] == [
        False, True, True,
    ]  # fmt: skip


def test_two_passes_rate_newcomers_first_and_then_their_opponents() -> None:
    """1500 + 20 (1 - 0.5), and that number is what the opponent met."""
    elo = made("elo:unrated=two_pass,initial=1500,period=month")
    result = rated(elo, [1500.0, NAN], games([0], [1], [0.0]))
    e = 1.0 / (1.0 + 10.0 ** (10.0 / 400.0))
    assert result.state["rating"].tolist() == pytest.approx([1500.0 - 20.0 * e, 1510.0])
    assert result.after["first rating"].tolist() == [0.0, 1500.0]
    assert np.isnan(result.expected[0])


def test_games_of_two_unrated_enter_after_one_has_a_number() -> None:
    """2 met only 1, who met a rated player; 3 and 4 met nobody with a number."""
    elo = made("elo:unrated=two_pass,initial=1500,period=month")
    result = rated(elo, [1500.0, NAN, NAN, NAN, NAN], games([1, 2, 3], [0, 1, 4], [1.0, 1.0, 1.0]))
    e = 1.0 / (1.0 + 10.0 ** (10.0 / 400.0))
    assert result.state["rating"][:3].tolist() == pytest.approx([1500.0 - 20.0 * e, 1510.0, 1500.0 + 20.0 * (1.0 - e)])
    assert result.change[1][1] == 0.0  # the rating of 1 comes of the pass that made it
    assert np.isnan(result.state["rating"][3:]).all()


def test_a_chain_of_newcomers_takes_as_many_passes_as_there_are() -> None:
    elo = made("elo:unrated=two_pass,period=month,rounding=true,k=fide2014")
    links = 30
    result = rated(elo, [1500.0] + [NAN] * links, _born(games(range(links), range(1, links + 1), [0.0] * links)))
    assert result.state["rating"][1] == 1520.0
    assert not np.isnan(result.state["rating"]).any()
    assert result.state["counted"].tolist() == [1.0] * (links + 1)


def _born(played: Any) -> Any:
    played.players = {"born": np.full(40, NAN)}
    return played


@pytest.mark.parametrize("text", ["elo:unrated=two_pass,period=month,rounding=true", "elo:preset=fide"])
def test_changes_and_lines_add_up(text: str) -> None:
    elo = made(text)
    rng = np.random.default_rng(4)
    a = rng.integers(0, 12, 60)
    b = (a + rng.integers(1, 12, 60)) % 12
    begin = np.where(np.arange(12) < 4, NAN, rng.integers(1500, 1900, 12))
    result = elo.rate(
        state(elo, begin), at("2024-02-01", "2024-03-01", a, b, rng.choice([0.0, 0.5, 1.0], 60), event=[1.0] * 60)
    )
    told = np.nan_to_num(begin)
    told += np.bincount(a, result.change[0], 12) + np.bincount(b, result.change[1], 12)
    told += sum(result.after.values())
    final = result.state["rating"]
    assert np.isnan(final).any() == (elo == FIDE)
    assert told[~np.isnan(final)] == pytest.approx(final[~np.isnan(final)], abs=1e-9)
    assert (final[~np.isnan(final)] % 1.0 == 0.0).all()


# the preset, from the outside


def test_a_chess_archive_month_by_month() -> None:
    """A season of three months across March 2024: rounded lists, K of each, the raise, the unrated left out."""
    with rc.open(":memory:") as engine:
        for name, rating, counted in (("ann", 1500.0, 100.0), ("bo", 1600.0, 5.0)):
            values = {"rating": rating, "counted": counted}
            engine.record(rc.RatingSeeded(pool="std", played="2024-01-01", player=name, values=values))
        engine.record(rc.PlayerDescribed(pool="std", played="2024-01-01", player="ann", data={"born": 2010}))
        for month, a, b in (("01", "ann", "bo"), ("01", "ann", "cy"), ("02", "bo", "ann")):
            engine.record(rc.GamePlayed(pool="std", played=f"2024-{month}-10", a=a, b=b, score=1.0))
        january = engine.rating_list("std", "elo:preset=fide", through="2024-01-31")
        assert [january.rating(name) for name in ("ann", "bo")] == [1526.0, 1574.0]
        assert np.isnan(january.rating("cy"))
        february = engine.rating_list("std", "elo:preset=fide", through="2024-02-29")
        assert [february.rating(name) for name in ("ann", "bo")] == [1509.0 + 196.0, 1591.0 + 164.0]
        lines = [line.opponent for line in engine.history("std", "ann", "elo:preset=fide")]
        assert "March 2024" in lines


def _club_of_2023(rule: str) -> tuple[rc.Engine, str]:
    """Three games of 2400 against 1800, the first of which names no event; and the method."""
    engine = rc.open(":memory:")
    for name, rating in (("ann", 2400.0), ("cy", 1800.0)):
        engine.record(rc.RatingSeeded(pool="std", played="2023-01-01", player=name, values={"rating": rating}))
    for day, facts in (("03-01", {}), ("03-02", {"event": "Open"}), ("03-03", {"event": "Open"})):
        game = rc.GamePlayed(uid=day, pool="std", played=f"2023-{day}", a="ann", b="cy", score=1.0, data=facts)
        engine.record(game)
    return engine, f"elo:k=20,curve=table,period=month,rule={rule}"


def test_a_game_without_an_event_is_rated_by_date_everywhere() -> None:
    """By the table 0.92 at 400 and 0.98 at 600: the game of no event and the first of the Open are capped."""
    engine, method = _club_of_2023("by-date")
    with engine:
        listed = engine.rating_list("std", method, strict=True)
        assert listed.left_out == {}
        assert [listed.rating(name) for name in ("ann", "cy")] == pytest.approx([2403.6, 1796.4])
        assert [row["expected"] for row in engine.forecasts("std", method)] == pytest.approx([0.92, 0.92, 0.98])
        lines = engine.history("std", "ann", method)
        assert [line.change for line in lines[1:]] == pytest.approx([1.6, 1.6, 0.4])
        compared = engine.compare("std", [method, "elo"])
        assert sorted(row["method"] for row in compared.scores) == ["elo", method]


def test_a_game_without_an_event_is_left_out_by_the_rule_of_2022_and_refused_at_the_door() -> None:
    engine, method = _club_of_2023("2022")
    with engine:
        assert engine.rating_list("std", method).left_out == {"no event": 1}
        with pytest.raises(OddResults, match=r"elo cannot read 1 result of pool std: 03-01 \(no event\)") as caught:
            engine.rating_list("std", method, strict=True)
        assert caught.value.hint == "amend 03-01, which needs event, or void it"
        engine.declare("std", fits=method)
        nameless = rc.GamePlayed(pool="std", played="2023-03-04", a="ann", b="cy", score=1.0)
        with pytest.raises(rc.RatingCoreError, match="no event"):
            engine.record(nameless)


# the kit


@method_checks(
    made("elo:k=fide2014"),
    made("elo:k=by-date,unrated=skip"),
    made("elo:k=czech,rule=2025,curve=table,floor=1400"),
    made("elo:k=fide2009,rule=2022,rounding=true,period=event"),
    made("elo:unrated=two_pass,rounding=true,period=month"),
    made("elo:list_floor=1400,unrated=skip,period=month"),
    made(
        "elo:k=fide_pre2009,rule=by-date,unrated=two_pass,curve=normal,draw_band=40,first_move=30,floor=1450,period=month"
    ),
    made("elo:k=fide2014,rounding=true,period=quarter"),
    FIDE,
)
def test_elo_by_rules_keeps_the_laws(law: Law, method: Elo) -> None:
    law(method)

"""Backdate or not: the list of a choice is the list of its rules, to the bit, and everything told of it adds up."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from ratingcore_backdating import BackdatingPlan, backdate
from ratingcore_backdating.backdating import Backdating
from ratingcore_backdating.page import backdating_html

from ratingcore.compare.forecasts import forecast
from ratingcore.engine import Engine
from ratingcore.errors import BadValue, MethodNotFound, PoolNotNamed, UnknownName
from ratingcore.events import DAY, iso
from ratingcore.log import SqliteLog
from ratingcore.methods.rule_histories import Book
from ratingcore.registry import Registry
from ratingcore.replay.day_lists import watch
from tests.columns.making import POOL, game, seed, session
from tests.report.test_table import club

INSTALLED = Registry.installed()
SAME = (
    "elo", "elo:k=40", "elo:period=month", "elo:period=event", "elo:period=month,rounding=true", "elo-margin:carry=0.5",
    "periodic", "periodic:period=days(10)", "periodic:period=cuts(1970-06-01;1971-01-01)", "adaptive-k",
    "chess-bayes:drift_var=20", "dwz", "egf:period=quarter", "fesa",
)  # fmt: skip
"""Rules all of whose columns are carried over; by day, by period, by tournament."""


def league(n: int = 300, players: int = 12, seed_of: int = 0) -> Engine:
    """Random games from 1970-01-02 on, one every other day, some with newcomers late; seeds before and after."""
    random = np.random.default_rng(seed_of)
    strength = random.normal(0.0, 1.0, players)
    events: list[Any] = [seed(0.5, "p0", 1700.0), seed(200.0, "p1", 1400.0), seed(450.0, "p2", 1650.0)]
    for g in range(n):
        there = min(players, 4 + g // 20)
        i, j = random.choice(there, 2, replace=False).tolist()
        won = random.random() < 1 / (1 + np.exp(strength[j] - strength[i]))
        points = {"points_a": 2 + int(won), "points_b": 3 - int(won)}
        data = {"event": f"open {g // 7 + g % 3}", "season": g // 90, **points}  # tournaments overlap
        events.append(game(1 + 2 * g, f"p{i}", f"p{j}", float(won), data=data))
    made = Engine(SqliteLog(":memory:"), INSTALLED)
    made.record(*events)
    return made


def on(day: float) -> str:
    return iso(int(day * DAY))


def told(made: Backdating, name: str) -> dict[str, Any]:
    """Ratings of a choice by player."""
    return dict(zip(made.lists["player"], made.lists[f"rating {name}"], strict=True))


def rows(made: Backdating, table: str, **of: str) -> list[dict[str, Any]]:
    return [row for row in made.tables[table] if all(row[name] == value for name, value in of.items())]


@pytest.mark.parametrize("rule", SAME)
@pytest.mark.parametrize("day", [100.0, 333.0, 425.0, 590.0])
def test_the_same_rule_from_any_day_gives_the_same_list_to_the_bit(rule: str, day: float) -> None:
    engine = league()
    made = backdate(engine, BackdatingPlan(rule, rule, ("today", on(day), "beginning")))
    assert all(made.carried["carried"])
    for name in made.choices:
        assert made.lists[f"rating {name}"] == made.lists["old rating"]
        assert made.lists[f"rank {name}"] == made.lists["old rank"]
        assert set(made.lists[f"change {name}"]) == {0.0}
    assert len(made.crossed) == 0
    assert len(made.movers) == 0


def test_the_new_rule_goes_on_from_what_the_old_one_said() -> None:
    engine = Engine(SqliteLog(":memory:"), INSTALLED)
    engine.record(game(1, "ann", "bo", 1.0), game(10, "ann", "bo", 0.0))
    ann = 1500 + 10.0  # K 20, even
    gap = 2 * (ann - 1500)
    expected = 1 / (1 + 10 ** (-gap / 400))
    made = backdate(engine, BackdatingPlan("elo", "elo:k=40", on(5)))
    after = told(made, f"from {on(5)}")
    assert after["ann"] == pytest.approx(ann - 40 * expected, abs=5e-5)
    assert after["ann"] + after["bo"] == pytest.approx(3000, abs=1e-4)
    assert rows(made, "starts")[0] == {
        "choice": f"from {on(5)}", "carried_over": 2, "unrated": 0, "by_old_rule": 1, "by_new_rule": 1, "waiting": 0,
    }  # fmt: skip


def test_today_changes_no_list_and_the_beginning_is_the_new_rule_alone() -> None:
    engine = league()
    made = backdate(engine, BackdatingPlan("elo", "elo:k=40", ("today", "beginning")))
    assert made.lists["rating from today"] == made.lists["old rating"]
    alone = engine.rating_list(POOL, "elo:k=40")
    assert told(made, "from the beginning") == {row["player"]: row["rating"] for row in alone}
    assert rows(made, "left_out") == [
        {"choice": "from today", "why": "nothing has been played since: its forecasts cannot be scored yet"}
    ]
    assert "from today none moves yet." in made.answer
    assert "from today, no rating moves yet" in made.measured


def test_games_of_a_period_that_is_open_on_the_day_are_rated_by_the_new_rule() -> None:
    engine = Engine(SqliteLog(":memory:"), INSTALLED)
    engine.record(game(10, "ann", "bo"), game(40, "ann", "bo"), game(50, "ann", "bo"), game(60, "cy", "bo"))
    made = backdate(engine, BackdatingPlan("elo:period=month", "elo", on(45)))
    (start,) = rows(made, "starts")
    assert (start["by_old_rule"], start["waiting"], start["by_new_rule"]) == (1, 1, 3)
    assert start["carried_over"] == 2


def test_newcomers_after_the_day_begin_as_the_new_rule_has_them_begin() -> None:
    engine = Engine(SqliteLog(":memory:"), INSTALLED)
    engine.record(game(1, "ann", "bo"), game(10, "ann", "cy"))
    after = told(backdate(engine, BackdatingPlan("elo", "elo:initial=1000,k=0.000001", on(5))), f"from {on(5)}")
    assert after["cy"] == pytest.approx(1000, abs=1e-3)
    assert after["ann"] == pytest.approx(1510, abs=1e-3)


def test_forecasts_are_those_of_the_rules_and_of_the_same_games() -> None:
    engine, day = league(), 333.0
    made = backdate(engine, BackdatingPlan("elo", "elo:k=40", (on(day), "beginning")))
    late = rows(made, "forecasts", since=on(day))
    assert {row["choice"] for row in late} == {"old rule", f"from {on(day)}", "from the beginning"}
    assert len({row["games"] for row in late}) == 1
    compared = engine.compare(POOL, ["elo", "elo:k=40"], since=on(day))
    for row in compared.scores:
        name = "old rule" if row["method"] == "elo" else "from the beginning"
        (mine,) = [one for one in late if one["choice"] == name]
        assert mine["log_loss"] == pytest.approx(row["log_loss"], abs=1e-12)
        if row["better_by"] is not None:
            assert mine["better_by"] == pytest.approx(row["better_by"], abs=1e-12)
            assert mine["low"] == pytest.approx(row["better_by_low"], abs=1e-12)
    (further,) = rows(made, "backdating")
    by = {row["choice"]: row["log_loss"] for row in late}
    assert further["better_by"] == pytest.approx(by[f"from {on(day)}"] - by["from the beginning"], abs=1e-12)


def test_forecasts_after_the_day_do_not_know_what_comes_later() -> None:
    engine, day = league(), 333.0
    plan = BackdatingPlan("elo", "elo:k=40", on(day))
    cut = backdate(engine, BackdatingPlan("elo", "elo:k=40", on(day), through=on(400)))
    assert rows(cut, "forecasts", since=on(day))[0]["games"] < rows(backdate(engine, plan), "forecasts")[0]["games"]
    method, other, view = INSTALLED.method("elo"), INSTALLED.method("elo:k=40"), engine.core.view(POOL)
    book = Book(method, other, int(day * DAY))
    whole, early = (forecast(book, one).expected for one in (view, engine.core.view(POOL, on(400))))
    assert len(early)
    assert np.array_equal(whole[: len(early)], early)


def test_levels_and_health_end_where_the_lists_are() -> None:
    engine = league()
    made = backdate(engine, BackdatingPlan("elo", "elo:k=40", ("today", on(333), "beginning")))
    for row in made.levels:
        name = row["choice"]
        column = "old rating" if name == "old rule" else f"rating {name}"
        ratings = np.array(made.lists[column], dtype=float)
        assert row["total"] == pytest.approx(ratings.sum())
        assert row["mean"] == pytest.approx(ratings.mean())
        assert row["best"] == ratings.max()
        last = rows(made, "health", method=name)[-1]
        assert last["total"] == pytest.approx(ratings.sum(), abs=1e-2)  # everybody is active; lists are rounded
    late, old = rows(made, "health", method=f"from {on(333)}"), rows(made, "health", method="old rule")
    for mine, theirs in zip(late, old, strict=True):
        if mine["at"] < on(333):
            assert mine == {**theirs, "method": mine["method"]}
    assert late[-1]["top_mean"] != old[-1]["top_mean"]
    for before, after in pairwise(late):
        books = before["total"] + after["brought"] + after["carried"] - after["taken"] + after["made"]
        assert after["total"] == pytest.approx(books)


def test_a_table_of_grades_that_no_plugin_offers_is_refused() -> None:
    with pytest.raises(BadValue, match=r"table of grades must be one of egf, .*'shoe'"):
        backdate(league(), BackdatingPlan("elo", "elo:k=60", "beginning", grades="shoe"))


def test_thresholds_are_crossed_up_and_down_by_those_who_do() -> None:
    engine = league()
    made = backdate(engine, BackdatingPlan("elo", "elo:k=60", "beginning", thresholds=(1450, 1550), grades="elo_class"))
    old, new = (dict(zip(made.lists["player"], made.lists[name], strict=True)) for name in (
        "old rating", "rating from the beginning"
    ))  # fmt: skip
    for limit in (1450, 1550):
        (row,) = rows(made, "crossings", level=f"{limit} or more")
        up = {player for player in old if old[player] < limit <= new[player]}
        down = {player for player in old if new[player] < limit <= old[player]}
        assert (row["risen"], row["fallen"]) == (len(up), len(down))
        assert row["new"] - row["old"] == row["risen"] - row["fallen"]
        assert {one["player"] for one in rows(made, "crossed", level=f"{limit} or more", direction="up")} == up
        assert {one["player"] for one in rows(made, "crossed", level=f"{limit} or more", direction="down")} == down
    grades = [row for row in made.crossings if "to" in str(row["level"])]
    assert sum(row["new"] for row in grades) == sum(row["old"] for row in grades) == len(old)


def test_movers_move_most_and_a_policy_leaves_players_off() -> None:
    engine = league()
    made = backdate(engine, BackdatingPlan("elo", "elo:k=60", "beginning", policy="min_games=30"))
    change = made.lists["change from the beginning"]
    assert 0 < len(made.lists) < 12
    assert min(made.lists["games"]) >= 30
    assert max(row["change"] for row in made.movers) == max(change)
    assert min(row["change"] for row in made.movers) == min(change)


def test_lists_of_rules_with_other_dates_stand_side_by_side() -> None:
    engine = league()
    made = backdate(engine, BackdatingPlan("elo:period=year", "elo", ("beginning", on(100)), policy="active=1 month"))
    assert len(made.lists) >= max(len(engine.rating_list(POOL, "elo", policy="active=1 month")), 1)


def test_what_cannot_be_carried_over_is_told() -> None:
    made = backdate(league(), BackdatingPlan("elo", "elo-margin:margin=none", on(100)))
    assert rows(made, "carried") == [
        {"column": "rating", "carried": True, "begins_with": "the old rule's value", "why": None},
        {"column": "season", "carried": False, "begins_with": "nothing", "why": "the old rule has no such column"},
    ]


def test_newcomers_of_the_old_rule_without_a_rating_are_counted_and_begin_anew() -> None:
    engine = league()
    made = backdate(engine, BackdatingPlan("elo:entry=trial(30)", "elo", on(100)))
    (start,) = rows(made, "starts")
    assert start["unrated"] > 0
    assert None not in made.lists[f"rating from {on(100)}"]


def test_a_whole_pool_method_starts_from_the_beginning_only_and_may_be_followed() -> None:
    engine = league(120)
    with pytest.raises(BadValue, match="berkin can start from: a whole-pool method"):
        backdate(engine, BackdatingPlan("elo", "berkin", ("beginning", on(100))))
    assert len(backdate(engine, BackdatingPlan("elo", "berkin", ("today", "beginning"))).forecasts) == 2
    after = told(backdate(engine, BackdatingPlan("bradley-terry", "elo", on(100))), f"from {on(100)}")
    assert all(rating is not None for rating in after.values())
    with pytest.raises(BadValue, match="cannot begin with the ratings of berkin: those are on a scale of their own"):
        backdate(engine, BackdatingPlan("berkin", "elo", on(100)))


@pytest.mark.parametrize(
    ("plan", "kind", "said"),
    [
        (BackdatingPlan("elo", "elo:k=40", "2031-01-01"), BadValue, "is after the last result, of 1970-04-30"),
        (BackdatingPlan("elo", "elo:k=40", "1970-01-02"), BadValue, "is not after the first result, of 1970-01-02"),
        (BackdatingPlan("elo", "elo:k=40", "1980-01-01", pool="blitz"), UnknownName, "blitz"),
        (BackdatingPlan("elo", "eloo", "today"), MethodNotFound, "eloo"),
        (BackdatingPlan("elo", "elo:k=40", "today", players=["nobody"]), UnknownName, "nobody"),
        (BackdatingPlan("elo", "elo:k=40", "today", through="1969-01-01"), BadValue, "has no results at this cut"),
    ],
)
def test_what_no_log_can_answer_is_refused(plan: BackdatingPlan, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        backdate(league(60), plan)


def test_a_pool_must_be_named_where_there_are_several_or_none() -> None:
    engine = league(20)
    engine.record(game(1, "ann", "bo", pool="blitz"))
    with pytest.raises(PoolNotNamed, match="the log has several pools: club, blitz"):
        backdate(engine, BackdatingPlan("elo", "elo:k=40", "today"))
    with pytest.raises(PoolNotNamed, match="has no results yet"):
        backdate(Engine(SqliteLog(":memory:"), INSTALLED), BackdatingPlan("elo", "elo:k=40", "today"))


def test_a_pool_of_sessions_has_lists_and_no_forecasts() -> None:
    engine = Engine(SqliteLog(":memory:"), INSTALLED)
    engine.record(*(session(day, ("AB", 60.0), ("CD", 40.0)) for day in (1, 20, 40)))
    sided = next((name for name, kind in INSTALLED.methods.items() if kind.reads.__name__ == "Sides"), None)
    if sided is None:
        pytest.skip("no installed method reads sides")
    made = backdate(engine, BackdatingPlan(sided, sided, (on(30), "beginning")))
    assert len(made.lists) == 4
    assert len(made.forecasts) == 0
    assert {row["why"] for row in made.left_out} == {"the pool has no games of two players: sessions are not scored"}
    assert set(made.curves["player"]) == set("ABCD")
    assert len(made.health) > 0


def test_curves_have_the_deviations_of_the_lists_of_their_day() -> None:
    """Curves of a rule with deviations stood without a band on the pages of a change of rule."""
    engine = league(240)
    made = backdate(engine, BackdatingPlan("elo", "glicko", (on(100), "beginning"), players=["p1"]))
    rows = list(made.curves)
    assert {row["method"] for row in rows if row["deviation"] is not None and row["deviation"] == row["deviation"]} == {
        f"from {on(100)}", "from the beginning",
    }  # fmt: skip
    for row in rows:
        if row["method"] == "from the beginning" and str(row["at"])[:10] != str(rows[-1]["at"])[:10]:
            listed = engine.rating_list(made.pool, "glicko", through=str(row["at"])[:10])
            if "p1" in listed:
                place = listed.player.index("p1")
                assert row["deviation"] == pytest.approx(listed.exact["deviation"][place], abs=1e-9)
        if row["method"] == f"from {on(100)}":
            late = str(row["at"])[:10] >= on(100)
            assert (row["deviation"] is not None and row["deviation"] == row["deviation"]) is late
    page = backdating_html(made)
    assert "mark-area" in page or '"area"' in page
    assert "deviation" not in backdate(engine, BackdatingPlan("elo", "elo:k=40", "beginning")).curves.columns


def test_curves_keep_their_bands_where_a_result_is_odd() -> None:
    """A session among the games took the deviations away from the curves of methods that read games."""
    engine = league(120)
    engine.record(session(3, ("XY", 60.0), ("ZW", 40.0)))
    view = engine.core.view(POOL)
    seen: list[set[str]] = []
    watch(engine.registry.method("glicko"), view, [view.through], lambda number, shown: seen.append(set(shown)))
    assert seen == [{"rating", "deviation"}]


def test_a_choice_that_rates_nobody_says_why_and_the_others_are_scored() -> None:
    """One choice without forecasts made all that began later *cannot be scored*."""
    engine = Engine(SqliteLog(":memory:"), INSTALLED)
    engine.record(*(game(1 + g, "abcdef"[g % 6], "abcdef"[(g + 1 + g % 4) % 6], g % 3 / 2) for g in range(240)))
    made = backdate(engine, BackdatingPlan("elo", "elo:k=24,entry=trial(10)", ("today", on(100), "beginning")))
    assert {(row["choice"], row["on"]) for row in made.forecasts} == {
        ("old rule", "common games"), (f"from {on(100)}", "common games")
    }  # fmt: skip
    why = "newcomers enter by games against rated players, and there are none; seed some ratings, or start later"
    assert {row["choice"]: row["why"] for row in made.left_out}["from the beginning"] == f"it rates nobody: {why}"
    assert f"from the beginning, nobody is rated: {why}" in made.measured
    assert "cannot be scored" not in made.measured


def test_a_choice_is_scored_on_its_own_games_beside_the_common_ones() -> None:
    """From the beginning most players are on trial for long; those whom the old rule has rated are not."""
    made = backdate(league(), BackdatingPlan("elo", "elo:k=24,entry=trial(10)", (on(101), "beginning")))
    games = {(row["on"], row["choice"]): row["games"] for row in made.forecasts if row["since"] == on(101)}
    assert games["its own games", f"from {on(101)}"] > games["common games", f"from {on(101)}"] > 0


def test_everything_comes_out_as_json_and_csv() -> None:
    made = backdate(league(120), BackdatingPlan("elo", "elo:k=40", ("today", on(50), "beginning"), thresholds=1500))
    found = json.loads(made.json())
    assert found["choices"] == ["from today", f"from {on(50)}", "from the beginning"]
    assert set(found["tables"]) == set(made.tables)
    assert made.csv("lists").splitlines()[0].startswith("player,games,old rank,old rating,rank from today")
    assert str(made).startswith(made.answer)


def test_the_page_of_a_plan_shows_what_players_are_called() -> None:
    plan = BackdatingPlan.parse('old = "elo"\nnew = "elo:k=40"\nstart = [2024-03-10]')
    assert "fide:15 (Ann &lt;Lee&gt;)" in backdating_html(backdate(club(), plan))

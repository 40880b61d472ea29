"""List policies: who is left off and why, ranks of ties, rounding, provisional ratings."""

from typing import Any

import pytest
from ratingcore_chess_bayes import ChessBayes
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.errors import BadValue
from ratingcore.events import DAY, PlayersMerged, instant, iso, last_instant
from ratingcore.lists import ListPolicy, RatingList, Window
from tests.columns.making import POOL, engine, game, seed, session
from tests.replay.toys import Unrated


def listed(eng: Engine, policy: Any = None, **cuts: Any) -> RatingList:
    return eng.rating_list(POOL, Elo(), policy=policy, **cuts)


def ranks(found: RatingList) -> list[tuple[int, str]]:
    return list(zip(found.rank.tolist(), found.player, strict=True))


# windows


@pytest.mark.parametrize(
    ("window", "day", "start"),
    [
        ("months(12)", "2024-03-31", "2023-04-01"),
        ("months(12)", "2024-02-29", "2023-03-01"),
        ("months(12)", "2023-02-28", "2022-03-01"),
        ("months(1)", "2023-04-30", "2023-04-01"),
        ("months(1)", "2024-03-30", "2024-02-29"),
        ("months(6)", "2024-01-15", "2023-07-16"),
        ("days(1)", "2024-03-31", "2024-03-31"),
        ("days(90)", "2024-03-31", "2024-01-02"),
        ("days(1)", "1969-12-31", "1969-12-31"),
        ("months(1)", "1969-12-31", "1969-12-01"),
        ("months(99999)", "2024-03-31", "0001-01-01"),
        ("days(99999)", "0001-03-31", "0001-01-01"),
    ],
)
def test_a_window_ends_with_its_day_and_starts_so_long_before(window: str, day: str, start: str) -> None:
    assert iso(Window.parse(window).start(last_instant(day))) == start


def test_a_window_that_ends_within_a_day_starts_at_the_same_time() -> None:
    at = instant("2024-03-31T12:00")
    assert iso(Window.parse("months(1)").start(at)) == "2024-02-29T12:00:00.000001Z"
    assert Window.parse("days(2)").start(at) == at + 1 - 2 * DAY


@pytest.mark.parametrize("text", ["12 months", "12months", "12 month", " months(12) "])
def test_windows_have_spellings_that_a_shell_takes(text: str) -> None:
    assert str(Window.parse(text)) == "months(12)"


@pytest.mark.parametrize("text", ["", "year", "months", "months()", "months(0)", "0 days", "months(-1)", "1.5 months"])
def test_a_window_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="must be a window such as '12 months' or '90 days'"):
        Window.parse(text)


# texts


@pytest.mark.parametrize(
    "text",
    ["", "min_games=5", "active=days(90)", "provisional=9", "digits=0", "digits=-1", "significant=6", "ties=dense",
     "min_games=5,active=months(12),provisional=9,digits=2,ties=games"],
)  # fmt: skip
def test_a_policy_reads_its_own_text(text: str) -> None:
    policy = ListPolicy.parse(text)
    assert str(policy) == text
    assert ListPolicy.parse(str(policy)) == policy


@pytest.mark.parametrize(
    "text",
    ["min_games", "min_games=", "min_games=x", "min_games=-1", "min_games=1.5", "min_games=1,min_games=2", "k=24",
     "active=soon", "ties=none", "digits=10", "digits=half", "significant=0", "significant=16",
     "min_games=1;digits=0", "="],
)  # fmt: skip
def test_a_text_that_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        ListPolicy.parse(text)


@pytest.mark.parametrize(
    "fields",
    [{"min_games": True}, {"min_games": 2.0}, {"active": 12}, {"digits": True}, {"significant": 6.0}, {"ties": None}],
)
def test_a_value_that_is_no_policy_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadValue):
        ListPolicy(**fields)


# lists


def test_without_a_policy_a_list_is_as_it_always_is() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "cy", "bo"))
    for policy in (None, "", ListPolicy(), "ties=shared"):
        assert str(listed(eng, policy)) == str(listed(eng))
        assert listed(eng, policy).digest == listed(eng).digest


def test_who_has_fewer_games_is_left_off_and_counted() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "ann", "cy"), game(3, "ann", "cy"), seed(4, "dee"))
    found = listed(eng, "min_games=2")
    assert {row["player"]: row["games"] for row in found} == {"ann": 3, "cy": 2}
    assert found.rank.tolist() == [1, 2]
    assert found.provenance.left_off == (("fewer than 2 games", 2),)
    assert found.provenance.lines()[2:4] == ["policy min_games=2", "left off 2 (fewer than 2 games)"]


def test_who_did_not_play_in_the_window_is_left_off() -> None:
    eng = engine(game(10, "ann", "bo"), game(20, "cy", "dee"), game(31, "bo", "cy"), game(40, "ann", "dee"))
    through = instant("1970-01-01") + 31 * DAY + DAY - 1
    found = listed(eng, "active=days(12)", through=through)  # from day 20 on
    assert set(found.player) == {"bo", "cy", "dee"}
    assert found.provenance.left_off == (("no game in 12 days", 1),)
    assert set(listed(eng, "active=days(11)", through=through).player) == {"bo", "cy"}
    assert set(listed(eng, "active=1 day", through=through).player) == {"bo", "cy"}


def test_sessions_are_results_too_and_seeds_are_none() -> None:
    from ratingcore_bridge_bayes import BridgeBayes

    eng = engine(
        session(1, ("ab", 60.0), ("cd", 40.0), data={"unit": "percent"}),
        session(50, ("ac", 60.0), ("be", 40.0), data={"unit": "percent"}),
    )
    found = eng.rating_list(POOL, BridgeBayes(), policy="active=10 days")
    assert set(found.player) == {"a", "b", "c", "e"}
    eng = engine(game(1, "ann", "bo"), game(50, "bo", "cy"), seed(50, "ann"))
    assert set(listed(eng, "active=10 days").player) == {"bo", "cy"}


def test_a_player_left_off_for_two_reasons_counts_for_the_first() -> None:
    eng = engine(game(1, "ann", "bo"), game(50, "bo", "cy"), game(50, "bo", "dee"), game(1, "ann", "eve"))
    found = listed(eng, "min_games=2,active=10 days")
    assert found.player == ("bo",)
    assert found.provenance.left_off == (("fewer than 2 games", 3), ("no game in 10 days", 1))
    assert found.provenance.left_off_text() == "3 (fewer than 2 games), 1 (no game in 10 days)"


def test_a_policy_that_leaves_nobody_off_says_so() -> None:
    found = listed(engine(game(1, "ann", "bo")), "min_games=1")
    assert "left off nobody" in found.provenance.lines()


def test_a_policy_can_leave_off_everybody() -> None:
    found = listed(engine(game(1, "ann", "bo")), "min_games=2,provisional=3,digits=0,ties=games")
    assert (len(found), found.player, len(found.digest), len(found.seal)) == (0, (), 64, 64)
    assert listed(engine(game(1, "ann", "bo")), "min_games=2,active=1 day", known_at=0).player == ()


def test_results_of_a_merged_player_count_together() -> None:
    eng = engine(game(1, "ann", "bo"), game(30, "anna", "bo"), PlayersMerged(keep="ann", other="anna"))
    assert ranks(listed(eng, "min_games=2,active=5 days")) == [(1, "ann"), (2, "bo")]
    assert set(listed(eng, "min_games=2", known_at=2).player) == {"bo"}


def tied() -> Engine:
    return engine(
        *(seed(1, player, rating) for player, rating in
          {"bo": 1500.4, "ann": 1499.6, "cy": 1600.0, "dee": 1400.0, "eve": 1400.0}.items()),
        game(2, "dee", "eve", 0.5), game(3, "dee", "flo", 0.5), game(3, "flo", "dee", 0.5),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("shared", [(1, "cy"), (2, "ann"), (2, "bo"), (2, "flo"), (5, "dee"), (5, "eve")]),
        ("dense", [(1, "cy"), (2, "ann"), (2, "bo"), (2, "flo"), (3, "dee"), (3, "eve")]),
        ("games", [(1, "cy"), (2, "flo"), (3, "ann"), (3, "bo"), (5, "dee"), (6, "eve")]),
    ],
)
def test_equal_ratings_are_ranked_as_the_policy_says(ties: str, expected: list[tuple[int, str]]) -> None:
    found = tied().rating_list(POOL, Elo(k=1e-9), policy=f"digits=0,ties={ties}")
    assert ranks(found) == expected


def test_a_rating_is_rounded_once_and_from_the_full_number() -> None:
    eng = engine(seed(1, "ann", 1499.49996))
    assert listed(eng).rating("ann") == 1499.5
    assert listed(eng, "digits=0").rating("ann") == 1499.0
    assert listed(eng, "digits=-1").rating("ann") == 1500.0
    assert listed(eng, "digits=5").rating("ann") == 1499.49996


def test_significant_digits_are_asked_for_or_declared_by_the_method() -> None:
    eng = engine(seed(1, "ann", 0.019143268))
    assert listed(eng).rating("ann") == 0.0191, "a scale of 400 is that of points"
    assert listed(eng, "significant=6").rating("ann") == 0.0191433
    assert listed(eng, "digits=5,significant=2").rating("ann") == 0.01914
    fine = eng.rating_list(POOL, Elo(scale=1.0, initial=0.0))
    assert (fine.rating("ann"), str(fine.provenance.policy)) == (0.0191433, "significant=6")
    assert fine.exact["rating"].tolist() == [0.019143268]
    coarse = eng.rating_list(POOL, Elo(scale=1.0, initial=0.0), policy="digits=2")
    assert (coarse.rating("ann"), str(coarse.provenance.policy)) == (0.02, "digits=2")
    mine = eng.rating_list(POOL, Elo(scale=1.0, initial=0.0), policy="significant=3")
    assert (mine.rating("ann"), str(mine.provenance.policy)) == (0.0191, "significant=3")


def test_a_deviation_on_a_fine_scale_has_significant_digits_too() -> None:
    eng = engine(game(1, "ann", "bo"))
    fine = eng.rating_list(POOL, ChessBayes(scale=1.0, initial=0.0, deviation=0.05, draw_band=0.01))
    row = next(iter(fine.with_exact()))
    for name in ("rating", "deviation"):
        shown, full = row[name], row[f"{name}_exact"]
        assert isinstance(shown, float)
        assert isinstance(full, float)
        assert 0 < abs(shown - full) <= 5.1e-6 * abs(full)
    usual = next(iter(eng.rating_list(POOL, ChessBayes()).with_exact()))
    assert usual["deviation"] == pytest.approx(usual["deviation_exact"], rel=0.0, abs=0.5e-4)
    assert usual["deviation"] != usual["deviation_exact"]


def test_digits_are_of_the_rating_alone() -> None:
    eng = engine(seed(1, "ann", 1499.6))
    (row,) = eng.rating_list(POOL, Unrated(), policy="digits=-2")
    assert (row["rating"], row["deviation"]) == (1500.0, 350.0)


def test_a_rating_is_provisional_until_there_are_games_enough() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "ann", "cy"), seed(3, "dee", 1000.0))
    found = listed(eng, "provisional=2")
    assert found.columns == ("rank", "player", "rating", "games", "provisional")
    said = {row["player"]: row["provisional"] for row in found}
    assert said == {"ann": None, "bo": "1 of 2 games", "cy": "1 of 2 games", "dee": "0 of 2 games"}


def test_the_unrated_stay_unranked_under_every_rule_for_ties() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "bo", "cy"), seed(3, "cy", 900.0))
    for ties, order in (
        ("shared", ["cy", "ann", "bo"]),
        ("dense", ["cy", "ann", "bo"]),
        ("games", ["cy", "bo", "ann"]),
    ):
        found = eng.rating_list(POOL, Unrated(), policy=f"ties={ties}")
        assert (found.rank.tolist(), list(found.player)) == ([1, 0, 0], order)

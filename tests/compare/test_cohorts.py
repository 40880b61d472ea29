"""Cohorts of games and sessions."""

from collections.abc import Iterator
from math import nan
from typing import Any

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.compare.cohorts import (
    Cohorts,
    by_experience,
    by_gap,
    by_strength,
    cohorts,
)
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.played import PlayedSessions
from ratingcore.engine import Engine
from ratingcore.errors import BadValue
from ratingcore.events import PlayerDescribed
from ratingcore.log.lookup import uid_at
from tests.columns.making import POOL, engine, game
from tests.compare.making import games_of, league

DAY = 86_400_000_000


def named(found: Cohorts) -> list[Any]:
    return [found.names[code] if code >= 0 else None for code in found.code.tolist()]


def described(player: str, **facts: Any) -> PlayerDescribed:
    return PlayerDescribed(pool=POOL, played=0, player=player, data=facts)


def test_gaps_are_parted_in_steps_of_a_round_number() -> None:
    gap = np.linspace(0, 420, 1000)
    found = by_gap(gap + 1500, np.full(1000, 1500.0))
    assert found.names == ("0-50", "50-100", "100-150", "150-200", "200-250", "250-300", "300-350", "350-400", "400+")
    assert named(found)[0] == "0-50"
    assert found.names[found.code[np.searchsorted(gap, 50.0)]] == "50-100"


def test_gaps_of_small_ratings_have_small_steps() -> None:
    assert by_gap(np.linspace(0, 0.42, 1000), np.zeros(1000)).names[:2] == ("0-0.05", "0.05-0.1")
    assert by_gap(np.linspace(0, 4.2, 1000), np.zeros(1000)).names[:2] == ("0-0.5", "0.5-1")


def test_given_edges_are_kept_and_unrated_players_are_nowhere() -> None:
    found = by_gap(np.array([1500.0, nan, 1700.0]), np.array([1400.0, 1500.0, 1500.0]), edges=(0, 100, 200))
    assert (found.names, named(found)) == (("0-100", "100-200", "200+"), ["100-200", None, "200+"])
    with pytest.raises(BadValue, match="must rise, such as"):
        by_gap(np.zeros(1), np.zeros(1), edges=(0, 100, 100))


@pytest.mark.parametrize("rating", [np.empty(0), np.full(3, nan), np.full(3, 1500.0)])
def test_no_gap_at_all_is_no_trouble(rating: np.ndarray) -> None:
    for found in (by_gap(rating, rating), by_strength(rating, rating)):
        assert len(found.code) == len(rating)


def test_strength_is_the_mean_of_both_in_parts_of_as_many_games() -> None:
    rating = np.random.default_rng(0).normal(1500, 200, 1000)
    found = by_strength(rating, rating + 100)
    assert np.bincount(found.code).tolist() == [200] * 5
    assert found.names[0].startswith(f"{rating.min() + 50:.0f}-")


def test_experience_is_of_the_less_experienced_and_newcomers_are_apart() -> None:
    eng = engine(*(game(day, "a", "b") for day in range(1, 13)), game(13, "a", "c"), game(14, "b", "a"))
    found = by_experience(games_of(eng))
    assert found.names == ("newcomers (0-9)", "10-29", "30-99", "100-299", "300+")
    assert named(found) == ["newcomers (0-9)"] * 10 + ["10-29"] * 2 + ["newcomers (0-9)", "10-29"]


def test_years_are_those_of_the_calendar() -> None:
    eng = engine(*(game(day, "a", "b") for day in (-1, 0, 364, 365, 1100)))
    found = cohorts("year", games_of(eng))
    assert named(found) == ["1969", "1970", "1970", "1971", "1973"]


def test_events_and_other_fields_of_results_are_cohorts() -> None:
    eng = engine(
        game(1, "a", "b", data={"event": "open", "round": 2}), game(2, "a", "b", data={"event": "cup", "round": 10}),
        game(3, "a", "b", data={"round": 9}),
    )  # fmt: skip
    played = games_of(eng)
    assert named(cohorts("event", played)) == ["open", "cup", None]
    assert cohorts("round", played).names == ("2", "9", "10"), "numbers in their order"
    assert named(cohorts("round", played)) == ["2", "10", "9"]


def test_a_field_of_many_numbers_is_parted_in_fifths() -> None:
    eng = engine(*(game(n, "a", "b", data={"board": n}) for n in range(1, 101)))
    found = cohorts("board", games_of(eng))
    assert len(found.names) == 5
    assert np.bincount(found.code).tolist() == [20] * 5


def test_a_game_is_in_the_cohorts_of_both_players() -> None:
    eng = engine(
        game(1, "a", "b"), game(2, "a", "c"), game(3, "c", "d"), game(4, "d", "e"),
        described("a", club="oak"), described("b", club="oak"), described("c", club="elm"), described("e", club="x"),
        described("e", club="ash"),
    )  # fmt: skip
    found = cohorts("club", games_of(eng))
    assert of_each(found, 4) == [["oak"], ["elm", "oak"], ["elm"], ["ash"]]
    assert found.names == ("ash", "elm", "oak", "x")


def test_a_field_that_nobody_has_is_refused_with_what_there_is() -> None:
    with pytest.raises(BadValue, match="gap, strength, experience, year, event, or a field of a result or a player"):
        cohorts("hair", games_of(league(5)))
    with pytest.raises(BadValue, match="a field of a result"):
        cohorts("event", games_of(league(5)))
    with pytest.raises(BadValue, match="needs the ratings"):
        cohorts("gap", games_of(league(5)))


def test_a_field_that_only_games_after_the_cut_have_is_no_field() -> None:
    eng = engine(game(1, "a", "b"), game(9, "a", "b", data={"event": "cup"}))
    with pytest.raises(BadValue):
        cohorts("event", games_of(eng).of(eng.core.view(POOL, 2 * DAY)))


def test_a_game_in_two_cohorts_counts_in_both_and_one_in_none_in_neither() -> None:
    part = Cohorts("club", ("ash", "elm"), np.array([0, 1, 0]), np.array([0, 0, 1]))
    assert [part.of(cohort).tolist() for cohort in (0, 1)] == [[0, 1], [0]]
    assert of_each(part.some(np.array([False, True, True])), 2) == [["ash"], []]


def test_games_that_are_not_asked_about_are_in_no_cohort() -> None:
    part = Cohorts("all", ("all",), np.zeros(4, dtype=int)).some(np.array([True, False, False, True]))
    assert part.of(0).tolist() == [0, 1]


NAMES = [f"p{number}" for number in range(10)]
SESSIONS = 90


def record(engine: Engine) -> None:
    """Sessions of two to four sides of one or two players over fifteen months, in two kinds of event."""
    random = np.random.default_rng(8)
    strength = random.normal(0.0, 1.0, len(NAMES))
    for number, name in enumerate(NAMES):
        facts: dict[str, Any] = {"club": "Nord" if number % 3 else "Süd"} if number < 7 else {}
        engine.record(rc.PlayerDescribed(pool="t", player=name, played="2021-01-01", called=name.upper(), data=facts))
    for number in range(SESSIONS):
        month, sides = number * 15 // SESSIONS, 2 + number % 3
        who = random.permutation(len(NAMES))[: 2 * sides].reshape(sides, 2).tolist()
        seated = [who[0][:1], *who[1:]] if number % 5 == 0 else who
        scores = [float(np.round(strength[side].mean() + random.normal(), 1)) for side in seated]
        engine.record(
            rc.SessionPlayed(
                uid=f"s{number}", pool="t", played=f"{2022 + month // 12}-{1 + month % 12:02d}-{1 + number % 28:02d}",
                sides=[rc.Side([NAMES[i] for i in side], score) for side, score in zip(seated, scores, strict=True)],
                data={"event": "cup" if number % 4 == 0 else "league"} if number % 7 else {},
            )
        )  # fmt: skip


@pytest.fixture(scope="module", name="engine")
def recorded() -> Iterator[Engine]:
    with rc.open(":memory:") as engine:
        record(engine)
        yield engine


def parts(engine: Engine, by: str, method: str = "weng-lin") -> tuple[Cohorts, PlayedSessions, Any]:
    view = engine.core.view("t")
    played, made = PlayedSessions.of(view), forecast(engine.registry.method(method), view)
    return cohorts(by, played, made), played, made


def of_each(made: Cohorts, n: int) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(n)]
    for cohort, name in enumerate(made.names):
        for result in made.of(cohort).tolist():
            found[result].append(name)
    return found


def test_by_year_and_event_a_session_has_one_cohort_or_none(engine: Engine) -> None:
    years, played, _ = parts(engine, "year")
    assert years.names == ("2022", "2023")
    rows = [row for _, row in sorted((row.played or 0, row) for row in engine.log.rows(0, None, ("session",)))]
    assert of_each(years, len(played)) == [[str(np.datetime64(row.played, "us"))[:4]] for row in rows]
    events, _, _ = parts(engine, "event")
    assert of_each(events, len(played)) == [[row.facts["event"]] if "event" in row.facts else [] for row in rows]


def test_by_experience_the_least_experienced_decides(engine: Engine) -> None:
    made, played, _ = parts(engine, "experience")
    before: dict[int, int] = {}
    for session, found in enumerate(of_each(made, len(played))):
        seated = played.player[slice(*played.side[played.result[session : session + 2]].tolist())].tolist()
        least = min(before.get(row, 0) for row in seated)
        names = ("newcomers (0-9)", "10-29", "30-99")
        assert found == [names[(least >= 10) + (least >= 30)]]
        before |= {row: before.get(row, 0) + 1 for row in seated}


def test_by_a_field_of_players_a_session_is_with_all_who_sit_down(engine: Engine) -> None:
    made, played, _ = parts(engine, "club")
    names = engine.core.view("t").names()
    club = {name: "Nord" if number % 3 else "Süd" for number, name in enumerate(NAMES) if number < 7}
    for session, found in enumerate(of_each(made, len(played))):
        seats = slice(*played.side[played.result[session : session + 2]].tolist())
        assert found == sorted({club[names[row]] for row in played.player[seats].tolist() if names[row] in club})


@pytest.mark.parametrize("method", ["weng-lin", "trueskill"])
def test_gap_and_strength_are_of_what_stood_before_the_session(engine: Engine, method: str) -> None:
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in engine.forecasts("t", method):
        rows.setdefault(str(row["uid"]), []).append(row)
    made, played, answer = parts(engine, "strength", method)
    uids = [uid_at(engine.log, int(at)) for at in played.position]
    mean = [float(np.mean([row["rating"] for row in rows[uid]])) for uid in uids]
    seats = np.diff(played.side[played.result])
    assert np.add.reduceat(answer.seated(), played.side[played.result][:-1]) / seats == pytest.approx(mean, abs=1e-9)
    edges = np.quantile(mean, np.arange(6) / 5)
    for cohort in range(5):
        inside = [mean[session] for session in made.of(cohort).tolist()]
        assert min(inside) >= edges[cohort] - 1e-9
        assert max(inside) <= edges[cohort + 1] + 1e-9
    gaps, _, _ = parts(engine, "gap", method)
    assert set(gaps.names) == {"0.5-0.6", "0.6-0.7", "0.7-0.8", "0.8-0.9", "0.9-1"}
    strengths = answer.strengths
    for session, found in enumerate(of_each(gaps, len(played))):
        sides = range(*played.result[session : session + 2].tolist())
        best = max(sides, key=lambda side: strengths.mean[side])
        last = min(sides, key=lambda side: strengths.mean[side])
        chance = float(strengths.ahead(np.array([best]), np.array([last]))[0])
        low, high = map(float, found[0].split("-"))
        assert low - 1e-9 <= chance <= high + 1e-9


def test_scores_by_cohort_are_means_over_its_sessions(engine: Engine) -> None:
    found = engine.compare("t", ["weng-lin", "trueskill"], cohorts=["event", "club", "gap", "strength", "year"])
    every = {str(row["method"]): row for row in found.sessions}
    by_year = [row for row in found.session_cohorts if row["by"] == "year"]
    for method in found.methods:
        mine = [row for row in by_year if row["method"] == method]
        assert sum(int(row["sessions"]) for row in mine) == SESSIONS  # type: ignore[arg-type]  # numbers
        for measure in ("log_loss", "brier", "rps", "winner"):
            total = sum(int(row["sessions"]) * float(row[measure]) for row in mine)  # type: ignore[arg-type]  # as above
            assert total / SESSIONS == pytest.approx(every[method][measure], abs=1e-12)
    weng, true = ([row for row in by_year if row["method"] == method] for method in ("weng-lin", "trueskill"))
    for one, other in zip(weng, true, strict=True):
        assert one["better_by"] is None
        gap = float(one["log_loss"]) - float(other["log_loss"])  # type: ignore[arg-type]  # as above
        assert other["better_by"] == pytest.approx(gap, abs=1e-12)
    (long,) = (row for row in true if row["cohort"] == "2022")
    assert long["better_by_low"] < long["better_by"] < long["better_by_high"]  # type: ignore[operator]  # as above
    assert {row["by"] for row in found.session_cohorts} == {"event", "club", "gap", "strength", "year"}


def test_a_burn_in_leaves_sessions_out_of_cohorts_and_calibration(engine: Engine) -> None:
    found = engine.compare("t", ["weng-lin"], burn_in="games(50)", cohorts=["year"])
    assert sum(row["sessions"] for row in found.session_cohorts) == SESSIONS - 50  # type: ignore[misc]  # numbers
    seats = [len(row.facts["sides"]) for row in engine.log.rows(0, None, ("session",))]
    pairs = sum(size * (size - 1) for size in seats[50:])
    assert sum(row["pairs"] for row in found.session_reliability) == pairs  # type: ignore[misc]  # as above


def test_tables_and_pictures_of_sessions_are_in_the_report(engine: Engine) -> None:
    from ratingcore_pages.comparison import report_html

    page = report_html(engine.compare("t", ["weng-lin", "trueskill", "codeforces"]))
    for told in ("Calibration of sessions", "Scores of sessions by cohort", "Sessions by gap", "Sessions by year"):
        assert told in page


def test_workers_split_sessions_as_this_process_does(tmp_path: Any) -> None:
    with rc.open(tmp_path / "t.db") as engine:
        record(engine)
        one, two = (engine.compare("t", ["weng-lin", "trueskill"], jobs=jobs) for jobs in (1, 2))
        assert list(one.session_cohorts) == list(two.session_cohorts)
        assert list(one.session_reliability) == list(two.session_reliability)
        assert {row["by"] for row in two.session_cohorts} == {"gap", "strength", "experience", "year"}


def test_a_field_that_nobody_has_is_refused(engine: Engine) -> None:
    with pytest.raises(BadValue, match="shoe_size"):
        engine.compare("t", ["weng-lin"], cohorts=["shoe_size"])


def test_sessions_among_games_are_split_by_what_they_have() -> None:
    with rc.open(":memory:") as engine:
        record(engine)
        for day in range(1, 29):
            facts = {"home": "a" if day % 2 else "b"}
            game = rc.GamePlayed(pool="t", played=f"2023-05-{day:02d}", a="p1", b="p2", score=1.0, data=facts)
            engine.record(game)
        found = engine.compare("t", ["weng-lin", "trueskill"], cohorts=["home", "year"])
        assert {row["by"] for row in found.cohorts} == {"home", "year"}
        assert {row["by"] for row in found.session_cohorts} == {"year"}


def test_odd_sessions_are_in_no_cohort() -> None:
    """Codeforces rates players alone: sessions of teams are left out, and so is what stood before them."""
    with rc.open(":memory:") as engine:
        for number in range(24):
            sides = [rc.Side([name], float(n)) for n, name in enumerate(NAMES[:4])]
            teams = [rc.Side(NAMES[:2], 1.0), rc.Side(NAMES[2:4], 2.0)]
            played = f"2022-{1 + number // 2:02d}-{1 + number:02d}"
            engine.record(
                rc.SessionPlayed(uid=f"{number}", pool="t", played=played, sides=teams if number % 6 == 5 else sides)
            )
        found = engine.compare("t", ["codeforces"], cohorts=["strength", "year"])
        assert found.sessions["sessions"] == (20,)
        assert [row["sessions"] for row in found.session_cohorts if row["by"] == "year"] == [20]
        assert sum(row["sessions"] for row in found.session_cohorts if row["by"] == "strength") == 20  # type: ignore[misc]  # numbers

"""Sessions are split by what they, or those who sat down, have in common; scores by cohort are means over them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.played_sessions import PlayedSessions
from ratingcore.compare.session_cohorts import SessionCohorts, session_cohorts
from ratingcore.engine import Engine
from ratingcore.errors import BadValue

NAMES = [f"p{number}" for number in range(9)]
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


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with rc.open(":memory:") as engine:
        record(engine)
        yield engine


def parts(engine: Engine, by: str, method: str = "weng-lin") -> tuple[SessionCohorts, PlayedSessions, Any]:
    view = engine.view("t")
    played, made = PlayedSessions.of(view), forecast(engine.registry.method(method), view)
    return session_cohorts(by, played, view, made), played, made


def of_each(made: SessionCohorts, n: int) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(n)]
    for session, cohort in zip(made.session.tolist(), made.cohort.tolist(), strict=True):
        found[session].append(made.names[cohort])
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
    names = engine.view("t").names()
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
    uids = [engine.log.uid(int(at)) for at in played.position]
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
    from ratingcore.compare.report import report_html

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

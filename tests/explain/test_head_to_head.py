"""Head to head: in games and sessions, by the engine, and the same by the command, a page and the service."""

import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from ratingcore_pages import Pages
from ratingcore_service import application

import ratingcore as rc
from tests.cli.conftest import Run, run
from tests.service.asking import get

__all__ = ["run"]


def race(day: int, *sides: tuple[str, float]) -> rc.SessionPlayed:
    """A session on a day of 2024; players of a side are the words of one text."""
    seated = [rc.Side(players.split(), score) for players, score in sides]
    return rc.SessionPlayed(pool="p", played=f"2024-01-{day:02d}", sides=seated, uid=f"s-{day}")


def game(day: int, a: str, b: str, score: float) -> rc.GamePlayed:
    return rc.GamePlayed(pool="p", played=f"2024-01-{day:02d}", a=a, b=b, score=score, uid=f"g-{day}")


RACES = (race(1, ("ann", 3.0), ("bo", 2.0), ("cy", 1.0)), race(2, ("ann", 1.0), ("bo", 2.0), ("cy", 3.0)))
TEAMS = (
    race(1, ("ann cy", 60.0), ("bo di", 40.0)),  # ahead
    race(2, ("ann bo", 10.0), ("cy di", 20.0)),  # on one side
    race(3, ("bo", 1.0), ("cy", 0.5), ("ann di", 1.0)),  # level at the top, by a point that is not a share of a game
    race(4, ("cy", 9.0), ("bo eve", 0.0), ("ann", -1.0)),  # both behind another, ann last
    race(5, ("ann", 2.0), ("cy", 1.0)),  # bo was not there
    game(6, "bo", "ann", 0.0),  # won
    game(7, "ann", "bo", 0.5),  # drawn
    game(8, "ann", "bo", 0.75),  # more than half of a point
)
GAMES = (game(1, "ann", "bo", 1.0), game(2, "bo", "ann", 0.5), game(3, "bo", "ann", 1.0), game(4, "bo", "cy", 1.0))


@pytest.mark.parametrize(
    ("results", "method", "record", "uids"),
    [
        (RACES, "weng-lin", (1, 0, 1), ["s-1", "s-2"]),
        (RACES, "trueskill", (1, 0, 1), ["s-1", "s-2"]),
        (TEAMS, "weng-lin", (3, 2, 1), ["s-1", "s-3", "s-4", "g-6", "g-7", "g-8"]),
        (GAMES, "elo", (1, 1, 1), ["g-1", "g-2", "g-3"]),
        (GAMES, "weng-lin", (1, 1, 1), ["g-1", "g-2", "g-3"]),
        (GAMES, "bradley-terry", (1, 1, 1), ["g-1", "g-2", "g-3"]),
    ],
)
def test_engine_command_page_and_service_say_the_same(
    run: Run, tmp_path: Path, results: Any, method: str, record: tuple[int, int, int], uids: list[str]
) -> None:
    """After two sessions of three sides the command counted 1, 0 and 1, and the page said that they had not met."""
    path = tmp_path / "club.db"
    counted = f"{record[0]} won, {record[1]} drawn, {record[2]} lost"
    with rc.open(path) as engine:
        engine.record(*results)
        met = engine.forecasts("p", method, between=("ann", "bo"))
        assert met.record == record
        assert [one.uid for one in met.met] == uids
        assert engine.forecasts("p", method, between=("bo", "ann")).record == record[::-1]
        assert pickle.loads(pickle.dumps(met)).met == met.met
        page = Pages(engine, method=method).meeting("p", "ann", "bo").html()
        ids = {key: engine.log.book.number("player", key) for key in ("ann", "bo")}
    assert counted in page
    assert len(re.findall('<td class="day">', page)) == len(uids)
    assert ("3rd of 3 : 2nd of 3" in page) is (results is not GAMES)
    assert "They have not met" not in page
    done = run("versus", path, "ann", "bo", "-m", method, "-f", "csv")
    assert f"ann against bo: {counted}\n" in done.err
    assert [row.split(",")[1] for row in done.out.splitlines()[1:]] == uids
    app = application(str(path), offered="any")
    answer = get(app, f"/api/v1/pools/p/versus?a={ids['ann']}&b={ids['bo']}&method={method}").json()
    app.service.close()
    assert tuple(answer["record"].values()) == record
    assert list(dict.fromkeys(row["uid"] for row in answer["games"])) == uids


def test_the_rivals_of_a_player_have_the_record_of_their_meetings() -> None:
    engine = rc.open(":memory:")
    engine.record(*TEAMS)
    rivals = {
        one.name: tuple(one.record) for one in Pages(engine, method="weng-lin").player("p", "ann").values["rivals"]
    }
    # cy: behind on 2 January, ahead on the third, behind on the fourth, ahead on the fifth; eve once, on the fourth
    assert rivals == {"bo": (3, 2, 1), "cy": (2, 0, 2), "di": (1, 0, 1), "eve": (0, 0, 1)}


def test_who_was_never_on_another_side_was_not_met() -> None:
    engine = rc.open(":memory:")
    engine.record(race(1, ("ann bo", 3.0), ("cy", 2.0)))
    met = engine.forecasts("p", "weng-lin", between=("ann", "bo"))
    assert (list(met), met.met, met.record) == ([], (), (0, 0, 0))
    assert "They have not met" in Pages(engine, method="weng-lin").meeting("p", "ann", "bo").html()

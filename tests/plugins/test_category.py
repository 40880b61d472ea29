"""`ratingcore category`: a row that tells the mean of an event and the category it makes."""

import json
from pathlib import Path

from ratingcore import GamePlayed, RatingSeeded
from ratingcore import open as open_log
from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]


def masters(path: Path) -> None:
    """A tournament of a mean of 2500, which is category 10."""
    with open_log(path) as engine:
        for player, rating in (("ann", 2520.0), ("bo", 2480.0)):
            engine.record(RatingSeeded(pool="c", played="2024-03-02", player=player, values={"rating": rating}))
        data = {"event": "Masters"}
        engine.record(GamePlayed(pool="c", played="2024-03-02", a="ann", b="bo", score=0.5, data=data))


def test_a_mean_of_2500_is_category_10_and_18_of_women(run: Run, tmp_path: Path) -> None:
    masters(tmp_path / "masters.db")
    code, out, err = run("category", "masters.db", "Masters", "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == [
        {
            "event": "Masters", "first": "2024-03-02", "last": "2024-03-02", "results": 1,
            "players": 2, "rated": 2, "mean": 2500.0, "category": 10,
        }
    ]  # fmt: skip
    assert run("category", "masters.db", "Masters", "--women", "-f", "csv").out.splitlines()[1].endswith(",2500.0,18")


def test_a_weaker_event_has_a_mean_and_no_category(run: Run, club: Path) -> None:
    out = run("category", "club.db", "Open", "--pool", "rapid", "-f", "csv").out
    assert out.splitlines()[0] == "event,first,last,results,players,rated,mean,category"
    assert out.splitlines()[1].startswith("Open,2024-03-05,2024-03-05,1,2,2,")
    assert out.endswith(",\n")


def test_the_unrated_are_named(run: Run, club: Path) -> None:
    ran = run("category", "club.db", "Open", "--method", "periodic:initial=none", "-f", "json")
    assert ran.err == "note: the mean leaves out players without a rating: bo, cy\n"
    (row,) = json.loads(ran.out)
    assert (row["players"], row["rated"], row["mean"], row["category"]) == (2, 0, None, None)


def test_an_event_that_is_not_there_is_a_mistake_with_a_hint(run: Run, club: Path) -> None:
    code, out, err = run("category", "club.db", "Opne")
    assert (code, out) == (2, "")
    assert err == "error: the log has no event named: Opne in pool rapid at this cut\n\nhint: did you mean Open?\n"

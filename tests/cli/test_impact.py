"""`ratingcore impact`: who moved because of one event."""

import json
from pathlib import Path

from .conftest import Run


def test_the_impact_of_a_game(run: Run, club: Path) -> None:
    code, out, err = run("impact", "club.db", "g-4", "--format", "json")
    assert code == 0
    rows = {row["player"]: row for row in json.loads(out)}
    assert set(rows) == {"ann", "bo (guest)"}
    assert rows["bo (guest)"]["rating_without"] is rows["bo (guest)"]["change"] is None
    assert rows["ann"]["change"] > 0
    assert err.startswith("g-4 moves 2 of 4 players in pool rapid, as of 2024-04-01, 2 of them as listed\nsum ")


def test_the_first_rows_only(run: Run, club: Path) -> None:
    _, out, err = run("impact", "club.db", "s-1", "--top", 1, "--format", "table")
    assert len(out.splitlines()) == 2
    assert out.splitlines()[1].startswith("ann")
    assert err.startswith("... and ")


def test_a_correction_has_an_impact_until_it_is_taken_back(run: Run, club: Path) -> None:
    run("amend", "club.db", "g-1", "score=0", "--uid", "a-1")
    amended = run("impact", "club.db", "a-1", "--method", "elo:k=24")
    assert len(amended.out.splitlines()) > 2
    run("void", "club.db", "a-1", "--uid", "v-1")
    code, out, err = run("impact", "club.db", "a-1")
    assert (code, len(out.splitlines())) == (0, 1)
    assert err == "a-1 moves nobody: it counts as never recorded\n"


def test_through_a_day_before_the_event_nobody_moved(run: Run, club: Path) -> None:
    err = run("impact", "club.db", "g-4", "--through", "2024-03-31").err
    assert err.startswith("g-4 moves nobody of 3 players in pool rapid\n")


def test_events_that_are_not_there_are_refused(run: Run, club: Path) -> None:
    assert run("impact", "club.db", "nobody").code == 2
    assert run("impact", "none.db", "g-1").code == 2
    assert run("impact", "club.db", "g-1", "--pool", "blitz").code == 2

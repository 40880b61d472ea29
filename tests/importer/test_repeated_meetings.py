"""Players who meet several times on one day: a corrected file corrects the meeting at the place of each row."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ratingcore as rc
from tests.importer.test_corrected_rounds import came, listed

MEETINGS = [(day, pair) for day in (1, 2) for pair in ("ann,bo", "bo,ann", "ann,bo", "bo,cy", "ann,cy", "bo,cy")]
SCORES = st.sampled_from(["1", "0", "0.5"])
TURNS = st.sampled_from(["", "1", "2", "Final"])
ROWS = st.lists(st.tuples(SCORES, TURNS), min_size=len(MEETINGS), max_size=len(MEETINGS))
WAYS: tuple[dict[str, Any], ...] = ({"amend": True}, {"reissue": True})


def table(rows: list[tuple[str, str]], rounds: bool) -> str:
    lines = ["played,a,b,score" + ",round" * rounds]
    for (day, pair), (score, turn) in zip(MEETINGS, rows, strict=True):
        lines.append(f"2024-01-0{day},{pair},{score}" + f",{turn}" * rounds)
    return "\n".join(lines) + "\n"


def exchanged(first: list[tuple[str, str]], then: list[tuple[str, str]], rounds: bool) -> Iterator[bool]:
    """For each day and two players, whether their rows are the same in another order only, so that all are known."""
    for met in {(day, frozenset(pair.split(","))) for day, pair in MEETINGS}:
        places = [at for at, (day, pair) in enumerate(MEETINGS) if (day, frozenset(pair.split(","))) == met]
        was, now = ([said(rows[at], MEETINGS[at][1], rounds) for at in places] for rows in (first, then))
        yield was != now and sorted(was) == sorted(now)


def said(row: tuple[str, str], pair: str, rounds: bool) -> tuple[float, str]:
    """A row from the side of the first name, and its round."""
    score = float(row[0])
    return score if pair < "bo" or pair == "bo,cy" else 1 - score, row[1] * rounds


@settings(max_examples=25, deadline=None)
@given(ROWS, ROWS, st.sets(st.sampled_from(range(len(MEETINGS)))), st.booleans(), st.sampled_from(WAYS))
def test_a_corrected_file_gives_the_list_that_it_gives_alone(
    first: list[tuple[str, str]],
    others: list[tuple[str, str]],
    changed: set[int],
    rounds: bool,
    way: dict[str, Any],
) -> None:
    """A row took the first meeting with its content, so that the results of two meetings were exchanged."""
    then = [others[at] if at in changed else row for at, row in enumerate(first)]
    corrected = table(then, rounds)
    assume(not any(exchanged(first, then, rounds)))
    with rc.open(":memory:") as engine, rc.open(":memory:") as alone:
        came(engine, table(first, rounds))
        report = came(engine, corrected, **way)
        came(alone, corrected)
        assert listed(engine) == listed(alone)
        assert report.duplicates + report.amended == len(MEETINGS)
        assert report.amended <= sum(one != other for one, other in zip(first, then, strict=True)) * 2
        again = came(engine, corrected, **way)
        assert (again.accepted, again.amended, again.voided) == (0, 0, 0), again


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("first", "then", "known"),
    [("00", "10", 1), ("01", "1=", 0), ("0=1", "1=0", 3), ("011", "101", 3), ("0=1", "==0", 1)],
)
def test_rows_that_did_not_change_are_known(first: str, then: str, known: int, way: dict[str, Any]) -> None:
    """Rows in another order are all known; if some are corrected besides, those at their places."""
    with rc.open(":memory:") as engine:
        for scores in (first, then):
            rows = "".join(f"2024-01-01,ann,bo,{score.replace('=', '0.5')}\n" for score in scores)
            report = came(engine, "played,a,b,score\n" + rows, **(way if scores == then else {}))
        assert (report.duplicates, report.amended) == (known, len(then) - known)

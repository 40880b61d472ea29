"""The history of a player: every result and every line that moved a rating, in order of play."""

from collections.abc import Iterator
from heapq import merge
from math import isnan
from typing import NamedTuple

import numpy as np

from ratingcore.events import Instant
from ratingcore.replay.record import Replay
from ratingcore.tables.sides import Sides


class Line(NamedTuple):
    """One line of a history.

    `position` is None for what no event moved; then `opponent` is the label of the line, and there
    is neither score nor expectation. `change` lines add up to the difference of any two ratings.
    """

    played: Instant
    position: int | None
    opponent: str
    score: float | None
    expected: float | None
    change: float
    rating: float


class _Step(NamedTuple):
    """A line on its way: where in the replay it stands, and in which order there."""

    at: int
    call: int
    phase: int
    number: int
    played: Instant
    position: int | None
    label: str
    score: float | None
    expected: float | None
    change: float
    planted: float | None


_SEED, _AFTER, _BEFORE, _RESULT = range(4)
"""Where the same call speaks before the same result: seeds at its start, then what it settled at its end."""

_LAST = 2**62
"""The call of a result: whatever else stands before it came in an earlier call, or at the start of its own."""


def history(replay: Replay, row: int) -> list[Line]:
    """Lines of the player in a row of the state, with the rating after each.

    A retrospective method has no lines of its own past: its track, if it gives one, is shown.
    """
    if replay.moves is None:
        return list(_tracked(replay, row))
    steps = merge(_results(replay, row), _seeds(replay, row), _settled(replay, row))
    rating = float(replay.start[row])
    lines = []
    for step in steps:
        change = step.change
        if step.planted is not None:
            change = step.planted - rating
            rating = step.planted
        elif isnan(rating) and step.phase == _AFTER:
            rating = change  # of an unrated player the line is the whole rating
        else:
            rating += change
        lines.append(Line(step.played, step.position, step.label, step.score, step.expected, change, rating))
    return lines


def _results(replay: Replay, row: int) -> Iterator[_Step]:
    moves, results = replay.moves, replay.results
    assert moves is not None
    members = np.flatnonzero(replay.member == row)
    index = np.searchsorted(replay.member_start, members, "right") - 1
    for m, r in zip(members.tolist(), index.tolist(), strict=True):
        played, position = int(results.played[r]), int(results.position[r])
        for number, (label, moved) in enumerate(moves.before.items()):
            if moved[m] != 0.0:
                yield _Step(r, _LAST, _BEFORE, number, played, None, label, None, None, float(moved[m]), None)
        names, score, expected = _seen_from(replay, r, m)
        yield _Step(r, _LAST, _RESULT, 0, played, position, names, score, expected, float(moves.change[m]), None)


def _seen_from(replay: Replay, result: int, member: int) -> tuple[str, float, float]:
    """Opponents, score and expected score of a result from the side of one of its members."""
    results, moves, name = replay.results, replay.moves, replay.view.name
    assert moves is not None
    if not isinstance(results, Sides):
        is_a = member == 2 * result
        other = results.b[result] if is_a else results.a[result]
        score, expected = float(results.score[result]), float(moves.expected[result])
        return name(int(other)), score if is_a else 1.0 - score, expected if is_a else 1.0 - expected
    sides = range(int(results.result[result]), int(results.result[result + 1]))
    mine = next(side for side in sides if results.side[side] <= member < results.side[side + 1])
    seated = [
        " + ".join(name(int(player)) for player in results.player[results.side[side] : results.side[side + 1]])
        for side in sides
        if side != mine
    ]
    label = seated[0] if len(seated) == 1 else f"{len(seated)} sides"
    return label, float(results.score[mine]), float(moves.expected[mine])


def _seeds(replay: Replay, row: int) -> Iterator[_Step]:
    sown = replay.sown
    for s in np.flatnonzero(sown.seeds.player == row).tolist():
        played, position = int(sown.seeds.played[s]), int(sown.seeds.position[s])
        given = position > 0  # a first rating that the replay made stands at no position
        label, place = ("seed", position) if given else ("first rating", None)
        index, call, planted = int(sown.index[s]), int(sown.call[s]), float(sown.rating[s])
        yield _Step(index, call, _SEED, s, played, place, label, None, None, 0.0, planted)


def _settled(replay: Replay, row: int) -> Iterator[_Step]:
    assert replay.moves is not None
    for number, line in enumerate(replay.moves.after):
        if row < len(line.amount) and line.amount[row] != 0.0:
            told = (line.at, None, line.label, None, None, float(line.amount[row]), None)
            yield _Step(line.index, line.call, _AFTER, number, *told)


def _tracked(replay: Replay, row: int) -> Iterator[Line]:
    track = replay.track
    if track is None:
        return
    rating = track.columns["rating"]
    was = float(replay.start[row])
    for at in np.flatnonzero(track.player == row).tolist():
        now = float(rating[at])
        yield Line(int(track.day[at]), None, "as seen from now", None, None, now - was, now)
        was = now

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


class Step(NamedTuple):
    """A line on its way: where in the replay it stands, and in which order there.

    `member` is the seat of the player among the members of all results, None for what is no result.
    """

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
    member: int | None = None


class Walked(NamedTuple):
    """A step with what it moved and the rating after it; NaN where there is none."""

    step: Step
    change: float
    rating: float


SEED, AFTER, BEFORE, RESULT = range(4)
"""Where the same call speaks before the same result: seeds at its start, then what it settled at its end."""

_LAST = 2**62
"""The call of a result: whatever else stands before it came in an earlier call, or at the start of its own."""


def history(replay: Replay, row: int) -> list[Line]:
    """Lines of the player in a row of the state, with the rating after each.

    A retrospective method has no lines of its own past: its track, if it gives one, is shown.
    """
    if replay.moves is None:
        return list(_tracked(replay, row))
    return [
        Line(step.played, step.position, step.label, step.score, step.expected, change, rating)
        for step, change, rating in walked(replay, row)
    ]


def walked(replay: Replay, row: int) -> Iterator[Walked]:
    """Steps of the player in a row of the state, in the order in which they moved the rating.

    What moves an unrated player counts from the line on that gives the first rating: a method that rates the
    first games of a newcomer tells both.
    """
    rating, waiting = float(replay.start[row]), 0.0
    for step in merge(_results(replay, row), _seeds(replay, row), _settled(replay, row)):
        change = step.change
        if step.planted is not None:
            change, rating = step.planted - rating, step.planted
        elif isnan(rating) and step.phase == AFTER:
            rating = waiting + change
        elif isnan(rating):
            waiting += change
        else:
            rating += change
        waiting = waiting if isnan(rating) and step.phase != AFTER else 0.0
        yield Walked(step, change, rating)


def _results(replay: Replay, row: int) -> Iterator[Step]:
    moves, results = replay.moves, replay.results
    assert moves is not None
    members = np.flatnonzero(replay.member == row)
    index = np.searchsorted(replay.member_start, members, "right") - 1
    for m, r in zip(members.tolist(), index.tolist(), strict=True):
        played, position = int(results.played[r]), int(results.position[r])
        for number, (label, moved) in enumerate(moves.before.items()):
            if moved[m] != 0.0:
                yield Step(r, _LAST, BEFORE, number, played, None, label, None, None, float(moved[m]), None)
        names, score, expected = _seen_from(replay, r, m)
        yield Step(r, _LAST, RESULT, 0, played, position, names, score, expected, float(moves.change[m]), None, m)


def _seen_from(replay: Replay, result: int, member: int) -> tuple[str, float, float]:
    """Opponents, score and expected score of a result from the side of one of its members."""
    moves = replay.moves
    assert moves is not None
    label, score, side = _against(replay, result, member)
    if isinstance(replay.results, Sides):
        return label, score, float(moves.expected[side])
    expected = float(moves.expected[result])
    return label, score, 1.0 - expected if side else expected


def _against(replay: Replay, result: int, member: int) -> tuple[str, float, int]:
    """Opponents, score and side of a member in a result; the sides of a game are 0 and 1."""
    results, name = replay.results, replay.view.name
    if not isinstance(results, Sides):
        side = member - 2 * result
        other = results.a[result] if side else results.b[result]
        score = float(results.score[result])
        return name(int(other)), 1.0 - score if side else score, side
    sides = range(int(results.result[result]), int(results.result[result + 1]))
    mine = next(side for side in sides if results.side[side] <= member < results.side[side + 1])
    seated = [
        " + ".join(name(int(player)) for player in results.player[results.side[side] : results.side[side + 1]])
        for side in sides
        if side != mine
    ]
    label = seated[0] if len(seated) == 1 else f"{len(seated)} sides"
    return label, float(results.score[mine]), mine


def beheld(replay: Replay, result: int, row: int) -> tuple[int, str, float]:
    """Where the player in a row sits among the members of all results, the opponents, and the score."""
    first, last = replay.member_start[result : result + 2].tolist()
    member = first + int(np.flatnonzero(replay.member[first:last] == row)[0])
    label, score, _ = _against(replay, result, member)
    return member, label, score


def _seeds(replay: Replay, row: int) -> Iterator[Step]:
    sown = replay.sown
    for s in np.flatnonzero(sown.seeds.player == row).tolist():
        played, position = int(sown.seeds.played[s]), int(sown.seeds.position[s])
        given = position > 0  # a first rating that the replay made stands at no position
        label, place = ("seed", position) if given else ("first rating", None)
        index, call, planted = int(sown.index[s]), int(sown.call[s]), float(sown.rating[s])
        yield Step(index, call, SEED, s, played, place, label, None, None, 0.0, planted)


def _settled(replay: Replay, row: int) -> Iterator[Step]:
    assert replay.moves is not None
    for number, line in enumerate(replay.moves.after):
        if row < len(line.amount) and line.amount[row] != 0.0:
            told = (line.at, None, line.label, None, None, float(line.amount[row]), None)
            yield Step(line.index, line.call, AFTER, number, *told)


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

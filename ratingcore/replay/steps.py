"""The steps of a rule with a history: where the next one begins, and their replays as one."""

from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Floats, Games, Ints, Span
from ratingcore.columns.sides import Sides
from ratingcore.columns.timeline import SeedTable
from ratingcore.columns.view import FOREVER, View
from ratingcore.methods.books import Book, last_step
from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Carried, Entering
from ratingcore.methods.state import State
from ratingcore.methods.strengths import Strengths, placed
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.contract_check import Remarks
from ratingcore.replay.moves import Moves, Settled, Sown
from ratingcore.replay.newcomers import ADMITTED
from ratingcore.replay.other_pools import elsewhere_on
from ratingcore.replay.plan import Call, open_results, rated_through, seeds_wait
from ratingcore.replay.replay import Replay

CHANGED = "change of rule"
"""Label of what the first day of a rule moves."""


def in_force(method: Method, view: View) -> Method:
    """The rule by which a view is rated: of one with a history, the last that has begun by its cut or last event."""
    if not isinstance(method, Book):
        return method
    return method.step_at(view.last_happened if view.through == FOREVER else view.through)


def handed_over(book: Book, view: View) -> View:
    """What the rule before the last step has rated when that step begins.

    Where seeds are given in a period that goes on then, it is everything before this period.
    """
    earlier = view.cut(book.day - 1)
    return earlier.cut(rated_through(book.before, earlier)) if seeds_wait(book.before, earlier) else earlier


def opening(
    book: Book, view: View, state: State, remarks: Remarks, trials: Carried = MappingProxyType({})
) -> Checkpoint:
    """Where the last step of a rule begins: the state of the rule before, taken over.

    Parameters
    ----------
    view : View
    state : State
        Of the rule before, at the end of the day before the step.
    remarks : Remarks
        What the rule before has said.
    trials : Carried
        Games of newcomers that wait to make a first rating.
    """
    earlier = view.cut(book.day - 1)
    through, left = earlier.through, None
    if any(one.period is not None and one.period.unit == "event" for one, _ in book.before_steps):
        left = open_results(book.before, earlier)
        to_come = book.period is not None and book.period.unit == "event"
        if len(left) and not to_come:
            played, position = view.known()
            through = int(played[np.isin(position, left)].min()) - 1
    else:
        through = rated_through(book.before, earlier)
    taken = _taken_over(book, state)
    if book.once is not None:
        rated, elsewhere = ~np.isnan(state["rating"]), elsewhere_on(book, view)[: len(state["rating"])]
        taken = taken.replace(rating=np.where(rated, book.once.after(taken["rating"], elsewhere), taken["rating"]))
    return Checkpoint(
        view.known_at, view.digest, through, sum(earlier.started(earlier.through)),
        taken, None, seeded=handed_over(book, view).through, remarks=remarks, left=left, trials=trials,
    )  # fmt: skip


def _taken_over(book: Book, state: State) -> State:
    """The state in which the last step of a history begins, but for what is done once."""
    taken = book.method.taking_over(last_step(book.before), state)
    if isinstance(book.method, Entering):
        return taken.replace(rating=np.where(np.isnan(state["rating"]), np.nan, taken["rating"]))
    return taken


def joined(before: Replay, after: Replay) -> Replay:
    """The replay of a rule with a history: that of the rule before, and that of the last step after it.

    Where the rule before kept no moves, since it rates the whole pool, all begin with the ratings that it came to.
    """
    if after.moves is None:
        return evolve(after, since=None)
    if before.moves is None:
        given = _given(before, after, np.flatnonzero(~np.isnan(after.start[: len(before.start)])), 0, 0)
        return evolve(after, sown=_sown(given, after.sown), start=np.full(len(after.start), np.nan))
    sides = isinstance(before.results, Sides) or isinstance(after.results, Sides)
    results = [_sides(one.results) if sides else one.results for one in (before, after)]
    index, periodic = len(before.results), bool(before.calls and after.calls)
    call = len(before.calls) if periodic else _calls(before)
    start = after.start.copy()
    start[: len(before.start)] = before.start
    assert isinstance(after.method, Book), "a replay after another one is that of a rule with a history"
    old, new, at = before.state["rating"], after.start[: len(before.state["rating"])], after.method.day
    first, settled = np.flatnonzero(np.isnan(old) & ~np.isnan(new)), []
    taken = new if after.method.once is None else _taken_over(after.method, before.state)["rating"]
    for label, amount in ((CHANGED, taken - old), (f"once: {after.method.once}", new - taken)):
        moved = np.where(np.isnan(old), 0.0, amount)
        settled += [Settled(label, index, call, at, moved)] if moved.any() else []
    sown = evolve(before.sown, index=np.minimum(before.sown.index, index))  # seeds of a period that has not ended
    between = Call(index, index, Span(at, at + 1), len(old))
    later = (one._replace(start=one.start + index, stop=one.stop + index) for one in after.calls)
    return evolve(
        after,
        since=None,
        results=_both(*results),
        sown=_sown(sown, _given(before, after, first, index, call), _shifted(after.sown, index, call + 1)),
        moves=_moves(before, after, settled, index, call + 1, sides),
        start=start,
        calls=(*before.calls, between, *later) if periodic else (),
    )


def _calls(replay: Replay) -> int:
    """A number above those of all calls of a replay."""
    assert replay.moves is not None
    numbers = [*replay.sown.call.tolist(), *(line.call for line in replay.moves.after)]
    return 1 + int(max(len(replay.calls), *numbers, 0))


def _given(before: Replay, after: Replay, rows: Ints, index: int, call: int) -> Sown:
    """First ratings with which players begin under a rule, as its first day gives them."""
    n = len(rows)
    blank = np.full(n, np.nan)
    seeds = SeedTable(
        np.full(n, ADMITTED, dtype=np.int64), np.full(n, before.view.through + 1, dtype=np.int64),
        np.zeros(n, dtype=np.int32), rows.astype(np.int32), dict.fromkeys(before.sown.seeds.values, blank),
    )  # fmt: skip
    where, when = np.full(n, index, dtype=np.int64), np.full(n, call, dtype=np.int64)
    return Sown(seeds, where, when, after.start[rows], blank)


def _sown(*parts: Sown) -> Sown:
    first, *others = parts
    for other in others:
        beside = {
            name: np.concatenate([one.beside.get(name, np.full(len(one.index), np.nan)) for one in (first, other)])
            for name in first.beside.keys() | other.beside.keys()
        }
        index, call, rating, jump = (
            np.concatenate([getattr(one, name) for one in (first, other)])
            for name in ("index", "call", "rating", "jump")
        )
        first = Sown(first.seeds.then(other.seeds), index, call, rating, jump, beside)
    return first


def _shifted(sown: Sown, index: int, call: int) -> Sown:
    return evolve(sown, index=sown.index + index, call=sown.call + call)


def _moves(
    before: Replay, after: Replay, settled: list[Settled], index: int, call: int, sides: bool
) -> Moves:  # fmt: skip
    one, other = _as_sides(before, sides), _as_sides(after, sides)
    n = [len(replay.results) for replay in (before, after)]
    members = [len(replay.member) for replay in (before, after)]
    held = None
    if one.held is not None or other.held is not None:
        held = np.concatenate([replay.rating_before for replay in (before, after)])
    draw = None
    if one.draw is not None or other.draw is not None:
        draw = _pair(one.draw, other.draw, n, np.nan)
    later = [evolve(line, index=line.index + index, call=line.call + call) for line in other.after]
    named = partial(_named, one, other)
    return Moves(
        np.concatenate([one.expected, other.expected]), np.concatenate([one.change, other.change]), draw,
        named("before", members, 0.0), held, [*one.after, *settled, *later], named("notes", n, np.nan),
        _strengths(one, other), named("beside_before", members, np.nan), named("beside_after", members, np.nan),
    )  # fmt: skip


def _named(one: Moves, other: Moves, columns: str, sizes: list[int], blank: float) -> dict[str, Floats]:
    mine, theirs = getattr(one, columns), getattr(other, columns)
    names = [*mine, *(name for name in theirs if name not in mine)]
    return {name: _pair(mine.get(name), theirs.get(name), sizes, blank) for name in names}


def _pair(one: Floats | None, other: Floats | None, sizes: list[int], blank: float) -> Floats:
    columns = (np.full(n, blank) if given is None else given for given, n in zip((one, other), sizes, strict=True))
    return np.concatenate(list(columns))


def _strengths(one: Moves, other: Moves) -> Strengths | None:
    total, made = len(one.expected) + len(other.expected), None
    for part, begin in ((one, 0), (other, len(one.expected))):
        if part.strengths is not None and (made is None or made.curve == part.strengths.curve):
            made = placed(made, part.strengths, slice(begin, begin + len(part.expected)), total)
    return made


def _as_sides(replay: Replay, sides: bool) -> Moves:
    """The moves of a replay; with an expectation a side, where it has one a game and others have sides."""
    moves = replay.moves
    assert moves is not None
    if not sides or isinstance(replay.results, Sides):
        return moves
    expected = np.stack([moves.expected, 1.0 - moves.expected], axis=1).ravel()
    return evolve(moves, expected=expected)


def _sides(results: Games | Sides) -> Sides:
    return results if isinstance(results, Sides) else Sides.of(results)


def _both(one: Any, other: Any) -> Any:
    """The results of both; further fields are those that both have."""
    span = Span(one.span.start, other.span.end) if len(one) and len(other) else (one if len(one) else other).span
    return one.then(other, span)

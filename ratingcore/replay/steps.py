"""Steps of a rule with a history: converts the state in which each step begins, and joins their replays into one."""

from collections.abc import Sequence
from functools import partial, reduce
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Floats, Games, Ints, Span
from ratingcore.columns.sides import Sides
from ratingcore.columns.timeline import SeedTable
from ratingcore.columns.view import FOREVER, View
from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Carried, Entering
from ratingcore.methods.rule_histories import Book, books_of, last_step
from ratingcore.methods.state import State
from ratingcore.methods.strengths import Strengths, placed
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.contract_check import Remarks
from ratingcore.replay.moves import ADMITTED, Moves, Settled, Sown
from ratingcore.replay.other_pools import elsewhere_on
from ratingcore.replay.period_calls import Call, open_results, rated_through, seeds_wait, settled_through, waiting
from ratingcore.replay.replay import Replay
from ratingcore.replay.seeds import newcomers_of

CHANGED = "change of rule"
"""Label of the changes on the first day of a rule."""


def in_force(method: Method, view: View) -> Method:
    """Returns a rule without the steps that begin after the cut of a view, or without a cut after its last event."""
    if not isinstance(method, Book):
        return method
    return method.step_at(view.last_happened if view.through == FOREVER else view.through)


def handed_over(book: Book, view: View) -> View:
    """Returns a view of the results rated before the last step begins, with facts of players at the cut of `view`.

    If a period with seeds in it is open on that day, the view ends before this period.
    """
    earlier = view.earlier(min(book.day - 1, view.through))
    through = settled_through(book.before, earlier)
    return earlier.earlier(through) if through < earlier.through and seeds_wait(book.before, earlier) else earlier


def taken_over(method: Method, view: View, seeds: SeedTable) -> SeedTable:
    """Returns the seeds of a run, with the ratings of those given before the day of a step converted to its scale.

    Such a seed lies in a period that is open on that day, so it is not in the state that the step takes over.
    """
    for book in reversed(books_of(method)):
        early = np.flatnonzero(seeds.played < book.day)
        if len(early) and "rating" in seeds.values:
            columns = last_step(book.before).columns()
            given = seeds.values["rating"][early]
            state = State.start(columns, len(early)).replace(rating=given)
            rating = seeds.values["rating"].copy()
            rating[early] = np.where(
                np.isnan(given), np.nan, _opening_state(book, view, state, seeds.player[early])["rating"]
            )
            seeds = seeds._replace(values={**seeds.values, "rating": rating})
    return seeds


def opening(
    book: Book, view: View, state: State, remarks: Remarks, trials: Carried = MappingProxyType({})
) -> Checkpoint:
    """Returns the checkpoint at which the last step of a rule begins, with the converted state of the rule before.

    Parameters
    ----------
    view : View
    state : State
        State of the rule before, at the end of the day before the step.
    remarks : Remarks
        Remarks of the rule before.
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
    begun = _without_newcomers(book, view, _opening_state(book, view, state, np.arange(len(state["rating"]))))
    return Checkpoint(
        view.known_at, view.digest, through, sum(earlier.started(earlier.through)), begun, None,
        seeded=handed_over(book, view).through, remarks=remarks, left=left, trials=trials,
    )  # fmt: skip


def _opening_state(book: Book, view: View, state: State, player: Ints) -> State:
    """Returns the state in which the last step of a history begins; `player` is the player of each row."""
    taken = _taken_over(book, state)
    if book.once is None:
        return taken
    rated, elsewhere = ~np.isnan(state["rating"]), elsewhere_on(book, view)[player]
    return taken.replace(rating=np.where(rated, book.once.after(taken["rating"], elsewhere), taken["rating"]))


def _without_newcomers(book: Book, view: View, taken: State) -> State:
    """Returns a state in which players start anew if all of their results still wait on the day of the step."""
    earlier = view.cut(book.day - 1)
    wait = waiting(book.before, earlier)
    if wait is None or isinstance(book.method, Entering):
        return taken
    unrated = newcomers_of(wait, book.before, earlier, handed_over(book, view).seeds)
    new = np.flatnonzero(unrated[: len(taken["rating"])])
    columns = [column for column in book.columns() if column.per == "player"]
    fresh = State.start(tuple(columns), len(new))
    owned = taken.copied()
    for column in columns:
        owned.write(column.name, new, fresh[column.name])
    return owned


def _taken_over(book: Book, state: State) -> State:
    """Returns the state in which the last step of a history begins, before its single act."""
    taken = book.method.taking_over(last_step(book.before), state)
    if isinstance(book.method, Entering):
        return taken.replace(rating=np.where(np.isnan(state["rating"]), np.nan, taken["rating"]))
    return taken


def joined(replays: Sequence[Replay]) -> Replay:
    """Joins the replays of the first rule of a history and of its steps, in order, into one replay.

    If the first rule kept no moves, since it rates the whole pool, the joined replay begins with its final ratings.
    """
    first, *later = replays
    last = later[-1]
    if last.moves is None:
        return evolve(last, since=None)
    sown, start, calls = first.sown, first.start, first.calls
    parts = [replay for replay in replays if replay.moves is not None]
    if first.moves is None:
        second = parts[0]
        rated = np.flatnonzero(~np.isnan(second.start[: len(first.start)]))
        sown = _sown(_given(first, second, rated, 0, 0), second.sown)
        start, calls = np.full(len(second.start), np.nan), second.calls
    index, lines = len(parts[0].results), _moves_of(parts[0]).after
    for before, after in pairwise(parts):
        call = len(calls) if calls and after.calls else _above(calls, sown, lines)
        moved, rows = _moved(before, after, index, call)
        sown = evolve(sown, index=np.minimum(sown.index, index))  # seeds of a period that has not ended
        sown = _sown(sown, _given(before, after, rows, index, call), _shifted(after.sown, index, call + 1))
        own = (evolve(line, index=line.index + index, call=line.call + call + 1) for line in _moves_of(after).after)
        lines = [*lines, *moved, *own]
        day = before.view.through + 1
        between = Call(index, index, Span(day, day + 1), len(before.state["rating"]))
        shifted = (one._replace(start=one.start + index, stop=one.stop + index) for one in after.calls)
        calls = (*calls, between, *shifted) if calls and after.calls else ()
        index += len(after.results)
        start = np.concatenate([start, after.start[len(start) :]])
    sides = any(isinstance(part.results, Sides) for part in parts)
    results, moves = partial(_all, parts, sides), _moves(parts, lines, sides)
    return evolve(last, since=None, results=results, sown=sown, moves=moves, start=start, calls=calls)


def _moves_of(replay: Replay) -> Moves:
    assert replay.moves is not None, "of a replay that kept its moves"
    return replay.moves


def _moved(before: Replay, after: Replay, index: int, call: int) -> tuple[list[Settled], Ints]:
    """Returns the changes on the first day of a step, and the players who get a rating that day."""
    assert isinstance(after.method, Book), "a replay after another one is that of a rule with a history"
    old, new, at = before.state["rating"], after.start[: len(before.state["rating"])], after.method.day
    taken = new
    if after.method.once is not None:
        taken = _without_newcomers(after.method, after.view, _taken_over(after.method, before.state))["rating"]
    settled = []
    for label, amount in ((CHANGED, taken - old), (f"once: {after.method.once}", new - taken)):
        moved = np.where(np.isnan(old), 0.0, amount)
        settled += [Settled(label, index, call, at, moved)] if moved.any() else []
    return settled, np.flatnonzero(np.isnan(old) & ~np.isnan(new))


def _above(calls: tuple[Call, ...], sown: Sown, lines: list[Settled]) -> int:
    """Returns a number greater than those of all calls so far."""
    return 1 + int(max(len(calls), *sown.call.tolist(), *(line.call for line in lines), 0))


def _given(before: Replay, after: Replay, rows: Ints, index: int, call: int) -> Sown:
    """Returns the first ratings that a rule gives players on its first day."""
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
        extra = {
            name: np.concatenate([one.extra.get(name, np.full(len(one.index), np.nan)) for one in (first, other)])
            for name in first.extra.keys() | other.extra.keys()
        }
        index, call, rating, jump = (
            np.concatenate([getattr(one, name) for one in (first, other)])
            for name in ("index", "call", "rating", "jump")
        )
        first = Sown(first.seeds.then(other.seeds), index, call, rating, jump, extra)
    return first


def _shifted(sown: Sown, index: int, call: int) -> Sown:
    return evolve(sown, index=sown.index + index, call=sown.call + call)


def _moves(parts: Sequence[Replay], lines: list[Settled], sides: bool) -> Moves:
    every = [_as_sides(part, sides) for part in parts]
    n = [len(part.results) for part in parts]
    members = [2 * len(part.results) if isinstance(part.results, Games) else len(part.member) for part in parts]
    held = None
    if any(one.held is not None for one in every):
        held = np.concatenate([part.rating_before for part in parts])
    draw = None
    if any(one.draw is not None for one in every):
        draw = _column([one.draw for one in every], n, np.nan)
    named = partial(_named, every)
    return Moves(
        np.concatenate([one.expected for one in every]), np.concatenate([one.change for one in every]), draw,
        named("before", members, 0.0), held, lines, named("notes", n, np.nan),
        _strengths(every), named("extra_before", members, np.nan), named("extra_after", members, np.nan),
    )  # fmt: skip


def _named(every: list[Moves], columns: str, sizes: list[int], blank: float) -> dict[str, Floats]:
    given = [getattr(one, columns) for one in every]
    names = dict.fromkeys(name for one in given for name in one)
    return {name: _column([one.get(name) for one in given], sizes, blank) for name in names}


def _column(parts: list[Floats | None], sizes: list[int], blank: float) -> Floats:
    columns = (np.full(n, blank) if given is None else given for given, n in zip(parts, sizes, strict=True))
    return np.concatenate(list(columns))


def _strengths(every: list[Moves]) -> Strengths | None:
    total, begin, made = sum(len(one.expected) for one in every), 0, None
    for part in every:
        if part.strengths is not None and (made is None or made.curve == part.strengths.curve):
            made = placed(made, part.strengths, slice(begin, begin + len(part.expected)), total)
        begin += len(part.expected)
    return made


def _as_sides(replay: Replay, sides: bool) -> Moves:
    """Returns the moves of a replay; with `sides`, expectations of games become expectations of both sides."""
    moves = _moves_of(replay)
    if not sides or isinstance(replay.results, Sides):
        return moves
    expected = np.stack([moves.expected, 1.0 - moves.expected], axis=1).ravel()
    return evolve(moves, expected=expected)


def _all(parts: Sequence[Replay], sides: bool) -> Any:
    """Returns the results of all parts, with the further fields that all of them have."""
    results = [Sides.of(part.results) if sides and isinstance(part.results, Games) else part.results for part in parts]
    return reduce(_both, results)


def _both(one: Any, other: Any) -> Any:
    span = Span(one.span.start, other.span.end) if len(one) and len(other) else (one if len(one) else other).span
    return one.then(other, span)

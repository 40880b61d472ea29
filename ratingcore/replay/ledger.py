"""Ledger of a replay: a line for each change of a rating, in order of play, with the rating before and after it."""

from collections.abc import Iterator
from typing import NamedTuple, Self, TypeVar

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.methods.contract import Track
from ratingcore.methods.kernels import kernel
from ratingcore.replay.moves import PLANTED, Moves, Sown

RESULT, BEFORE, SEED, SETTLED, TRACKED = range(5)
"""Kinds of lines: a result, a change just before one, a given rating, a change settled at the end of a call of the
method, and a day in the track of a retrospective method."""

_SEED, _FIRST, _TRACK = "seed", "first rating", "as seen from now"

OTHER_POOL = "first rating by another pool"
"""Label of a first rating that comes from another pool."""

Number = TypeVar("Number", bound=np.generic)


@frozen(eq=False)
class Ledger:
    """Lines in order of play, as columns of equal length.

    Parameters
    ----------
    kind : (n,) int
        One of `RESULT`, `BEFORE`, `SEED`, `SETTLED`, `TRACKED`.
    source : (n,) int
        Origin of the line: for a result and a change just before one, an index into the members of all results; for
        other kinds an index into the seeds, the settled changes or the days of the track.
    label : (n,) int
        Index in `labels`; -1 for results.
    player : (n,) int
        Row of the state.
    moved : (n,) float64, rating points
        Amount that the line adds to the rating; for a seed or a day of a track the new rating.
    before, rating : (n,) float64, rating points
        Rating of the player before and after the line; NaN if unrated.
    labels : tuple of str
    """

    kind: Ints
    source: Ints
    label: Ints
    player: Ints
    moved: Floats
    before: Floats
    rating: Floats
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def change(self) -> Floats:
        """Change made by each line; for an unrated player, its contribution to a later first rating."""
        given = (self.kind == SEED) | (self.kind == TRACKED)
        return np.where(given, self.moved - self.before, self.moved)

    @property
    def before_results(self) -> Floats:
        """Ratings before the lines of results, in the order of their members."""
        results = self.kind == RESULT
        return self.before if results.all() else self.before[results]

    def take(self, which: Ints | NDArray[np.bool_] | slice) -> Self:
        """Returns some of the lines."""
        return evolve(
            self, kind=self.kind[which], source=self.source[which], label=self.label[which],
            player=self.player[which], moved=self.moved[which], before=self.before[which], rating=self.rating[which],
        )  # fmt: skip

    def resumed(self, start: Floats, waiting: Floats) -> Self:
        """Returns the same lines with ratings that continue earlier lines.

        Parameters
        ----------
        start : (players,) float64
            Rating of each player before the first line, NaN for the unrated.
        waiting : (players,) float64
            Sum of the changes of each unrated player so far.
        """
        before, rating = _walked(self.player, self.kind, self.moved, start, waiting)
        return evolve(self, before=before, rating=rating)

    def counted(self) -> NDArray[np.bool_]:
        """Returns a mask of the lines that are part of a rating; an unrated player's are if settled later."""
        counted = np.ones(len(self), dtype=np.bool_)
        _count(self.player, self.kind, self.rating, np.zeros(int(self.player.max(initial=-1)) + 1), counted)
        return counted


@kernel
def _walk(
    player: Ints, kind: Ints, moved: Floats, now: Floats, waiting: Floats, before: Floats, rating: Floats
) -> None:  # fmt: skip
    """Computes the rating before and after each line; the only function that deals with seeds and unrated players.

    The lines of an unrated player wait until a call settles an amount for them. Their first rating is that amount plus
    the sum of the waiting lines.
    """
    for n in range(len(player)):
        i = player[n]
        value = now[i]
        before[n] = value
        if kind[n] < SEED and value == value:
            value += moved[n]
        elif kind[n] == SEED or kind[n] == TRACKED:
            value = moved[n]
            if value == value:
                waiting[i] = 0.0
        elif value == value:
            value += moved[n]
        elif kind[n] == SETTLED:
            value = waiting[i] + moved[n]
            waiting[i] = 0.0
        else:
            waiting[i] += moved[n]
        now[i] = value
        rating[n] = value


@kernel
def _count(player: Ints, kind: Ints, rating: Floats, settles: Floats, counted: NDArray[np.bool_]) -> None:
    """Marks the lines that count, going backwards: only a later line shows whether a waiting line is settled."""
    for n in range(len(player) - 1, -1, -1):
        i = player[n]
        if rating[n] == rating[n] or kind[n] == SETTLED:
            settles[i] = 1.0 if kind[n] == SETTLED and rating[n] == rating[n] else 0.0
        elif kind[n] != SEED:
            counted[n] = settles[i] == 1.0


def _walked(player: Ints, kind: Ints, moved: Floats, start: Floats, waiting: Floats) -> tuple[Floats, Floats]:
    before, rating = np.empty(len(player)), np.empty(len(player))
    _walk(player, kind, moved, start.copy(), waiting.copy(), before, rating)
    return before, rating


class _Lines(NamedTuple):
    """Lines of one kind, other than results, with the columns by which they are placed among the other lines."""

    member: Ints  # index of the member before which each line is placed
    result: Ints  # index of the result before which each line is placed; the number of results means after the last
    call: Ints  # in `BEFORE` lines, `result` and `call` are unused and 0
    kind: Ints
    source: Ints
    label: Ints
    player: Ints
    moved: Floats


class _Labels(dict[str, int]):
    """Codes of labels; a new label gets the next code."""

    def __missing__(self, label: str) -> int:
        self[label] = code = len(self)
        return code


def of_moves(
    member: Ints, member_start: Ints, moves: Moves, sown: Sown, start: Floats, players: Ints | None = None
) -> Ledger:
    """Makes the ledger of the moves that a replay kept, of some players or of all.

    Parameters
    ----------
    member, member_start
        The attributes of a `Replay` with these names.
    start : (players,) float64
        Rating of each player before the first line.
    players : (n,) int or None
        Rows of the players, ascending; None for all.
    """
    labels = _Labels()
    own: Ints = np.arange(len(member)) if players is None else _places(member, players, len(start))
    change = moves.change
    if players is not None:
        member, change = member[own], change[own]
    parts = [
        *_before(moves, own, member, labels),
        *_seeds(sown, member_start, players, labels),
        *_settled(moves, member_start, players, labels),
    ]
    kind, label = np.full(len(own), RESULT, dtype=np.int8), np.full(len(own), -1, dtype=np.int32)
    if not parts:
        return _ledger(kind, own, label, member, change, start, players, labels)
    lines = _Lines(*map(np.concatenate, zip(*parts, strict=True)))
    # lines at the same place are ordered by call; within a call: given ratings, then settled changes. Changes just
    # before a result come last of all
    right_there = lines.kind == BEFORE
    keys = (lines.label, lines.source, lines.kind, lines.call, lines.result, right_there, lines.member)
    order = np.lexsort(keys)
    place = np.searchsorted(own, lines.member[order]) + np.arange(len(order))

    def merged(others: NDArray[Number], results: NDArray[Number]) -> NDArray[Number]:
        whole = np.empty(len(others) + len(results), dtype=results.dtype)
        rest = np.ones(len(whole), dtype=np.bool_)
        rest[place] = False
        whole[place], whole[rest] = others[order], results
        return whole

    return _ledger(
        merged(lines.kind, kind), merged(lines.source, own), merged(lines.label, label), merged(lines.player, member),
        merged(lines.moved, change), start, players, labels,
    )  # fmt: skip


def of_track(track: Track | None, start: Floats, players: Ints | None = None) -> Ledger:
    """Makes a ledger of the ratings that a retrospective method gives players for each day of the past."""
    who = np.empty(0, dtype=np.int64) if track is None else track.player
    rating = np.empty(0) if track is None else track.columns["rating"]
    which = np.flatnonzero(np.ones(len(who), dtype=np.bool_) if players is None else np.isin(who, players))
    kind, label = np.full(len(which), TRACKED, dtype=np.int8), np.zeros(len(which), dtype=np.int32)
    return _ledger(kind, which, label, who[which], rating[which], start, players, _Labels({_TRACK: 0}))


def _ledger(
    kind: Ints, source: Ints, label: Ints, player: Ints, moved: Floats, start: Floats, players: Ints | None,
    labels: _Labels,
) -> Ledger:  # fmt: skip
    row, begin = player, start
    if players is not None:  # number only these players, so that the work does not grow with the pool
        place = np.empty(len(start), dtype=np.int64)
        place[players] = np.arange(len(players))
        row, begin = place[player], start[players]
    before, rating = _walked(row, kind, moved, begin, np.zeros(len(begin)))
    return Ledger(kind, source, label, player, moved, before, rating, tuple(labels))


def _places(column: Ints, players: Ints, n_players: int) -> Ints:
    if len(players) == 1:
        return np.flatnonzero(column == players[0])
    wanted = np.zeros(n_players, dtype=np.bool_)
    wanted[players] = True
    return np.flatnonzero(wanted[column])


def _before(moves: Moves, own: Ints, member: Ints, labels: _Labels) -> Iterator[_Lines]:
    """Yields lines for the changes of members just before their results."""
    for label, column in moves.before.items():
        moved = column[own]
        at = np.flatnonzero(moved != 0.0)
        nowhere = np.zeros(len(at), dtype=np.int64)
        yield _lines(BEFORE, own[at], nowhere, nowhere, own[at], labels[label], member[at], moved[at])


def _seeds(sown: Sown, member_start: Ints, players: Ints | None, labels: _Labels) -> Iterator[_Lines]:
    """Yields lines for seeds, and for first ratings, which have no position in the log."""
    which = np.arange(len(sown.index)) if players is None else np.flatnonzero(np.isin(sown.seeds.player, players))
    if not len(which):
        return
    index = sown.index[which]
    position = sown.seeds.position[which]
    made = np.where(position == PLANTED, labels[OTHER_POOL], labels[_FIRST])
    label = np.where(position > 0, labels[_SEED], made)
    member = member_start[np.minimum(index, len(member_start) - 1)]
    yield _lines(
        SEED, member, index, sown.call[which], which, label, sown.seeds.player[which], sown.rating[which]
    )  # fmt: skip


def _settled(moves: Moves, member_start: Ints, players: Ints | None, labels: _Labels) -> Iterator[_Lines]:
    """Yields lines for the changes settled at the end of calls."""
    for number, line in enumerate(moves.after):
        if players is None:
            who = np.flatnonzero(line.amount != 0.0)
        else:
            there = players[: int(np.searchsorted(players, len(line.amount)))]
            who = there[line.amount[there] != 0.0]
        at = int(member_start[min(line.index, len(member_start) - 1)])
        yield _lines(SETTLED, at, line.index, line.call, number, labels[line.label], who, line.amount[who])


def _lines(
    kind: int, member: Ints | int, result: Ints | int, call: Ints | int, source: Ints | int, label: Ints | int,
    player: Ints, moved: Floats,
) -> _Lines:  # fmt: skip
    """Makes lines from columns, and from single numbers that apply to all lines."""
    member, result, call, kinds, source, label = (
        np.broadcast_to(np.asarray(column), player.shape) for column in (member, result, call, kind, source, label)
    )
    return _Lines(member, result, call, kinds, source, label, player, moved)

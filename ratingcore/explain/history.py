"""Makes histories of players (every line of the ledger with day, opponent and score), and finds highest ratings."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.columns.scores import Score, ScoreColumn
from ratingcore.columns.sides import Sides
from ratingcore.errors import NoPast
from ratingcore.events import Clock, Instant
from ratingcore.events.zones import UTC
from ratingcore.lists.policy import Cell, cell
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.state import State
from ratingcore.read_only import ReadOnly
from ratingcore.replay.contract_check import shown_by
from ratingcore.replay.history_columns import extra_columns
from ratingcore.replay.ledger import BEFORE, RESULT, SEED, SETTLED, TRACKED, Ledger
from ratingcore.replay.replay import Replay
from ratingcore.report.table import AsRow, AsSequence, Table, columns_of


def extra_of_lines(replay: Replay, ledger: Ledger) -> dict[str, Floats]:
    """Returns further listed columns of each line's player after the line; NaN where unknown.

    Requires a replay with a `Watch`, or the track of a whole-pool method. With a periodic method a result has the
    value at the end of its period, because a single result does not change it.
    """
    moves, sown, track, source = replay.moves, replay.sown, replay.track, ledger.source
    tracked = {} if track is None else {name: column for name, column in track.columns.items() if name != "rating"}
    names = dict.fromkeys([*tracked, *(moves.extra_after if moves is not None else ())])
    columns = {name: np.full(len(ledger), np.nan) for name in names}
    at = {kind: np.flatnonzero(ledger.kind == kind) for kind in (RESULT, BEFORE, SEED, SETTLED, TRACKED)}
    for name, column in columns.items():
        if name in tracked:
            column[at[TRACKED]] = tracked[name][source[at[TRACKED]]]
        if moves is None or name not in moves.extra_after:
            continue
        column[at[RESULT]] = moves.extra_after[name][source[at[RESULT]]]
        column[at[BEFORE]] = moves.extra_before[name][source[at[BEFORE]]]
        column[at[SEED]] = sown.extra[name][source[at[SEED]]]
        for line in at[SETTLED].tolist():
            settled = moves.after[int(source[line])].extra
            column[line] = settled[name][ledger.player[line]] if name in settled else np.nan
    return columns


def extra_cells(method: Method, columns: Mapping[str, Floats], lines: int) -> list[dict[str, Cell]]:
    """Converts columns to one row of cells per line, with words for codes and None for unknown values."""
    labels = {column.name: column.labels for column in method.columns() if column.labels}
    worded = {name: _worded(column, labels.get(name, ())) for name, column in columns.items()}
    return [{name: column[line] for name, column in worded.items()} for line in range(lines)]


def cells_of(method: Method, state: State, row: int, at: Instant) -> Mapping[str, Cell]:
    """Returns the further columns of one player on the list at an instant; empty if they have not appeared."""
    if row >= len(state["rating"]):
        return {}
    (cells,) = extra_cells(method, extra_columns(method, state, np.array([row]), at), 1)
    return cells


def _worded(column: Floats, labels: Sequence[str]) -> list[Cell]:
    if not labels:
        return [cell(number) for number in column.tolist()]
    return [None if code != code else labels[int(code)] for code in column.tolist()]


def heading(name: str, taken: Collection[str], otherwise: str) -> str:
    """Returns the name of a column, with a suffix if the rows already have a column of that name.

    Examples
    --------
    >>> heading("deviation", ("played", "rating"), "after"), heading("played", ("played", "rating"), "after")
    ('deviation', 'played_after')
    """
    return f"{name}_{otherwise}" if name in taken else name


class LineCells(NamedTuple):
    """The seven cells of a history line, as a tuple."""

    played: Instant
    position: int | None
    opponent: str
    score: Score | None
    expected: float | None
    change: float
    rating: float


class Line(AsRow, LineCells):
    """One line of a history: a tuple of seven cells, with the uid of its event and further columns as attributes.

    It is also a row with all cells by name: `line["rating"]`, `dict(line)`.

    `position` and `uid` are None where no event moved the rating; then `opponent` is the label of the line, and there
    is neither score nor expectation. A `score` is a number with its meaning: the `GameShare` of a point, or the
    `SessionPoints` of a side, with its place. The changes of the lines between two ratings add up to their difference.
    `columns` holds further listed columns after the line, by name: `line.columns["deviation"]`; for a
    periodic method after the period of the line.
    """

    uid: str | None = None
    columns: Mapping[str, Cell] = ReadOnly({})
    clock: Clock = UTC

    @classmethod
    def of(cls, moved: LineCells, uid: str | None, columns: Mapping[str, Cell], clock: Clock = UTC) -> Self:
        """Makes a line with these cells; `clock` gives its time zone."""
        line = cls(*moved)
        line.uid, line.columns, line.clock = uid, columns, clock
        return line

    @property
    def time(self) -> str:
        """When it was played, as ISO 8601: a day, or a day with a time and the offset of the pool's zone."""
        return self.clock.iso(self.played)

    def as_row(self) -> dict[str, Any]:
        """Returns all cells by column, the time as a text."""
        row = {"played": self.time, "uid": self.uid, **dict(zip(self._fields[1:], self[1:], strict=True))}
        return row | {heading(name, row, "after"): cell for name, cell in self.columns.items()}


@frozen(eq=False)
class PlayerHistory(AsSequence[Line]):
    """The lines of a player's history, in order of play, with further listed columns."""

    def as_table(self) -> Table:
        """Returns a table with one row per line."""
        names = ("played", "uid", *LineCells._fields[1:])
        return Table("history", "History of a player", columns_of([line.as_row() for line in self], names))


class Words:
    """Table of texts with negative codes: labels of lines, and sides of several players.

    Parameters
    ----------
    texts : sequence of str
        The first texts, with the codes -1, -2 and so on.
    """

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self._codes = {text: -1 - number for number, text in enumerate(texts)}

    def code(self, text: str) -> int:
        """Returns the code of a text; a new text gets the next one."""
        return self._codes.setdefault(text, -1 - len(self._codes))

    @property
    def texts(self) -> list[str]:
        """All texts; the text of a code is `texts[-1 - code]`."""
        return list(self._codes)

    def read(self, replay: Replay, column: Ints) -> list[str]:
        """Translates a column: codes become texts, and rows of the state become names of players."""
        texts, name = self.texts, replay.view.name
        return [texts[-1 - code] if code < 0 else name(code) for code in column.tolist()]


@frozen(eq=False)
class Lines:
    """The lines of a ledger with facts of their events, as columns.

    Parameters
    ----------
    ledger : Ledger
    played : (n,) int
    position : (n,) int
        0 where no event moved the rating.
    opponent : (n,) int
        Row of the opponent; below 0 the code of a label, or of a side of several players.
    score : ScoreColumn
        Scores of the player's side; missing for lines other than results.
    expected : (n,) float64
        Expected scores of the player's side; NaN for lines other than results.
    words : Words
    extra : mapping of name to (n,) float64
        Further listed columns after each line.
    """

    ledger: Ledger
    played: Ints
    position: Ints
    opponent: Ints
    score: ScoreColumn
    expected: Floats
    words: Words
    extra: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.ledger)

    def take(self, which: Ints | NDArray[np.bool_] | slice) -> Self:
        """Returns some of the lines."""
        return evolve(
            self, ledger=self.ledger.take(which), played=self.played[which], position=self.position[which],
            opponent=self.opponent[which], score=self.score[which], expected=self.expected[which],
            extra={name: column[which] for name, column in self.extra.items()},
        )  # fmt: skip

    def opponents(self, replay: Replay) -> list[str]:
        """The column `opponent` in words."""
        return self.words.read(replay, self.opponent)


def history(
    replay: Replay, row: int, uids: Callable[[Sequence[int]], list[str]] | None = None, last: int | None = None
) -> PlayerHistory:
    """Returns the lines of the player in a row of the state, with the rating after each line.

    A retrospective method does not move ratings result by result; its lines come from its track, if it has one.

    Parameters
    ----------
    replay : Replay
        A replay that kept its moves; lines have further columns if it has a `Watch` of this player.
    row : int
    uids : callable or None
        Returns the uids of the events at positions; without it, lines have no uids.
    last : int or None
        Number of lines to return, counted from the end; None for all.
    """
    ledger = replay.ledger(np.array([row]))
    lines = described_lines(replay, ledger if last is None else ledger.take(slice(max(0, len(ledger) - last), None)))
    ledger, names = lines.ledger, lines.opponents(replay)
    result = (ledger.kind == RESULT).tolist()
    expected = [
        number if is_result else None for number, is_result in zip(lines.expected.tolist(), result, strict=True)
    ]
    position = [at or None for at in lines.position.tolist()]
    change, rating = ledger.change.tolist(), ledger.rating.tolist()
    events = [at for at in position if at is not None]
    named = dict(zip(events, uids(events), strict=True)) if uids is not None and events else {}
    uid = [None if at is None else named.get(at) for at in position]
    extra = extra_cells(replay.method, lines.extra, len(ledger))
    moved = map(LineCells, lines.played.tolist(), position, names, lines.score.tolist(), expected, change, rating)
    return PlayerHistory(tuple(map(Line.of, moved, uid, extra, repeat(replay.view.clock))))


def described_lines(replay: Replay, ledger: Ledger) -> Lines:
    """Looks up the events of some lines of a replay's ledger."""
    moves, n, words = replay.moves, len(ledger), Words(ledger.labels)
    played, position = moments(replay, ledger)
    opponent, expected = -1 - ledger.label.astype(np.int64), np.full(n, np.nan)
    score = ScoreColumn.of_games(np.full(n, np.nan))
    if moves is not None:
        at = np.flatnonzero(ledger.kind == RESULT)
        opponent[at], scores, side = met(replay, ledger.source[at], words)
        expected[at] = expected_by(replay, side)
        score.number[at], score.placing[at] = scores.number, scores.placing
    return Lines(ledger, played, position, opponent, score, expected, words, extra_of_lines(replay, ledger))


def results_of(replay: Replay, row: int | None = None) -> Lines:
    """Returns a line for each result, player by player, by a method that moves no rating result by result.

    A line has no change and no expected score; its rating and further columns are those of the track on its day.

    Parameters
    ----------
    replay : Replay
        A replay by a retrospective method.
    row : int or None
        Row of the state; None for all players.
    """
    seat = np.argsort(replay.member, kind="stable") if row is None else np.flatnonzero(replay.member == row)
    player, result = replay.member[seat], replay.result_of(seat)
    track = described_lines(replay, replay.ledger(None if row is None else np.array([row])))
    n, when = len(track), np.concatenate([track.played, replay.results.played[result]])
    order = np.lexsort((when, np.concatenate([track.ledger.player, player])))
    last = np.empty(len(order), dtype=np.int64)
    last[order] = np.maximum.accumulate(np.where(order < n, np.arange(len(order)), 0))
    day = order[last[n:]]
    known = np.flatnonzero(day < n)
    known = known[track.ledger.player[day[known]] == player[known]]

    def on_its_day(column: Floats) -> Floats:
        found = np.full(len(seat), np.nan)
        found[known] = column[day[known]]
        return found

    none, words = np.full(len(seat), np.nan), Words()
    opponent, score, _ = met(replay, seat, words)
    kind, label = np.full(len(seat), RESULT, dtype=np.int8), np.full(len(seat), -1, dtype=np.int32)
    ledger = Ledger(kind, seat, label, player, none, none, on_its_day(track.ledger.rating), ())
    extra = {name: on_its_day(column) for name, column in track.extra.items()}
    return Lines(ledger, when[n:], replay.results.position[result], opponent, score, none, words, extra)


def moments(replay: Replay, ledger: Ledger) -> tuple[Ints, Ints]:
    """Returns the time of each line of a ledger, and the position of its event; 0 where no event moved the rating."""
    results, moves, seeds, track = replay.results, replay.moves, replay.sown.seeds, replay.track
    played, position = np.empty(len(ledger), dtype=np.int64), np.zeros(len(ledger), dtype=np.int64)

    def of(kind: int) -> tuple[Ints, Ints]:
        at = np.flatnonzero(ledger.kind == kind)
        return at, ledger.source[at]

    if track is not None:
        at, day = of(TRACKED)
        played[at] = track.day[day]
    if moves is not None:
        at, member = of(BEFORE)
        played[at] = results.played[replay.result_of(member)]
        at, seed = of(SEED)
        played[at], position[at] = seeds.played[seed], np.maximum(seeds.position[seed], 0)
        at, number = of(SETTLED)
        played[at] = np.array([settled.at for settled in moves.after], dtype=np.int64)[number]
        at, member = of(RESULT)
        result = replay.result_of(member)
        played[at], position[at] = results.played[result], results.position[result]
    return played, position


def expected_by(replay: Replay, side: Ints) -> Floats:
    """Returns the expected scores of some sides; the sides of game `g` are `2 g` and `2 g + 1`."""
    assert replay.moves is not None
    if isinstance(replay.results, Sides):
        return replay.moves.expected[side]
    share = replay.moves.expected[side // 2]
    return np.where(side % 2, 1.0 - share, share)


def met(replay: Replay, members: Ints, words: Words) -> tuple[Ints, ScoreColumn, Ints]:
    """Returns opponents, scores and sides of members in their results; the sides of game `g` are `2 g` and `2 g + 1`.

    An opponent is a row of the state, or the code of a text that names several players or the number of other sides.
    """
    results = replay.results
    if not isinstance(results, Sides):
        share = results.score[members // 2]
        score = ScoreColumn.of_games(np.where(members % 2, 1.0 - share, share))
        return replay.member[members ^ 1].astype(np.int64), score, members
    side = np.searchsorted(results.side, members, "right") - 1
    result = np.searchsorted(results.result, side, "right") - 1
    first = results.result[result]
    others = results.result[result + 1] - first - 1
    opponent = np.empty(len(members), dtype=np.int64)
    for count in np.unique(others[others != 1]).tolist():
        opponent[others == count] = words.code(f"{count} sides")
    opposite, which = np.unique((2 * first + 1 - side)[others == 1], return_inverse=True)
    opponent[others == 1] = np.array([_seated(replay, results, int(one), words) for one in opposite], np.int64)[which]
    return opponent, ScoreColumn.of_sides(results, side), side


def _seated(replay: Replay, results: Sides, side: int, words: Words) -> int:
    players = results.player[results.side[side] : results.side[side + 1]].tolist()
    return int(players[0]) if len(players) == 1 else words.code(" + ".join(map(replay.view.name, players)))


SAME = 1e-6
"""Difference in rating points below which the list's rating and the sum of the lines count as equal."""


class Peak(NamedTuple):
    """The highest rating of a player, unrounded, and the instant at which they first had it."""

    rating: float
    at: Instant


def peaks(replay: Replay, players: Ints | None = None) -> Mapping[int, Peak]:
    """Finds the peak of every player who ever had a rating, by row of the state.

    The candidates are the ratings after each result (with a periodic method, at the end of each period), every seed and
    first rating, and the rating on the list. A newcomer's start does not count until something moves it; nor does a
    value that a labelled line sets just before a result.

    Parameters
    ----------
    replay : Replay
        A replay from the first result on that kept its moves.
    players : (n,) int or None
        Rows of the state, ascending; None for all.

    Raises
    ------
    CannotSay
        If the method rates the whole pool anew each time and has no past ratings.
    """
    if replay.moves is None and replay.track is None:
        why = "it rates the whole pool anew each time, and gives no earlier ratings"
        raise NoPast(replay.method.name, "what rating was the highest", why)
    ledger = replay.ledger(players)
    lasting, at = _lasting(replay, ledger)
    lasting &= np.isfinite(ledger.rating)
    rows, rating, at = ledger.player[lasting].astype(np.int64), ledger.rating[lasting], at[lasting]
    # stable, so that the earliest of equal ratings comes first; rounded, so that errors of summation decide nothing
    order = np.lexsort((-np.round(rating, 9), rows))
    highest, first = np.unique(rows[order], return_index=True)
    top = order[first]
    found = {
        row: Peak(rating, when)
        for row, rating, when in zip(highest.tolist(), rating[top].tolist(), at[top].tolist(), strict=True)
    }
    _count_listed(replay, ledger, found)
    return found


def _lasting(replay: Replay, ledger: Ledger) -> tuple[NDArray[np.bool_], Ints]:
    """Returns a mask of the lines whose rating came into effect, and the instants at which it did."""
    at, _ = moments(replay, ledger)
    lasting = ledger.kind != BEFORE
    if replay.method.cadence is not Cadence.PERIODIC or not replay.calls or replay.moves is None:
        return lasting, at
    # the ratings of a period come into effect at its end: only a player's last line of it counts
    call = _calls(replay, ledger)
    order = np.lexsort((call, ledger.player))
    last = np.ones(len(order), dtype=np.bool_)
    last[:-1] = (np.diff(ledger.player[order]) != 0) | (np.diff(call[order]) != 0)
    lasting = ledger.kind == SEED
    lasting[order] |= last
    ends = np.array([part.span.end - 1 for part in replay.calls], dtype=np.int64)
    played = ledger.kind == RESULT
    at[played] = ends[call[played]]
    return lasting, at


def _calls(replay: Replay, ledger: Ledger) -> Ints:
    """Returns the period in which each line of a periodic method was rated."""
    assert replay.moves is not None, "the replay was not asked to keep moves"
    call = np.zeros(len(ledger), dtype=np.int64)
    of_result = np.isin(ledger.kind, (RESULT, BEFORE))
    stops = np.array([part.stop for part in replay.calls], dtype=np.int64)
    call[of_result] = np.searchsorted(stops, replay.result_of(ledger.source[of_result]), "right")
    settled = ledger.kind == SETTLED
    call[settled] = np.array([line.call for line in replay.moves.after], dtype=np.int64)[ledger.source[settled]]
    seeds = ledger.kind == SEED
    call[seeds] = replay.sown.call[ledger.source[seeds]]
    return call


def _count_listed(replay: Replay, ledger: Ledger, found: dict[int, Peak]) -> None:
    """Adds the rating of the list as a candidate: it may be higher than the sum of the lines."""
    listed: Floats = np.asarray(shown_by(replay.method, replay.state, replay.at)["rating"], dtype=np.float64)
    moved = np.unique(ledger.player)
    moved = moved[moved < len(listed)]
    for row, rating in zip(moved.tolist(), listed[moved].tolist(), strict=True):
        if rating == rating and (row not in found or rating > found[row].rating + SAME):
            found[row] = Peak(rating, replay.at)

"""The results of a view in the form that a method reads, and the results that it cannot read."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints, Need, Span, frozen_array
from ratingcore.columns.games_in_order import GameTable, Spliced
from ratingcore.columns.result_fields import ResultFields
from ratingcore.columns.sides import Sides
from ratingcore.columns.time_travel import without_games
from ratingcore.columns.timeline import Players, Timeline
from ratingcore.events import Instant
from ratingcore.safe_text import counted

Results = TypeVar("Results", Games, Sides)


@frozen(eq=False)
class MethodInput:
    """Makes games or sides of a timeline for one method.

    Parameters
    ----------
    timeline : Timeline
    fields : ResultFields
    span : Span
        Span of all results of the view.
    end : (int, int)
        Number of games and of sessions in the view.
    needs : tuple of Need
    method : str
        Named in errors.
    players : mapping of str to (n,) float64
        The fields of players, aligned with the rows of the state.
    """

    timeline: Timeline
    fields: ResultFields
    span: Span
    end: tuple[int, int]
    needs: tuple[Need, ...]
    method: str
    players: Mapping[str, Floats]

    def games(self, start: int) -> Games:
        """The games from place `start` in order of play to the end of the view."""
        table = self.timeline.table.part(start, self.end[0])
        games = Games(
            frozen_array(table.a), frozen_array(table.b), frozen_array(table.score), frozen_array(table.played),
            frozen_array(table.position), self.span, self._of_results(table.position), self.players,
        )  # fmt: skip
        return _without_left_out(games, self.needs)

    def sides(self, game: int, session: int) -> Sides:
        """The games from place `game` on and the sessions from place `session` on, merged into one order."""
        return _without_left_out(self._sides(game, session), self.needs)

    def _sides(self, game: int, session: int) -> Sides:
        seated = self._seated(session)
        if game == self.end[0]:
            return seated.frozen()
        table = self.timeline.table.part(game, self.end[0])
        facts = self._of_results(table.position)
        games = Games(table.a, table.b, table.score, table.played, table.position, self.span, facts, self.players)
        n = len(table.position)
        of_games = Sides.of(games, self._of_members(table.position, lambda: np.full(n, 2), 2 * n))
        if session == self.end[1]:
            return of_games.frozen()
        return of_games.merged(
            seated, np.concatenate([table.order, self.timeline.sessions.order[session : self.end[1]]])
        )

    def _seated(self, first: int) -> Sides:
        """The sessions from place `first` on, as sides with members."""
        sessions, last = self.timeline.sessions, self.end[1]
        position = sessions.position[first:last]
        result = sessions.result[first : last + 1]
        side = sessions.side[int(result[0]) : int(result[-1]) + 1]
        members, sides = slice(int(side[0]), int(side[-1])), slice(int(result[0]), int(result[-1]))
        if result[0] or side[0]:  # copies, which are not needed when reading from the beginning
            result, side = result - result[0], side - side[0]
        return Sides(
            result, side, sessions.player[members], sessions.score[sides],
            sessions.played[first:last], position, self.span, self._of_results(position), self.players,
            members=self._of_members(position, lambda: np.diff(side[result]), len(sessions.player[members])),
        )  # fmt: skip

    def _of_results(self, positions: Ints) -> dict[str, Floats]:
        wanted = [need for need in self.needs if need.of == "result"]
        return {need.name: self.fields.column(need, positions, self.method) for need in wanted}

    def _of_members(self, positions: Ints, sizes: Callable[[], Ints], members: int) -> dict[str, Floats]:
        """The fields of members; `sizes` returns the number of members of each result, `members` is their sum."""
        found = {}
        for need in self.needs:
            if need.of == "member" and self.fields.absent(need):
                found[need.name] = frozen_array(np.full(members, need.default))
            elif need.of == "member":
                found[need.name] = self.fields.of_members(need, positions, sizes(), self.method)
        return found


def _without_left_out(results: Results, needs: tuple[Need, ...]) -> Results:
    """The results without those that a need with `leaves_out` cannot read."""
    gone = np.zeros(len(results), dtype=np.bool_)
    for need in needs:
        if need.leaves_out:
            gone |= np.isnan(results[need.name])
    return results.take(np.flatnonzero(~gone)) if gone.any() else results


Refused = Mapping[str, NDArray[np.bool_]]
"""Reasons why a method refuses results, each with a mask of the results."""

SESSION = "session"
"""Reason why a method that reads games of two players cannot read a session."""


@frozen(eq=False)
class UnreadableResults:
    """Results of a pool that a method cannot read, each with the reason, in order of play.

    Parameters
    ----------
    position : (n,) int64
    played : (n,) int64, microseconds since 1970
    why : tuple of str
        One reason per result, the first that applies: `session`, `no points`, ...
    """

    position: Ints
    played: Ints
    why: tuple[str, ...]

    def counts(self, through: Instant) -> dict[str, int]:
        """Number of these results played through an instant, by reason."""
        counts: dict[str, int] = {}
        for reason in self.why[: int(np.searchsorted(self.played, through, "right"))]:
            counts[reason] = counts.get(reason, 0) + 1
        return counts

    def sentences(self, through: Instant) -> list[str]:
        """Describes these results played through an instant in words: `1 result (no points)`."""
        return [unreadable_in_words(why, count) for why, count in self.counts(through).items()]

    def before(self, through: Instant) -> list[tuple[int, str]]:
        """Position and reason of each of these results played through an instant."""
        n = int(np.searchsorted(self.played, through, "right"))
        return list(zip(self.position[:n].tolist(), self.why[:n], strict=True))


def unreadable_in_words(why: str, count: int) -> str:
    """Number of results left out, with the reason, in words.

    Examples
    --------
    >>> unreadable_in_words("no points", 1), unreadable_in_words("session", 20)
    ('1 result (no points)', '20 results (session)')
    """
    return f"{counted(count, 'result')} ({why})"


NONE = UnreadableResults(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), ())


class Reads(NamedTuple):
    """The way a method reads results: two methods with equal values can read the same results."""

    needs: tuple[Need, ...]
    sides: bool
    refusing: Any
    """The method, if it refuses results by their content; None otherwise."""


_MADE: "WeakKeyDictionary[Timeline, list[tuple[Reads, Timeline, UnreadableResults]]]" = WeakKeyDictionary()
"""Timelines without unreadable results for each way of reading, by the timelines they were made from."""


def without_unreadable(
    timeline: Timeline,
    reads: Reads,
    fields: ResultFields,
    refused: Callable[[Timeline], tuple[Ints, Refused]],
) -> tuple[Timeline, UnreadableResults]:
    """Returns the timeline without the results that a method cannot read, and those results.

    Players and their order are as if these results had never been recorded. If the method can read no result, it is
    wrong for the pool: the timeline is returned unchanged, and rating it raises the error that names what is missing.

    Parameters
    ----------
    refused : callable
        Takes a timeline all of whose fields can be read; returns the positions of its results, and which of them the
        method refuses.
    """
    known = _MADE.setdefault(timeline, [])
    for read, made, left_out in known:
        if read == reads:
            return made, left_out
    why, made = unreadable(timeline, reads, fields, refused)
    made, left_out = _with_reasons(timeline, why, made)
    known.append((reads, made, left_out))
    return made, left_out


def unreadable(
    timeline: Timeline, reads: Reads, fields: ResultFields, refused: Callable[[Timeline], tuple[Ints, Refused]]
) -> tuple[dict[int, str], Timeline]:
    """Returns the reasons why results of a timeline cannot be read, by position, and the timeline without them."""
    why = _unreadable_form_or_field(timeline, reads, fields)
    made = _without(timeline, why)
    if reads.refusing is not None and len(made.table) + len(made.sessions.played):
        positions, masks = refused(made)
        more = {int(at): reason for reason, mask in masks.items() for at in positions[np.flatnonzero(mask)]}
        made = _without(made, more)
        why |= more
    return why, made


def without_these(timeline: Timeline, why: Mapping[int, str]) -> tuple[Timeline, UnreadableResults]:
    """The timeline without the results at some positions, and those results; unchanged if no result would be left."""
    return _with_reasons(timeline, why, _without(timeline, why))


def _with_reasons(timeline: Timeline, why: Mapping[int, str], made: Timeline) -> tuple[Timeline, UnreadableResults]:
    """Returns `made`, which lacks some results, with these results; `timeline` if `made` has no results at all."""
    if not why or not len(made.table) + len(made.sessions.played):
        return timeline, NONE
    played, position = timeline.in_order()
    mine = np.flatnonzero(np.isin(position, list(why)))
    return made, UnreadableResults(position[mine], played[mine], tuple(why[at] for at in position[mine].tolist()))


def _unreadable_form_or_field(timeline: Timeline, reads: Reads, fields: ResultFields) -> dict[int, str]:
    """Reasons why results cannot be read, by position: the form of a session first, then fields by need."""
    sessions = timeline.sessions
    why: dict[int, str] = {} if reads.sides else dict.fromkeys(sessions.position.tolist(), SESSION)
    needs = [need for need in reads.needs if need.of != "player" and not need.leaves_out and not fields.absent(need)]
    if not needs:
        return why
    games = timeline.games
    position = np.concatenate([games.position, sessions.position]) if reads.sides else games.position
    for need in needs:
        sizes = None
        if need.of == "member":
            seats = np.diff(sessions.side[sessions.result]) if reads.sides else sessions.position[:0]
            sizes = np.concatenate([np.full(len(games.position), 2), seats])
        for reason, at in fields.unreadable(need, position, sizes).items():
            why = dict.fromkeys(at.tolist(), reason) | why
    return why


def _without(timeline: Timeline, why: Mapping[int, str]) -> Timeline:
    """The timeline without the results at some positions; players have rows as if these results never existed."""
    if not why:
        return timeline
    gone = np.array(list(why), dtype=np.int64)
    return without_masked(timeline, np.isin(timeline.games.position, gone), np.isin(timeline.sessions.position, gone))


def without_masked(timeline: Timeline, games_gone: NDArray[np.bool_], sessions_gone: NDArray[np.bool_]) -> Timeline:
    """The timeline without the games and the sessions in two masks; players have rows as in `_without`."""
    games, sessions = timeline.games, timeline.sessions
    if not sessions_gone.any():
        few = without_games(timeline, games.take(np.flatnonzero(games_gone)))
        if few is not None:
            return few
    ids = timeline.players.id
    table = games if not games_gone.any() else games.take(np.flatnonzero(~games_gone))
    left = sessions if not sessions_gone.any() else sessions.take(np.flatnonzero(~sessions_gone))
    by_id = [columns._replace(player=ids[columns.player]) for columns in (left, timeline.seeds)]
    players = Players.of(_renumbered(table, ids), by_id[0], by_id[1])  # type: ignore[arg-type]  # one of each, as listed
    row = players.rows(int(ids.max(initial=0)) + 1)
    same = len(players.id) == len(ids) and bool((players.id == ids).all())
    moved = np.arange(len(ids), dtype=np.int32) if same else row[ids]
    return evolve(
        timeline,
        table=timeline.table if same and not games_gone.any() else Spliced((_renumbered(table, moved),)),
        sessions=left._replace(player=moved[left.player]),
        seeds=timeline.seeds._replace(player=moved[timeline.seeds.player]),
        players=players,
        results=None,
    )


def _renumbered(games: GameTable, number: Ints) -> GameTable:
    """The games with other row numbers for their players."""
    return games._replace(a=number[games.a], b=number[games.b])

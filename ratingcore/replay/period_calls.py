"""The calls of a periodic method: which results each one rates, and how many players have appeared by its end."""

from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Games, Ints, Span
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import FOREVER, View
from ratingcore.events import DAY, Instant, iso
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.periods import Period
from ratingcore.methods.rule_histories import Book
from ratingcore.replay.pieces import Pieces


class Call(NamedTuple):
    """Call of a periodic method: it rates the results from `start` to before `stop`, in a state of `players` rows."""

    start: int
    stop: int
    span: Span
    players: int


class Periods(NamedTuple):
    """Calls of a periodic method; `order` puts the results of each call side by side, None if they already are."""

    calls: list[Call]
    order: Ints | None
    ends: Ints
    """Last instant of each call; a seed belongs to the first call that ends at or after its time."""

    def after(self, since: Instant | None) -> "Periods":
        """Returns the calls that end later than an instant."""
        if since is None:
            return self
        done = int(np.searchsorted(self.ends, since, "right"))
        return self._replace(calls=self.calls[done:], ends=self.ends[done:])


def played_before(results: Games | Sides | Pieces, at: Instant) -> int:
    """Returns the number of results played before an instant."""
    return results.before(at) if isinstance(results, Pieces) else int(np.searchsorted(results.played, at))


def periods(view: View, period: Period, results: Games | Sides | Pieces) -> Periods:
    """Returns the closed periods of a view, including empty ones between others and after the last result."""
    if period.unit == "event":
        assert not isinstance(results, Pieces), "tournaments mix results in order of play"
        return _by_event(view, results)
    first, last = _reach(view)
    if first is None or last is None:
        return Periods([], None, np.empty(0, dtype=np.int64))
    edges = period.edges(first, last)
    if view.through != FOREVER:
        closed = edges <= view.through + 1
        if period.unit == "cuts":  # the period after the last cut is not closed
            closed[1:] &= np.isin(edges[1:], period.cuts)
        edges = edges[closed]
        if len(edges) < 2:
            return Periods([], None, np.empty(0, dtype=np.int64))
    cuts = [played_before(results, at) for at in edges.tolist()]
    seen = _seen_by(view, edges[1:] - 1)
    spans = [Span(int(start), int(end)) for start, end in pairwise(edges)]
    calls = [Call(*args) for args in zip(cuts[:-1], cuts[1:], spans, seen, strict=True)]
    return Periods(calls, None, edges[1:] - 1)


BEFORE: Instant = -(2**62)
"""An instant before everything."""


def closed_by(period: Period, at: Instant) -> Instant:
    """Returns the last instant of the latest period that has ended at an instant; `BEFORE` if no cut has come yet."""
    if period.unit == "cuts":
        return max((cut - 1 for cut in period.cuts if cut <= at + 1), default=BEFORE)
    start, end = period.edges(at, at).tolist()
    return int(end if end <= at + 1 else start) - 1


def rated_through(method: Method, view: View) -> int:
    """Returns the last instant up to which a method has rated everything, at the cut of a view."""
    if method.cadence is not Cadence.PERIODIC or method.period is None:
        return view.through
    closed = closed_by(method.period, view.through)
    return max(closed, rated_through(method.before, view.cut(method.day - 1))) if isinstance(method, Book) else closed


def settled_through(method: Method, view: View) -> int:
    """Returns the end of the last period that a method has rated at the cut of a view; the cut if all are rated.

    The ratings contain the seeds up to this instant. Later seeds, and the results before them, wait for the end of
    their periods.
    """
    if method.cadence is not Cadence.PERIODIC or method.period is None:
        return view.through
    if method.period.unit != "event":
        return rated_through(method, view)
    held = _Tournaments.of(view)
    closed = held.end[held.end <= view.through]
    return int(closed.max()) if len(closed) else int(min([view.through, *view.seeds.played[:1]])) - 1


def seeds_wait(method: Method, view: View) -> bool:
    """True if a player has a seed later than a result of theirs that is not rated yet, because its period is open."""
    seeds = view.seeds_after(settled_through(method, view))
    if not len(seeds.played):
        return False
    results = view.sides((), method.name)
    open_ = results.take(np.flatnonzero(np.isin(results.position, open_results(method, view))))
    first = np.full(view.n_players, np.iinfo(np.int64).max)
    np.minimum.at(first, open_.player, np.repeat(open_.played, np.diff(open_.side[open_.result])))
    return bool((first[seeds.player] < seeds.played).any())


def open_results(method: Method, view: View) -> Ints:
    """Returns the positions of results that are not rated yet, because their period is open at the cut of a view."""
    if method.cadence is not Cadence.PERIODIC or method.period is None:
        return np.empty(0, dtype=np.int64)
    played, position = (column[: view.n_games + view.n_sessions] for column in view.known())
    open_ = open_at(view) if method.period.unit == "event" else played > closed_by(method.period, view.through)
    if isinstance(method, Book):
        open_ = open_ & (
            (played >= method.day) | np.isin(position, open_results(method.before, view.cut(method.day - 1)))
        )
    return position[open_]


def of_last_step(book: Book, view: View) -> Ints:
    """Returns the positions of the results that the last step of a rule with a history rates.

    These are the results from the day of the step on, and earlier ones whose period was still open on that day.
    """
    played, position = view.known()
    if book.by == "event start":
        return position[_Tournaments.of(view).start_of_each >= book.day]
    left = np.isin(position, open_results(book.before, view.cut(book.day - 1)))
    return position[(played >= book.day) | left]


class OpenPeriod(NamedTuple):
    """Results of a view that wait for the end of their period to be rated.

    Parameters
    ----------
    results : int
        Number of these results.
    games : (players,) int
        Number of these results for each player.
    until : str
        Reason for waiting, in words.
    """

    results: int
    games: Ints
    until: str


def waiting(method: Method, view: View) -> OpenPeriod | None:
    """Returns the results of a view that wait for the end of their period; None if none wait, or without a cut."""
    period = method.period
    if period is None or view.through == FOREVER or method.cadence is not Cadence.PERIODIC:
        return None
    if period.unit == "event" or isinstance(method, Book):
        results = view.sides((), method.name)
        open_ = results.take(np.flatnonzero(np.isin(results.position, open_results(method, view))))
        games = np.bincount(open_.player, minlength=view.n_players)
        until = "the end of their tournament" if period.unit == "event" else "the end of their period"
        return OpenPeriod(len(open_), games, until) if len(open_) else None
    first, last = _reach(view)
    if first is None or last is None:
        return None
    edges = period.edges(first, last)
    ends = edges[1:] if period.unit != "cuts" else edges[1:][np.isin(edges[1:], period.cuts)]
    past = ends[ends <= view.through + 1]
    since = int(past[-1] if len(past) else edges[0]) - 1
    count = view.n_games + view.n_sessions - sum(view.started(since))
    if not count:
        return None
    end = period.edges(view.through, view.through)[1:]
    on = f" on {iso(int(end[0]) // DAY * DAY - DAY)}" if period.unit != "cuts" else ""
    return OpenPeriod(count, view.played_counts(since), f"the end of their period{on}")


def span_of(view: View, period: Period, at: Instant) -> Span:
    """Returns the calendar period, or the period between fixed cuts, in which a result at an instant is rated."""
    first, last = _reach(view.cut(max(at, view.last_happened or at)))
    begin = at if first is None else min(first, at)
    edges = period.edges(begin, max(at, begin if last is None else last))
    number = int(np.searchsorted(edges, at, "right")) - 1
    return Span(int(edges[number]), int(edges[number + 1]))


def _reach(view: View) -> tuple[Instant | None, Instant | None]:
    """Returns the time of the first result or seed, and the cut, or the time of the last one if there is no cut."""
    seeds = view.seeds.played
    ends = [at for at in (view.first_played, view.last_played) if at is not None]
    ends += [int(seeds[0]), int(seeds[-1])] if len(seeds) else []
    if not ends:
        return None, None
    return min(ends), max(ends) if view.through == FOREVER else view.through


def _seen_by(view: View, instants: Ints) -> list[int]:
    seen = np.searchsorted(view.timeline.players.first, instants, "right")
    return [min(int(players), view.n_players) for players in seen]


def in_order_of_end(end: Ints, start: Ints, first: Ints) -> Ints:
    """Returns the numbers of tournaments in the order in which they are rated.

    They are ordered by end, then start, then their first result in order of play. Labels cannot decide: they are
    numbered in the order of the log, in which a voided result counts, and a voided result must not change a list.
    """
    return np.lexsort((first, start, end))


class _Tournaments(NamedTuple):
    """Tournaments of a view, including those after its cut; the other results of a day count as one tournament."""

    first: Ints
    """Index of the first result of each tournament, in order of play."""
    which: Ints
    """The tournament of each result."""
    start: Ints
    end: Ints

    @classmethod
    def of(cls, view: View) -> Self:
        everything, positions = view.known()
        code = view.labels("event", positions)[0].astype(np.int64)
        day = everything // 86_400_000_000
        key = np.where(code > 0, code, -1 - (day - day.min(initial=0)))
        names, first, which = np.unique(key, return_index=True, return_inverse=True)
        end = np.full(len(names), np.iinfo(np.int64).min)
        np.maximum.at(end, which, everything)  # over results after the cut, too: their tournament is not closed
        start = np.full(len(names), np.iinfo(np.int64).max)
        np.minimum.at(start, which, everything)
        return cls(first, which, start, end)

    @property
    def start_of_each(self) -> Ints:
        """Time at which the tournament of each result began."""
        return self.start[self.which]


def tournament_starts(view: View) -> tuple[Ints, Ints]:
    """Returns the positions of all results known to a view, and the start of the tournament of each."""
    return view.known()[1], _Tournaments.of(view).start_of_each


def open_at(view: View) -> NDArray[np.bool_]:
    """Returns a mask of the results, in order of play, whose tournament continues after the cut of the view."""
    held = _Tournaments.of(view)
    return np.asarray(held.end[held.which[: view.n_games + view.n_sessions]] > view.through)


def _by_event(view: View, results: Games | Sides) -> Periods:
    """Returns one period per closed tournament, in the order in which they ended."""
    _, positions = view.known()
    first, which, start, end = _Tournaments.of(view)
    closed = end <= view.through
    rated = which[: view.n_games + view.n_sessions]
    if len(results) < len(rated):  # the method leaves some out
        rated = rated[np.isin(positions[: len(rated)], results.position)]
    rank = in_order_of_end(end, start, first)
    place = np.empty(len(end), dtype=np.int64)
    place[rank] = np.arange(len(end))
    mine = np.flatnonzero(closed[rated])
    order = mine[np.argsort(place[rated[mine]], kind="stable")]
    sizes = np.bincount(rated[order], minlength=len(end))
    calls, at = [], 0
    for number in rank[closed[rank]].tolist():
        size, last = int(sizes[number]), int(end[number])
        calls.append(
            Call(at, at + size, Span(int(start[number]), last + 1), _seen_by(view, end[number : number + 1])[0])
        )
        at += size
    return Periods(calls, order, np.array([call.span.end - 1 for call in calls], dtype=np.int64))

"""Cached answers about one pool at one cut, for pages: its list, players' lines, published lists and tournaments."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore import Engine, RatingList
from ratingcore.errors import BadValue, CannotSay, OtherQuestion, RatingCoreError
from ratingcore.plugin import Cadence
from ratingcore.plugin.analysis import (
    RESULT,
    Clock,
    KnownAt,
    Lines,
    Record,
    Score,
    SupportedOrder,
    Watch,
    corrections_of,
    described_lines,
    opponents,
    peaks,
    records,
    results_of,
    supported_order,
)
from ratingcore_pages.editions import Edition, editions
from ratingcore_pages.over_time import PoolOverTime

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

DAY = 86_400_000_000
ORDERED = 200
"""Number of players up to which the page of a list shows the order that its results support."""
YEAR = 365 * DAY + DAY // 4
SIZES = (100.0, 0), (10.0, 2)
"""Sizes of ratings, each with the decimals that pages show from it on; smaller ratings have those of lists."""
IN_POINTS = "rating", "deviation", "opposition", "performance", "peak"
"""The columns measured in rating points."""
BANDED = 2_000
"""Number of players up to which curves have a band of the deviation, which needs memory for each result."""
PLACED = 200_000
"""Number of results up to which the page of a player shows their places over time."""
LAST = 40
"""Number of results on a page of a player."""
LISTED = 8
"""Number of the newest published lists whose places a player's page shows."""
SEAT, LINE = 20, 70
"""Bytes per seat of a replay, and per line of a history."""
_OF_GAME = "event", "points_a", "points_b"
RIVALS = 10
"""Number of most frequent opponents on a player's page."""


class Line(NamedTuple):
    """A line of a player's history: its cause, the change, and the rating after it."""

    played: int
    position: int
    opponent: str
    other: int
    """Id of the opponent; 0 for lines other than results against one player."""
    score: Score | None
    expected: float | None
    change: float | None
    rating: float | None
    opposition: float | None = None
    """Mean rating of the opponents just before the result; None if they had none."""
    event: str = ""
    """The tournament."""
    points: tuple[float, ...] = ()
    """Points of both players, the player's own first; empty for games without points."""
    corrected: bool = False
    """Whether the result was corrected after it was recorded."""


class Rival(NamedTuple):
    """An opponent, and the results against them."""

    id: int
    name: str
    record: Record


class PoolAnswers:
    """The answers of a pool at one cut; each is computed on first use, then cached.

    Parameters
    ----------
    engine : Engine
    pool : str
    method, through, known_at
        As for `Engine.rating_list`; None for the pool's own question.
    """

    def __init__(
        self, engine: Engine, pool: str, method: str | None = None, through: str | None = None, known_at: KnownAt = None
    ) -> None:
        self.engine, self.pool = engine, pool
        self.question = method, through, known_at
        self._editions: dict[str, list[Edition]] = {}
        self._made_again: dict[int, RatingList] = {}
        self.foreseen: dict[tuple[int, int], Any] = {}
        """Forecasts of the next games of pairs, by their ids, as far as requested."""

    @cached_property
    def listed(self) -> RatingList:
        return self.engine.rating_list(self.pool, *self.question)

    @cached_property
    def published(self) -> list[Any]:
        """Published lists of the pool known at the cut; those of the last day first, and of one day the newest."""
        known = [one for one in self.engine.published(self.pool) if one.position <= self.listed.known_at]
        return sorted(known, key=lambda one: (one.at, one.position), reverse=True)

    def as_published(self, one: Any) -> RatingList:
        """Returns a published list with its rows, made once."""
        if one.position not in self._made_again:
            self._made_again[one.position] = self.engine.published_list(one)
        return self._made_again[one.position]

    @cached_property
    def since(self) -> tuple[Any, RatingList] | None:
        """The newest published list of an earlier day, with its rows; None without one, or if its question differs."""
        at = self.listed.provenance.at
        for one in self.published:
            if one.at < at:
                listed = self.as_published(one)
                try:
                    self.listed.since(listed)
                except OtherQuestion:
                    return None
                return one, listed
        return None

    @cached_property
    def order(self) -> SupportedOrder | None:
        """The order that the results support, for a short list by a whole-pool method; else None."""
        method, _ = self.engine.core.question(self.pool, *self.question)
        if method.cadence is not Cadence.RETROSPECTIVE or not 2 <= len(self.listed) <= ORDERED:
            return None
        try:
            return supported_order(self.replay, self.listed)
        except (CannotSay, BadValue):
            return None

    @cached_property
    def replay(self) -> Any:
        """The replay behind the list, with its moves."""
        _, view = self.engine.core.question(self.pool, *self.question)
        watch = Watch() if view.n_players <= BANDED else None
        return self.engine.core.replay(self.pool, *self.question, keep=True, watch=watch)

    @cached_property
    def corrected(self) -> Ints:
        """Positions of the events that have been corrected."""
        return np.array(sorted(corrections_of(self.engine.log, self.listed.known_at).changes), dtype=np.int64)

    @property
    def solved(self) -> bool:
        """Whether the method rates the whole pool at once, so that no result moves a rating by itself."""
        return self.replay.method.cadence is Cadence.RETROSPECTIVE

    @property
    def held(self) -> int:
        """Approximate size in bytes of the replay and the lines of all players, as far as computed."""
        made = vars(self)
        seats = len(made["replay"].member) if "replay" in made else 0
        return SEAT * seats + LINE * (len(made["lines"]) if "lines" in made else 0)

    @property
    def clock(self) -> Clock:
        """The clock of the pool."""
        return self.listed.provenance.clock

    def day(self, at: int) -> str:
        """A day on the clock of the pool."""
        return self.clock.day(at)

    @cached_property
    def ids(self) -> Ints:
        """Ids of the players by row of the state."""
        return np.asarray(self.replay.view.timeline.players.id[: self.replay.view.n_players], dtype=np.int64)

    @cached_property
    def row_of(self) -> dict[int, int]:
        """Row of the state by id."""
        return {number: row for row, number in enumerate(self.ids.tolist())}

    @cached_property
    def names(self) -> list[str]:
        """Names for people, by row of the state: the visible name, or else the key."""
        shown = dict(zip(self.listed.id.tolist(), self.listed.called, strict=True)) if self.listed.called else {}
        return [shown.get(number) or key for number, key in zip(self.ids.tolist(), self.keys, strict=True)]

    @cached_property
    def keys(self) -> list[str]:
        """Keys of the players by row of the state."""
        return list(self.replay.view.names())

    @cached_property
    def lines(self) -> Lines:
        """Lines of everybody, player by player, each in order of play."""
        if self.solved:
            return results_of(self.replay)
        ledger = self.replay.ledger()
        return described_lines(self.replay, ledger.take(np.argsort(ledger.player, kind="stable")))

    @cached_property
    def starts(self) -> Ints:
        """Index of the first line of each row of the state, and at the end the number of all lines."""
        return np.searchsorted(self.lines.ledger.player, np.arange(len(self.ids) + 1))

    def lines_of(self, row: int) -> Lines:
        """Returns the lines of the player in a row of the state, in order of play; computes only theirs."""
        if "lines" not in vars(self) and self.solved:
            return results_of(self.replay, row)
        if "lines" not in vars(self):
            return described_lines(self.replay, self.replay.ledger(np.array([row])))
        return self.lines.take(self.own(row))

    def described(self, lines: Lines) -> list[Line]:
        """Returns lines as tuples with names, tournaments and points."""
        opponent, result = lines.opponent.tolist(), lines.ledger.kind == RESULT
        names, words = self.names, lines.words.texts
        columns = (
            lines.played.tolist(),
            lines.position.tolist(),
            [names[row] if row >= 0 else words[-1 - row] for row in opponent],
            np.where(lines.opponent >= 0, self.ids[lines.opponent], 0).tolist(),
            [score if scored else None for score, scored in zip(lines.score.tolist(), result.tolist(), strict=True)],
            _or_none(np.where(result, lines.expected, np.nan)),
            lines.ledger.change.tolist(),
            _or_none(lines.ledger.rating),
            *self._result_cells(lines),
            np.isin(lines.position, self.corrected).tolist(),
        )
        return [Line._make(cells) for cells in zip(*columns, strict=True)]

    def _result_cells(self, lines: Lines) -> tuple[list[float | None], list[str], list[tuple[float, ...]]]:
        """Returns three columns: the mean rating of the opponents, the tournament, and the points of both sides."""
        at, faced, *labelled = self._of_results(lines)
        event, a, b = (np.array(texts, dtype=object)[codes] for codes, texts in labelled)
        events = np.full(len(lines), "", dtype=object)
        events[at] = [*map(str, event.tolist())]
        points: list[tuple[float, ...]] = [()] * len(lines)
        for n in np.flatnonzero((a != "") & (b != "")).tolist():
            points[at[n]] = a[n], b[n]
        return _or_none(faced), events.tolist(), points

    def faced(self, lines: Lines) -> Floats:
        """Returns the mean rating of the opponents of each line, just before it; NaN without one."""
        return self._of_results(lines)[1]

    def _of_results(self, lines: Lines) -> tuple[Ints, Floats, *tuple[tuple[Any, Any], ...]]:
        """Returns the scored lines, the mean rating of opponents of all, and codes and labels of event and points."""
        replay, at, faced = self.replay, np.flatnonzero(scored(lines)), np.full(len(lines), np.nan)
        if not len(at):
            return at, faced, *(((at, ("",)),) * len(_OF_GAME))
        seats, position = lines.ledger.source[at], lines.position[at]
        own, other, _ = opponents(replay, seats)
        order = np.argsort(seats)
        which = order[np.searchsorted(seats[order], own)]
        rating = self._before[other] if self.solved or "lines" in vars(self) else replay.ratings_before(other)
        with np.errstate(invalid="ignore"):
            faced[at] = np.bincount(which, rating, len(at)) / np.bincount(which, minlength=len(at))
        event, a, b = ((codes, ("", *texts)) for codes, texts in (replay.view.labels(n, position) for n in _OF_GAME))
        if replay.view.n_sessions == 0:
            (of_a, texts_a), (of_b, texts_b) = a, b
            every, turned = (*texts_a, *texts_b), seats % 2 == 1
            of_b = of_b + len(texts_a)
            a, b = (np.where(turned, of_b, of_a), every), (np.where(turned, of_a, of_b), every)
        return at, faced, event, a, b

    @cached_property
    def _before(self) -> Floats:
        """The rating of every seat just before its result; that of now if the whole pool is rated at once."""
        replay = self.replay
        return replay.state["rating"][replay.member] if self.solved else np.asarray(replay.rating_before)

    def own(self, row: int) -> slice:
        """Returns the range of the lines of the player in a row of the state."""
        return slice(int(self.starts[row]), int(self.starts[row + 1]))

    def trace(self, lines: Ints | slice) -> str:
        """Returns a digest of some lines; with a rating period they change until it ends."""
        return sha256(self._traced[lines].tobytes()).hexdigest()

    @cached_property
    def _traced(self) -> Ints:
        """The content of all lines as on players' pages, as integers; names as their digests."""
        lines = self.lines
        names = _hashed([*self.names, *reversed(lines.words.texts)])  # words are numbered backwards from -1
        at, faced, *labelled = self._of_results(lines)
        hashes = np.zeros((len(labelled), len(lines)), np.int64)
        for column, (codes, texts) in zip(hashes, labelled, strict=True):
            column[at] = _hashed(texts)[codes]
        numbers = lines.score.number, lines.expected, self.lines.ledger.change, lines.ledger.rating, faced
        besides: list[Any] = [np.isin(lines.position, self.corrected)]
        besides += [column for name, column in lines.extra.items() if name == "deviation"]
        columns = [np.ascontiguousarray(column, dtype=np.float64).view(np.int64) for column in (*numbers, *besides)]
        whom = lines.played, lines.position, names[lines.opponent], self.ids[np.maximum(lines.opponent, 0)]
        return np.stack([*whom, *columns, *lines.score.placing.T, *hashes], axis=1)

    @property
    def activity(self) -> str:
        """A digest of the results and their effects."""
        lines = self.lines
        columns = lines.ledger.player, lines.played, lines.opponent, lines.score.number, lines.ledger.rating
        return sha256(b"".join(column.tobytes() for column in columns)).hexdigest() + self.listed.provenance.method

    def record(self, row: int) -> Record:
        """Returns wins, draws and losses of the player in a row of the state; computes only theirs."""
        if "lines" not in vars(self):
            return Record(*(int(count[0]) for count in records(self.replay, row)))
        return Record(*(counts[row] for counts in self._records))

    @cached_property
    def _records(self) -> list[list[int]]:
        return [counts.tolist() for counts in records(self.replay)]

    @property
    def over_time(self) -> PoolOverTime | None:
        """The pool period by period; None if that takes too long for the page of one player."""
        costly = self.solved or len(self.replay.results) > PLACED
        return None if costly else self.periods

    @cached_property
    def periods(self) -> PoolOverTime:
        """The pool period by period."""
        return PoolOverTime(self.replay)

    def rivals(self, lines: Lines) -> list[Rival]:
        """Returns the opponents whom a player met most often."""
        _, other, ahead = opponents(self.replay, lines.ledger.source[scored(lines)])
        opponent = self.replay.member[other]
        rows, often = np.unique(opponent, return_counts=True)
        most = rows[np.lexsort((self.ids[rows], -often))[:RIVALS]].tolist()
        return [Rival(int(self.ids[row]), self.names[row], Record.of(ahead[opponent == row].tolist())) for row in most]

    @cached_property
    def rivals_of_all(self) -> list[list[Rival]]:
        """The most frequent opponents of everybody, by row of the state."""
        return [self.rivals(self.lines_of(row)) for row in range(len(self.ids))]

    def year_change(self, lines: Lines) -> float | None:
        """Returns a player's rating change over the year before their last line.

        None without a rating at that time.
        """
        rated = ~np.isnan(lines.ledger.rating)
        rating, played = lines.ledger.rating[rated], lines.played[rated]
        then = int(np.searchsorted(played, played[-1] - YEAR, "right")) if len(played) else 0
        return float(rating[-1] - rating[then - 1]) if then else None

    @cached_property
    def peaks(self) -> Mapping[int, Any]:
        """The highest rating of each player by row of the state; empty if the method has no earlier ratings."""
        return self._peaks(None)

    def peak(self, row: int) -> Any:
        """Returns the highest rating of the player in a row of the state; computes only theirs."""
        return (self.peaks if "peaks" in vars(self) else self._peaks(np.array([row]))).get(row)

    def _peaks(self, rows: Ints | None) -> Mapping[int, Any]:
        try:
            return peaks(self.replay, rows)
        except CannotSay:
            return {}

    @cached_property
    def places(self) -> int:
        """Number of decimals of ratings on pages."""
        return places_of(self.listed).get("rating", 0)

    @cached_property
    def facts(self) -> dict[str, dict[str, Any]]:
        """Facts of the players by key: born, title, federation, club, sex."""
        return {str(facts["player"]): dict(facts) for facts in self.engine.players(self.pool)}

    @cached_property
    def _events(self) -> tuple[NDArray[np.int32], tuple[Any, ...], NDArray[np.int64]]:
        """The tournament of each rated result as a code, 0 for none; the names of the codes; the times of results."""
        results = self.replay.results
        codes, labels = self.replay.view.labels("event", results.position)
        return codes, labels, np.asarray(results.played)

    @cached_property
    def _played_in(self) -> dict[str, Ints]:
        """The times of the results of each tournament, in order."""
        codes, labels, played = self._events
        order = np.lexsort((played, codes))
        ends = np.searchsorted(codes[order], np.arange(1, len(labels) + 2)).tolist()
        in_order = played[order]
        return {str(label): in_order[first:last] for label, (first, last) in zip(labels, pairwise(ends), strict=True)}

    def editions(self, event: str) -> list[Edition]:
        """Returns the editions of a tournament, newest first."""
        if event not in self._editions:
            self._editions[event] = editions(self._played_in[event])[::-1]
        return self._editions[event]

    @cached_property
    def tournaments(self) -> dict[str, list[Edition]]:
        """The editions of each tournament, newest first; tournaments are in order of their newest edition."""
        found = {event: self.editions(event) for event, played in self._played_in.items() if len(played)}
        return dict(sorted(found.items(), key=lambda item: (-item[1][0].last, item[0])))

    def edition_of(self, event: str, played: int) -> Edition | None:
        """Returns the edition of a tournament at an instant; None if the tournament has only one."""
        every = self.editions(event)
        return None if len(every) == 1 else next(one for one in every if one.first <= played)

    def lines_of_event(self, event: str, edition: Edition | None = None) -> Ints:
        """Returns the indexes of the lines of a tournament or one of its editions, player by player."""
        order, ends, labels = self._by_event
        code = labels.index(event)
        found = order[ends[code] : ends[code + 1]]
        played = self.lines.played[found]
        return found if edition is None else found[(edition.first <= played) & (played <= edition.last)]

    @cached_property
    def _by_event(self) -> tuple[Ints, Ints, list[str]]:
        """Lines of results sorted by tournament, the index where each one begins, and the names of tournaments."""
        codes, labels, _ = self._events
        position = np.asarray(self.replay.results.position)
        by = np.argsort(position)
        lines = np.flatnonzero((self.lines.ledger.kind == RESULT) & np.isfinite(self.lines.score.number))
        code = codes[by[np.searchsorted(position[by], self.lines.position[lines])]]
        order = np.argsort(code, kind="stable")
        ends = np.searchsorted(code[order], np.arange(1, len(labels) + 2))
        return lines[order], ends, [str(label) for label in labels]

    @cached_property
    def _on_lists(self) -> list[tuple[Any, dict[int, tuple[int, float]]]]:
        """The newest published lists with places and ratings by id; lists of other software are left out."""
        found = []
        for one in self.published[:LISTED]:
            with suppress(RatingCoreError):
                listed = self.as_published(one)
                rating = np.asarray(listed.values["rating"], dtype=np.float64).tolist()
                cells = zip(listed.rank.tolist(), rating, strict=True)
                found.append((one, dict(zip(listed.id.tolist(), cells, strict=True))))
        return found

    def on_lists(self, player: int) -> list[tuple[Any, int, float]]:
        """Returns the newest published lists that a player is on, with place (0 for none) and rating."""
        return [(one, *cells[player]) for one, cells in self._on_lists if player in cells]

    def row_now(self, player: int) -> dict[str, Any] | None:
        """Returns the cells of a player on the list; None if the list leaves them off."""
        found: Any = self.listed.taken(np.flatnonzero(self.listed.id == player), "")
        return next(iter(found), None)


def places_of(listed: RatingList) -> Mapping[str, int]:
    """Returns the number of decimals of each column of a list on pages: by default those of the list.

    Columns in rating points have no more decimals than are declared for ratings.

    If none are declared, ratings and columns in rating points have no decimals for ratings in the hundreds or more, and
    two for ratings in the tens. Ratings around zero have the size of their span.
    """
    policy, rating = listed.provenance.policy, np.asarray(listed.values["rating"], dtype=np.float64)
    if policy.digits is not None:  # also of a deviation, which a list has with more
        declared = max(policy.digits, 0)
        return {name: min(places, declared) if name in IN_POINTS else places for name, places in listed.digits.items()}
    rating = rating[np.isfinite(rating)]
    size = max(np.median(np.abs(rating)), np.ptp(rating)) if len(rating) else 0.0
    places = next((places for least, places in SIZES if size >= least), None)
    return listed.digits if places is None else {**listed.digits, **dict.fromkeys(IN_POINTS, places)}


def _or_none(column: Floats) -> list[float | None]:
    return [None if cell != cell else cell for cell in column.tolist()]


def years_of(lines: Lines) -> Ints:
    """Returns the year of each line."""
    return lines.played.astype("M8[us]").astype("M8[Y]").astype(np.int64) + 1970


def spans(lines: Lines) -> dict[str, slice]:
    """Returns the ranges of a player's lines, each for a page of whole years, newest first.

    From the oldest on, a page has as few years as make `LAST` lines, so later results change none of the earlier pages.
    """
    years, found, start = years_of(lines), dict[str, slice](), 0
    for end in (1 + np.flatnonzero(np.diff(years, append=years[-1:] + 1))).tolist():
        if end - start >= LAST or end == len(years):
            first, last = years[start], years[end - 1]
            found[f"{first}" if first == last else f"{first}\N{EN DASH}{last}"] = slice(start, end)
            start = end
    return dict(reversed(found.items()))


def first_year(span: str) -> str:
    """Returns the first year of a span, which its page has as its address.

    Examples
    --------
    >>> first_year("2011\N{EN DASH}2014"), first_year("2017")
    ('2011', '2017')
    """
    return span.partition("\N{EN DASH}")[0]


def scored(lines: Lines) -> NDArray[np.bool_]:
    """Returns a mask of the lines that are results with a score."""
    return np.asarray((lines.ledger.kind == RESULT) & ~np.isnan(lines.score.number))


def _hashed(texts: Sequence[Any]) -> Ints:
    """Returns a 64-bit hash of each text or number."""
    digests = (sha256(repr(text).encode()).digest()[:8] for text in texts)
    return np.array([int.from_bytes(digest, "big", signed=True) for digest in digests], np.int64)

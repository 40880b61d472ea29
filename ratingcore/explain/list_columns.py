"""Further columns of a list: results won, drawn and lost, opposition, performance, last day, peak, facts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.calculator import GameFacts, expectations
from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.columns.scores import placings
from ratingcore.columns.sides import Sides
from ratingcore.columns.slices import Condition
from ratingcore.columns.view import View
from ratingcore.errors import BadValue, CannotSay
from ratingcore.events import DAY, iso
from ratingcore.explain.history import peaks
from ratingcore.explain.row_order import order_of
from ratingcore.explain.superiority import certain_of, over_the_next
from ratingcore.lists.compilation import as_listed
from ratingcore.lists.policy import Cell, cell, rounded
from ratingcore.lists.rating_list import RatingList
from ratingcore.methods.contract import Method
from ratingcore.replay.replay import Replay
from ratingcore.spelling import spelt_like

FACTS = ("born", "federation", "title", "club")
FULL = (
    "won", "drawn", "lost", "share", "opposition", "performance", "change", "last", "peak", "deviation", *FACTS
)  # fmt: skip
"""Columns that `full` asks for; those that the method or the pool does not have are left out."""

Cells = tuple[Cell, ...]
Bools = NDArray[np.bool_]


def names_of(show: str | Iterable[str]) -> tuple[str, ...]:
    """Returns the column names in `"won,lost"` or `("won", "lost")`, each name once.

    Examples
    --------
    >>> names_of("won, lost"), names_of(["won", "won"])
    (('won', 'lost'), ('won',))
    """
    given = show.split(",") if isinstance(show, str) else show
    return tuple(dict.fromkeys(name.strip() for name in given if name.strip()))


class ResultSums(NamedTuple):
    """Sums over the results of a pool, one row per player.

    A side wins if it is ahead of all others, and draws if it is level with others at the top. The share of a game is
    the score; the share of a session is the proportion of the other sides that it beat, a tie counting half.

    Parameters
    ----------
    won, drawn, lost : (n,) int64
    share : (n,) float64 in [0, 1]
        Mean share of all results; NaN for a player without results.
    opposition : (n,) float64, rating points
        Mean rating of the player's rated opponents; NaN if there are none.
    share_of_rated : (n,) float64 in [0, 1]
        Mean share of the results against rated opponents.
    last : (n,) datetime64[D]
        Day of the last result; NaT for a player without results.
    """

    won: Ints
    drawn: Ints
    lost: Ints
    share: Floats
    opposition: Floats
    share_of_rated: Floats
    last: NDArray[np.datetime64]


def tally(replay: Replay) -> ResultSums:
    """Adds up the results of each player in a replay that kept its moves.

    An opponent counts with their rating before the result, or with their listed rating if the method rates the whole
    pool at once.
    """
    n = replay.view.n_players
    sides, result, side = _seats(replay.results)
    placing = placings(sides)
    won, drawn, lost = _records(placing, sides, side, n)
    place, level, of = placing.T
    share = np.where(sides.games[result], sides.score, (of - place - 0.5 * (level - 1)) / (of - 1))
    mean, faced = _faced(replay, sides, result, side)

    def added_up(of_sides: Floats | Bools) -> Floats:
        return np.asarray(np.bincount(sides.player, of_sides[side], n), dtype=np.float64)

    last = np.full(n, "NaT", dtype="M8[D]")
    last[sides.player] = (sides.played[result[side]] // DAY).astype("M8[D]")  # in order of play: the last one wins
    with np.errstate(invalid="ignore"):  # players without a result have no share
        opposition, against = (added_up(np.where(faced, of, 0.0)) / added_up(faced) for of in (mean, share))
        return ResultSums(won, drawn, lost, added_up(share) / (won + drawn + lost), opposition, against, last)


def records(replay: Replay, player: int | None = None) -> tuple[Ints, Ints, Ints]:
    """Counts the results won, drawn and lost by each player, or by the one in a row of the state, as `tally` does."""
    results, rows = replay.results, slice(None)
    if player is not None:
        rows = slice(player, player + 1)
        results = results.take(np.unique(replay.result_of(np.flatnonzero(replay.member == player))))
    sides, _, side = _seats(results)
    won, drawn, lost = _records(placings(sides), sides, side, replay.view.n_players)
    return won[rows], drawn[rows], lost[rows]


def _seats(results: Games | Sides) -> tuple[Sides, Ints, Ints]:
    """Returns results as sides, the result of each side, and the side of each member."""
    sides = results if isinstance(results, Sides) else Sides.of(results)
    result = np.repeat(np.arange(len(sides)), np.diff(sides.result))
    return sides, result, np.repeat(np.arange(sides.n_sides), np.diff(sides.side))


def _records(placing: Ints, sides: Sides, side: Ints, players: int) -> tuple[Ints, Ints, Ints]:
    """Counts how often each player finished alone at the top, level with others at the top, and behind."""
    top = placing[:, 0] == 1
    alone = top & (placing[:, 1] == 1)
    won, first, every = (np.bincount(sides.player[of], minlength=players) for of in (alone[side], top[side], ...))
    return won, first - won, every - first


def _faced(replay: Replay, sides: Sides, result: Ints, side: Ints) -> tuple[Floats, Bools]:
    """Returns for each side the mean rating of its rated opponents, and whether it has any."""
    rating = replay.state["rating"][sides.player] if replay.moves is None else replay.rating_before
    rated = np.isfinite(rating)
    points, seats = (
        np.bincount(side, of, sides.n_sides) for of in (np.where(rated, rating, 0.0), rated.astype(np.float64))
    )
    others, sum_of_others = (np.bincount(result, of, len(sides))[result] - of for of in (seats, points))
    faced = others > 0.0
    return np.divide(sum_of_others, others, out=np.zeros(len(others)), where=faced), faced


PARTS, STEPS = 16, 20
"""Number of parts into which a bracket is divided, and number of divisions; then it is as narrow as floats allow."""


def performances(method: Method, opposition: Floats, share: Floats) -> Floats:
    """Returns the ratings at which the method expects these shares of the points against opponents of these ratings.

    No such rating exists for a share of 0 or 1, or for a share that the method does not expect at any gap.

    Parameters
    ----------
    opposition : (n,) float64
    share : (n,) float64 in [0, 1]

    Returns
    -------
    (n,) float64
        NaN where there is no such rating.

    Raises
    ------
    CannotSay
        If the method cannot forecast from two ratings alone.

    Examples
    --------
    >>> from ratingcore.registry import Registry
    >>> elo = Registry.installed().method("elo")
    >>> performances(elo, np.array([1500.0, 1500.0]), np.array([10.0 / 11.0, 1.0])).round(6).tolist()
    [1900.0, nan]
    """
    column = next(one for one in method.columns() if one.name == "rating")
    certain = {"deviation": 0.0} if any(one.name == "deviation" for one in method.columns()) else {}
    facts = GameFacts(a=certain, b=certain)
    ratio = column.unit != "points"  # a ratio scale begins at 0 and has no upper end
    floor, steps = (0.0, 40) if ratio else (-np.inf, 12)  # beyond 4,095 points many formulas give no finite number
    found = np.full(len(share), np.nan)
    known = np.flatnonzero(np.isfinite(opposition) & (share > 0.0) & (share < 1.0))
    faced, wanted = opposition[known], share[known]

    def expected(*ratings: Floats) -> Floats:
        """Returns the expected scores with a row for each of some rows of ratings, in one call of the method."""
        against = np.tile(faced, len(ratings))
        return expectations(method, np.concatenate(ratings), against, facts).expected.reshape(len(ratings), -1)

    low, high, step = faced.copy(), faced.copy(), 1.0
    for _ in range(steps):
        at_low, at_high = expected(low, high)
        less, more = at_low > wanted, at_high < wanted
        if not (less.any() or more.any()):
            break
        low, high = np.maximum(np.where(less, low - step, low), floor), np.where(more, high + step, high)
        step *= 2.0
    at_low, at_high = expected(low, high)
    inside = (at_low <= wanted) & (at_high >= wanted)
    parts, every = np.linspace(0.0, 1.0, PARTS + 1)[1:-1, None], np.arange(len(known))
    for _ in range(STEPS if len(known) else 0):
        between = low + parts * (high - low)
        below = np.count_nonzero(expected(*between) < wanted, axis=0)
        edges = np.vstack([low, between, high])
        low, high = edges[below, every], edges[below + 1, every]
    found[known] = np.where(inside, high, np.nan)
    return found


@frozen(slots=False)
class ListColumns:
    """Computes the further columns of a list by name, each on first use.

    Parameters
    ----------
    listed : RatingList
    method : Method
    view : View
        View behind the list.
    replayed : callable
        Returns the replay behind the list, with its moves.
    changed : callable
        Returns the list with its changes since the newest published list of an earlier day; None without such a list.
    """

    listed: RatingList
    method: Method
    view: View
    replayed: Callable[[], Replay]
    changed: Callable[[], RatingList | None]

    @cached_property
    def _replay(self) -> Replay:
        return self.replayed()

    @cached_property
    def _tally(self) -> ResultSums:
        return tally(self._replay)

    def added(self, show: str | Iterable[str]) -> Mapping[str, Cells]:
        """Returns the requested columns by name; `full` asks for all columns of `FULL` that exist.

        Raises
        ------
        CannotSay
            If the method cannot give a requested column.
        BadValue
            If a name is neither a column nor a fact of any player.
        """
        found: dict[str, Cells] = {}
        for name in names_of(show):
            found |= self._every() if name == "full" else self.column(name)
        return found

    def _every(self) -> Mapping[str, Cells]:
        """Returns the columns of `FULL` that exist."""
        found: dict[str, Cells] = {}
        for name in FULL:
            with suppress(CannotSay, BadValue):
                found |= self.column(name)
        return found

    def column(self, name: str) -> Mapping[str, Cells]:
        """Returns the columns that one name asks for; empty if the list already has them."""
        if name in self.listed.values or name in ("rank", "player", "games"):
            return {}
        if name in ResultSums._fields or name == "performance":
            return {name: self._of_results(name)}
        if name == "peak":
            return self._peaks()
        if name == "change":
            return self._changes()
        if name == "deviation":
            raise certain_of(self.method)
        if name == "superiority":
            chance = over_the_next(self._replay, self._rows(self._replay.view))
            return {name: tuple(map(cell, rounded(chance, 4).tolist()))}
        return {name: self.fact(name)}

    def cells(self, name: str) -> Cells:
        """Returns the cells of a column by name, from the list itself or from the further columns."""
        main = {"change": "rating_change"}.get(name, name)
        table = self.listed.as_table()
        return table[main] if main in table.columns else self.column(name)[main]

    def _of_results(self, name: str) -> Cells:
        rows, policy = self._rows(self._replay.view), self.listed.provenance.policy
        if name == "last":
            return tuple(
                None if day == "NaT" else day for day in np.datetime_as_string(self._tally.last[rows]).tolist()
            )
        if name in ("won", "drawn", "lost"):
            return tuple(getattr(self._tally, name)[rows].tolist())
        if name == "performance":
            column = performances(self.method, self._tally.opposition[rows], self._tally.share_of_rated[rows])
        else:
            column = getattr(self._tally, name)[rows]
        shown = rounded(column, 4) if name == "share" else as_listed(self.method, policy, "rating", column)
        return tuple(map(cell, shown.tolist()))

    def _peaks(self) -> Mapping[str, Cells]:
        listed, found = self.listed, peaks(self._replay)
        at = [found.get(row) for row in self._rows(self._replay.view).tolist()]
        highest = np.array([np.nan if peak is None else peak.rating for peak in at], dtype=np.float64)
        shown = as_listed(self.method, listed.provenance.policy, "rating", highest)
        days = tuple(None if peak is None else iso(peak.at // DAY * DAY) for peak in at)
        return {"peak": tuple(map(cell, shown.tolist())), "peak_at": days}

    def _changes(self) -> Mapping[str, Cells]:
        if "rating_change" in self.listed.values:
            return {}
        changed = self.changed()
        if changed is None:
            why = "needs an earlier list, and there is none: publish one by this method, or give a day to compare with"
            raise BadValue("show", "change", why)
        table = changed.as_table()
        return {name: table[name] for name in ("rank_before", "rank_change", "rating_change")}

    def fact(self, name: str) -> Cells:
        """Returns a fact of the listed players, such as `born`, as recorded for the pool by the day of the list."""
        if name not in self.view.player_fields:
            known = [*dict.fromkeys([*FULL, *self.view.player_fields])]
            near = spelt_like(name, known, 1, likeness=0.75)
            meant = f"did you mean {near[0]}? " if near else ""
            why = f"is neither in the list nor a fact of a player ({meant}there are {', '.join(known)})"
            raise BadValue("column", name, why)
        codes, labels = self.view.player_labels(name)
        texts: Sequence[Cell] = [*(None if label == "" else label for label in labels), None]
        return tuple(texts[code] for code in codes[self._rows(self.view)].tolist())

    def _rows(self, view: View) -> Ints:
        """Returns the rows of the listed players in the state."""
        ids = view.timeline.players.id
        return view.timeline.players.rows(int(ids.max(initial=0)) + 1)[self.listed.id]


def with_conditions(columns: ListColumns, where: Iterable[str], sort: str | None, ranks: str) -> RatingList:
    """Returns the list of the players who meet all conditions, sorted by a column, with a sentence on the choice."""
    if ranks not in ("all", "listed"):
        raise BadValue("ranks", ranks, "must be all or listed")
    listed, conditions = columns.listed, [Condition.parse(text) for text in where]
    fits = np.ones(len(listed), dtype=np.bool_)
    for condition in conditions:
        fits &= condition.fits(columns.cells(condition.name))
    rows, words = np.flatnonzero(fits), []
    if conditions:
        both = " and ".join(map(str, conditions))
        among = "all" if ranks == "all" else "those listed"
        words.append(f"{len(rows)} of {len(listed) + listed.more} players: {both}, ranks among {among}")
    if sort is not None:
        cells = columns.cells(sort.removeprefix("-"))
        rows = rows[order_of([cells[row] for row in rows.tolist()], backwards=sort.startswith("-"))]
        words.append(f"sorted by {sort.removeprefix('-')}{', backwards' if sort.startswith('-') else ''}")
    return listed.taken(rows, "; ".join(words), ranked_anew=bool(conditions) and ranks == "listed") if words else listed

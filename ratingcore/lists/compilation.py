"""Compiles a rating list from a replay: rounds and ranks the columns of the method by a policy."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np

from ratingcore.columns.games import Floats, Ints, frozen_array
from ratingcore.columns.view import View
from ratingcore.lists.player_names import called_of
from ratingcore.lists.policy import Cell, ListPolicy, foremost, ranked, rounded
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.rating_list import RatingList
from ratingcore.methods.contract import Bools, Cadence, Method
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.state import Column
from ratingcore.read_only import ReadOnly
from ratingcore.replay.contract_check import left_out, shown_by
from ratingcore.replay.fold import Standing
from ratingcore.replay.other_pools import others_of, planted
from ratingcore.replay.period_calls import waiting
from ratingcore.replay.replay import Replay
from ratingcore.replay.seeds import naming, newcomers_of

Form = Literal["present", "newcomers", "all played"]
FIRST_RESULT = "their first result waits"
"""Reason why a list inside a period leaves players off."""


def form_of(waiting: object, left_off: Iterable[str]) -> Form:
    """Returns the form of an existing list, from its waiting results and the reasons why it leaves players off."""
    if not waiting:
        return "all played"
    return "present" if FIRST_RESULT in left_off else "newcomers"


def rating_list(
    replay: Replay | Standing,
    version: str,
    policy: ListPolicy | None = None,
    top: int | None = None,
    *,
    form: Form = "present",
) -> RatingList:
    """Compiles the list of a replay: the columns that the method shows, rounded and ranked by the policy.

    Parameters
    ----------
    replay : Replay or Standing
    version : str
        Version of ratingcore.
    policy : ListPolicy or None
    top : int or None
        Number of players to list from the top; None for all. Only these are rounded and named.
    form : {"present", "newcomers", "all played"}
        Form of a list inside a period, to rebuild older lists: older ones list newcomers whose first result waits; the
        oldest also count waiting results among the games, and do not report how many wait.
    """
    policy = policy or ListPolicy()
    view, method = replay.view, replay.method
    exact = shown_by(method, replay.state, replay.at)
    wait = None if form == "all played" else waiting(method, view)
    games = replay.games if wait is None else replay.games - wait.games
    ids = view.timeline.players.id[: view.n_players]
    away = None if wait is None or form == "newcomers" else newcomers_of(wait, method, view, view.seeds)
    chosen, left_off = _chosen(replay, games, policy, away)
    if chosen is not None:
        exact, games, ids = _part(exact, chosen), games[chosen], ids[chosen]
    n = len(ids)
    if top is not None and top < n:
        first = foremost(exact["rating"], _rating_digits(method, policy), top)
        exact, games, ids = _part(exact, first), games[first], ids[first]
    shown = _shown(method, exact, policy)
    names, places = (lambda rows: view.book.keys(ids[rows].tolist())), view.book.places(ids)
    order, rank = ranked(shown["rating"], games, names, policy.ties, places)
    order, rank = order[:top], rank[:top]
    games = frozen_array(games[order])
    values: dict[str, Floats | tuple[Cell, ...]] = {
        name: _labelled(method, name, column[order]) for name, column in shown.items()
    }
    if policy.provisional:
        values["provisional"] = _provisional(games, policy.provisional)
    nobody = _unrated(method, view, replay.identity, values) if n and np.isnan(exact["rating"]).all() else ""
    provenance = Provenance(
        view.pool, replay.identity, view.known_at, view.digest, view.through, replay.at, version, policy, left_off,
        left_out(method, view), nobody, (*view.unreadable.counts(view.through).items(), *replay.remarks.left_out),
        empty=not view.n_players, zone=view.zone, stopped=replay.remarks.stopped,
        waiting=() if wait is None else ((wait.until, wait.results),),
        book=method.label if isinstance(method, Book) else "", other_pools=other_pools_of(method, view),
        coefficients=replay.remarks.coefficients,
    )  # fmt: skip
    listed = frozen_array(ids[order])
    view.book.hold(listed)  # the log may be closed when the list is read
    unrounded = {name: frozen_array(exact[name][order]) for name in shown if _fractional(method, name)}
    return RatingList(
        provenance, view.book, listed, frozen_array(rank), games, ReadOnly(values), ReadOnly(unrounded),
        more=n - len(listed), called=called_of(view, listed), joined=view.timeline.corrections.roots,
    )  # fmt: skip


def other_pools_of(method: Method, view: View) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Returns the other pools from which players get their first ratings, their rules, and digests of the ratings."""
    given = planted(method, view).items()
    return tuple((pool, tuple(others_of(view).rules(pool)), digest) for pool, digest in given)


def _part(columns: Mapping[str, Floats], rows: Ints) -> Mapping[str, Floats]:
    return {name: column[rows] for name, column in columns.items()}


def _chosen(
    replay: Replay | Standing, games: Ints, policy: ListPolicy, away: Bools | None
) -> tuple[Ints | None, tuple[tuple[str, int], ...]]:
    """Returns the rows to list (None for all), and the number of players left off by reason.

    `away` is a mask of the players whose first result still waits for the end of its period.
    """
    left: list[tuple[str, int]] = []
    listed = np.ones(len(games), dtype=np.bool_)
    for rule, why in policy.reasons.items():
        if rule == "min_games":
            fits = games >= policy.min_games
        else:
            assert policy.active is not None
            fits = replay.view.played_counts(after=policy.active.start(replay.at) - 1) > 0
        left.append((why, int(np.count_nonzero(listed & ~fits))))
        listed &= fits
    if away is not None and away.any():
        left.append((FIRST_RESULT, int(np.count_nonzero(listed & away))))
        listed &= ~away
    return (np.flatnonzero(listed) if left else None), tuple(left)


def _provisional(games: Ints, wanted: int) -> tuple[Cell, ...]:
    return tuple(f"{n} of {wanted} games" if n < wanted else None for n in games.tolist())


def _shown(method: Method, exact: Mapping[str, Floats], policy: ListPolicy) -> dict[str, Floats]:
    listed = {name: as_listed(method, policy, name, column) for name, column in exact.items()}
    return {"rating": listed.pop("rating"), **listed}


def as_listed(method: Method, policy: ListPolicy, name: str, numbers: Floats) -> Floats:
    """Returns the numbers of a column, rounded as on lists by this method and policy."""
    declared = next((column for column in method.columns() if column.name == name), None)
    if name == "rating":
        return rounded(numbers, _rating_digits(method, policy), policy.significant)
    fine = declared is not None and declared.significant is not None
    return rounded(numbers, _digits(declared), policy.significant if fine else None)


def _rating_digits(method: Method, policy: ListPolicy) -> int:
    """Returns the least number of decimals of the rating: that of the policy, else that of the method."""
    if policy.digits is not None:
        return policy.digits
    return _digits(next((column for column in method.columns() if column.name == "rating"), None))


def _digits(column: Column | None) -> int:
    """Returns the decimals of a column; 4 for a column that a method shows without declaring it."""
    return 4 if column is None or column.digits is None else column.digits


def _fractional(method: Method, name: str) -> bool:
    """True if rounding can change the numbers of a column; it cannot for words and counts."""
    column = next((column for column in method.columns() if column.name == name), None)
    return name == "rating" or (not (column is not None and column.labels) and _digits(column) > 0)


def _labelled(method: Method, name: str, column: Floats) -> Floats | tuple[str, ...]:
    labels = next((c.labels for c in method.columns() if c.name == name), ())
    return tuple(labels[int(code)] for code in column) if labels else frozen_array(column)


def _unrated(method: Method, view: View, identity: str, columns: Mapping[str, Floats | tuple[Cell, ...]]) -> str:
    """Returns a sentence on why the method rates nobody in a view; `columns` are those of the list."""
    if method.cadence is Cadence.RETROSPECTIVE:
        words = Counter(cell for column in columns.values() if isinstance(column, tuple) for cell in column if cell)
        why = "".join(f"; {number} of status {word}" for word, number in words.most_common())
        return f"{method.name} rates a pool as a whole, and the results of this one do not suffice{why}"
    seeds = view.seeds
    parts = identity.partition("(")[2].removesuffix(")").split(", ")
    rule = dict.fromkeys(part for part in parts if _of_newcomers(part))
    by = f" ({', '.join(rule)})" if rule else ""
    if np.count_nonzero(naming(seeds, method.columns())):
        return f"no result yet gives a first rating by {method.name}{by}, and no seed of a player of the list counts"
    return (
        f"{method.name}{by} gives a first rating from games against rated players, or later, and no seed gives one; "
        f"seeds bring ratings from outside"
    )


def _of_newcomers(part: str) -> bool:
    return part.startswith(("entry=", "unrated="))

"""Merges of two keys into one player, refused if the two have met; and the self-pairings that result from merges."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ratingcore.columns import View
from ratingcore.corrections.guards import check_never_met, numbered_uids, row_with_uid
from ratingcore.events import Event, PlayersMerged
from ratingcore.events.corrections import rooted
from ratingcore.events.rows import players_of_row
from ratingcore.events.values import Key, player_key
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of


def merges_of(
    log: Log,
    view: Callable[[str], View],
    pairs: Iterable[tuple[Key, Key]],
    *,
    why: str = "",
    by: str = "",
    own_uid: str | None = None,
) -> tuple[Event, ...]:
    """Builds the merges of pairs of players, of whom the first is kept; refuses them if players to be merged have met.

    Parameters
    ----------
    view : callable
        Returns the view of a pool, given by name, with everything that the log knows.
    """
    events = tuple(
        PlayersMerged(uid=uid, keep=player_key(keep), other=player_key(other), why=why, by=by)
        for uid, (keep, other) in zip(numbered_uids(own_uid), pairs, strict=False)
    )
    if events and row_with_uid(log, events[0].uid) is None:
        book = log.book
        book.known("player", [name for event in events for name in (event.keep, event.other)])  # one query for all
        number = partial(book.number, "player")
        check_never_met(log, view, [(number(event.keep), number(event.other)) for event in events], "merge")
    return events


def self_pairings(log: Log, after: int = 0) -> Iterator[int]:
    """Yields the positions of results after a position whose players, as recorded, include one merged player twice."""
    if after >= log.head.position or next(iter(log.rows(0, None, ("merge",))), None) is None:
        return  # without merges, `corrections_of` need not read the log
    roots = corrections_of(log).roots
    if not roots:
        return
    for pool in log.book.keys_of("pool"):
        games = log.games(log.book.number("pool", pool), after, log.head.position)
        yield from games.position[rooted(games.a, roots) == rooted(games.b, roots)].tolist()
    for row in log.rows(after, None, ("session",)):
        members = [roots.get(player, player) for player in players_of_row(row)]
        if len(set(members)) < len(members):
            yield row.position

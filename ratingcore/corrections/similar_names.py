"""Search for players who may be one person: names spelt alike, with words in another order, initials, or typos."""

from collections.abc import Callable
from typing import NamedTuple

from ratingcore.columns import View
from ratingcore.corrections.known_facts import result_counts
from ratingcore.events.rows import players_of_row
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of
from ratingcore.spelling import MANY, alike


class Similar(NamedTuple):
    """Two keys of players that may be one person, the number of results of each, and the kind of difference."""

    keep: str
    other: str
    results: int
    other_results: int
    how: str


def similar_names(log: Log, view: Callable[[str], View]) -> list[Similar]:
    """Returns pairs of keys that may be one person, as `spelling.alike` finds them; the key with more results is first.

    Merged records count as one. Names alone cannot show which pairs really are one person.

    Parameters
    ----------
    view : callable
        Returns the view of a pool: `Core.view`.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> for a in ("Zoë Lund", "Zoë Lund", "lund,  Zoe"):
    ...     receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a=a, b="bo", score=1.0))
    >>> similar_names(engine.log, engine.core.view)
    [Similar(keep='Zoë Lund', other='lund,  Zoe', results=2, other_results=1, how='spelling')]
    """
    roots, numbered = corrections_of(log).roots, result_counts(log, view)
    results = {key: numbered.get(number, 0) for number, key in log.book.named("player").items() if number not in roots}
    ordered = sorted(results, key=lambda key: (-results[key], key))
    pairs = (Similar(keep, other, results[keep], results[other], how) for keep, other, how in alike(ordered))
    order = ("spelling", "initials", "typo")
    return sorted(pairs, key=lambda pair: (order.index(pair.how), pair.keep, -pair.other_results, pair.other))


def near_newcomers(log: Log, before: int) -> list[tuple[str, str]]:
    """Returns names of players that are new after a position, each with another name that may mean the same person.

    Names whose earlier results were all taken back are new, too. Typos are not searched for among more than 10,000 new
    names, because these are probably an archive.
    """
    known, back = log.book.count_at(before), _back_again(log, before)
    if log.book.count_at(log.head.position) == known and not back:
        return []
    named = log.book.named("player")
    fresh = [key for number, key in named.items() if number > known or number in back]
    new = set(fresh)
    found = list(alike(fresh, (key for key in named.values() if key not in new), slips=len(new) <= MANY))
    old = {one: other for one, other, how in found if how == "spelling" and other not in new}
    pairs = {(other, how, old.get(one, one)) if other in new else (one, how, other) for one, other, how in found}
    return [(one, other) for one, _, other in sorted(pairs)]


def _back_again(log: Log, before: int) -> set[int]:
    """Returns players who have results after a position, but only void ones before it; empty if very many are void."""
    void = sorted(at for at in corrections_of(log).void if at <= before)
    if not 0 < len(void) <= MANY:
        return set()
    back = {player for row in log.rows_at(void) for player in players_of_row(row) if row.kind in ("game", "session")}
    back &= {player for row in log.rows(before, None, ("game", "session")) for player in players_of_row(row)}
    gone = frozenset(void)
    for row in log.rows(0, before, ("game", "session")) if back else ():
        if row.position not in gone:
            back.difference_update(players_of_row(row))
            if not back:
                break
    return back

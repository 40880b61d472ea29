"""Search for players who may be one person: names spelt alike, with words in another order, initials, or typos."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

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

    Merged records count as one, and who met in a game are two people. Names alone cannot show which of the other pairs
    really are one person.

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
    pairs = [Similar(keep, other, results[keep], results[other], how) for keep, other, how in alike(ordered)]
    met = _who_met(log, view, pairs) if pairs else set()
    order = ("spelling", "initials", "typo")
    return sorted(
        (pair for pair in pairs if pair[:2] not in met),
        key=lambda pair: (order.index(pair.how), pair.keep, -pair.other_results, pair.other),
    )


def _who_met(log: Log, view: Callable[[str], View], pairs: list[Similar]) -> set[tuple[str, str]]:
    """Returns those of the pairs of keys that met in a game."""
    both = np.sort([[log.book.number("player", key) for key in pair[:2]] for pair in pairs], axis=1)
    wanted, met = both[:, 0] << 32 | both[:, 1], set[int]()
    for pool in log.book.keys_of("pool"):
        timeline = view(pool).timeline
        ids = timeline.players.id.astype(np.int64)
        for games in timeline.table.tables(("a", "b")):
            one, other = ids[games.a], ids[games.b]
            played = np.minimum(one, other) << 32 | np.maximum(one, other)
            met.update(played[np.isin(played, wanted)].tolist())
    return {pair[:2] for pair, key in zip(pairs, wanted.tolist(), strict=True) if key in met}


def near_newcomers(
    log: Log, before: int, meant: Mapping[str, str] = MappingProxyType({})
) -> list[tuple[str, str]]:  # fmt: skip
    """Returns names of players that are new after a position, each with another name that may mean the same person."""
    return near_others(*newcomers(log, before), meant)


def newcomers(log: Log, before: int) -> tuple[list[str], list[str]]:
    """Returns the names of players that are new after a position, and those of all others if there are any new ones.

    Names whose earlier results were all taken back are new, too.
    """
    known, back = log.book.count_at(before), _back_again(log, before)
    new = [*log.book.keys(sorted(back - log.book.erased if back else ())), *log.book.named("player", known).values()]
    if not new:
        return [], []
    return new, [key for number, key in log.book.named("player", to=known).items() if number not in back]


def near_others(new: Sequence[str], others: Sequence[str], meant: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns new names of players, each with another name, new or not, that may mean the same person.

    A new name that is like another new one, which is like a known name, is also given with the known name; known names
    come first. Typos are not searched for among more than 10,000 new names, because these are probably an archive.

    Parameters
    ----------
    new, others : sequence of str
        As from `newcomers`.
    meant : mapping of str to str
        Names that were read as others: a new name like one of them may mean that other.
    """
    known = [*others, *(meant.keys() - {*new, *others} if meant else ())]
    found = list(alike(new, known, slips=len(new) <= MANY)) if new else []
    if not found:
        return []
    fresh = {*new}
    pairs = {(one, how, meant.get(other, other)) for one, other, how in found if other not in fresh}
    old = {one: other for one, _, other in sorted(pairs, reverse=True)}
    for one, other, how in found:
        through = {(x, how, old[y]) for x, y in ((one, other), (other, one)) if other in fresh and y in old}
        pairs |= through
        if other in fresh and not (through and how == "spelling"):
            pairs.add((other, how, one))
    ordered = sorted(pairs, key=lambda pair: (pair[0], pair[2] in fresh, pair))
    return list(dict.fromkeys((one, other) for one, _, other in ordered if one != other))


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

"""Keys of players that may be one person: spelt alike, in another order of words, or with initials."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from ratingcore.columns import View
from ratingcore.corrections.players import result_counts
from ratingcore.log import Log
from ratingcore.spelling import name_words


class Similar(NamedTuple):
    """Two keys of players that may be one person, how many results each has, and how they differ."""

    keep: str
    other: str
    results: int
    other_results: int
    how: str


def similar_names(log: Log, view: Callable[[str], View]) -> list[Similar]:
    """Pairs of keys that may be one person, the one with more results first.

    They differ by `spelling`: case, accents, blanks, the order of words; or by `initials`: one of them has a letter
    where the other has a word. Records that are merged already count as one. Names alone cannot show which pairs are
    one person.

    Parameters
    ----------
    view : callable
        What is known of a pool: `Core.view`.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> for a in ("Zoë Lund", "Zoë Lund", "lund,  Zoe"):
    ...     receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a=a, b="bo", score=1.0))
    >>> similar_names(engine.log, engine.core.view)
    [Similar(keep='Zoë Lund', other='lund,  Zoe', results=2, other_results=1, how='spelling')]
    """
    results = result_counts(log, view)
    roots, groups = log.corrections().roots, dict[tuple[str, ...], list[tuple[int, str]]]()
    for number, key in log.named("player").items():
        if number not in roots:
            groups.setdefault(name_words(key), []).append((-results.get(number, 0), key))
    pairs = []
    shortened: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for words, group in sorted(groups.items()):
        group.sort()
        pairs += [_pair(group[0], other, "spelling") for other in group[1:]]
        for short in _with_initials(words):
            shortened.setdefault(short, []).append(group[0])
    for words, group in sorted(groups.items()):
        pairs += [_pair(min(group[0], one), max(group[0], one), "initials") for one in shortened.get(words, [])]
    return pairs


def _pair(keep: tuple[int, str], other: tuple[int, str], how: str) -> Similar:
    return Similar(keep[1], other[1], -keep[0], -other[0], how)


_WORDS = 5
"""Words of a name at most that is looked for with initials: a name has few, and the ways to shorten it double."""


def _with_initials(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A name with one word or more shortened to initials, and one at least as it is."""
    long = [at for at, word in enumerate(words) if len(word) > 1]
    for count in range(1, len(long) if len(words) <= _WORDS else 0):
        for places in combinations(long, count):
            yield tuple(sorted(word[0] if at in places else word for at, word in enumerate(words)))

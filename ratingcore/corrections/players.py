"""What a log knows of its players: their facts, descriptions that add to these, and keys spelt alike."""

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from attrs import evolve, frozen

from ratingcore.columns import View
from ratingcore.events import Fact, Instant, PlayerDescribed, Row
from ratingcore.events.bounds import EARLIEST
from ratingcore.events.corrections import Corrections
from ratingcore.events.player_facts import with_facts
from ratingcore.gc_pause import uncollected
from ratingcore.log import Log
from ratingcore.spelling import name_words


class Stands(NamedTuple):
    """A fact of a player in force, with the time from which it holds and its position; they sort in that order."""

    played: Instant
    position: int
    value: Fact


Known = dict[int | str, dict[str, Stands]]
"""Facts by name, by the id of the player as whom they count; new players by their keys. `called` is one of them."""


def known(log: Log, pool: int | None = None, to: int | None = None, player: int | None = None) -> Known:
    """Returns the facts of players in force, of one pool or all; what players are called is the same in every pool.

    Parameters
    ----------
    to : int or None
        How many events are known; None for all.
    player : int or None
        Only facts of this player, by id; of all for None.
    """
    told = _told(log, pool, to, player)
    return {who: {name: stands[-1] for name, stands in facts.items()} for who, facts in told.items()}


Told = dict[int | str, dict[str, list[Stands]]]
"""All that was said of each fact of players, in order of time; else as `Known`."""


@uncollected()
def _told(log: Log, pool: int | None, to: int | None, player: int | None) -> Told:
    corrections, book = log.corrections(to), log.names_book
    told: Told = {}
    recorded = log.rows(0, to, ("player",)) if player is None else _about(log, corrections, player)
    for row, said in with_facts(filter(None, map(corrections.read, recorded)), book.facts):
        if row.a is None:
            continue
        if isinstance(called := said.pop("called", ""), list):
            said = {"called": "" if called[0] in book.erased else book.key(called[0])} | said
        mine = told.setdefault(corrections.root(row.a), {})
        for name, value in said.items():
            if name == "called" or pool in (None, row.pool):
                _add(mine, name, Stands(row.played or 0, row.position, value))
    return told


def _add(facts: dict[str, list[Stands]], name: str, stands: Stands) -> None:
    told = facts.setdefault(name, [])
    if not told or told[-1][:2] <= stands[:2]:
        told.append(stands)
    else:
        insort(told, stands, key=itemgetter(0, 1))


def _about(log: Log, corrections: Corrections, player: int) -> list[Row]:
    """The descriptions that may be of a player: recorded of them or who counts as them, or amended to be of others."""
    same = [player, *(other for other in corrections.roots if corrections.root(other) == corrections.root(player))]
    moved = log.rows_at(at for at, changes in corrections.changes.items() if "player" in changes)
    return sorted(
        {*log.descriptions([*same, corrections.root(player)]), *(row for row in moved if row.kind == "player")}
    )


def _in_force(facts: Mapping[str, list[Stands]], at: Instant) -> dict[str, Fact]:
    """The values of facts at a time; at the first day that a log takes, those that are in force now."""
    if at != EARLIEST:
        facts = {name: told[: bisect_right(told, at, key=itemgetter(0))] for name, told in facts.items()}
    return {name: told[-1].value for name, told in facts.items() if told}


@frozen
class Descriptions:
    """Compares descriptions with what a log knows; those that were compared count as known for the next one.

    Parameters
    ----------
    log : Log
    pool : str
    """

    log: Log
    told: Told
    roots: Mapping[int, int]

    @classmethod
    def of(cls, log: Log, pool: str, player: int | None = None) -> "Descriptions":
        """The descriptions of a log that methods find in a pool; only those of one player, by id, if one is given."""
        number = log.id_of("pool", pool)
        return cls(log, _told(log, 0 if number is None else number, None, player), log.corrections().roots)

    def new(self, event: PlayerDescribed, number: int | None) -> PlayerDescribed | None:
        """The part of a description that the log does not know yet; None if it knows all of it.

        `number` is the id of the player, None for one whom the log does not know.

        It is compared with what was in force at its time: an old file adds nothing that was known then, though it is
        otherwise now. A description that holds from the first day replaces the known facts, from whichever day those
        hold.
        """
        who = event.player if number is None else self.roots.get(number, number)
        mine, at, said = self.told.get(who), event.played, described_facts(event)
        if mine is None:
            self.told[who] = {name: [Stands(at, 2**63, value)] for name, value in said.items()}
            return event if said else None
        there = _in_force(mine, at)
        differ = {name: value for name, value in said.items() if name not in there or there[name] != value}
        if not differ:
            return None
        if at == EARLIEST:
            at = max([at, *(mine[name][-1].played for name in differ if name in mine)])
        for name, value in differ.items():
            _add(mine, name, Stands(at, 2**63, value))
        if len(differ) == len(said) and at == event.played:
            return event
        called = str(differ.pop("called", ""))
        return evolve(event, played=at, called=called, data=differ)


def described_facts(event: PlayerDescribed) -> dict[str, Fact]:
    """Returns the facts of a description, including what the player is called."""
    return dict(event.data) | ({"called": event.called} if event.called else {})


def shown(log: Log, pool: int | None = None) -> Iterator[dict[str, Fact]]:
    """A row for each player: key, what they are called, and their facts; merged and erased records have none."""
    facts, roots, gone = known(log, pool), log.corrections().roots, log.names_book.erased
    for number, key in log.named("player").items():
        if number not in roots and number not in gone:
            stands = facts.get(number, {})
            told: dict[str, Fact] = {"player": key}
            yield told | {field: one.value for field, one in stands.items() if one.value != ""}


def counted(log: Log, view: Callable[[str], View]) -> Iterator[dict[str, Fact]]:
    """A row for each player: key, what they are called if somebody said it, and their results in all pools."""
    results, number = _results(log, view), {key: number for number, key in log.named("player").items()}
    for row in shown(log):
        called = {"called": row["called"]} if "called" in row else {}
        yield {"player": row["player"], **called, "results": results[number[str(row["player"])]]}


def _results(log: Log, view: Callable[[str], View]) -> Counter[int]:
    """How many results each player took part in, by id."""
    results: Counter[int] = Counter()
    for pool in log.keys_of("pool"):
        timeline = view(pool).timeline
        results.update(dict(zip(timeline.players.id.tolist(), timeline.result_counts().tolist(), strict=True)))
    return results


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
    results = _results(log, view)
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

"""Facts and numbers of results of a log's players, and the comparison of new descriptions with the known facts."""

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
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
from ratingcore.log.lookup import corrections_of


class DatedFact(NamedTuple):
    """A fact of a player, with the time from which it holds and its position, by which facts are sorted."""

    played: Instant
    position: int
    value: Fact


KnownFacts = dict[int | str, dict[str, DatedFact]]
"""Facts of each player by name, with `called` among them; players are ids after merges, or keys if new to the log."""


def known(log: Log, pool: int | None = None, to: int | None = None, player: int | None = None) -> KnownFacts:
    """Returns the facts in force of players, from one pool or all; visible names are the same in every pool.

    Parameters
    ----------
    to : int or None
        Number of known events; None for all.
    player : int or None
        Id of the only player whose facts are returned; None for all players.
    """
    histories = _fact_histories(log, pool, to, player)
    return {who: {name: dated[-1] for name, dated in facts.items()} for who, facts in histories.items()}


FactHistories = dict[int | str, dict[str, list[DatedFact]]]
"""Like `KnownFacts`, but with all values of each fact, in order of time."""


@uncollected()
def _fact_histories(log: Log, pool: int | None, to: int | None, player: int | None) -> FactHistories:
    corrections, book = corrections_of(log, to), log.book
    histories: FactHistories = {}
    recorded = log.rows(0, to, ("player",)) if player is None else _about(log, corrections, player)
    for row, stated in with_facts(filter(None, map(corrections.read, recorded)), book.facts):
        if row.a is None:
            continue
        if isinstance(called := stated.pop("called", ""), list):
            stated = {"called": "" if called[0] in book.erased else book.key(called[0])} | stated
        history = histories.setdefault(corrections.root(row.a), {})
        for name, value in stated.items():
            if name == "called" or pool in (None, row.pool):
                _add(history, name, DatedFact(row.played or 0, row.position, value))
    return histories


def _add(facts: dict[str, list[DatedFact]], name: str, fact: DatedFact) -> None:
    history = facts.setdefault(name, [])
    if not history or history[-1][:2] <= fact[:2]:
        history.append(fact)
    else:
        insort(history, fact, key=itemgetter(0, 1))


def _about(log: Log, corrections: Corrections, player: int) -> list[Row]:
    """Returns the descriptions that may be about a player: of merged names, or amended to name another player."""
    same = [player, *(other for other in corrections.roots if corrections.root(other) == corrections.root(player))]
    moved = log.rows_at(at for at, changes in corrections.changes.items() if "player" in changes)
    return sorted(
        {
            *log.rows(0, None, ("player",), None, [*same, corrections.root(player)]),
            *(row for row in moved if row.kind == "player"),
        }
    )


def _in_force(facts: Mapping[str, list[DatedFact]], at: Instant) -> dict[str, Fact]:
    """Returns the values of facts at a time; at the first day that a log accepts, the latest values."""
    if at != EARLIEST:
        facts = {name: dated[: bisect_right(dated, at, key=itemgetter(0))] for name, dated in facts.items()}
    return {name: dated[-1].value for name, dated in facts.items() if dated}


@frozen
class Descriptions:
    """Compares descriptions with the facts in a log; each compared description counts as known afterwards.

    Parameters
    ----------
    log : Log
    pool : str
    """

    log: Log
    histories: FactHistories
    roots: Mapping[int, int]

    @classmethod
    def of(cls, log: Log, pool: str, player: int | None = None) -> "Descriptions":
        """Reads the facts that methods find in a pool; if an id is given, only those of this player."""
        number = log.book.find("pool", pool)
        return cls(log, _fact_histories(log, 0 if number is None else number, None, player), corrections_of(log).roots)

    def new(self, event: PlayerDescribed, number: int | None) -> PlayerDescribed | None:
        """Returns the part of a description that is new to the log; None if the log has all of it.

        `number` is the id of the player, or None for a player new to the log.

        The description is compared with the facts in force at its time: a fact of an old file that held then is not
        new, even if it has changed since. A description with the first day that a log accepts replaces all known
        facts, whatever their days.
        """
        who = event.player if number is None else self.roots.get(number, number)
        history, at, stated = self.histories.get(who), event.played, described_facts(event)
        if history is None:
            self.histories[who] = {name: [DatedFact(at, 2**63, value)] for name, value in stated.items()}
            return event if stated else None
        in_force = _in_force(history, at)
        differ = {name: value for name, value in stated.items() if name not in in_force or in_force[name] != value}
        if not differ:
            return None
        if at == EARLIEST:
            at = max([at, *(history[name][-1].played for name in differ if name in history)])
        for name, value in differ.items():
            _add(history, name, DatedFact(at, 2**63, value))
        if len(differ) == len(stated) and at == event.played:
            return event
        called = str(differ.pop("called", ""))
        return evolve(event, played=at, called=called, data=differ)


def described_facts(event: PlayerDescribed) -> dict[str, Fact]:
    """Returns the facts of a description, including the visible name."""
    return dict(event.data) | ({"called": event.called} if event.called else {})


def player_rows(log: Log, pool: int | None = None) -> Iterator[dict[str, Fact]]:
    """Yields a row for each player, with key, visible name and facts; merged and erased records have no row."""
    facts, roots, gone = known(log, pool), corrections_of(log).roots, log.book.erased
    for number, key in log.book.named("player").items():
        if number not in roots and number not in gone:
            row: dict[str, Fact] = {"player": key}
            yield row | {field: one.value for field, one in facts.get(number, {}).items() if one.value != ""}


def players_with_results(log: Log, view: Callable[[str], View]) -> Iterator[dict[str, Fact]]:
    """Yields a row for each player, with key, visible name if known, and number of results in all pools."""
    results, number = result_counts(log, view), {key: number for number, key in log.book.named("player").items()}
    for row in player_rows(log):
        called = {"called": row["called"]} if "called" in row else {}
        yield {"player": row["player"], **called, "results": results[number[str(row["player"])]]}


def result_counts(log: Log, view: Callable[[str], View]) -> Counter[int]:
    """Returns the number of results of each player, by id."""
    results: Counter[int] = Counter()
    for pool in log.book.keys_of("pool"):
        timeline = view(pool).timeline
        results.update(dict(zip(timeline.players.id.tolist(), timeline.result_counts().tolist(), strict=True)))
    return results

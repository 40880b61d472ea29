"""`ratingcore log`: lists the events, with a sentence for each."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import click
from attrs import frozen

from ratingcore.cli import completion, options
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import reading
from ratingcore.cli.sentences import ENGLISH, Wording, sentence
from ratingcore.columns.slices import Slice, pool_of
from ratingcore.corrections.propose import sources
from ratingcore.engine import Engine
from ratingcore.errors import BrokenChain
from ratingcore.events import Event, Row, exact, iso
from ratingcore.log.chain import Batch
from ratingcore.log.contract import Log
from ratingcore.log.lookup import corrections_of, event_of

COLUMNS = ("position", "recorded", "kind", "pool", "played", "uid", "text")
KINDS = ("game", "session", "seed", "player", "void", "amend", "merge", "unmerge", "period", "list", "pool")

_SPARE = ("source", "recorded", "pool", "played")
"""Columns that are left out first on a narrow terminal, so that the sentences have room."""


@command(
    "log",
    "ratingcore log club.db --last 20",
    "ratingcore log club.db --player ann --pool rapid",
    "ratingcore log club.db --kind void --kind amend --kind merge --format json",
    "ratingcore log club.db --after 4",
    "ratingcore log club.db --source 'games*.csv' --last 5",
)
@options.log
@click.option("--after", type=options.Count(0), default=0, metavar="N", help="Only events after this position.")
@click.option(
    "--player",
    metavar="NAME",
    shell_complete=completion.players,
    help="Only events of this player, corrections included.",
)
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only events of this kind; repeatable.")
@click.option("--pool", "-p", metavar="NAME", help="Only events of this pool, and merges, which concern every pool.")
@click.option("--source", metavar="PATTERN", help="Only events from this source, such as 'games*.csv'.")
@click.option("--last", type=options.Count(1), metavar="N", help="Only the last N of these events.")
@options.form
def log(
    log: str,
    after: int,
    player: str | None,
    kinds: tuple[str, ...],
    pool: str | None,
    source: str | None,
    last: int | None,
    form: str,
) -> None:
    """List the events in the order in which they were recorded.

    Columns: position, recorded (when the event was recorded), kind, pool, played (when it took place), uid, source (the
    file it came from; in csv only with --source, and left out if no event has one), text.
    """
    with reading(log) as engine:
        number, part = (None, None) if pool is None else pool_of(engine.log.book, pool)
        if part is not None:
            engine.core.view(str(part))  # raises an error for a field that no result has
        chosen = EventFilter(
            engine.log,
            None if player is None else engine.core.player_id(player),
            number,
            None if source is None else sources(engine.log, source),
            part,
        )
        if last is not None and player is None and pool is None and source is None and not kinds:
            after = max(after, engine.log.head.position - last)
        events = (pair for pair in engine.events(after, kinds) if chosen.takes(pair[0]))
        with_source = source is not None or (form != "csv" and engine.log.book.keys_of("source"))
        columns = (*COLUMNS[:-1], "source", "text") if with_source else COLUMNS
        head = engine.log.head.position
        stray = next(iter(engine.log.rows(head, None)), None)
        if stray is not None and stray.position > engine.log.head.position:
            raise BrokenChain(stray.position, "events belong to no batch")
        write(event_rows(engine, events if last is None else deque(events, last)), columns, form, spare=_SPARE)


def event_rows(
    engine: Engine, events: Iterable[tuple[Row, Event]], wording: Wording = ENGLISH
) -> Iterator[dict[str, object]]:
    """Yields events, which must be in the order of the log, as rows of `ratingcore log`; `text` is the sentence."""
    batches: Iterator[Batch] | None = None
    last, recorded, source, key = 0, 0, None, engine.log.book.key
    for row, event in events:
        batches = batches or engine.log.batches(row.position - 1)
        while row.position > last:
            batch = next(batches)
            last, recorded = batch.last, batch.recorded
            source = None if batch.source is None else key(batch.source)
        yield {
            "position": row.position,
            "recorded": exact(recorded),
            "kind": row.kind,
            "pool": getattr(event, "pool", None),
            "played": None if row.played is None else iso(row.played),
            "uid": row.uid,
            "source": source,
            "text": sentence(event, partial(event_of, engine.log), wording),
        }


@frozen
class EventFilter:
    """Selects events by player, pool and source; a correction has the player and the pool of the event it corrects.

    Parameters
    ----------
    log : Log
    player, pool : int or None
        Ids; None for all.
    spans : sequence of (int, int) or None
        First and last positions of the events from a source; None for all sources.
    part : Slice or None
        Selects results that match as recorded or as amended, even if void, and their corrections; None for all events.
    """

    log: Log
    player: int | None = None
    pool: int | None = None
    spans: Sequence[tuple[int, int]] | None = None
    part: Slice | None = None

    def takes(self, row: Row) -> bool:
        """True if the filter selects an event."""
        if self.spans is not None:
            at = bisect_right(self.spans, (row.position, 2**63)) - 1
            if at < 0 or row.position > self.spans[at][1]:
                return False
        if self.part is not None and not self._of_part(row, self.part):
            return False
        return (self.player is None or self._of_player(row)) and (self.pool is None or self._of_pool(row))

    def _of_player(self, row: Row) -> bool:
        if self.player in (row.a, row.b) or self.player in _seated(row):
            return True
        return row.ref is not None and self._of_player(self._target(row.ref))

    def _of_part(self, row: Row, part: Slice) -> bool:
        if row.kind in ("game", "session"):
            return part.takes(row.facts) or part.takes({**row.facts, **self._changes.get(row.position, {})})
        return row.ref is not None and self._of_part(self._target(row.ref), part)

    @cached_property
    def _changes(self) -> Mapping[int, Mapping[str, Any]]:
        return corrections_of(self.log).changes

    def _of_pool(self, row: Row) -> bool:
        if row.kind == "merge" or self.pool in (row.pool, _changed(row).get("pool")):
            return True
        return row.ref is not None and self._of_pool(self._target(row.ref))

    def _target(self, position: int) -> Row:
        return next(iter(self.log.rows_at([position])))


def _changed(row: Row) -> dict[str, Any]:
    changed: dict[str, Any] = row.facts.get("set", {}) if row.kind == "amend" else {}
    return changed


def _seated(row: Row) -> set[int]:
    """Returns the ids of the players in a session, or in the changes of an amendment."""
    if row.kind not in ("session", "amend"):
        return set()
    facts = row.facts if row.kind == "session" else _changed(row)
    sides = {player for players, _ in facts.get("sides", ()) for player in players}
    return sides | ({facts[name] for name in ("a", "b", "player") if name in facts} if row.kind == "amend" else set())

"""The process that reads an uploaded file: as a trial on a copy of the log, or, once it is accepted, into the log.

It reads an order from stdin and writes a report to stdout. It is a process of its own so that a file which takes too
much memory or time ends nothing else.
"""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

import ratingcore as rc
from ratingcore import Engine, Head, RatingCoreError, RatingList
from ratingcore.errors import BadFile, ColumnNotFound, HeadMoved
from ratingcore_service.upload_types import Mover, Moves, Order, Refused, Report

POOLS, MOVERS, REFUSED, FIRST_LINES = 20, 50, 200, 60
"""How much of each a report holds."""


def main() -> None:
    """Carries out the order on stdin."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    try:
        made = accepted(order) if order.accept_on else tried(order)
    except HeadMoved as error:
        made = Report(state="failed", head="", error=str(error), moved_to=error.found)
    except ColumnNotFound as error:
        made = Report(
            state="unmapped", head="", columns=list(error.found), wanted=error.wanted_for,
            guess=dict(error.guess or {}), error=str(error),
        )  # fmt: skip
    except RatingCoreError as error:
        hint = str(getattr(error, "hint", ""))
        made = Report(state="failed", head="", error=str(error), hint="" if "--" in hint else hint)
    except MemoryError:
        made = Report(state="failed", head="", error=f"{order.name} needs more memory than an upload may use")
    sys.stdout.buffer.write(msgspec.json.encode(made))


def tried(order: Order) -> Report:
    """What would become of a file, tried on a copy of the log."""
    with rc.open(order.address, read_only=True) as engine, _copy(engine) as trial:
        head = engine.log.head
        shown = _imported(trial, order, dry_run=True)
        made = _report(_imported(trial, order), head)
        made.lines = shown.lines(FIRST_LINES)
        made.pools = _pools_after(trial, head.position)
        made.moves = [_moves(engine, trial, pool) for pool in made.pools[:POOLS]]
        return made


def accepted(order: Order) -> Report:
    """What became of a file that is recorded on the head on which it was tried."""
    expected = Head.parse(order.accept_on)
    with rc.open(order.address) as engine, engine.log.writing():
        head = engine.log.head
        if head != expected:
            raise HeadMoved(expected.position, head.position)
        made = _report(_imported(engine, order), engine.log.head)
        made.state = "accepted"
        made.head = str(engine.log.head)
        return made


@contextmanager
def _copy(engine: Engine) -> Iterator[Engine]:
    with TemporaryDirectory(dir=".") as folder:
        path = Path(folder, "trial.db")
        if engine.log.path is not None:
            engine.log.backup(path)
        with rc.open(path) as copy:
            if engine.log.path is None:
                copy.load(engine.export())
            yield copy


def _imported(engine: Engine, order: Order, *, dry_run: bool = False) -> Any:
    with io.FileIO(order.file) as raw:
        raw.name = order.name  # the log knows the file by the name that it had

        def count(rows: int) -> None:
            if rows > order.rows:
                raise BadFile(order.name, f"it has more than {order.rows:,} rows", "divide it")

        return engine.import_file(
            io.BufferedReader(raw), order.pool or None, order.mapping or None, reader=order.reader or None,
            zone=order.zone or None, amend=order.amend, reissue=order.reissue, dry_run=dry_run, progress=count,
        )  # fmt: skip


def _report(report: Any, head: Head) -> Report:
    if report.error is not None:
        raise report.error
    refused = [Refused(line=line, why=why, text=text) for line, why, text in sorted(report.refused)[:REFUSED]]
    return Report(
        state="read", head=str(head), lines=report.lines(FIRST_LINES), read=report.read, accepted=report.accepted,
        amended=report.amended, duplicates=report.duplicates, refused=refused,
    )  # fmt: skip


def _pools_after(engine: Engine, position: int) -> list[str]:
    """Pools of which something was recorded; all of them where a correction or a fact concerns several."""
    numbers = {row.pool for row in engine.log.rows(position)}
    every = engine.pools()
    key = engine.log.names_book.key
    return (
        every if None in numbers else [pool for pool in every if pool in {key(number) for number in numbers if number}]
    )


def _moves(engine: Engine, trial: Engine, pool: str) -> Moves:
    """Who would move in a pool, those who move most first."""
    after = _ratings(trial.rating_list(pool))
    before = _ratings(engine.rating_list(pool)) if pool in engine.pools() else {}
    rows = [
        Mover(player=player, before=was, after=now, change=None if was is None or now is None else now - was)
        for player in {**before, **after}
        if (was := before.get(player)) != (now := after.get(player))
    ]
    rows.sort(key=lambda row: -abs(row.change) if row.change is not None else -1e308)
    return Moves(pool=pool, moved=len(rows), rows=rows[:MOVERS])


def _ratings(listed: RatingList) -> dict[str, float | None]:
    called = listed.called or [None] * len(listed)
    numbers: Any = listed.values["rating"]
    ratings = (float(rating) if isfinite(rating) else None for rating in numbers)
    return {name or key: rating for key, name, rating in zip(listed.player, called, ratings, strict=True)}


if __name__ == "__main__":
    main()

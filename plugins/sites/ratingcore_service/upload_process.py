"""The process that reads an uploaded file: as a trial on a copy of the log, or, once it is accepted, into the log.

It reads an order from stdin and writes a report to stdout. It is a process of its own so that a file which takes too
much memory or time ends nothing else.
"""

import hashlib
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from attrs import asdict, evolve
from msgspec import Meta, Struct

import ratingcore as rc
from ratingcore import Engine, Event, Head, MergeUndone, RatingCoreError, ResultAmended, ResultVoided
from ratingcore.errors import ColumnNotFound, HeadMoved, PlanOutdated
from ratingcore.plugin.analysis import (
    FieldMap,
    FromColumn,
    NearNames,
    Registry,
    as_read,
    date_forms,
    decoder_of,
    event_of,
)
from ratingcore.plugin.commands import sentence
from ratingcore.plugin.readers import Reason
from ratingcore_service.log_events import POOLS, Moved, fields_of, moves
from ratingcore_service.problems import TooManyRows, TooMuchWork, problem
from ratingcore_service.wire import Headed, Name, Problem, Query

MAPPED = ("a", "b", "score", "played", "pool", "event", "round")
"""Fields of a result for which a column can be chosen."""
Heading = Annotated[
    str,
    Meta(
        max_length=200, examples=["Weiß"],
        description="Heading of the column that holds this field, escaped as all of an address is: map.a=Wei%C3%9F.",
    ),
]  # fmt: skip
Encoding = Annotated[
    str, Meta(max_length=40, examples=["cp1250"], description="Of text that is not UTF-8; cp1252 if left out.")
]
DateFormat = Annotated[
    str,
    Meta(max_length=40, examples=["%d.%m.%Y"], description="How days are written; as they look if left out."),
]


class UploadQuery(Query, kw_only=True, rename=lambda name: name.replace("map_", "map.")):
    """What is said of a file that is uploaded."""

    name: Name = "results"
    pool: Annotated[str, Meta(max_length=200)] = ""
    reader: Annotated[str, Meta(max_length=200)] = ""
    zone: Annotated[str, Meta(max_length=100, examples=["Europe/Prague"])] = ""
    encoding: Encoding = ""
    date: DateFormat = ""
    amend: bool = False
    reissue: bool = False
    map_a: Heading = ""
    map_b: Heading = ""
    map_score: Heading = ""
    map_played: Heading = ""
    map_pool: Heading = ""
    map_event: Heading = ""
    map_round: Heading = ""

    @property
    def mapping(self) -> dict[str, str]:
        """The columns that were chosen, by field."""
        return {name: column for name in MAPPED if (column := getattr(self, f"map_{name}"))}


class Noted(Struct, kw_only=True):
    """What is to be known of a file beside its numbers, or of a row: a kind of note with its facts, and its words."""

    kind: str
    text: str
    facts: dict[str, Any]


class Refused(Struct, kw_only=True):
    """A row that cannot be recorded: its line, why, and its text."""

    line: int
    why: Noted
    text: str


class Unrated(Struct, kw_only=True):
    """Rows without a result that is rated: why, how many, and the first of their lines."""

    reason: str
    rows: int
    lines: list[int]


class Fault(Problem, kw_only=True):
    """Why nothing of a file can be recorded: a problem, and its facts."""

    kind: str
    facts: dict[str, Any]


class Held(Struct, kw_only=True):
    """What would be recorded of a row, in words and by fields; of a correction those of what it is about, too."""

    what: str
    kind: str
    pool: str | None
    played: str | None
    fields: dict[str, Any]
    of: dict[str, Any]


State = Literal["reading", "unmapped", "failed", "read", "recording", "accepted"]


class Report(Struct, kw_only=True):
    """What the process that read a file found."""

    state: State
    head: str
    notes: list[Noted] = []
    read: int = 0
    accepted: int = 0
    amended: int = 0
    duplicates: int = 0
    unrated: list[Unrated] = []
    voided: int = 0
    holds: list[Held] = []
    """The first events that would be recorded, in order of the file."""
    refused: list[Refused] = []
    pools: list[str] = []
    positions: list[tuple[int, int]] = []
    """First and last positions of what was recorded."""
    moves: list[Moved] = []
    columns: list[str] = []
    sample: list[str] = []
    """The first lines of a text whose columns are not known."""
    unused: list[str] = []
    """Columns of which nothing was read."""
    guess: dict[str, str] = {}
    problem: Fault | None = None
    encoding: str = ""
    """Encoding of the text, where it is not UTF-8."""
    date: str = ""
    """Format of the days, where they are not ISO."""
    fates: str = ""
    """Digest of what became of the rows."""
    moved_to: int = 0
    """Position of the log, where the rows would become something else there than they did when the file was tried."""


class Upload(Headed, kw_only=True):
    """An upload: how far it is, what the file holds line by line, and who would move.

    `unmapped` needs columns that were not found: upload it again with `map.FIELD=COLUMN`; `guess` is what the headings
    suggest. `read` waits to be accepted, on `head`.
    """

    id: str
    name: str
    state: State
    report: Report
    address: str


class Order(Struct, kw_only=True):
    """What the process that reads a file is to do."""

    address: str
    said: UploadQuery
    rows: int
    tried: Report | None = None
    """What would have become of the file when it was tried, to be recorded if it does become of it."""


FILE = "file"
"""Name of the file, in the folder of the process."""
DECISION = "decision"
"""Name of the file that holds what its plan rests on."""
MOVERS, HELD, REFUSED, LINES = 50, 200, 200, 5
"""How much of each a report holds."""
SAMPLE = 8, 200
"""Lines that a sample has, and characters of each."""
NEWCOMERS = 20
"""Names of a pool that may be those of others, at most."""


WESTERN = "cp1252"
"""Encoding of a text that is not UTF-8, if nobody says another: that of Windows in Western Europe and America."""


def main() -> None:
    """Carries out the order on stdin."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(accepted(order) if order.tried else tried(order)))


def tried(order: Order) -> Report:
    """What would become of a file; what nobody said of it, its encoding and how it writes days, is found out.

    A text that is not UTF-8 is read as one of Windows, and days that are not ISO by the one format that they fit.
    """
    said = order.said
    if not said.encoding and _is_other_text():
        said = msgspec.structs.replace(said, encoding=WESTERN)
    with suppress(RatingCoreError):  # the trial tells it
        forms = [] if said.date else _date_forms(said)
        said = msgspec.structs.replace(said, date=forms[0]) if len(forms) == 1 else said
    return _carried_out(order, said, lambda: _tried(order, said))


def accepted(order: Order) -> Report:
    """What became of a file that is recorded, if its rows become what they did when it was tried."""
    assert order.tried is not None, "the order is to record it"
    tried = order.tried
    said = msgspec.structs.replace(order.said, encoding=tried.encoding, date=tried.date)
    return _carried_out(order, said, lambda: _accepted(order, said, tried))


def _carried_out(order: Order, said: UploadQuery, work: Callable[[], Report]) -> Report:
    """What became of a file, or why nothing did."""
    try:
        made = work()
    except HeadMoved as error:
        made = Report(state="failed", head="", moved_to=error.found)
    except PlanOutdated as error:
        made = failed(error, order.address)
        made.moved_to = error.position
    except ColumnNotFound as error:
        made = failed(error, order.address)
        made.state, made.columns, made.guess = "unmapped", list(error.found), dict(error.guess)
        made.sample = _sample(said.encoding)
    except RatingCoreError as error:
        made = failed(error, order.address)
    except MemoryError:
        made = failed(TooMuchWork(said.name), order.address)
    made.encoding, made.date = said.encoding, said.date
    return made


def failed(error: RatingCoreError, address: str = "") -> Report:
    """The report of a file of which nothing can be recorded."""
    made, facts = problem(error, [address])
    fault = Fault(**msgspec.structs.asdict(made), kind=type(error).__name__, facts=dict(facts))
    return Report(state="failed", head="", problem=fault)


def _sample(encoding: str) -> list[str]:
    """The first lines of a file, if it is text."""
    with Path(FILE).open("rb") as file:
        content = file.read(SAMPLE[0] * SAMPLE[1])
    text = "" if b"\0" in content else content.decode(encoding or "utf-8-sig", "replace")
    return [line[: SAMPLE[1]] for line in text.splitlines()[: SAMPLE[0]]]


def _is_other_text() -> bool:
    """Whether the file is text, and not in UTF-8."""
    content = Path(FILE).read_bytes()
    try:
        content.decode()
    except UnicodeDecodeError:
        return b"\0" not in content
    return False


def _tried(order: Order, said: UploadQuery) -> Report:
    """What would become of a file, and the lists as they would be."""
    with rc.open(order.address, read_only=True) as engine:
        plan = _asked(engine.plan.import_file, order, said)
        trial, head, report, pools = engine.what_if(plan), engine.log.head, plan.report, plan.pools
        report.notes = _notes(report, trial, pools[:POOLS])
        made = report_of(report, head)
        Path(DECISION).write_bytes(msgspec.json.encode(plan.decision))
        made.holds = [held(engine, event) for _, event in islice(trial.events(head.position), HELD)]
        made.pools, made.moves = pools, moves(engine, plan, top=MOVERS)
        return made


def _accepted(order: Order, said: UploadQuery, tried: Report) -> Report:
    with rc.open(order.address) as engine, engine.log.writing():
        head = engine.log.head
        decision = msgspec.json.decode(Path(DECISION).read_bytes())

        def apply(*file: Any, **options: Any) -> Any:
            return engine.plan.apply(engine.plan.import_file(*file, **options, decision=decision))

        report = _asked(apply, order, said)
        made = report_of(report, engine.log.head)
        if made.fates != tried.fates:
            raise HeadMoved(Head.parse(tried.head).position, head.position)
        made.state, made.pools = "accepted", tried.pools
        made.positions = report.positions
        made.head = str(engine.log.head)
        return made


def _asked(asked: Callable[..., Any], order: Order, said: UploadQuery) -> Any:
    """What the engine answers of the file, by a method that takes it as `Engine.import_file` does."""
    with _opened(said) as file:

        def count(rows: int) -> None:
            if rows > order.rows:
                raise TooManyRows(said.name, order.rows)

        return asked(
            file, said.pool or None, _columns(said), reader=said.reader or None,
            zone=said.zone or None, encoding=said.encoding or None, amend=said.amend, reissue=said.reissue,
            progress=count,
        )  # fmt: skip


@contextmanager
def _opened(said: UploadQuery) -> Iterator[io.BufferedReader]:
    """The file; the log knows it by the name that it had."""
    with io.FileIO(FILE) as raw:
        raw.name = said.name
        yield io.BufferedReader(raw)


def _date_forms(said: UploadQuery) -> list[str]:
    """The formats that fit the days of the file, where they are not ISO."""
    columns, registry = _columns(said) or FieldMap(), Registry.installed()
    with _opened(said) as file:
        return date_forms(file, registry, fields=columns, reader=said.reader or None, encoding=said.encoding or None)


def _columns(said: UploadQuery) -> FieldMap | None:
    """The columns and the format of days that were chosen; None to go by the headings."""
    if not (said.mapping or said.date):
        return None
    fields = {field: FromColumn(column) for field, column in said.mapping.items()}
    return FieldMap(fields, date=said.date or None, where=said.name)


def _notes(report: Any, trial: Engine, pools: list[str]) -> list[Any]:
    """The notes of a report; who may write to one pool may not know the players of others."""
    notes = []
    for note in report.notes:
        if isinstance(note, NearNames):
            names = [{*trial.core.view(pool).names()} for pool in pools]
            near = [[pair for pair in note.pairs if there >= {*pair}][:NEWCOMERS] for there in names]
            note = evolve(note, pairs=tuple(dict.fromkeys(chain.from_iterable(near))))
            if not note.pairs:
                continue
        notes.append(note)
    return notes


def report_of(report: Any, head: Head) -> Report:
    """What an import, or a trial of one, says of its rows, as values."""
    if report.error is not None:
        raise report.error
    return Report(
        state="read", head=str(head), read=report.read, accepted=report.accepted, amended=report.amended,
        duplicates=report.duplicates, voided=report.voided, fates=_digest(report), unused=report.unused_columns,
        unrated=[Unrated(reason=why, rows=len(at), lines=at[:LINES]) for why, at in sorted(report.unrated.items())],
        refused=[Refused(line=line, why=_why(why), text=text) for line, why, text in sorted(report.refused)[:REFUSED]],
        notes=[Noted(kind=type(note).__name__, text=str(note), facts=asdict(note)) for note in report.notes],
    )  # fmt: skip


def _why(reason: str) -> Noted:
    """Why a row is refused; a reader may say it in words alone."""
    kind, facts = (reason.kind.__name__, reason.facts) if isinstance(reason, Reason) else ("", {})
    return Noted(kind=kind, text=str(reason), facts=dict(facts))


def _digest(report: Any) -> str:
    return hashlib.sha256(repr(report.fates).encode()).hexdigest()[:32]


def held(engine: Engine, event: Event) -> Held:
    """An event that would be recorded in a log, and the one that it corrects in the end, as it reads there."""
    fields, find, of = fields_of(event), partial(event_of, engine.log), event
    while isinstance(of, ResultVoided | ResultAmended | MergeUndone):
        of = find(of.of)
    read = None if of is event else as_read(engine.log, of.uid)
    of = of if read is None else decoder_of(engine.log)(read)
    return Held(
        what=sentence(event, find), kind=event.kind, pool=fields.get("pool"), played=fields.get("played"),
        fields=fields, of={} if of is event else fields_of(of),
    )  # fmt: skip


if __name__ == "__main__":
    main()

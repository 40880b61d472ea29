"""The process that reads an uploaded file: first as a trial, then, once the file is accepted, into the log.

It reads an order from stdin and writes a report to stdout. It is a separate process, so that a file which takes too
much memory or time does not end the service.
"""

import gc
import hashlib
import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from attrs import evolve
from msgspec import Meta, Struct

import ratingcore as rc
from ratingcore import Engine, Event, Head, MergeUndone, RatingCoreError, ResultAmended, ResultVoided
from ratingcore.errors import ColumnNotFound, HeadMoved, PlanOutdated
from ratingcore.plugin import analysis  # by module: it loads each name on first use
from ratingcore.plugin.analysis import as_read, decoder_of, event_of
from ratingcore.plugin.commands import ENGLISH, Wording, sentence
from ratingcore.plugin.readers import Reason
from ratingcore_service.log_events import POOLS, Moved, fields_of, moves
from ratingcore_service.problems import TooManyRows, TooMuchWork, problem
from ratingcore_service.wire import Headed, Name, Noted, Problem, Query, noted, with_forms

T = TypeVar("T")


def _setting(most: int, about: str = "", example: str = "") -> Meta:
    """Returns the schema of a setting: its largest length, a description, and an example."""
    return Meta(max_length=most, description=about or None, examples=[example] if example else None)


MOST_SKIPPED = 10_000
"""Largest number of lines above the headings of a table."""
ABOUT_HEADINGS = "Heading of the column that holds this field, escaped as all of an address is: map.a=Wei%C3%9F."
Heading = Annotated[str, _setting(200, ABOUT_HEADINGS, "Weiß")]


class UploadQuery(Query, kw_only=True, rename=lambda name: name.replace("map_", "map.")):
    """Query of an upload: the settings by which its file is read."""

    name: Name = "results"
    pool: Annotated[str, _setting(200)] = ""
    reader: Annotated[str, _setting(200)] = ""
    zone: Annotated[str, _setting(100, example="Europe/Prague")] = ""
    encoding: Annotated[str, _setting(40, "Encoding of text that is not UTF-8; cp1252 if left out.", "cp1250")] = ""
    date: Annotated[str, _setting(40, "Format of days; recognised if left out.", "%d.%m.%Y")] = ""
    decimal: Annotated[str, Meta(pattern=r"^[.,]?\Z", description="Decimal sign; recognised if left out.")] = ""
    played: Annotated[str, _setting(40, "Day of rows without one.", "2026-07-05")] = ""
    sheet: Annotated[str, _setting(200, "Sheet of a spreadsheet; the only one with the columns if left out.")] = ""
    amend: bool = False
    reissue: bool = False
    skip_known: bool = False
    mirrored: bool = False
    nobody: Annotated[str, _setting(2000, "Names that are not players, separated by semicolons.")] = ""
    meant: Annotated[
        str,
        _setting(2000, "Names to replace by others, separated by semicolons.", "Katarina Muster=Katharina Muster"),
    ] = ""
    without: Annotated[str, _setting(2000, "Lines whose rows to leave out.", "4,17")] = ""
    skip: Annotated[int, Meta(ge=0, le=MOST_SKIPPED, description="Lines above the headings of a table.")] = 0
    map_a: Heading = ""
    map_b: Heading = ""
    map_score: Heading = ""
    map_played: Heading = ""
    map_pool: Heading = ""
    map_event: Heading = ""
    map_round: Heading = ""
    map_points_a: Heading = ""
    map_points_b: Heading = ""
    map_session: Heading = ""
    map_player: Heading = ""
    map_place: Heading = ""
    map_time: Heading = ""

    @property
    def mapping(self) -> dict[str, str]:
        """The chosen columns, by field."""
        return {name: column for name in MAPPED if (column := getattr(self, f"map_{name}"))}

    @property
    def lines_left_out(self) -> frozenset[int]:
        """The lines of the rows to leave out."""
        return frozenset(map(int, re.findall(r"[0-9]{1,15}", self.without)))


MAPPED = tuple(name[4:] for name in UploadQuery.__struct_fields__ if name.startswith("map_"))
"""Fields of a result for which a column can be chosen."""


class Refused(Struct, kw_only=True):
    """A row that cannot be recorded: its line, the reason, and its text."""

    line: int
    why: Noted
    text: str


class Unrated(Struct, kw_only=True):
    """Rows without a rated result: the reason, their number, and their first lines."""

    reason: str
    rows: int
    lines: list[int]


class Fault(Problem, kw_only=True):
    """The reason why nothing of a file can be recorded: a problem, and its facts."""

    kind: str
    facts: dict[str, Any]


class Held(Struct, kw_only=True):
    """The event that a row would record, in words and by fields; `of` has the fields of the event that it corrects."""

    what: str
    kind: str
    pool: str | None
    played: str | None
    fields: dict[str, Any]
    of: dict[str, Any]


State = Literal["reading", "unmapped", "failed", "read", "recording", "accepted"]


class Report(Struct, kw_only=True):
    """The result of reading a file."""

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
    """The first events that would be recorded, in the order of the file."""
    refused: list[Refused] = []
    pools: list[str] = []
    positions: list[tuple[int, int]] = []
    """First and last positions of what was recorded."""
    moves: list[Moved] = []
    columns: list[str] = []
    rows: list[list[str]] = []
    """The first rows of a table, under its columns."""
    lines: list[int] = []
    """The lines of these rows in the file."""
    newcomers: list[str] = []
    """The first players whom the log does not know."""
    unused: list[str] = []
    """Columns that were not read."""
    guess: dict[str, str] = {}
    sure: bool = False
    """Whether the headings suggest only one mapping."""
    problem: Fault | None = None
    encoding: str = ""
    """Encoding of the text; empty for UTF-8."""
    date: str = ""
    """Format of the days; empty for ISO 8601."""
    decimal: str = ""
    """Decimal sign of points; empty for a point."""
    fates: str = ""
    """Digest of the outcomes of the rows."""
    moved_to: int = 0
    """Position of the log if the rows have another outcome there than in the trial; else 0."""


class Upload(Headed, kw_only=True):
    """An upload: its progress, the content of its file line by line, and the players whose ratings would change.

    In the state `unmapped`, columns were not found: upload the file again with `map.FIELD=COLUMN`. `guess` has the
    columns that the headings suggest, and `sure` is true if they suggest nothing else. In the state `read`, the upload
    can be accepted, on `head`.
    """

    id: str
    name: str
    state: State
    report: Report
    address: str


class Order(Struct, kw_only=True):
    """Order to the process that reads a file."""

    address: str
    query: UploadQuery
    rows: int
    tried: Report | None = None
    """The report of the trial, for an order to record the file; None for an order to try it."""


FILE = "file"
"""Name of the file, in the folder of the process."""
DECISION = "decision"
"""Name of the file with the decision on which the plan of the upload is based."""
MOVERS, HELD, REFUSED, LINES = 50, 200, 200, 5
"""Largest numbers of movers, events, refused rows and lines that a report lists."""
SAMPLE, CELL = 5, 60
"""Rows of a table that are shown, and characters of a cell."""
LOOKED_AT = 1000
"""Rows of a table in which the decimal sign is searched."""
_POINTS = re.compile(r"[0-9]{0,3},[0-9]{1,2}")
NEWCOMERS = 20
"""Largest number of similar names of a pool."""


WESTERN = "cp1252"
"""Default encoding of a text that is not UTF-8: that of Windows in Western Europe and America."""


def main() -> None:
    """Carries out the order on stdin, and writes the report to stdout."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    gc.disable()  # the process lives for one file
    try:
        made = msgspec.json.encode(accepted(order) if order.tried else tried(order), enc_hook=_text)
    except MemoryError:
        raise
    except Exception as error:  # a fault of the program, which a smaller file would not avoid
        made = msgspec.json.encode(failed(error, order.address))
    sys.stdout.buffer.write(made)


def _text(value: object) -> str:
    """Returns a text of a type of its own, such as the day of a cell, as a plain text."""
    if not isinstance(value, str):
        raise NotImplementedError
    return str(value)


def tried(order: Order) -> Report:
    """Tries a file; returns what would be recorded.

    Guesses its encoding, decimal sign and format of days if they were not given: a text that is not UTF-8 is read in an
    encoding of Windows; days that are not ISO in the only format that fits.
    """
    query = order.query
    if not query.encoding and _is_other_text():
        query = msgspec.structs.replace(query, encoding=WESTERN)
    start = None
    with suppress(RatingCoreError):  # the trial reports the error
        start = _looked_at(query, analysis.first_rows, most=LOOKED_AT)
        query = query if query.decimal else msgspec.structs.replace(query, decimal=_decimal(start))
        forms = [] if query.date else _looked_at(query, analysis.date_forms)
        query = msgspec.structs.replace(query, date=forms[0]) if len(forms) == 1 else query
    made = _carried_out(order, query, lambda: _tried(order, query))
    if start is not None:
        made.columns, made.rows = list(start.columns), [[cell[:CELL] for cell in row] for row in start.rows[:SAMPLE]]
        made.lines = list(start.lines[:SAMPLE])
        made.sure = made.state == "unmapped" and bool(start.fields)
        made.refused = made.refused or list(islice(_unread(made.problem, start), REFUSED))
    return made


def _unread(fault: Fault | None, start: Any) -> Iterator[Refused]:
    """Yields the first rows whose cells put a column of scores in doubt."""
    column, words = (fault.facts.get(name) for name in ("column", "words")) if fault is not None else ("", ())
    if words and column in start.columns:
        at = start.columns.index(column)
        for line, row in zip(start.lines, start.rows, strict=True):
            if row[at].strip().casefold() in words:
                yield Refused(line=line, why=Noted(kind="NotAScore", text=row[at], facts={}), text=",".join(row))


def accepted(order: Order) -> Report:
    """Records a file, if its rows have the same outcome as in the trial."""
    assert order.tried is not None, "the order is to record it"
    tried = order.tried
    query = msgspec.structs.replace(order.query, encoding=tried.encoding, date=tried.date, decimal=tried.decimal)
    return _carried_out(order, query, lambda: _accepted(order, query, tried))


def _carried_out(order: Order, query: UploadQuery, work: Callable[[], Report]) -> Report:
    """Returns the report of some work, or of the error that it raised."""
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
    except RatingCoreError as error:
        made = failed(error, order.address)
    except MemoryError:
        made = failed(TooMuchWork(query.name), order.address)
    made.encoding, made.date, made.decimal = query.encoding, query.date, query.decimal
    return made


def failed(error: Exception, address: str = "") -> Report:
    """Returns the report of a file of which nothing can be recorded."""
    made, facts = problem(error, [address])
    filled = {name: one for name, one in with_forms(vars(error)).items() if name == "filled"}
    fault = Fault(**msgspec.structs.asdict(made), kind=type(error).__name__, facts={**facts, **filled})
    return Report(state="failed", head="", problem=fault)


def _decimal(start: Any) -> str:
    """Returns a comma if points of a table are written with one and none with a point, else an empty text."""
    if start is None:
        return ""
    columns = [start.columns.index(one) for name, one in start.fields.items() if name in ("points_a", "points_b")]
    points = {row[at].strip() for row in start.rows for at in columns}
    return "," if any(map(_POINTS.fullmatch, points)) and not any("." in one for one in points) else ""


def _is_other_text() -> bool:
    """True if the file is a text in another encoding than UTF-8."""
    content = Path(FILE).read_bytes()
    try:
        content.decode()
    except UnicodeDecodeError:
        return b"\0" not in content
    return False


def _tried(order: Order, query: UploadQuery) -> Report:
    """Tries a file; returns what would be recorded, and whose ratings would change."""
    with rc.open(order.address, read_only=True) as engine:
        plan = _asked(engine.plan.import_file, order, query)
        trial, head, report, pools = engine.what_if(plan), engine.log.head, plan.report, plan.pools
        known = {*engine.log.book.keys_of("player")}
        columns = _columns(query)
        if columns is not None and columns.meant:  # the names that were replaced are still like others
            like = analysis.NearNames(tuple(analysis.near_newcomers(trial.log, head.position, columns.meanings)))
            report.notes = [one for one in report.notes if not isinstance(one, analysis.NearNames)] + [like]
        report.notes = _notes(report, trial, pools[:POOLS], known) + _contrary(report, trial, head.position)
        made = report_of(report, head)
        Path(DECISION).write_bytes(msgspec.json.encode(plan.decision))
        made.holds = [held(engine, event, trial=trial) for _, event in islice(trial.events(head.position), HELD)]
        names = chain.from_iterable(_players(one.fields) for one in made.holds)
        near = (name for note in report.notes if isinstance(note, analysis.NearNames) for name in chain(*note.pairs))
        made.newcomers = [one for one in dict.fromkeys(chain(names, near)) if one not in known]
        made.pools, made.moves = pools, moves(engine, plan, top=MOVERS)
        return made


def _accepted(order: Order, query: UploadQuery, tried: Report) -> Report:
    with rc.open(order.address) as engine, engine.log.writing():
        head = engine.log.head
        decision = msgspec.json.decode(Path(DECISION).read_bytes())

        def apply(*file: Any, **options: Any) -> Any:
            return engine.plan.apply(engine.plan.import_file(*file, **options, decision=decision))

        report = _asked(apply, order, query)
        made = report_of(report, engine.log.head)
        if made.fates != tried.fates:
            raise HeadMoved(Head.parse(tried.head).position, head.position)
        made.state, made.pools, made.notes = "accepted", tried.pools, tried.notes
        made.positions = report.positions
        made.head = str(engine.log.head)
        return made


def _asked(asked: Callable[..., Any], order: Order, query: UploadQuery) -> Any:
    """Passes the file to a method with the parameters of `Engine.import_file`; returns its result."""
    with _opened(query) as file:

        def count(rows: int) -> None:
            if rows > order.rows:
                raise TooManyRows(query.name, order.rows)

        return asked(
            file, query.pool or None, _columns(query), reader=query.reader or None, played=query.played or None,
            zone=query.zone or None, encoding=query.encoding or None, amend=query.amend, reissue=query.reissue,
            skip_known=query.skip_known, without=query.lines_left_out, progress=count,
        )  # fmt: skip


@contextmanager
def _opened(query: UploadQuery) -> Iterator[io.BufferedReader]:
    """Opens the file under its original name, which becomes its source in the log."""
    with io.FileIO(FILE) as raw:
        raw.name = query.name
        yield io.BufferedReader(raw)


def _looked_at(query: UploadQuery, look: Callable[..., T], **more: int) -> T:
    """Calls an analysis of the file with the chosen reader, columns and encoding."""
    fields, registry = _columns(query) or analysis.FieldMap(), analysis.Registry.installed()
    with _opened(query) as file:
        return look(
            file, registry, fields=fields, reader=query.reader or None, encoding=query.encoding or None,
            played=query.played or None, **more
        )  # fmt: skip


def _columns(query: UploadQuery) -> "analysis.FieldMap | None":
    """Returns the chosen columns, format of days and meanings of names; None to go by the headings."""
    chosen: dict[str, Any] = {"date": query.date, "mirrored": query.mirrored, "nobody": query.nobody}
    chosen |= {"decimal": query.decimal, "meant": query.meant, "skip": query.skip, "sheet": query.sheet}
    chosen = {name: value for name, value in chosen.items() if value}
    fields = {field: analysis.FromColumn(column) for field, column in query.mapping.items()}
    return analysis.FieldMap(fields, **chosen, where=query.name) if fields or chosen else None


def _players(fields: Mapping[str, Any]) -> list[str]:
    """Returns the players of a result."""
    if "sides" in fields:
        return [name for side in fields["sides"] for name in side["players"]]
    return [fields[side] for side in ("a", "b") if side in fields]


def _notes(report: Any, trial: Engine, pools: list[str], known: Set[str]) -> list[Any]:
    """Returns the notes of a report, without similar names from other pools, which the officer may not know.

    Of two similar names that are both new, the one with fewer results comes first, to be read as the other.
    """
    notes = []
    for note in report.notes:
        if isinstance(note, analysis.DaysUnread) and note.wrong and not note.forms:
            continue  # each row reports it
        if isinstance(note, analysis.NearNames):
            views = map(trial.core.view, pools)
            played = [dict(zip(view.names(), view.played_counts().tolist(), strict=True)) for view in views]
            near = [
                (new, other) if other in known or there[new] <= there[other] else (other, new)
                for there in played
                for new, other in [pair for pair in note.pairs if there.keys() >= {*pair}][:NEWCOMERS]
            ]
            note = evolve(note, pairs=tuple(dict.fromkeys(near)))
            if not note.pairs:
                continue
        notes.append(note)
    return notes


def _contrary(report: Any, trial: Engine, after: int) -> list[Any]:
    """Returns a note on results that amendments after a position make contrary to points which their file lacks."""
    if any(type(note).__name__ == "PointsAgainstScore" for note in report.notes):
        return []
    amended = [event.of for _, event in trial.events(after, ("amend",)) if isinstance(event, ResultAmended)]
    rows = [as_read(trial.log, uid) for uid in amended]
    reads = [decoder_of(trial.log)(row) for row in rows if row is not None]
    return [note for note in trial.core.doubts(reads) if type(note).__name__ == "ContraryPoints"]


def report_of(report: Any, head: Head) -> Report:
    """Converts the report of an import, or of its trial."""
    if report.error is not None:
        raise report.error
    return Report(
        state="read", head=str(head), read=report.read, accepted=report.accepted, amended=report.amended,
        duplicates=report.duplicates, voided=report.voided, fates=_digest(report), unused=report.unused_columns,
        unrated=[Unrated(reason=why, rows=len(at), lines=at[:LINES]) for why, at in sorted(report.unrated.items())],
        refused=[Refused(line=line, why=_why(why), text=text) for line, why, text in sorted(report.refused)[:REFUSED]],
        notes=list(map(noted, report.notes)),
    )  # fmt: skip


def _why(reason: Reason) -> Noted:
    """Converts the reason why a row is refused."""
    return Noted(kind=reason.kind.__name__, text=str(reason), facts=with_forms(reason.facts))


def _digest(report: Any) -> str:
    return hashlib.sha256(repr(report.outcome).encode()).hexdigest()[:32]


def held(engine: Engine, event: Event, wording: Wording = ENGLISH, trial: Engine | None = None) -> Held:
    """Describes an event that would be recorded, and the result that it corrects, directly or not, as it reads now.

    If it may correct another event that would be recorded, `trial` is an engine that has both.
    """
    fields, find, of = fields_of(event), partial(event_of, (trial or engine).log), event
    while isinstance(of, ResultVoided | ResultAmended | MergeUndone):
        of = find(of.of)
    read = as_read(engine.log, of.uid) if of is not event and engine.log.find([of.uid]) else None
    of = of if read is None else decoder_of(engine.log)(read)
    return Held(
        what=sentence(event, find, wording), kind=event.kind, pool=fields.get("pool"), played=fields.get("played"),
        fields=fields, of={} if of is event else fields_of(of),
    )  # fmt: skip


if __name__ == "__main__":
    main()

"""API routes of rating lists, their differences, supported orders, what-if lists and tournaments."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import quote

import numpy as np
from msgspec import Meta, Struct
from ratingcore_pages import cross_table, event_part

from ratingcore import Engine, RatingList
from ratingcore.errors import NotInstalled
from ratingcore.plugin.analysis import replay_of, supported_order
from ratingcore_service import wire
from ratingcore_service.question import Question, head_of, named
from ratingcore_service.recording import SentEvent, event_of
from ratingcore_service.routing import COSTLY, POOL, Asked, Reply, Route

CSV = "text/csv; charset=utf-8"
ARROW = "application/vnd.apache.arrow.stream"
_READABLE = "".join(filter(str.isprintable, map(chr, range(128)))).replace("%", "")
"""Characters of a header that are sent as they are."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")

Since = Annotated[wire.KnownAt, Meta(description="Add changes since this published list.")]
Named = Annotated[wire.Name, Meta(description="Only players whose name contains this text.")]
Grades = Annotated[wire.Name, Meta(description="Add the grade of each rating by this table.", examples=["egf"])]
Show = Annotated[wire.Name, Meta(description="Add columns: won, drawn, lost, change, last, peak, ...")]
Worth = Annotated[str, Meta(pattern=wire.WORTH, description="Points for a win, a draw and a loss.", examples=["3,1,0"])]
Where = Annotated[wire.Name, Meta(description="Only players who meet this condition: sex=w")]
Sort = Annotated[wire.Name, Meta(description="Column or fact to sort rows by; a leading - reverses the order.")]


L = TypeVar("L", bound="RowsOfList")


class DocumentQuery(wire.Part, kw_only=True):
    """Query for a rating list."""

    policy: wire.Policy | None = None
    since: Since | None = None
    q: Named | None = None
    grades: Grades | None = None
    show: Show | None = None
    worth: Worth | None = None
    where: Where | None = None
    sort: Sort | None = None


class ListQuery(DocumentQuery, kw_only=True):
    """Query for a rating list, or a part of one."""

    format: Literal["json", "csv", "csv-spreadsheet", "arrow"] = "json"


class Document(Struct, kw_only=True):
    """A whole list with all that is needed to prove it; rows have their cells in the order of the columns."""

    provenance: dict[str, Any]
    digest: str
    seal: str
    columns: list[str]
    rows: list[list[wire.Cell]]


class DiffQuery(wire.Cut, kw_only=True):
    """Query for the difference between a list and a published list, or the same list at another cut of the log.

    Against a published list, its method, policy and day are used, unless `through` names another day.
    """

    against: wire.KnownAt
    top: wire.Top = 100


class Supposed(Struct, forbid_unknown_fields=True, kw_only=True):
    """Request for the list of a pool as if further events were recorded now."""

    events: Annotated[list[SentEvent], Meta(min_length=1, max_length=100)]
    pool: wire.Name
    method: wire.Method | None = None
    through: wire.Through | None = None
    policy: wire.Policy | None = None
    top: wire.Top = 100


class OrderQuery(wire.Cut, kw_only=True):
    """Query for the order that the results of a pool support."""

    level: Annotated[float, Meta(gt=0.0, lt=1.0, description="Confidence that no pair is in the wrong order.")] = 0.95


class SupportedOrder(wire.OfPool, kw_only=True):
    """The order that results support: the possible places of each player, and what would change the first place."""

    level: float
    notes: list[str]
    rows: list[wire.Row]


class RowsOfList(wire.OfPool, kw_only=True):
    """A part of a list; a row has a cell for each column, and the id of the player."""

    through: str | None
    day: str
    players: int
    columns: list[wire.Column]
    rows: list[wire.ListRow]
    notes: list[str]
    next: str | None = None


class Listed(RowsOfList, kw_only=True):
    """A rating list, or a part of one; a row has a cell for each column, and the id of the player."""

    left_off: list[wire.Counted]
    left_out: list[wire.Counted]
    coefficients: list[wire.Coefficient]
    """Effects on results other than ratings."""


class Diff(wire.OfPool, kw_only=True):
    """The players whose ratings differ between two lists, the largest change first."""

    against: str
    moved: int
    same: int
    rows: list[wire.ChangedRow]
    questions: str


class Entrant(Struct, kw_only=True):
    """A player of a tournament: rating before it, points, expected points, and the change of the rating."""

    id: int
    player: str
    rating: float | None
    points: float
    games: int
    expected: float | None
    change: float | None


class Tournament(wire.OfPool, kw_only=True):
    """A tournament: entrants in order of points."""

    event: str
    first: str
    last: str
    mean: float | None
    entrants: list[Entrant]


def rating_list(engine: Engine, asked: Asked) -> Listed | Reply:
    """Returns the rating list of a pool, or in JSON a part of it."""
    question, query = Question.of(engine, asked), asked.query
    whole = bool(query.after or query.q or query.where or query.sort or query.format != "json")
    listed = _asked_for(question, query, whole=whole)
    head = head_of(listed)
    if query.format != "json":
        return _file(listed, query.format, head, question.link(head))
    listed = listed.with_exact()  # as the command prints JSON
    following = question.following(head, len(listed) + listed.more)
    return _answered(listed, query.after, query.top, permalink=question.link(head), next=following)


def document(engine: Engine, asked: Asked) -> Reply:
    """Returns the rating list of a pool as a document that can be proved."""
    question = Question.of(engine, asked)
    listed = _asked_for(question, asked.query, whole=True)
    head = head_of(listed)
    return Reply(listed.document("json"), head=head, permalink=question.link(head))


def _asked_for(question: Question, query: DocumentQuery, *, whole: bool) -> RatingList:
    """Returns the requested list, whole or its first rows, with the requested columns, sorted and filtered."""
    engine = question.engine
    listed = engine.rating_list(*question.cuts, policy=query.policy, top=None if whole else query.top)
    if query.since:
        if _DAY.fullmatch(query.since):
            asked = question.pool, question.method, query.since, question.known_at
            before = engine.rating_list(*asked, policy=listed.provenance.policy)
        else:
            before = engine.published_list(query.since.removeprefix("list:"), question.pool)
        listed = listed.since(before)
    if query.show or query.worth or query.where or query.sort:
        listed = engine.with_columns(
            listed, query.show or "", worth=query.worth, where=query.where or (), sort=query.sort
        )
    if query.grades:
        listed = listed.with_grades(engine.registry.grade(query.grades))
    if query.q:
        fits = map(named(query.q), listed.player, listed.called or listed.player)
        listed = listed.taken(np.flatnonzero([*fits]), f"players with {query.q} in their name")
    return listed


def _answered(listed: RatingList, after: int, top: int, **own: Any) -> Listed:
    """Returns the answer with some rows of a list."""
    made = listed.provenance
    return rows_answer(
        Listed, listed, after, top,
        left_off=_counted(made.left_off), left_out=_counted(made.left_out + made.unreadable),
        coefficients=[wire.Coefficient(**one.as_row) for one in made.coefficients], **own,
    )  # fmt: skip


def rows_answer(kind: type[L], listed: RatingList, after: int, top: int, **own: Any) -> L:
    """Returns an answer with some rows of a list, and the fields that a kind of answer has beyond them."""
    made = listed.provenance
    usual = {
        "head": head_of(listed), "pool": listed.pool, "method": made.method, "through": made.cut,
        "day": "" if made.empty else made.clock.day(made.at), "players": len(listed) + listed.more,
        "columns": [wire.Column(name=name, digits=listed.digits.get(name)) for name in listed.columns],
        "rows": rows_of(listed, after, after + top), "notes": made.lines(),
    }  # fmt: skip
    return kind(**{**usual, **own})


def _file(listed: RatingList, form: str, head: str, permalink: str) -> Reply:
    """Returns a list as CSV or Arrow."""
    if form == "arrow":
        return Reply(_arrow(listed), media=ARROW, head=head, permalink=permalink)
    text, facts = listed.document(form), dict[str, str]()
    while form == "csv" and text.startswith("# "):  # the comment lines become headers
        line, _, text = text.partition("\n")
        name, _, fact = line[2:].rstrip().partition(": ")
        facts[f"Ratingcore-{name.title().replace(' ', '-')}"] = quote(fact, _READABLE)
    return Reply(text, media=CSV, headers=facts, head=head, permalink=permalink)


def _arrow(listed: RatingList) -> bytes:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # of the extra `tables`
    except ImportError:
        raise NotInstalled("pyarrow", "a list as Arrow", "tables") from None
    table, sink = pa.table(listed), pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def diff(engine: Engine, asked: Asked) -> Diff:
    """Compares a list with a published list, or with the same list at another cut."""
    question, query = Question.of(engine, asked).like(asked.query.against), asked.query
    named = engine.core.list_of(query.against, question.pool)
    listed = engine.rating_list(*question.cuts, policy=None if named is None else named.policy)
    made = listed.provenance
    before = engine.rating_list(question.pool, made.method, question.through, query.against, policy=made.policy)
    found = before.diff(listed)
    rows = list(islice(found, query.top))
    return question.answer(Diff, head_of(listed), found, against=head_of(before), moved=len(found), rows=rows)


def order(engine: Engine, asked: Asked) -> SupportedOrder:
    """Returns the order of a list that its results support."""
    question = Question.of(engine, asked)
    listed = question.listed
    found = supported_order(replay_of(engine.core, listed), listed, asked.query.level)
    return question.answer(SupportedOrder, head_of(listed), found, notes=found.lines(), rows=list(found.as_table()))


def what_if(engine: Engine, asked: Asked) -> Listed:
    """Returns the list of a pool as it would be with further events; records nothing."""
    sent: Supposed = asked.body
    supposed = engine.what_if([event_of(one, None) for one in sent.events])
    method = asked.service.settings.method(sent.pool, sent.method)
    listed = supposed.rating_list(sent.pool, method, sent.through, policy=sent.policy).with_exact()
    notes = ["events are supposed", *listed.provenance.lines()]
    return _answered(listed, 0, sent.top, permalink="", notes=notes)


def tournament(engine: Engine, asked: Asked) -> Tournament:
    """Returns a tournament by name, as far as it was played at a cut."""
    question, part = Question.of(engine, asked), str(asked.path["event"])
    answers = question.answers
    event = next((one for one in answers.tournaments if part == event_part(one)), part)
    table = cross_table(answers, event)
    keys = dict(zip(answers.ids.tolist(), answers.keys, strict=True))
    entrants = [wire.answer(Entrant, one, player=keys[one.id]) for one in table.entrants]
    return question.answer(Tournament, head_of(answers.listed), table, entrants=entrants)


def rows_of(listed: RatingList, start: int, end: int) -> list[wire.ListRow]:
    """Returns some rows of a list, with the ids of the players."""
    numbers, rows = listed.id[start:end].tolist(), islice(listed, start, end)
    made: Any = [{"id": number, **row} for number, row in zip(numbers, rows, strict=True)]
    return made  # type: ignore[no-any-return]  # rows of a list have the columns of its method


def _counted(pairs: Iterable[tuple[str, int]]) -> list[wire.Counted]:
    """Turns reasons and their counts into answers; reasons that concern nobody are left out."""
    return [wire.Counted(why=why, count=count) for why, count in pairs if count]


ROUTES = (
    Route("GET", f"{POOL}/list", rating_list, Listed, ListQuery, media=("text/csv", ARROW)),
    Route("GET", f"{POOL}/list/document", document, Document, DocumentQuery),
    Route("GET", f"{POOL}/list/diff", diff, Diff, DiffQuery, units=COSTLY),
    Route("GET", f"{POOL}/list/order", order, SupportedOrder, OrderQuery, units=COSTLY),
    Route("GET", f"{POOL}/tournaments/{{event:path}}", tournament, Tournament, wire.Cut),
    Route("POST", "/api/v1/what-if", what_if, Listed, wire.Query, Supposed, units=COSTLY, errors=(404, 409)),
)

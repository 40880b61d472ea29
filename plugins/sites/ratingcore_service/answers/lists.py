"""Rating lists, what differs between two of them, and tournaments, as they are answered."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np
from ratingcore_pages import PoolAnswers

from ratingcore import Engine, RatingList
from ratingcore.errors import NotInstalled
from ratingcore_service.answers.question import Question, head_of
from ratingcore_service.routing import Asked, Reply
from ratingcore_service.wire.answers import Cell, Column, Counted, Diff, Entrant, Listed, Tournament
from ratingcore_service.wire.events import event_of
from ratingcore_service.wire.queries import ListQuery
from ratingcore_service.wire.supposed import Supposed

CSV = "text/csv; charset=utf-8"
FORMS = {"csv": ("csv", CSV), "csv-spreadsheet": ("csv-spreadsheet", CSV), "document": ("json", "application/json")}
ARROW = "application/vnd.apache.arrow.stream"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")


def rating_list(engine: Engine, asked: Asked) -> Listed | Reply:
    """The rating list of a pool, or a part of it; in other formats than JSON all of it."""
    question, query = Question.of(engine, asked), asked.query
    whole = bool(query.after or query.q or query.where or query.sort or query.format != "json")
    listed = engine.rating_list(*question.cuts, policy=query.policy, top=None if whole else query.top)
    listed = _with_columns(question, listed, query)
    if query.q:
        listed = _named(listed, query.q)
    head = head_of(listed)
    if query.format != "json":
        return _file(listed, query.format, head, question.link(head))
    listed, made, end = listed.with_exact(), listed.provenance, query.after + query.top  # as the command prints JSON
    return Listed(
        head=head, pool=question.pool, method=made.method, through=made.cut,
        day="" if made.empty else made.clock.day(made.at), players=len(listed) + listed.more,
        columns=columns_of(listed), rows=rows_of(listed, query.after, end), left_off=counted(made.left_off),
        left_out=counted(made.left_out + made.odd), notes=made.lines(), permalink=question.link(head),
        next=question.following(head, len(listed) + listed.more),
    )  # fmt: skip


def _with_columns(question: Question, listed: RatingList, query: ListQuery) -> RatingList:
    """A list with the columns that are asked for."""
    engine = question.engine
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
    return listed.with_grades(engine.registry.grade(query.grades)) if query.grades else listed


def _named(listed: RatingList, part: str) -> RatingList:
    """The players of a list whose name has a part in it."""
    sought, called = part.casefold(), listed.called or listed.player
    fits = [
        sought in key.casefold() or sought in (name or "").casefold()
        for key, name in zip(listed.player, called, strict=True)
    ]
    return listed.taken(np.flatnonzero(fits), f"players with {part} in their name")


def _file(listed: RatingList, form: str, head: str, permalink: str) -> Reply:
    """A list as a file."""
    if form == "arrow":
        return Reply(_arrow(listed), media=ARROW, head=head, permalink=permalink)
    way, media = FORMS[form]
    return Reply(listed.document(way), media=media, head=head, permalink=permalink)


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
    """Whose rating differs between a list and another one: a published list, or the same question at another cut."""
    question, query = Question.of(engine, asked), asked.query
    listed = question.listed
    before = engine.rating_list(
        question.pool, question.method or listed.provenance.method, question.through, query.against
    )
    found = before.diff(listed)
    head = head_of(listed)
    return Diff(
        head=head, pool=question.pool, method=listed.provenance.method, permalink=question.link(head),
        against=head_of(before), moved=len(found), same=found.same, rows=list(islice(found, query.top)),
        questions=found.questions,
    )  # fmt: skip


def what_if(engine: Engine, asked: Asked) -> Listed:
    """The list of a pool as it would be with further events; nothing is recorded."""
    sent: Supposed = asked.body
    supposed = engine.what_if([event_of(one, None) for one in sent.events])
    method = asked.service.settings.method(sent.pool, sent.method)
    listed = supposed.rating_list(sent.pool, method, sent.through, policy=sent.policy).with_exact()
    made = listed.provenance
    return Listed(
        head=head_of(listed), pool=sent.pool, method=made.method, through=made.cut,
        day="" if made.empty else made.clock.day(made.at), players=len(listed), columns=columns_of(listed),
        rows=rows_of(listed, 0, sent.top), left_off=counted(made.left_off), left_out=counted(made.left_out + made.odd),
        notes=["events are supposed", *made.lines()], permalink="",
    )  # fmt: skip


def tournament(engine: Engine, asked: Asked) -> Tournament:
    """The tournament of a name, as far as it was played at a cut."""
    question, event = Question.of(engine, asked), str(asked.path["event"])
    answers = PoolAnswers(engine, *question.cuts)
    table, head = answers.cross_table(event), head_of(answers.listed)
    keys = dict(zip(answers.ids.tolist(), answers.keys, strict=True))
    return Tournament(
        head=head, pool=question.pool, method=answers.listed.provenance.method, permalink=question.link(head),
        event=event, first=table.first, last=table.last, mean=table.mean,
        entrants=[
            Entrant(
                id=one.id, player=keys[one.id], rating=one.rating, points=one.points, games=one.games,
                expected=one.expected, change=one.change,
            )
            for one in table.entrants
        ],
    )  # fmt: skip


def columns_of(listed: RatingList) -> list[Column]:
    """The columns of a list, with the decimals that all numbers of each are shown with."""
    return [Column(name=name, digits=listed.digits.get(name)) for name in listed.columns]


def rows_of(listed: RatingList, start: int, end: int) -> list[dict[str, Cell]]:
    """Some rows of a list, with the ids of the players."""
    rows: Any = islice(listed, start, end)
    return [{"id": number, **row} for number, row in zip(listed.id[start:end].tolist(), rows, strict=True)]


def counted(pairs: Mapping[str, int] | Iterable[tuple[str, int]]) -> list[Counted]:
    """Reasons, and how many each concerns."""
    every = pairs.items() if isinstance(pairs, Mapping) else pairs
    return [Counted(why=why, count=count) for why, count in every if count]

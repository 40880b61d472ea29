"""Desk pages where an officer types results or pastes members, checked like a file; and a list of similar names."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode

import msgspec
from attrs import evolve
from ratingcore_pages import FIELDS

from ratingcore import Engine, MergeUndone, PlayersMerged, ResultAmended
from ratingcore.errors import ColumnNotFound, RatingCoreError
from ratingcore.plugin.analysis import FieldMap, FromColumn, NearNames, event_of, similar_names
from ratingcore.plugin.readers import Source
from ratingcore_service.access import check_whole_log
from ratingcore_service.corrections import LABELS, Corrections, correct
from ratingcore_service.log_events import moves
from ratingcore_service.officer import forms, refusals
from ratingcore_service.officer.amendment import FORFEITS
from ratingcore_service.officer.files import in_words
from ratingcore_service.problems import AtDesk
from ratingcore_service.routing import COSTLY, Asked, Reply
from ratingcore_service.upload_process import held, report_of

SCORES, POSTPONED = ("1-0", "1/2-1/2", "0-1", *FORFEITS), "*"
"""Results that have a button, as files write them: forfeits, which are not recorded, among them; a score sheet also has
one for a game that is still to be played."""
SHEET, CELLS = 10, ("a", "score", "b")
"""Number of rows of a score sheet, and the fields of a row."""
COMMON = ("pool", "played", "event", "round")
"""Fields that all rows share, and that stay filled in for the next ones."""
NAME = "pasted at the desk"
"""Name of a pasted table in the log."""
OTHERWISE = ("ContentChanged", "RecordedOtherwise")
"""Kinds of refusals of a result that the log has with another content."""
GAMES = 100
"""Largest number of games of two players on a day: a typed result equal to a known one can be a further game."""
SHOWN = 200
"""Rows of a table, or pairs of names, that are shown."""


async def enter(asked: Asked) -> Reply:
    """Previews typed results; records them when the officer confirms."""
    fields, _ = await forms.filled_in(asked)
    common = forms.given(fields or msgspec.structs.asdict(asked.query), *COMMON)
    numbered = [f"{name}.{n}" for n in range(SHEET) for name in CELLS]
    typed = forms.given(fields, *numbered)
    several = "sheet" in fields or bool(getattr(asked.query, "sheet", False))
    filled = {**common, **forms.given(fields, "another"), **({"sheet": "yes"} if several else {})}
    shown: dict[str, Any] = {
        "filled": {"played": datetime.now(UTC).date().isoformat(), **filled, **typed},
        "scores": (*SCORES, POSTPONED) if several else SCORES, "forfeits": FORFEITS,
        "rows": SHEET if several else 1, "sheet": urlencode({**common, "sheet": "true"}),
        "pools": await forms.pools(asked, own=True), "players": await forms.players(asked),
        "labels": {**LABELS, **FIELDS}, "recorded": getattr(asked.query, "recorded", ""),
        "numbers": [n for n in range(1, SHEET + 1) if f"a.{n - 1}" in typed],
    }  # fmt: skip

    def planned(engine: Engine) -> Any:
        cells = [{name: typed[f"{name}.{n}"] for name in CELLS if f"{name}.{n}" in typed} for n in range(SHEET)]
        unfinished = [n for n, row in enumerate(cells, 1) if 0 < len(row) < len(CELLS)]
        if unfinished or not any(cells):
            raise refusals.RowUnfinished(*(unfinished or [1])[:1])
        if "played" not in common:
            raise refusals.DayMissing()
        shared = {name: common[name] for name in COMMON[1:] if name in common}
        rows: list[dict[str, Any]] = [{**shared, **row} for row in cells if row]

        def plan_of(some: list[dict[str, Any]]) -> Any:
            return engine.plan.import_file(some, common.get("pool"), name=asked.caller.name)

        if "another" not in filled:
            return plan_of(rows)
        new: list[dict[str, Any]] = []
        for row in rows:  # a game that is known is another one, after the others of the day
            later = ({**row, "id": token_hex(16), "order": order} for order in range(1, GAMES))
            own: list[dict[str, Any]] = [row, *later]
            new.append(next((one for one in own if not _is_known(plan_of([*new, one]).report)), row))
        return plan_of(new)

    def look(engine: Engine) -> dict[str, Any]:
        plan = planned(engine)
        pairs = _near(plan)
        near, known = forms.alike(pairs, partial(forms.replaced, fields)), _is_known(plan.report)
        checked = _checked(engine, asked, plan, refusals.ResultKnown)
        rated = bool(checked["holds"] or checked["refused"] or known)
        for name in () if rated else typed:  # the form is ready for the next results
            del shown["filled"][name]
        unplayed = () if rated else forms.given(typed, "a.0", "b.0").values()
        return {**checked, **near, "known": known, "unplayed": unplayed}

    async def act(matching: Asked) -> str:
        report: Any = await asked.service.writer.alone(lambda engine: engine.apply(planned(engine)))
        onward = {**common, "recorded": in_words(report.positions), **({"sheet": "true"} if several else {})}
        return f"desk/result?{urlencode(onward)}"

    return await forms.decided(asked, "desk_result", fields, look, act, **shown)


async def members(asked: Asked) -> Reply:
    """Previews a table of members or first ratings; records it when the officer confirms."""
    fields, filled = await forms.filled_in(asked, "table", "at", "ratings", "meant")
    if getattr(asked.query, "ratings", False):
        filled["ratings"] = "yes"
    shown = {"filled": filled, "pools": await forms.pools(asked, own=True), "labels": {**LABELS, **FIELDS}}
    shown["recorded"] = getattr(asked.query, "recorded", "")

    def planned(engine: Engine) -> Any:
        table: Any = Source.of_bytes(asked.service.look.word(NAME), filled.get("table", "").encode())
        options: dict[str, Any] = {"at": filled["at"]} if "at" in filled else {}
        make = engine.plan.import_seeds if "ratings" in filled else engine.plan.import_players
        meant = filled.get("meant")
        try:
            return make(table, filled.get("pool"), FieldMap(meant=meant), **options)
        except ColumnNotFound as missing:
            if not missing.readings:
                raise
            columns = {field: FromColumn(column) for field, column in missing.readings[0].items()}
            return make(table, filled.get("pool"), FieldMap(columns, meant=meant), **options)

    def look(engine: Engine) -> Mapping[str, Any]:
        def changed(near: Mapping[str, str]) -> dict[str, str]:
            more = ";".join(f"{new}={other}" for new, other in near.items())
            return {**forms.replaced(fields, {}), "meant": f"{filled.get('meant', '')};{more}"}

        plan = planned(engine)
        return {**_checked(engine, asked, plan, refusals.NothingToRecord), **forms.alike(_near(plan), changed)}

    async def act(matching: Asked) -> str:
        def apply(engine: Engine) -> tuple[int, int]:
            before = engine.log.head.position
            engine.apply(planned(engine))
            return before + 1, engine.log.head.position

        recorded = in_words([await asked.service.writer.alone(apply)])
        return f"desk/members?recorded={recorded}{'&ratings=true' if 'ratings' in filled else ''}"

    return await forms.decided(asked, "desk_members", fields, look, act, **shown)


def _near(plan: Any) -> list[tuple[str, str]]:
    """Returns new names with similar ones."""
    return [pair for note in plan.report.notes if isinstance(note, NearNames) for pair in note.pairs]


def _is_known(report: Any) -> bool:
    """True if the log has a typed result already, maybe with another score or round."""
    return bool(report.duplicates) or any(why.kind.__name__ in OTHERWISE for _, why, _ in report.refused)


def _checked(engine: Engine, asked: Asked, plan: Any, known: type[AtDesk]) -> Mapping[str, Any]:
    """Returns the preview of typed or pasted rows: what is recorded and refused, and who moves.

    Raises
    ------
    AtDesk
        The one for rows that the log has already.
    """
    report, word = report_of(plan.report, engine.log.head), asked.service.look.environment.filters["word"]
    if not (report.accepted or report.refused or report.unrated or report.voided):
        raise known()
    refused = [
        (row.line, refusals.worded(row.why.kind, row.why.facts, word, row.why.text)[0]) for row in report.refused
    ]
    wording = asked.service.look.wording(engine.log)
    holds = [held(engine, event, wording) for event in islice(plan.events, SHOWN)]
    return {
        "report": report, "refused": refused, "holds": holds,
        "moves": moves(engine, plan, asked.service.settings.methods),
    }  # fmt: skip


async def similar(asked: Asked) -> Reply:
    """Lists pairs of names that may be one person, each with a link that joins them; records that a pair is not.

    It is recorded as a join that is undone at once, so the log has the reason, and no rating moves.
    """
    check_whole_log(asked.caller)
    fields, uid, failed = await forms.form_of(asked), token_hex(16), dict[str, Any]()
    if fields:
        join = {"what": "merge", "own_uid": uid, **forms.given(fields, "keep", "other", "why")}
        undone = {"what": "unmerge", "uid": uid, **forms.given(fields, "why")}
        try:
            body = msgspec.convert([join, undone], Corrections)
            await correct(evolve(asked, body=body, headers={**asked.headers, "if-match": f'"{fields.get("seen")}"'}))
            return forms.onward(asked, "desk/similar")
        except (RatingCoreError, msgspec.ValidationError) as error:
            failed = forms.wrong(asked, error)

    def found(engine: Engine) -> dict[str, Any]:
        two, head = _two_people(engine), str(engine.log.head)
        pairs = [one for one in similar_names(engine.log, engine.core.view) if {one.keep, one.other} not in two]
        return {"labels": LABELS, "seen": head, "pairs": pairs[:SHOWN], "n": len(pairs)}

    shown = await asked.service.desk.ask(found)
    return forms.sheet(asked, "desk_similar", 422 if failed else 200, **failed, **shown)


def _two_people(engine: Engine) -> list[set[str]]:
    """Returns pairs of names that an officer said are two people: undone joins, and divided records."""
    joins, pairs = dict[str, set[str]](), list[set[str]]()
    for _, event in engine.events(0, ("merge", "unmerge", "amend")):
        if isinstance(event, PlayersMerged):
            joins[event.uid] = {event.keep, event.other}
        elif isinstance(event, MergeUndone) and event.of in joins:
            pairs.append(joins[event.of])
        elif isinstance(event, ResultAmended) and (given := event.changes.keys() & {"a", "b"}):
            recorded = event_of(engine.log, event.of)
            pairs += [{getattr(recorded, side, ""), str(event.changes[side])} for side in given]
    return pairs


ROUTES = (
    *forms.form("/desk/result", enter, COSTLY, (*COMMON, "recorded"), ["sheet"]),
    *forms.form("/desk/members", members, COSTLY, ["recorded"], ["ratings"]),
    *forms.form("/desk/similar", similar, COSTLY),
)

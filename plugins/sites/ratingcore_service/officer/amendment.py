"""Converts a result to the fields of the correction form, and the submitted form to an amendment."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ratingcore import AnyEvent, Engine, RatingSeeded, SessionPlayed, Side
from ratingcore.errors import BadValue
from ratingcore.plugin import analysis
from ratingcore.plugin.analysis import as_read, decoder_of, row_of
from ratingcore_service.log_events import fields_of, taken_back
from ratingcore_service.officer import refusals
from ratingcore_service.problems import BadQuery
from ratingcore_service.recording import SessionSide

SET = "set."
"""Prefix of the names of a result's fields in a form."""
WAS = "was"
"""The name of the hidden field with the values of these fields when the form was opened, as JSON."""
FORFEITS = ("+/-", "-/+")
"""Results of games that were not played, as files write them; the first player won, or lost, by forfeit."""
USUAL = ("pool", "played", "a", "b", "score", "player")


def event_as_read(engine: Engine, uid: str) -> AnyEvent:
    """Returns an event with all its corrections applied.

    Raises
    ------
    UnknownUid
    TakenBack
        If it was voided.
    """
    row = row_of(engine.log, uid)
    for by in taken_back(engine, [row.position]).values():
        ((_, void),) = engine.events(by - 1, to=by)
        raise refusals.TakenBack(by, getattr(void, "by", ""), getattr(void, "why", ""), row.position)
    now = as_read(engine.log, uid)
    assert now is not None, "no event takes it back"
    return decoder_of(engine.log)(now)


def texts(event: AnyEvent) -> dict[str, str]:
    """Returns the changeable fields of an event, as texts by name.

    Raises
    ------
    NotCorrectable
        If none of them can be changed.
    """
    if event.kind not in ("game", "session", "seed", "player"):
        raise refusals.NotCorrectable(event.kind)
    return {name: _shown(value) for name, value in _values(event).items()}


def changes(event: AnyEvent, fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns the changes that a form makes to an event, in the form of an amendment; an emptied field is removed.

    Raises
    ------
    NothingChanged, NumberUnread, NotRated, DayMissing, DayUnread, BadValue
    """
    shown, values = texts(event), _values(event)
    given = {name: fields.get(SET + name, text).strip() for name, text in shown.items()}
    changed = {name: _typed(name, text, values[name]) for name, text in given.items() if text != shown[name].strip()}
    if not changed:
        raise refusals.NothingChanged()
    if isinstance(event, RatingSeeded) and not changed.keys().isdisjoint(event.values):
        values = {name: changed.pop(name, value) for name, value in event.values.items()}
        changed["values"] = {name: value for name, value in values.items() if value is not None}
    if isinstance(event, SessionPlayed) and not changed.keys().isdisjoint(map(_score_of, event.sides)):
        scores = [changed.pop(_score_of(side), side.score) for side in event.sides]
        if not all(isinstance(score, float | int) for score in scores):
            raise refusals.NumberUnread("Result", ", ".join(map(str, scores)))
        changed["sides"] = [
            SessionSide(players=list(side.players), score=score)
            for side, score in zip(event.sides, scores, strict=True)
        ]
    return changed


def changed_since_opened(fields: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields of a form that were edited since it was opened.

    Raises
    ------
    BadQuery
    """
    try:
        was = msgspec.json.decode(fields.get(WAS) or "{}", type=dict[str, str])
    except msgspec.DecodeError:
        raise BadQuery("the form cannot be read") from None
    own = {name: text for name, text in fields.items() if name.startswith(SET)}
    return {name: text for name, text in own.items() if was.get(name.removeprefix(SET)) != text}


def _values(event: AnyEvent) -> dict[str, Any]:
    """Returns the fields of an event by their names in the form: the common ones first, then its facts."""
    fields = fields_of(event)
    scores = {_score_of(side): side.score for side in event.sides} if isinstance(event, SessionPlayed) else {}
    usual = {name: fields[name] for name in USUAL if name in fields}
    return {**usual, **scores, **fields.get("values", {}), **fields.get("data", {})}


def _score_of(side: Side) -> str:
    return f"score of {' + '.join(side.players)}"


def _shown(value: Any) -> str:
    """Returns a value as the form shows it; a whole number has no decimal point."""
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _typed(name: str, text: str, was: Any) -> Any:
    """Parses the text of a field: a number if it was one, days and scores as in files, None if it is empty."""
    if name == "played":
        if not text:
            raise refusals.DayMissing()
        try:
            return analysis.typed_day(text)
        except BadValue:
            raise refusals.DayUnread(text) from None
    if isinstance(was, str) or not text:
        return text or None
    if name == "score":
        outcome = analysis.typed_score(text.replace(",", "."), analysis.number_parser("."))
        if isinstance(outcome, str):
            raise refusals.NotRated(outcome)
        return outcome
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if isinstance(was, int) and number.is_integer() else number

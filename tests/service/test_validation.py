"""Refused values: every text says what is wrong, where, and which value, in words of the service."""

import gzip
import json
from typing import Any

import pytest
from ratingcore_service.corrections import Corrections
from ratingcore_service.front import Front
from ratingcore_service.problems import BadQuery
from ratingcore_service.recording import EventsSent
from ratingcore_service.routing import Scope, decoded
from ratingcore_service.wire import MOST_CHARACTERS, MOST_FIELDS

from tests.service.asking import Bearer, ask, get

EVENTS, LIST = "/api/v1/events", "/api/v1/pools/rapid/list"
GAME: dict[str, Any] = {"kind": "game", "pool": "rapid", "played": "2024-04-01", "a": "ann", "b": "bo", "score": 1.0}
SIDES = [{"players": ["ann"], "score": 1}, {"players": ["bo"], "score": 0}]
SESSION: dict[str, Any] = {"kind": "session", "pool": "rapid", "played": "2024-04-01", "sides": SIDES}
SEED: dict[str, Any] = {"kind": "seed", "pool": "rapid", "played": "2024-04-01", "player": "ann"}


def refused(kind: Any, given: Any) -> BadQuery:
    with pytest.raises(BadQuery) as caught:
        decoded(json.dumps(given).encode(), kind)
    return caught.value


@pytest.mark.parametrize(
    ("event", "what", "pointer"),
    [
        (GAME | {"score": "high"}, 'score must be a number: "high"', "score"),
        (GAME | {"score": None}, "score must be a number: null", "score"),
        (GAME | {"score": 2}, "score is more than 1: 2", "score"),
        (GAME | {"score": -1}, "score is less than 0: -1", "score"),
        (GAME | {"order": 1.0}, "order must be a whole number: 1.0", "order"),
        (GAME | {"order": 10**300}, f"order is more than 9007199254740992: 1{99 * '0'}...", "order"),
        (GAME | {"a": ""}, 'a is empty: ""', "a"),
        (GAME | {"a": 201 * "x"}, f'a has more than 200 characters: "{99 * "x"}...', "a"),
        (GAME | {"kind": "goal"}, 'kind is not one of the words allowed here: "goal"', "kind"),
        (GAME | {"kind": 7}, "kind must be a text: 7", "kind"),
        (GAME | {"data": 7}, "data must be an object: 7", "data"),
        (GAME | {"scor": 1}, "scor is not a field here", "scor"),
        (GAME | {"a/~": 1}, "a/~ is not a field here", "a~1~0"),
        ({"kind": "game", "pool": "rapid"}, "played is missing", "played"),
        (SESSION | {"sides": []}, "sides has fewer than 2 items: []", "sides"),
        (SESSION | {"sides": [SIDES[0], {"players": [7], "score": 0}]}, "sides/1/players/0 must be a text: 7",
         "sides/1/players/0"),
        (SEED | {"values": {}}, "values is empty: {}", "values"),
    ],
)  # fmt: skip
def test_a_refused_event_is_answered_with_its_field_its_value_and_a_pointer(
    event: dict[str, Any], what: str, pointer: str
) -> None:
    """The answers were those of the decoder: Expected `int`, got `str` - at `$.events[0].score`."""
    error = refused(EventsSent, {"events": [event]})
    assert (str(error), error.pointer) == (f"events/0/{what}", f"#/events/0/{pointer}")
    assert error.hint


@pytest.mark.parametrize(
    ("kind", "given", "what"),
    [
        (EventsSent, {"events": [GAME | {"data": {"x": [1]}}]},
         "a value in events/0/data must be true or false, a whole number, a number, a text or null"),
        (EventsSent, {"events": [SEED | {"values": {"rating": 1e10}}]},
         "a value in events/0/values is more than 1000000000"),
        (EventsSent, 7, "the body must be an object: 7"),
        (EventsSent, {"events": {"a": "\ud800"}}, 'events must be a list: {"a": "\\ud800"}'),  # once answered by 500
        (EventsSent, {}, "events is missing"),
        (EventsSent, {"events": [GAME], "amend": "yes"}, 'amend must be true or false: "yes"'),
        (Corrections, {"what": "undo"}, 'what is not one of the words allowed here: "undo"'),
        (Corrections, [{"what": "void", "uid": "g", "why": ""}], '0/why is empty: ""'),
        (Corrections, {"what": "void_all", "positions": [[1]], "why": "x"}, "positions/0 does not have 2 items: [1]"),
        (Corrections, 7, "the body must be an object or a list: 7"),
    ],
)  # fmt: skip
def test_a_refused_body_is_answered_in_words(kind: Any, given: Any, what: str) -> None:
    assert str(refused(kind, given)) == what


@pytest.mark.parametrize(
    ("query", "detail"),
    [("top=many", 'top must be a whole number: "many"'), ("top=0", 'top is less than 1: "0"'),
     ("topp=5", "topp is not a field here")],
)  # fmt: skip
def test_a_refused_field_of_an_address_is_answered_in_words(app: Front, query: str, detail: str) -> None:
    answer = get(app, f"{LIST}?{query}").json()
    assert (answer["detail"], answer["pointer"]) == (detail, f"#/{query.partition('=')[0]}")


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"{x", "the body is not JSON: object keys must be strings"),
        (b'{"events": [', "the body is not JSON: it ends too early"),
        (b'{"events": 7, x', "the body is not JSON: "),
        (100_000 * b"[", "the body is not JSON: it is nested too deeply"),
        (b'{"source": "\xff"}', "the body is not JSON: it is not UTF-8"),
        ("{}".encode("utf-16"), "the body is not JSON: it is not UTF-8"),
        ("{}".encode("utf-8-sig"), "the body is not JSON: it begins with a byte order mark"),
        (gzip.compress(b"{}", mtime=0), "the body is not JSON: it is compressed"),
    ],
)
def test_a_body_that_is_not_json_is_answered_in_words(app: Front, bearer: Bearer, body: bytes, what: str) -> None:
    answer = ask(app, "POST", EVENTS, bearer(Scope.RECORD), content=body)
    assert (answer.status_code, answer.json()["detail"][: len(what)]) == (400, what)


@pytest.mark.parametrize("fields", [{"boards": -1}, {"importance": -5}, {"points_a": 1e15, "points_b": 0}])
def test_an_event_has_no_number_that_a_file_could_not_have(app: Front, bearer: Bearer, fields: dict[str, Any]) -> None:
    """A fixed bug: over the API, a result could count minus five times."""
    officer = bearer(if_match=f'"{app.service.desk.engine.log.head}"')
    change = {"what": "amend", "uid": "g-1-0", "changes": fields, "why": "x"}
    for url, body in ((EVENTS, {"events": [GAME | {"data": fields}]}), ("/api/v1/corrections", change)):
        answer = ask(app, "POST", url, officer, json=body)
        assert (answer.status_code, answer.json()["type"]) == (422, "urn:ratingcore:BadValue")
        assert next(iter(fields)) in answer.json()["detail"]


def test_an_event_has_a_bounded_number_of_fields_and_characters(app: Front, bearer: Bearer) -> None:
    """A fixed bug: a token of `record` stored an event of 20,000 fields."""
    many, long = {f"f{n}": 1 for n in range(MOST_FIELDS + 1)}, {"report": MOST_CHARACTERS * "x"}
    reasons = f"has more than {MOST_FIELDS} fields", f"has more than {MOST_CHARACTERS:,} characters"
    hall, officer = bearer(Scope.RECORD), bearer(if_match=f'"{app.service.desk.engine.log.head}"')
    for fields, reason in zip((many, long), reasons, strict=True):
        sent = ask(app, "POST", EVENTS, hall, json={"events": [GAME | {"data": fields}]})
        assert (sent.status_code, reason in sent.json()["detail"]) == (422, True), sent.text
        supposed = {"pool": "rapid", "events": [GAME | {"uid": "s", "data": fields}]}
        assert ask(app, "POST", "/api/v1/what-if", json=supposed).status_code == 422
        change = {"what": "amend", "uid": "g-1-0", "changes": fields, "why": "x"}
        amended = ask(app, "POST", "/api/v1/corrections", officer, json=change)
        assert (amended.status_code, reason in amended.json()["detail"]) == (422, True), amended.text
    allowed = {f"f{n}": 200 * "x" for n in range(MOST_FIELDS)}
    assert ask(app, "POST", EVENTS, hall, json={"events": [GAME | {"data": allowed}]}).status_code == 201

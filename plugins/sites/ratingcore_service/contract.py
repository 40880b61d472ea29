"""The contract of the API in OpenAPI 3.1, generated from the routes and the types of their bodies and answers [1]_.

References
----------
.. [1] OpenAPI Initiative, *OpenAPI Specification*, version 3.1.1, 2024, section 4.8.
"""

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from inspect import cleandoc
from typing import Any

import msgspec

from ratingcore import __version__
from ratingcore_service.problems import MEDIA, kinds_of
from ratingcore_service.routing import JSON, Route, Scope
from ratingcore_service.wire import POSITION, Problem, Who

FAILED = "#/components/responses/"
BYTES = {"type": "string", "format": "binary"}
NUMBER = {"type": "integer", "minimum": 1, "maximum": POSITION}
TEXT = {"type": "string", "minLength": 1, "maxLength": 200}
PLAYER = msgspec.json.schema(Who)
_PART = re.compile(r"{(\w+)(?::(\w+))?}")


def document(routes: Iterable[Route]) -> bytes:
    """Returns the OpenAPI document of the routes of the API, as JSON."""
    of_api = [route for route in routes if route.api]
    every = [kind for route in of_api for kind in (route.query, route.body, route.answer)]
    kinds = [kind for kind in every if kind is not None and not isinstance(kind, str)]
    schemas, components = msgspec.json.schema_components([*kinds, Problem], ref_template="#/components/schemas/{name}")
    for component in components.values():  # versions of msgspec differ in the indentation
        if "description" in component:
            component["description"] = cleandoc(component["description"])
    schema_of = dict(zip(map(repr, [*kinds, Problem]), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in of_api:
        path = _PART.sub(r"{\1}", route.path)
        query = components[_name(schema_of[repr(route.query)])]
        paths.setdefault(path, {})[route.method.lower()] = _operation(route, query, schema_of)
    statuses = {status for route in of_api for status in route.failures}
    queries = {_name(schema_of[repr(route.query)]) for route in of_api}
    made = {
        "openapi": "3.1.0",
        "info": {"title": "ratingcore", "version": __version__, "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": {name: _alike(schema) for name, schema in components.items() if name not in queries},
            "responses": {str(status): _failure(status, schema_of[repr(Problem)]) for status in sorted(statuses)},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "rc_ID_SECRET"}},
        },
    }
    text = msgspec.json.encode(made, order="deterministic").replace(rb"\\Z", b"$")  # JavaScript's end of a text
    return msgspec.json.format(text, indent=1)


_ABOUT = (
    "Ratings of a log, and the log itself. A question with known_at has one answer for ever; every other answer names "
    "the address of that one in Content-Location, and the head of the log in Ratingcore-Head. A body writes a whole "
    "number without a decimal point: 1, not 1.0."
)


def _alike(schema: Any, fields: bool = False) -> Any:
    """Rewrites a schema, or the fields of one, so that generators of clients understand it.

    Pairs become lists of two, since generators ignore `prefixItems`. Defaults are removed, since generators take such
    fields to be required. Names of required fields are sorted, so that the order of fields does not matter.
    """
    if isinstance(schema, list):
        return [_alike(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _alike(value, key == "properties") for key, value in schema.items() if fields or key != "default"}
    if isinstance(made.get("required"), list):
        made["required"].sort()
    places = made.get("prefixItems", ())
    if places and made.get("items") is False and all(place == places[0] for place in places):
        del made["prefixItems"]
        made["items"] = places[0]
    return made


def _name(schema: dict[str, str]) -> str:
    """Returns the name of a type among the components, which is longer where two types share a name."""
    return schema["$ref"].rpartition("/")[2]


def _operation(route: Route, query: dict[str, Any], schema_of: dict[str, Any]) -> dict[str, Any]:
    """Returns the OpenAPI operation of a route."""
    made: dict[str, Any] = {
        "operationId": "_".join([route.method.lower(), *re.findall(r"[a-z]+", _PART.sub(r"\1", route.path)[8:])]),
        "summary": route.summary,
        "parameters": [*_in_path(route), *_in_query(query), *_in_headers(route)],
        "responses": {
            **{str(status): {"$ref": f"{FAILED}{status}"} for status in route.failures},
            **_successes(route, schema_of),
        },
        "security": [{"token": []}] if route.scope > Scope.READ else [{}, {"token": []}],
    }
    if route.body is not None:
        media = route.body if isinstance(route.body, str) else JSON
        content = {media: {"schema": BYTES if isinstance(route.body, str) else schema_of[repr(route.body)]}}
        made["requestBody"] = {"required": True, "content": content}
    return made


def _in_path(route: Route) -> Iterator[dict[str, Any]]:
    for name, kind in _PART.findall(route.path):
        schema = NUMBER if kind == "int" else PLAYER if name == "player" else TEXT
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _in_query(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    needed = schema.get("required", [])
    for name, kind in schema.get("properties", {}).items():
        yield {"name": name, "in": "query", "required": name in needed, "schema": plain(kind)}


def plain(kind: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of a field without null, which neither an address nor a form can express."""
    given = next((one for one in kind.get("anyOf", ()) if one.get("type") != "null"), kind)
    return {key: value for key, value in given.items() if key != "default" or value is not None}


def _in_headers(route: Route) -> Iterator[dict[str, Any]]:
    if route.head or route.may_match:
        about = "The head of the log that was seen: POSITION:DIGEST."
        pattern = '^(W/)?"?[0-9]{1,18}:[0-9a-f]{12,64}"?$'
        kind = {"type": "string", "pattern": pattern}
        yield {"name": "If-Match", "in": "header", "required": route.head, "description": about, "schema": kind}
    if route.key:
        about = "The same for each attempt at one request: what was recorded by an earlier one is not recorded again."
        yield {"name": "Idempotency-Key", "in": "header", "required": False, "description": about, "schema": TEXT}


def _successes(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    """Returns the successful responses of a route, by status."""
    if isinstance(route.answer, str):
        kind = route.answer.partition(";")[0]
        content: dict[str, Any] = {kind: {"schema": _of_media(route.answer)}} if kind else {}
    else:
        content = {JSON: {"schema": schema_of[repr(route.answer)]}}
    content |= {media: {"schema": _of_media(media)} for media in route.media}
    answer = {"description": route.summary, "content": content}
    found = {str(status): answer for status in {route.status, *route.also}}
    if route.question and route.method == "GET" and route.scope <= Scope.READ:
        found["304"] = {"description": "As the client has it."}
    return found


def _of_media(media: str) -> dict[str, Any]:
    if media.startswith(JSON):
        return {}
    return {"type": "string"} if media.startswith("text/") else BYTES


def _failure(status: int, schema: Any) -> dict[str, Any]:
    types = ", ".join(kinds_of(status))
    about = f"{HTTPStatus(status).phrase}; `type` is urn:ratingcore: and one of {types}"
    return {"description": about, "content": {MEDIA: {"schema": schema}}}

"""Reads the JSON document of a list, without checking any of its claims."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ratingcore.columns.view import FOREVER
from ratingcore.errors import BadDocument, BadValue, UnknownZone
from ratingcore.events import Instant, canonical, clock, timed
from ratingcore.events.values import RepeatedKey, unrepeated
from ratingcore.lists.policy import Cell
from ratingcore.lists.signatures import message
from ratingcore.log import Head

Cells = tuple[Cell, ...]

_FACTS = frozenset({"list", "provenance", "digest", "seal", "signature", "columns", "rows"})
"""Facts that every document of a list has."""


@frozen
class ListDocument:
    """The content of a JSON document of a list."""

    name: str
    pool: str
    method: str
    head: Head
    through: Instant
    at: Instant
    policy: str
    left_off: Mapping[str, int]
    version: str
    digest: str
    seal: str
    columns: tuple[str, ...]
    rows: tuple[Cells, ...]
    signature: str = ""
    left_out: Mapping[str, int] = field(factory=dict)
    """Results that the method could not read, by reason."""
    begins_from: Mapping[str, str] = field(factory=dict)
    """Digests of the ratings that players take from other pools, by pool."""
    waiting: Mapping[str, int] = field(factory=dict)
    """Numbers of results that wait for the end of their period; empty in documents that count them as games."""
    message: bytes = b""
    """The bytes that a signature of the document signs."""
    further: tuple[str, ...] = ()
    """Names of facts that do not belong in the document of a list; nothing checks them."""
    zone: str = ""
    """Time zone of its times; empty for UTC."""

    @classmethod
    def parse(cls, given: "str | bytes | Mapping[str, Any]") -> "ListDocument":
        """Reads a document; raises `BadDocument` if it is not the document of a list."""
        facts = given if isinstance(given, Mapping) else _parsed(given)
        _plain(facts)
        made = _of(facts, "provenance", Mapping)
        columns = _of(facts, "columns", Sequence)
        rows = _of(facts, "rows", Sequence)
        if not all(isinstance(column, str) for column in columns) or len(set(columns)) < len(columns):
            raise BadDocument("its columns are not names, each once")
        if "player" not in columns:
            raise BadDocument("it has no column player")
        through = made.get("through")
        zone = _of(made, "zone", str) if "zone" in made else ""
        return cls(
            name=_of(facts, "list", str) if "list" in facts else "",
            pool=_of(made, "pool", str),
            method=_of(made, "method", str),
            head=_head(_of(made, "head", str)),
            through=FOREVER if through is None else _instant(made, "through", zone),
            at=_instant(made, "as_of", zone),
            policy=_of(made, "policy", str) if "policy" in made else "",
            left_off=dict(_of(made, "left_off", Mapping)) if "left_off" in made else {},
            left_out=dict(_of(made, "left_out", Mapping)) if "left_out" in made else {},
            begins_from=dict(_of(made, "begins_from", Mapping)) if "begins_from" in made else {},
            waiting=dict(_of(made, "waiting", Mapping)) if "waiting" in made else {},
            version=_of(made, "ratingcore", str),
            digest=_of(facts, "digest", str),
            seal=_of(facts, "seal", str),
            columns=tuple(columns),
            rows=tuple(_cells(row, len(columns), number) for number, row in enumerate(rows, 1)),
            signature=_of(facts, "signature", str) if "signature" in facts else "",
            message=message(facts),
            further=tuple(name for name in facts if name not in _FACTS),
            zone=zone,
        )

    def of(self, columns: Sequence[str]) -> list[Cells]:
        """Returns the rows with these columns only."""
        places = [self.columns.index(column) for column in columns]
        return [tuple(row[place] for place in places) for row in self.rows]


def _parsed(text: str | bytes) -> Mapping[str, Any]:
    try:
        read = json.loads(text, parse_constant=_no_number, object_pairs_hook=unrepeated)
    except RepeatedKey as problem:
        raise BadDocument(str(problem)) from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadDocument):
            raise
        raise BadDocument(f"it is not complete JSON: {error}") from None
    if not isinstance(read, Mapping):
        raise BadDocument(f"it is JSON of kind {type(read).__name__}, not an object")
    return read


def _plain(facts: Mapping[str, Any]) -> None:
    """Refuses values that JSON cannot hold: NaN and infinity, text that is not Unicode."""
    try:
        canonical(dict(facts)).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise BadDocument(f"it has a value that JSON cannot hold: {error}") from None


def _no_number(text: str) -> float:
    raise BadDocument(f"it holds {text}, which is not a number of JSON")


def _of(facts: Mapping[str, Any], key: str, kind: Any) -> Any:
    if key not in facts:
        raise BadDocument(f"it has no {key}")
    value = facts[key]
    if not isinstance(value, kind) or (kind is Sequence and isinstance(value, str)):
        shown = repr(value) if isinstance(value, str | int | float) else f"of kind {type(value).__name__}"
        raise BadDocument(f"its {key} is {shown}")
    return value


def _head(text: str) -> Head:
    position, _, digest = text.partition(":")
    if not (position.isascii() and position.isdigit() and len(position) < 19 and len(digest) == 64):
        raise BadDocument(f"its head is not POSITION:DIGEST: {text!r}")
    return Head(int(position), digest)


def _instant(made: Mapping[str, Any], key: str, zone: str) -> Instant:
    try:
        return clock(zone).cut(timed(_of(made, key, str)))
    except UnknownZone as error:
        raise BadDocument(f"its zone: {error}") from None
    except BadValue as error:
        raise BadDocument(f"its {key} {error.why}: {error.value!r}") from None


def _cells(row: object, size: int, number: int) -> Cells:
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != size:
        raise BadDocument(f"row {number} must have {size} cells")
    for cell in row:
        if isinstance(cell, bool) or not isinstance(cell, str | int | float | None):
            raise BadDocument(f"row {number} has a cell that is neither a text nor a number: {cell!r}")
    return tuple(row)

"""Documents of a rating list: CSV, JSON or Markdown with what the list was made from, written and read."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from attrs import evolve, field, frozen

from ratingcore.columns.view import FOREVER
from ratingcore.errors import BadDocument, BadValue, UnknownZone
from ratingcore.events import Instant, canonical, clock, timed
from ratingcore.events.values import RepeatedKey, unrepeated
from ratingcore.lists.policy import Cell
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.signatures import SigningKey, message
from ratingcore.log import Head
from ratingcore.report.text import exactly, shown
from ratingcore.spelling import MARK, harmless, visible


@frozen
class ListSheet:
    """Everything that a document says of a list.

    Parameters
    ----------
    columns : tuple of str
    rows : tuple of tuples
        Cells in the order of `columns`, from the top.
    texts : set of str
        Columns that hold words.
    rounded : set of str
        Columns whose numbers stand in a table as they are.
    provenance : Provenance
    digest, seal : str
        Of the list proper.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    texts: frozenset[str]
    rounded: frozenset[str]
    provenance: Provenance
    digest: str
    seal: str


def document(sheet: ListSheet, form: str, name: str = "", key: SigningKey | None = None) -> str:
    """The list as a text in one of `FORMS`, ended by a line end; JSON may be signed."""
    if form not in FORMS:
        raise BadValue("format", form, f"is none of {', '.join(FORMS)}")
    if form == "json":
        return _json(sheet, name, key)
    if key is not None:
        raise BadValue("format", form, "carries no signature: only json can be proved, and so signed")
    return FORMS[form](sheet, name)


def _csv(sheet: ListSheet, name: str) -> str:
    """Lines `# fact: value`, then the rows; a row begins with a rank or, of the unrated, with a comma."""
    return "".join(f"{line}\n" for line in _remarks(sheet, name)) + _rows_as_csv(sheet)


def _csv_spreadsheet(sheet: ListSheet, name: str) -> str:
    """Like `_csv`, for Excel: marked as UTF-8, each fact in one cell, and no name that is taken for a formula.

    So it is not what a list is proved from.
    """
    rows = tuple(tuple(map(harmless, row)) for row in sheet.rows)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([line] for line in _remarks(sheet, name))
    return MARK + out.getvalue() + _rows_as_csv(evolve(sheet, columns=tuple(map(harmless, sheet.columns)), rows=rows))


def _remarks(sheet: ListSheet, name: str) -> list[str]:
    return [f"# {fact}: {value}" for fact, value in _facts(sheet, name).items()]


def _rows_as_csv(sheet: ListSheet) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows(sheet.rows)
    return out.getvalue()


def _json(sheet: ListSheet, name: str, key: SigningKey | None = None) -> str:
    """An object whose rows stand on a line each."""
    made = sheet.provenance
    facts: dict[str, object] = {"list": name} if name else {}
    facts |= {
        "provenance": {
            "pool": made.pool,
            "method": made.method,
            "head": f"{made.known_at}:{made.digest}",
            "through": made.cut,
            "as_of": made.clock.exact(made.at),
            **({"zone": made.zone} if made.zone else {}),
            "policy": str(made.policy),
            "left_off": dict(made.left_off),
            **({"left_out": dict(made.odd)} if made.odd else {}),
            **({"waiting": dict(made.waiting)} if made.waiting else {}),
            **({"stopped": made.stopped} if made.stopped else {}),
            "ratingcore": made.version,
        },
        "digest": sheet.digest,
        "seal": sheet.seal,
    }
    facts |= {} if key is None else {"signature": str(key.sign(facts))}
    facts["columns"] = list(sheet.columns)
    lines = [f" {_text(key)}: {_object(value)}" for key, value in facts.items()]
    rows = ",\n".join(f"  {_text(row)}" for row in sheet.rows)
    return "{\n" + ",\n".join([*lines, f' "rows": [\n{rows}\n ]' if rows else ' "rows": []']) + "\n}\n"


def _object(value: object) -> str:
    """A value as JSON, the entries of an object on a line each."""
    if not isinstance(value, dict):
        return _text(value)
    entries = ",\n".join(f"  {_text(key)}: {_text(entry)}" for key, entry in value.items())
    return "{\n" + entries + "\n }"


_text: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _markdown(sheet: ListSheet, name: str) -> str:
    """A table, numbers to the right, and the facts below it."""
    texts = [exactly if column in sheet.rounded else shown for column in sheet.columns]
    rows = [[_marked(text(cell)) for text, cell in zip(texts, cells, strict=True)] for cells in sheet.rows]
    rules = ["---" if column in sheet.texts else "---:" for column in sheet.columns]
    lines = [f"| {' | '.join(cells)} |" for cells in (map(_marked, sheet.columns), rules, *rows)]
    facts = [f"- {fact}: {_marked(value)}" for fact, value in _facts(sheet, "").items()]
    title = [f"# {_marked(name)}", ""] if name else []
    return "\n".join([*title, *lines, "", *facts, ""])


def _marked(text: str) -> str:
    """Text with all marks escaped, on one line: those of HTML as entities, which every reader of Markdown knows."""
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", escape(visible(text), quote=False))


def _facts(sheet: ListSheet, name: str) -> dict[str, str]:
    made = sheet.provenance
    facts = {"list": name} if name else {}
    facts |= {
        "pool": made.pool,
        "played through": made.cut or "everything",
        "as of": made.told_day(),
        **({"days of": made.zone} if made.zone else {}),
        "method": made.method,
    }
    if str(made.policy):
        facts["policy"] = str(made.policy)
    if made.policy.reasons:
        facts["left off"] = made.told_left_off()
    if made.odd:
        facts["left out"] = made.told_odd()
    if made.waiting:
        facts["not yet rated"] = made.told_waiting()
    if made.stopped:
        facts["fit stopped"] = made.stopped
    return facts | {
        "head": f"{made.known_at}:{made.digest}",
        "ratingcore": made.version,
        "digest": sheet.digest,
        "seal": sheet.seal,
    }


FORMS: dict[str, Callable[[ListSheet, str], str]] = {
    "csv": _csv,
    "csv-spreadsheet": _csv_spreadsheet,
    "json": _json,
    "markdown": _markdown,
}
"""How a document can be written."""


Cells = tuple[Cell, ...]

_FACTS = frozenset({"list", "provenance", "digest", "seal", "signature", "columns", "rows"})
"""What a document of a list says."""


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
    waiting: Mapping[str, int] = field(factory=dict)
    """Results that wait for the end of their period; empty in documents that count them as games."""
    message: bytes = b""
    """What a signature of the document signs."""
    further: tuple[str, ...] = ()
    """Names of facts that no document of a list has: nothing checks them."""
    zone: str = ""
    """Zone on whose clock its times are; empty for UTC."""

    @classmethod
    def parse(cls, given: "str | bytes | Mapping[str, Any]") -> "ListDocument":
        """Reads a document; raises `BadDocument` if it is none."""
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
        """The rows with these columns only."""
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
        raise BadDocument(f"it is no whole JSON: {error}") from None
    if not isinstance(read, Mapping):
        raise BadDocument(f"it is JSON of kind {type(read).__name__}, not an object")
    return read


def _plain(facts: Mapping[str, Any]) -> None:
    """Refuses values that JSON cannot hold: NaN and infinity, text that is not Unicode."""
    try:
        canonical(dict(facts)).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise BadDocument(f"it holds what is no JSON: {error}") from None


def _no_number(text: str) -> float:
    raise BadDocument(f"it holds {text}, which is no number of JSON")


def _of(facts: Mapping[str, Any], key: str, kind: Any) -> Any:
    if key not in facts:
        raise BadDocument(f"it does not say {key}")
    value = facts[key]
    if not isinstance(value, kind) or (kind is Sequence and isinstance(value, str)):
        raise BadDocument(f"its {key} is {value!r}" if isinstance(value, str | int | float) else f"its {key} is none")
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
        raise BadDocument(f"row {number} has not {size} cells")
    for cell in row:
        if isinstance(cell, bool) or not isinstance(cell, str | int | float | None):
            raise BadDocument(f"row {number} holds what no cell holds: {cell!r}")
    return tuple(row)

"""Documents of a rating list: its rows and its provenance as CSV, JSON or Markdown."""

import csv
import io
import json
import re
from collections.abc import Callable
from html import escape

from attrs import evolve, frozen

from ratingcore.errors import BadValue, NotOneOf
from ratingcore.lists.policy import Cell
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.signatures import SigningKey
from ratingcore.report.aligned_text import exactly, shown
from ratingcore.safe_text import MARK, harmless, visible


@frozen
class ListSheet:
    """Content of a document of a list.

    Parameters
    ----------
    columns : tuple of str
    rows : tuple of tuples
        Cells in the order of `columns`, from the top.
    texts : set of str
        Columns of words.
    rounded : set of str
        Columns whose numbers are rounded already, and are printed with all their digits.
    provenance : Provenance
    digest, seal : str
        Digest and seal of the list without added columns.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    texts: frozenset[str]
    rounded: frozenset[str]
    provenance: Provenance
    digest: str
    seal: str


def document(sheet: ListSheet, form: str, name: str = "", key: SigningKey | None = None) -> str:
    """Returns the list as a text in one of `FORMS`, which ends with a newline; JSON may be signed."""
    if form not in FORMS:
        raise NotOneOf.of("format", form, FORMS)
    if form == "json":
        return _json(sheet, name, key)
    if key is not None:
        raise BadValue("format", form, "cannot be signed: only json can, since only json can be proved")
    return FORMS[form](sheet, name)


def _csv(sheet: ListSheet, name: str) -> str:
    """Writes lines `# fact: value`, then the rows; the row of an unrated player begins with a comma."""
    return "".join(f"{line}\n" for line in _remarks(sheet, name)) + _rows_as_csv(sheet)


def _csv_spreadsheet(sheet: ListSheet, name: str) -> str:
    """Like `_csv`, but for Excel: marked as UTF-8, with each fact in one cell, and without names that act as formulas.

    `Engine.prove` does not read this form.
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
    """Writes a JSON object with a line for each row of the list."""
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
            **({"left_out": dict(made.unreadable)} if made.unreadable else {}),
            **({"waiting": dict(made.waiting)} if made.waiting else {}),
            **({"stopped": made.stopped} if made.stopped else {}),
            **({"coefficients": [one.as_row for one in made.coefficients]} if made.coefficients else {}),
            **({"begins_from": {pool: given for pool, _, given in made.other_pools}} if made.other_pools else {}),
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
    """Returns a value as JSON, with each entry of an object on a line of its own."""
    if not isinstance(value, dict):
        return _text(value)
    entries = ",\n".join(f"  {_text(key)}: {_text(entry)}" for key, entry in value.items())
    return "{\n" + entries + "\n }"


_text: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _markdown(sheet: ListSheet, name: str) -> str:
    """Writes a table, with numbers aligned right, and the facts below it."""
    texts = [exactly if column in sheet.rounded else shown for column in sheet.columns]
    rows = [[_marked(text(cell)) for text, cell in zip(texts, cells, strict=True)] for cells in sheet.rows]
    rules = ["---" if column in sheet.texts else "---:" for column in sheet.columns]
    lines = [f"| {' | '.join(cells)} |" for cells in (map(_marked, sheet.columns), rules, *rows)]
    facts = [f"- {fact}: {_marked(value)}" for fact, value in _facts(sheet, "").items()]
    title = [f"# {_marked(name)}", ""] if name else []
    return "\n".join([*title, *lines, "", *facts, ""])


def _marked(text: str) -> str:
    """Returns a text on one line with all markup escaped; HTML becomes entities, which all Markdown readers support."""
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", escape(visible(text), quote=False))


def _facts(sheet: ListSheet, name: str) -> dict[str, str]:
    made = sheet.provenance
    facts = {"list": name} if name else {}
    facts |= {
        "pool": made.pool,
        "played through": made.cut or "everything",
        "as of": made.day_text(),
        **({"days of": made.zone} if made.zone else {}),
        "method": made.method,
    }
    if str(made.policy):
        facts["policy"] = str(made.policy)
    if made.policy.reasons:
        facts["left off"] = made.left_off_text()
    if made.unreadable:
        facts["left out"] = made.unreadable_text()
    if made.waiting:
        facts["not yet rated"] = made.waiting_text()
    if made.coefficients:
        facts["beside ratings"] = "; ".join(map(str, made.coefficients))
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
"""Functions that write a document, by name of the form."""

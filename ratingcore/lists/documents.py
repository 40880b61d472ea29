"""A rating list as a document: CSV, JSON or Markdown that tells what the list was made from."""

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.events import day, exact
from ratingcore.lists.rating_list import RatingList
from ratingcore.report.text import shown
from ratingcore.tables.view import FOREVER


def document(listed: RatingList, form: str, name: str = "") -> str:
    """The list as a text in one of `FORMS`, ended by a line end."""
    if form not in FORMS:
        raise BadValue("format", form, f"is none of {', '.join(FORMS)}")
    return FORMS[form](listed, name)


def _csv(listed: RatingList, name: str) -> str:
    """Lines `# fact: value`, then the rows; a row begins with a rank or, of the unrated, with a comma."""
    out = io.StringIO()
    for fact, value in _facts(listed, name).items():
        out.write(f"# {fact}: {value}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(listed.columns)
    writer.writerows(listed.cells(listed.player))
    return out.getvalue()


def _json(listed: RatingList, name: str) -> str:
    """An object whose rows stand on a line each."""
    made = listed.provenance
    facts: dict[str, Any] = {"list": name} if name else {}
    facts |= {
        "provenance": {
            "pool": made.pool,
            "method": made.method,
            "head": f"{made.known_at}:{made.digest}",
            "through": None if made.through == FOREVER else exact(made.through),
            "as_of": exact(made.at),
            "policy": str(made.policy),
            "left_off": dict(made.left_off),
            "ratingcore": made.version,
        },
        "digest": listed.proper.digest,
        "seal": listed.seal,
        "columns": list(listed.columns),
    }
    lines = [f" {_text(key)}: {_object(value)}" for key, value in facts.items()]
    rows = ",\n".join(f"  {_text(row)}" for row in listed.cells(listed.player))
    return "{\n" + ",\n".join([*lines, f' "rows": [\n{rows}\n ]' if rows else ' "rows": []']) + "\n}\n"


def _object(value: Any) -> str:
    """A value as JSON, the entries of an object on a line each."""
    if not isinstance(value, dict):
        return _text(value)
    entries = ",\n".join(f"  {_text(key)}: {_text(entry)}" for key, entry in value.items())
    return "{\n" + entries + "\n }"


_text: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _markdown(listed: RatingList, name: str) -> str:
    """A table, numbers to the right, and the facts below it."""
    rows = [[_marked(shown(cell)) for cell in cells] for cells in listed.cells(listed.player)]
    words = {column for column, values in listed.values.items() if isinstance(values, tuple)} | {"player"}
    rules = ["---" if column in words else "---:" for column in listed.columns]
    lines = [f"| {' | '.join(cells)} |" for cells in (map(_marked, listed.columns), rules, *rows)]
    facts = [f"- {fact}: {_marked(value)}" for fact, value in _facts(listed, "").items()]
    title = [f"# {_marked(name)}", ""] if name else []
    return "\n".join([*title, *lines, "", *facts, ""])


def _marked(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>|~&#])", r"\\\1", text)


def _facts(listed: RatingList, name: str) -> dict[str, str]:
    made = listed.provenance
    facts = {"list": name} if name else {}
    facts |= {
        "pool": made.pool,
        "played through": "everything" if made.through == FOREVER else exact(made.through),
        "as of": day(made.at),
        "method": made.method,
    }
    if str(made.policy):
        facts["policy"] = str(made.policy)
    if made.policy.reasons:
        facts["left off"] = made.told_left_off()
    return facts | {
        "head": f"{made.known_at}:{made.digest}",
        "ratingcore": made.version,
        "digest": listed.proper.digest,
        "seal": listed.seal,
    }


FORMS: dict[str, Callable[[RatingList, str], str]] = {"csv": _csv, "json": _json, "markdown": _markdown}
"""How a document can be written."""

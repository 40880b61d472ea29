"""Writes results and rating lists as tables: in CSV, in JSON, and in the formats of plugins."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from attrs import frozen

from ratingcore.errors import BadParameter, NotOfWriter
from ratingcore.events import iso
from ratingcore.readers import Outgoing, Writer
from ratingcore.readers.sheets import SheetForm, SheetKind

TABLE_WRITERS = ("results", "ratings")
"""Names of the writers of tables; all others write tournaments."""


@frozen
class TableForm:
    """Options of the writers of tables.

    Parameters
    ----------
    form : str
        Format of the table, such as `csv`, `jsonl` or `parquet`. If empty, the ending of the file name decides, and a
        name with no known ending means CSV.
    """

    form: str = ""


def table_writers(kinds: Iterable[SheetKind] = ()) -> dict[str, Writer]:
    """Returns the writers of tables by name.

    Parameters
    ----------
    kinds : iterable of SheetKind
        The kinds of tables of plugins; those that have a `form` can be written too.
    """
    forms = [kind.form for kind in kinds if kind.form is not None]
    results = _endings([("csv", (".csv",)), ("jsonl", (".jsonl", ".ndjson"))], forms)
    ratings = _endings([("csv", (".csv",)), ("json", (".json",))], forms)
    write = {"csv": _csv, "jsonl": _jsonl, **{form.name: form.results for form in forms}}
    lists: dict[str, Write] = {"csv": partial(_document, "csv"), "json": partial(_document, "json")}
    lists |= {form.name: form.ratings for form in forms}
    summary = "results with corrections applied"
    made = (
        Writer("results", f"{summary}: {_named(results)}", TableForm, write=_writing("results", write, results)),
        Writer(
            "ratings", f"a published list with what it was made from: {_named(ratings)}", TableForm,
            write=_writing("ratings", lists, ratings),
        ),
    )  # fmt: skip
    return {writer.name: writer for writer in made}


Write = Callable[[Outgoing], Iterator[bytes]]


def _endings(own: list[tuple[str, tuple[str, ...]]], forms: Iterable[SheetForm]) -> dict[str, str]:
    """Returns the format for each ending of a file name."""
    both = [*own, *((form.name, form.endings) for form in forms)]
    return {ending: name for name, endings in both for ending in endings}


def _named(endings: Mapping[str, str]) -> str:
    first = {form: ending for ending, form in reversed([*endings.items()])}
    return ", ".join(sorted(first.values()))


def _writing(
    writer: str, forms: Mapping[str, Write], endings: Mapping[str, str]
) -> Callable[[Outgoing, TableForm], Iterator[bytes]]:
    def write(out: Outgoing, options: TableForm) -> Iterator[bytes]:
        ending = next((form for ending, form in endings.items() if out.ends(ending)), "csv")
        form = options.form or ending
        if form not in forms:
            raise BadParameter(writer, "form", f"must be one of {', '.join(forms)}: {form}")
        if writer == "ratings" and out.listed is None:
            raise NotOfWriter("ratings", "list", "is missing: it writes a published list, by its name")
        return forms[form](out)

    return write


def _csv(out: Outgoing) -> Iterator[bytes]:
    columns = out.columns("csv")
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    for row in out.rows():
        row["played"] = iso(row["played"])
        rows.writerow([row.get(name) for name in columns])
        if text.tell() > 2**16:
            yield _taken(text)
    yield _taken(text)


def _taken(text: io.StringIO) -> bytes:
    found = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return found


def _jsonl(out: Outgoing) -> Iterator[bytes]:
    first = dict.fromkeys(out.fields())  # the first row names all fields, for programs that read only the first lines
    for row in out.rows(words=False):
        row = first | row
        row["played"], first = iso(row["played"]), {}
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _document(form: str, out: Outgoing) -> Iterator[bytes]:
    assert out.listed is not None, "the writer has checked it"
    yield out.listed.document(form, out.listed_name).encode()

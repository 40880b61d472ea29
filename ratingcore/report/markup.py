"""Tables as CSV for programs and as HTML for notebooks."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from ratingcore.report.text import shown

Row = Mapping[str, str | int | float | bool | None]


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Headings and rows as comma-separated text, numbers unrounded."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(columns)
    out.writerows(row.values() for row in rows)
    return text.getvalue()


def html_table(title: str, columns: Sequence[str], rows: Iterable[Row], more: int) -> str:
    """Rows as a table with a caption, and how many more there are."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row.values()) + "</tr>" for row in rows
    )
    rest = f"<p>... and {more} more</p>" if more > 0 else ""
    table = f"<caption>{escape(title)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody>"
    return f"<table>{table}</table>{rest}"


def paragraph(text: str) -> str:
    """A text as a paragraph."""
    return f"<p>{escape(text)}</p>"

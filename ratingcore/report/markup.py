"""Writes tables as CSV for programs and as HTML for notebooks."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from ratingcore.report.aligned_text import shown

Row = Mapping[str, str | int | float | bool | None]


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Writes headings and rows as comma-separated text, with unrounded numbers."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(columns)
    out.writerows(row.values() for row in rows)
    return text.getvalue()


def html_table(title: str, columns: Sequence[str], rows: Iterable[Row], more: int) -> str:
    """Writes rows as an HTML table with a caption, followed by the number of further rows."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row.values()) + "</tr>" for row in rows
    )
    rest = f"<p>... and {more} more</p>" if more > 0 else ""
    table = f"<caption>{escape(title)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody>"
    return f"<table>{table}</table>{rest}"


def paragraph(text: str) -> str:
    """Writes a text as an HTML paragraph."""
    return f"<p>{escape(text)}</p>"

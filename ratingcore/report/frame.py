"""The frame of a report: one HTML file that holds everything it needs and asks nobody for anything."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import islice
from typing import Any
from unicodedata import category

from ratingcore.report.pictures import inlined, script
from ratingcore.report.section import Section
from ratingcore.report.style import CONFIG
from ratingcore.report.table import Table

ROWS, SHORT, WIDE = 250, 40, 10
"""Rows of a table on the page, up to how many it is printed unasked, beyond how many columns it is printed small."""

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""What the browser is told to hold the page to: nothing comes from outside, nothing goes out."""


def framed(
    title: str,
    about: str,
    answer: str,
    parts: Sequence[Section],
    made_from: str,
    *,
    writes: str = "ratingcore compare --csv",
    opened: Collection[str] = (),
    style: str = "",
) -> str:
    """A report as one HTML file without outside requests.

    Parameters
    ----------
    title, about, answer : str
        Plain text: what is asked, of what, and the answer in a sentence.
    parts : sequence of Section
    made_from : str
        HTML of the last section; see `made_from`.
    writes : str
        The command that writes the rows for which a page has no room.
    opened : collection of str
        Names of tables that are what people come for: they are open from the start.
    style : str
        Further CSS.

    Raises
    ------
    NotInstalled
        Without altair and vl-convert.
    """
    specs: list[dict[str, Any]] = []
    body = "\n".join(_section(part, specs, writes, opened) for part in parts)
    links = "".join(f'<li><a href="#{part.key}">{escape(part.heading)}</a></li>' for part in parts)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{said(title)}</title>
<style>
{_asset("report.css")}{style}</style>
</head>
<body>
<header>
<h1>{said(title)}</h1>
<p class="about">{said(about)}</p>
<p class="answer">{said(answer)}</p>
<noscript><p class="note">A script in this file draws the pictures; the numbers stand in the tables.</p></noscript>
<nav aria-label="Contents"><ul>{links}<li><a href="#provenance">Made from</a></li></ul></nav>
</header>
<main>
{body}
{made_from}
</main>
<script type="application/json" id="pictures">{_embedded(specs)}</script>
<script>{_closed(script())}</script>
<script>
{_asset("report.js")}</script>
</body>
</html>
"""


def made_from(lead: str, words: Sequence[str], facts: Iterable[Mapping[str, object]]) -> str:
    """The last section of a report: what the numbers were made from, so that they can be made again.

    Parameters
    ----------
    lead : str
        Plain text.
    words : sequence of str
        Commands and files, a block each; their lines stay lines.
    facts : iterable of rows with `fact` and `value`
    """
    blocks = "\n".join(f"<pre>{said(line).replace(BREAK, '<br>')}</pre>" for line in words)
    told = "\n".join(f"<dt>{said(row['fact'])}</dt><dd>{said(row['value'])}</dd>" for row in facts)
    return (
        f'<section id="provenance">\n<h2>Made from</h2>\n<p>{said(lead)}</p>\n{blocks}\n<dl>\n{told}\n</dl>\n</section>'
    )


BREAK = "\u2028"
"""Ends a line inside a block of words."""


def _section(part: Section, specs: list[dict[str, Any]], writes: str, opened: Collection[str]) -> str:
    figures = []
    for picture in part.pictures:
        figures.append(
            f"<figure><figcaption>{said(picture.title)}</figcaption>"
            f'<div role="img" aria-label="{said(picture.told)}">'
            f'<div class="picture" data-picture="{len(specs)}"></div></div></figure>'
        )
        specs.append(inlined(picture))
    lone = " lone" if len(figures) == 1 else ""
    panels = f'<div class="panels{lone}">\n' + "\n".join(figures) + "\n</div>" if figures else ""
    note = f'<p class="note">{said(part.note)}</p>' if part.note else ""
    tables = "\n".join(_behind(table, writes, table.name in opened) for table in part.tables if len(table))
    return (
        f'<section id="{part.key}">\n<h2>{said(part.heading)}</h2>\n<p>{said(part.lead)}</p>\n'
        f"{panels}\n{note}\n{tables}\n</section>"
    )


def _behind(table: Table, writes: str, opened: bool) -> str:
    """The numbers behind pictures, folded unless they are what people come for."""
    cut = f", the first {ROWS} of {len(table):,} rows; {writes} writes all" if len(table) > ROWS else ""
    unit = f" ({table.unit})" if table.unit else ""
    how = ' class="open" open' if opened else " data-short" if len(table) <= SHORT else ""
    title = said(f"Table: {table.title}{unit}{cut}")
    return (
        f'<details{how}><summary>{title}</summary><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{title}">{_rows(table)}</div></details>'
    )


def _rows(table: Table) -> str:
    rows = list(islice(table, ROWS))
    columns = {name: [row[name] for row in rows] for name in table.columns}
    kind = {name: ' class="number"' if any(map(_number, cells)) else "" for name, cells in columns.items()}
    head = "".join(f'<th scope="col"{kind[name]}>{said(name.replace("_", " "))}</th>' for name in columns)
    texts = [[f"<td{kind[name]}>{said(cell)}</td>" for cell in _cells(cells)] for name, cells in columns.items()]
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in zip(*texts, strict=True))
    wide = ' class="wide"' if len(columns) > WIDE else ""
    return f"<table{wide}><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _cells(cells: Sequence[Any]) -> list[str]:
    """Cells as people read them: the numbers of a column with the decimals that the longest needs, five at most."""
    floats = [cell for cell in cells if isinstance(cell, float)]
    most = 1 if any(abs(cell) >= 100 for cell in floats) else 5
    places = max((len(f"{cell:.{most}f}".rstrip("0").partition(".")[2]) for cell in floats), default=0)
    return [_cell(cell, places) for cell in cells]


def _cell(cell: Any, places: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}" if abs(cell) >= 10_000 else str(cell)
    if isinstance(cell, float):
        return f"{cell:z,.{places}f}"
    return str(cell)


def said(text: object) -> str:
    """Text as HTML has it; letters no document may hold are shown as such."""
    return escape("".join("\ufffd" if category(char) in ("Cc", "Cs") else char for char in str(text)))


def _embedded(specs: list[dict[str, Any]]) -> str:
    """JSON that nothing in it can end: a name may hold the end of a script."""
    told = {"config": CONFIG, "specs": specs}
    return json.dumps(told, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _closed(code: str) -> str:
    """Code in a page: the end of a script inside a string of it ends nothing."""
    return code.replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")

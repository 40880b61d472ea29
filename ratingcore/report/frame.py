"""Builds a report as one HTML page with sections of pictures and tables, which requests nothing from outside."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import islice
from unicodedata import category

from attrs import frozen

from ratingcore.report.style import CONFIG, Picture, Spec, inlined, script
from ratingcore.report.table import Table


@frozen(eq=False)
class Section:
    """One section of the page.

    Parameters
    ----------
    key : str
        Anchor of the section.
    heading : str
    lead : str
        How to read the pictures and tables, in plain words.
    pictures : tuple of Picture
    tables : tuple of Table
        The numbers behind the pictures.
    note : str
        What the pictures leave out.
    """

    key: str
    heading: str
    lead: str
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]
    note: str = ""


ROWS, SHORT, WIDE = 250, 40, 10
"""Largest number of rows of a table on the page; number of rows up to which a folded table is printed, too; number of
columns beyond which its font is small."""

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""Content security policy of the page: nothing is loaded from outside, nothing is sent."""


def framed(
    title: str,
    about: str,
    answer: str,
    parts: Iterable[Section],
    made_from: str,
    *,
    measured: str = "",
    opened: Collection[str] = (),
    style: str = "",
) -> str:
    """Builds a report as one HTML page that requests nothing from outside.

    Parameters
    ----------
    title, about, answer : str
        Plain text: the question, its subject, and the answer in everyday words.
    parts : iterable of Section
        Sections; those without pictures and rows are left out.
    made_from : str
        HTML of the last section; see `made_from`.
    measured : str
        Plain text under the answer: the measures behind it.
    opened : collection of str
        Names of tables that are unfolded when the page is opened.
    style : str
        Further CSS.

    Raises
    ------
    NotInstalled
        If altair or vl-convert is missing.
    """
    parts = [part for part in parts if part.pictures or any(map(len, part.tables))]
    specs: list[Spec] = []
    body = "\n".join(_section(part, specs, opened) for part in parts)
    links = "".join(f'<li><a href="#{part.key}">{escape(part.heading)}</a></li>' for part in parts)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escaped(title)}</title>
<style>
{_asset("report.css")}{style}</style>
</head>
<body>
<header>
<h1>{escaped(title)}</h1>
<p class="about">{escaped(about)}</p>
<p class="answer">{escaped(answer)}</p>
{f'<p class="measured">{escaped(measured)}</p>' if measured else ""}
<noscript><p class="note">A script in this file draws the pictures; the numbers are in the tables.</p></noscript>
<nav aria-label="Contents"><ul>{links}<li><a href="#provenance">Made from</a></li></ul></nav>
</header>
<main>
{body}
{made_from}
</main>
<script type="application/json" id="pictures">{_embedded(specs)}</script>
<script>{_script_text(script())}</script>
<script>
{_asset("report.js")}</script>
</body>
</html>
"""


def made_from(lead: str, words: Sequence[str], facts: Iterable[Mapping[str, object]]) -> str:
    """Builds the last section of a report, as HTML: the origin of the numbers, so that they can be reproduced.

    Parameters
    ----------
    lead : str
        Plain text.
    words : sequence of str
        Commands and files, one block each; `BREAK` separates lines in a block.
    facts : iterable of rows with `fact` and `value`
    """
    blocks = "\n".join(f"<pre>{escaped(line).replace(BREAK, '<br>')}</pre>" for line in words)
    rows = "\n".join(f"<dt>{escaped(row['fact'])}</dt><dd>{escaped(row['value'])}</dd>" for row in facts)
    head = f'<section id="provenance">\n<h2>Made from</h2>\n<p>{escaped(lead)}</p>'
    return f"{head}\n{blocks}\n<dl>\n{rows}\n</dl>\n</section>"


BREAK = "\u2028"
"""Line separator inside a block of `made_from`."""


def _section(part: Section, specs: list[Spec], opened: Collection[str]) -> str:
    figures = []
    for picture in part.pictures:
        figures.append(
            f"<figure><figcaption>{escaped(picture.title)}</figcaption>"
            f'<div role="img" aria-label="{escaped(picture.description)}">'
            f'<div class="picture" data-picture="{len(specs)}"></div></div></figure>'
        )
        specs.append(inlined(picture))
    lone = " lone" if len(figures) == 1 else ""
    panels = f'<div class="panels{lone}">\n' + "\n".join(figures) + "\n</div>" if figures else ""
    note = f'<p class="note">{escaped(part.note)}</p>' if part.note else ""
    tables = "\n".join(_folded(table, table.name in opened) for table in part.tables if len(table))
    return (
        f'<section id="{part.key}">\n<h2>{escaped(part.heading)}</h2>\n<p>{escaped(part.lead)}</p>\n'
        f"{panels}\n{note}\n{tables}\n</section>"
    )


def _folded(table: Table, opened: bool) -> str:
    """Writes a table as HTML, folded unless `opened`."""
    cut = f", the first {ROWS} of {len(table):,} rows; its CSV has all" if len(table) > ROWS else ""
    unit = f" ({table.unit})" if table.unit else ""
    how = (" open" if opened else "") + (" data-short" if len(table) <= SHORT else "")
    title = escaped(f"Table: {table.title}{unit}{cut}")
    return (
        f'<details{how}><summary>{title}</summary><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{title}">{_rows(table)}</div></details>'
    )


def _rows(table: Table) -> str:
    rows = list(islice(table, ROWS))
    columns = {name: [row[name] for row in rows] for name in table.columns}
    kind = {name: ' class="number"' if any(map(_number, cells)) else "" for name, cells in columns.items()}
    head = "".join(f'<th scope="col"{kind[name]}>{escaped(name.replace("_", " "))}</th>' for name in columns)
    texts = [[f"<td{kind[name]}>{escaped(cell)}</td>" for cell in _cells(cells)] for name, cells in columns.items()]
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in zip(*texts, strict=True))
    wide = ' class="wide"' if len(columns) > WIDE else ""
    return f"<table{wide}><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _cells(cells: Sequence[object]) -> list[str]:
    """Formats cells as text; all floats of a column get as many decimals as the longest one needs, five at most."""
    floats = [cell for cell in cells if isinstance(cell, float)]
    most = 1 if any(abs(cell) >= 100 for cell in floats) else 5
    places = max((len(f"{cell:.{most}f}".rstrip("0").partition(".")[2]) for cell in floats), default=0)
    return [_cell(cell, places) for cell in cells]


def _cell(cell: object, places: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}" if abs(cell) >= 10_000 else str(cell)
    if isinstance(cell, float):
        return f"{cell:z,.{places}f}"
    return str(cell)


def escaped(text: object) -> str:
    """Escapes text for HTML; characters that HTML forbids become the replacement character."""
    return escape("".join("\ufffd" if category(char) in ("Cc", "Cs") else char for char in str(text)))


def _embedded(specs: list[Spec]) -> str:
    """Returns JSON for a script element, with `<` escaped, because a name may contain `</script>`."""
    pictures = {"config": CONFIG, "specs": specs}
    return json.dumps(pictures, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _script_text(code: str) -> str:
    """Escapes code for a script element, because a string in it may contain `</script`."""
    return code.replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")

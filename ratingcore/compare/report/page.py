"""The page: one HTML file that holds everything it needs and asks nobody for anything."""

import json
import shlex
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import islice
from typing import Any
from unicodedata import category

from ratingcore.compare.comparison import Comparison
from ratingcore.compare.report.drawing import CONFIG
from ratingcore.compare.report.pictures import inlined, script
from ratingcore.compare.report.sections import Section, sections
from ratingcore.compare.table import Table

ROWS, SHORT, WIDE = 250, 40, 10
"""Rows of a table on the page, up to how many it is printed unasked, beyond how many columns it is printed small."""

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""What the browser is told to hold the page to: nothing comes from outside, nothing goes out."""


def report_html(comparison: Comparison) -> str:
    """A comparison as a report one can show to a committee: one HTML file without outside requests.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    str
        A page of about a megabyte, most of it the script that draws.

    Raises
    ------
    NotInstalled
        Without altair and vl-convert.
    """
    parts = list(sections(comparison))
    title = f"{comparison.pool}: which method forecasts best?"
    specs: list[dict[str, Any]] = []
    body = "\n".join(_section(part, specs) for part in parts)
    links = "".join(f'<li><a href="#{part.key}">{escape(part.heading)}</a></li>' for part in parts)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_said(title)}</title>
<style>
{_asset("report.css")}</style>
</head>
<body>
<header>
<h1>{_said(title)}</h1>
<p class="about">{_said(_about(comparison))}</p>
<p class="answer">{_said(comparison.answer)}</p>
<noscript><p class="note">A script in this file draws the pictures; the numbers stand in the tables.</p></noscript>
<nav aria-label="Contents"><ul>{links}<li><a href="#provenance">Made from</a></li></ul></nav>
</header>
<main>
{body}
{_provenance(comparison)}
</main>
<script type="application/json" id="pictures">{_embedded(specs)}</script>
<script>{_closed(script())}</script>
<script>
{_asset("report.js")}</script>
</body>
</html>
"""


def _about(made: Comparison) -> str:
    methods = "1 method" if len(made.methods) == 1 else f"{len(made.methods)} methods"
    return f"{methods} on the results of the pool {made.pool}; reference: {made.reference}."


def _section(part: Section, specs: list[dict[str, Any]]) -> str:
    figures = []
    for picture in part.pictures:
        figures.append(
            f"<figure><figcaption>{_said(picture.title)}</figcaption>"
            f'<div role="img" aria-label="{_said(picture.told)}">'
            f'<div class="picture" data-picture="{len(specs)}"></div></div></figure>'
        )
        specs.append(inlined(picture))
    lone = " lone" if len(figures) == 1 else ""
    panels = f'<div class="panels{lone}">\n' + "\n".join(figures) + "\n</div>" if figures else ""
    note = f'<p class="note">{_said(part.note)}</p>' if part.note else ""
    tables = "\n".join(_behind(table) for table in part.tables if len(table))
    return (
        f'<section id="{part.key}">\n<h2>{_said(part.heading)}</h2>\n<p>{_said(part.lead)}</p>\n'
        f"{panels}\n{note}\n{tables}\n</section>"
    )


def _behind(table: Table) -> str:
    """The numbers behind pictures, folded."""
    cut = f", the first {ROWS} of {len(table):,} rows; ratingcore compare --csv writes all" if len(table) > ROWS else ""
    unit = f" ({table.unit})" if table.unit else ""
    short = " data-short" if len(table) <= SHORT else ""
    title = _said(f"Table: {table.title}{unit}{cut}")
    return (
        f'<details{short}><summary>{title}</summary><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{title}">{_rows(table)}</div></details>'
    )


def _rows(table: Table) -> str:
    rows = list(islice(table, ROWS))
    columns = {name: [row[name] for row in rows] for name in table.columns}
    kind = {name: ' class="number"' if any(map(_number, cells)) else "" for name, cells in columns.items()}
    head = "".join(f'<th scope="col"{kind[name]}>{_said(name.replace("_", " "))}</th>' for name in columns)
    texts = [[f"<td{kind[name]}>{_said(cell)}</td>" for cell in _cells(cells)] for name, cells in columns.items()]
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


def _provenance(made: Comparison) -> str:
    """What the numbers were made from, so that they can be made again."""
    facts = "\n".join(f"<dt>{_said(row['fact'])}</dt><dd>{_said(row['value'])}</dd>" for row in made.provenance)
    return (
        '<section id="provenance">\n<h2>Made from</h2>\n<p>With the same log, everyone can make this report again and '
        f"compare every number:</p>\n<pre>{_said(command(made))}</pre>\n<dl>\n{facts}\n</dl>\n</section>"
    )


def command(made: Comparison) -> str:
    """The command line that makes the same report of the same log."""
    facts = {str(row["fact"]): str(row["value"]) for row in made.provenance}
    words = ["ratingcore", "compare", "LOG", "--pool", made.pool]
    for method in (*made.methods, *(str(row["method"]) for row in made.left_out)):
        words += ["--method", method]
    words += ["--reference", made.reference]
    for option, fact in (("--known-at", "head"), ("--through", "through"), ("--since", "since"), ("--seed", "seed")):
        words += [option, facts[fact]] if fact in facts else []
    words += ["--burn-in", facts["burn-in"]] if facts.get("burn-in", "none") != "none" else []
    words += ["--refit", facts["refit"]] if facts.get("refit", "month") != "month" else []
    for player in dict.fromkeys(made.curves["player"] if len(made.curves) else ()):
        words += ["--player", str(player)]
    for cohort in facts.get("cohorts", "").split(", "):
        words += ["--cohort", cohort] if cohort else []
    return shlex.join([*words, "--html", "report.html"])


def _said(text: object) -> str:
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

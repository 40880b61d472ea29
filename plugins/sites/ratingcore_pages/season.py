"""A simulated season as a page and as a picture of the chance of every place, shaded by likelihood."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from markupsafe import escape

from ratingcore import Engine
from ratingcore.plugin import Floats
from ratingcore.plugin.analysis import Clock, Instant
from ratingcore.plugin.reports import COLOURS, INK
from ratingcore_pages.look import Look, nowhere
from ratingcore_pages.pages import Page
from ratingcore_pages.words import catalogue, number

SHADE = 45
"""Percent of colour behind a certain place: with more, the text would be hard to read."""

_CELL, _ROW, _FONT = 34, 24, 13
"""Width of a cell, height of a row and of letters, in the units of a picture."""


class Season(Protocol):
    """A season whose remaining games were simulated many times: its rows, and the chance of every place."""

    @property
    def pool(self) -> str: ...
    @property
    def runs(self) -> int: ...
    @property
    def at(self) -> Instant: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def places(self) -> Floats: ...
    def __iter__(self) -> Iterator[Mapping[str, Any]]: ...
    def notes(self) -> Iterator[str]: ...


def season_page(engine: Engine, season: Season, *, language: str = "en") -> str:
    """Renders the page of a season."""
    values = {
        "pool": season.pool, "runs": season.runs, "day": season.clock.day(season.at),
        "rows": list(_rows(engine, season)), "made_from": list(season.notes()),
    }  # fmt: skip
    return Page("", "season", values, Look(language=language)).html(nowhere)


def season_picture(engine: Engine, season: Season, *, language: str = "en") -> str:
    """Draws the chance of every place as SVG, with a row for each player."""
    rows = list(_rows(engine, season))
    left = 12 + max((len(row["name"]) for row in rows), default=0) * _FONT * 0.6
    width, height = left + _CELL * len(rows) + 12, _ROW * (len(rows) + 1) + 12
    words = escape(catalogue(language).gettext("Chance of each place, in percent"))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'font-family="system-ui, sans-serif" font-size="{_FONT}" fill="{INK}" role="img" aria-label="{words}">',
        f'<title>{escape(season.pool)}: {words}</title><rect width="100%" height="100%" fill="#fff"/>',
        *(_text(left + _CELL * (n + 0.5), _ROW - 6, str(n + 1), "middle") for n in range(len(rows))),
    ]
    for at, row in enumerate(rows, start=1):
        y = _ROW * at
        parts.append(_text(left - 8, y + _ROW - 7, row["name"], "end"))
        for n, (text, shade) in enumerate(row["chances"]):
            x = left + _CELL * n
            parts.append(
                f'<rect x="{x:g}" y="{y}" width="{_CELL - 2}" height="{_ROW - 2}" fill="{COLOURS[0]}" '
                f'fill-opacity="{shade / 100:g}"/>'
            )
            parts.append(_text(x + _CELL / 2 - 1, y + _ROW - 7, text, "middle") if text else "")
    return "".join([*parts, "</svg>\n"])


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _rows(engine: Engine, season: Season) -> Iterator[dict[str, Any]]:
    """Returns the row of each player, in order of the mean place."""
    called = {facts["player"]: facts.get("called") for facts in engine.players()}
    for row, chances in zip(season, season.places.tolist(), strict=True):
        yield {
            "name": str(called.get(row["player"]) or row["player"]), "points": row["points"], "left": row["left"],
            "expected": row["expected"], "chances": [(percent(chance), round(SHADE * chance)) for chance in chances],
        }  # fmt: skip


def percent(chance: float) -> str:
    """Formats a chance in percent: empty for zero; 100 only if certain.

    Examples
    --------
    >>> percent(0.0), percent(0.001), percent(0.256), percent(0.999), percent(1.0)
    ('', '<1', '26', '>99', '100')
    """
    if chance in (0.0, 1.0):
        return "100" if chance else ""
    if chance < 0.005:
        return "<1"
    return ">99" if chance >= 0.995 else number(round(100.0 * chance), 0)

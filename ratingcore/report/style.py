"""The style of pictures: colours, axes, thinning of points, and the form of a chart on a page."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats, Ints
from ratingcore.errors import NotInstalled

if TYPE_CHECKING:
    import altair

    Chart = altair.Chart | altair.LayerChart

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#AA4499", "#000000", "#B37400")
"""Colours after Okabe and Ito (2008), *Color Universal Design*; pale colours are darkened or left out for print."""

DASHES = ((1, 0), (7, 3), (2, 2), (10, 3, 2, 3), (5, 2, 1, 2, 1, 2), (1, 4))
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")

FEW = len(COLOURS)
"""Largest number of curves in one picture; the table has the rest."""

WIDTH, HEIGHT = 400, 240
"""Size of a panel in pixels; on a page, a panel is as wide as the space it has."""

QUIET, INK = "#8a8a8a", "#222222"

Spec = dict[str, Any]
"""A chart, or a part of one, in the JSON form of Vega-Lite."""
CONFIG: Spec = {
    "aria": False,  # one text describes the whole picture; labels of single marks would drown it out
    "background": "#ffffff",
    "font": "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
    "view": {"stroke": None, "continuousHeight": HEIGHT},
    "axis": {
        "labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal",
        "gridColor": "#e3e3e3", "domainColor": QUIET, "tickColor": QUIET, "labelOverlap": "greedy",
        "labelSeparation": 8, "titlePadding": 6,
    },
    "axisY": {"minExtent": 34},
    "legend": {
        "orient": "bottom", "direction": "horizontal", "columns": 2, "title": None, "labelFontSize": 12,
        "labelLimit": 220, "symbolSize": 90, "symbolStrokeWidth": 0, "symbolOpacity": 1, "labelColor": INK,
        "columnPadding": 12, "rowPadding": 3,
    },
    "title": {"fontSize": 13, "anchor": "start", "color": INK, "fontWeight": "bold", "limit": WIDTH, "frame": "group"},
}  # fmt: skip


@frozen(eq=False)
class Picture:
    """One panel: a title, a description in words, and the chart.

    Parameters
    ----------
    title : str
        Heading that distinguishes the panel from its neighbours.
    description : str
        The content in a sentence, for people who cannot see the picture.
    chart : altair.Chart or altair.LayerChart
    """

    title: str
    description: str
    chart: "Chart"


def library() -> Any:
    """Imports and returns altair.

    Raises
    ------
    NotInstalled
    """
    check_installed()
    import altair

    return altair


def check_installed() -> None:
    """Checks that the packages for pictures are installed, before any work is done for them.

    Raises
    ------
    NotInstalled
    """
    for name in ("altair", "vl_convert"):
        try:
            import_module(name)  # large, and needed for pictures only
        except ImportError as missing:
            raise NotInstalled(missing.name or name, "drawing", "report") from None


def values(columns: Mapping[str, object]) -> Any:
    """Converts columns of equal length to chart data, without NaN and None, with times in milliseconds since 1970."""
    cells = [_plain(column) for column in columns.values()]
    rows = [
        {name: cell for name, cell in zip(columns, row, strict=True) if cell is not None}
        for row in zip(*cells, strict=True)
    ]
    return library().InlineData(values=rows)


def _plain(column: Any) -> list[Any]:
    array = np.asarray(column)
    if array.dtype.kind == "M":
        return [None if at != at else int(at.astype(np.int64)) for at in array.astype("M8[ms]")]
    if array.dtype.kind == "f":
        return [float(f"{cell:.6g}") if isfinite(cell) else None for cell in array.tolist()]
    return list(column)


def series(field: str, names: Sequence[str]) -> Spec:
    """Returns encodings that distinguish curves in three ways: by colour, dash and shape."""
    alt = library()
    legend = alt.Legend(columns=1 if max(map(len, names)) > 16 else 2) if len(names) > 1 else None

    def channel(kind: Any, given: Sequence[Any], legend: Any) -> Any:
        scale = alt.Scale(domain=list(names), range=[given[n % len(given)] for n in range(len(names))])
        return kind(f"{field}:N", scale=scale, legend=legend)

    return {
        "color": channel(alt.Color, COLOURS, legend),
        "strokeDash": channel(alt.StrokeDash, [list(dash) for dash in DASHES], legend),
        "shape": channel(alt.Shape, SHAPES, legend),
    }


def dates(field: str = "at") -> Any:
    """Returns a time axis in UTC, whatever the time zone of the reader."""
    alt = library()
    return alt.X(f"{field}:T", title="date", scale=alt.Scale(type="utc"), axis=alt.Axis(tickCount=5))


def numbers(rows: Iterable[Mapping[str, Any]], column: str) -> list[float]:
    """Returns the cells of a column as floats, with NaN for None."""
    return [nan if row[column] is None else float(row[column]) for row in rows]


def first_few(names: Sequence[str], amounts: Sequence[float], most: int = 6) -> str:
    """Lists the first few names with their numbers, as text.

    Examples
    --------
    >>> first_few(["elo", "berkin", "egf"], [0.5, 0.25, 1.0], most=2)
    'elo 0.5, berkin 0.25, and 1 more'
    """
    texts = [f"{name} {amount:.4g}" for name, amount in zip(names, amounts, strict=True)]
    return ", ".join([*texts[:most], *([f"and {len(texts) - most} more"] if len(texts) > most else [])])


def padded(low: float, high: float, share: float = 0.05) -> tuple[float, float]:
    """Returns the ends of an axis, with some room beyond the data; they always differ.

    Examples
    --------
    >>> padded(0.0, 10.0), padded(3.0, 3.0)
    ((-0.5, 10.5), (2.5, 3.5))
    """
    if not low < high:
        return low - 0.5, high + 0.5
    air = share * (high - low)
    return low - air, high + air


def thinned(y: Floats, most: int) -> Ints:
    """Returns the indices of the points that must be drawn for a curve to look the same.

    The curve is split into spans with equal numbers of points. The highest and the lowest point of each span are drawn,
    and so are the first and the last point of the curve. Unlike drawing every n-th point, this loses no peak.

    Parameters
    ----------
    y : (n,) float64
        Heights in order; NaN counts as neither high nor low.
    most : int >= 4
        Largest number of points to draw.

    Returns
    -------
    (m,) int64, m <= max(most, 4), ascending indices

    Examples
    --------
    >>> thinned(np.array([0.0, 1.0, 9.0, 1.0, 0.0, 1.0, -9.0, 1.0, 0.0, 1.0]), 6).tolist()
    [0, 2, 5, 6, 9]
    """
    n = len(y)
    if n <= most:
        return np.arange(n)
    spans = max((most - 2) // 2, 1)
    ends = np.linspace(0, n, spans + 1).astype(np.int64)
    high, low = np.nan_to_num(y, nan=-np.inf), np.nan_to_num(y, nan=np.inf)
    drawn = {0, n - 1}
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        drawn |= {first + int(np.argmax(high[first:last])), first + int(np.argmin(low[first:last]))}
    return np.array(sorted(drawn), dtype=np.int64)


def evenly(n: int, most: int) -> Ints:
    """Returns the indices of at most `most` rows of a table, evenly spread, including the first and the last.

    Examples
    --------
    >>> evenly(10, 4).tolist(), evenly(3, 4).tolist()
    ([0, 3, 6, 9], [0, 1, 2])
    """
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)


def inlined(picture: Picture) -> Spec:
    """Returns the Vega-Lite specification of a picture on a page: as wide as the space it has, without a heading."""
    spec: Spec = picture.chart.to_dict(validate=False)  # its parts were validated when they were made
    spec.pop("config", None)  # once for all pictures of a page
    spec.pop("$schema", None)
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    spec["description"] = picture.description
    return spec


@cache
def script() -> str:
    """Returns Vega, Vega-Lite and Vega-Embed as one script that makes no requests."""
    alt = library()
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=version(alt)))


def version(alt: Any) -> str:
    """Returns the version of Vega-Lite that altair writes, in the notation of vl_convert."""
    return ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])

"""Numbers with their intervals under one another: the score of every method, and how far it is from the reference."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ratingcore.report.style import COLOURS, INK, QUIET, Picture, library, listed, numbers, padded, values
from ratingcore.report.table import Table

if TYPE_CHECKING:
    from ratingcore.report.style import Chart

STEP = 38
"""Pixels of a row: the name stands over its interval, so that long names have room on a narrow page."""


def scores(table: Table) -> list[Picture]:
    """Log loss of every method with its interval, best on top."""
    rows = [row for row in table if row["log_loss"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "log_loss")
    low, high = numbers(rows, "log_loss_low"), numbers(rows, "log_loss_high")
    told = f"Log loss a game, less is better: {listed(names, point)}."
    return [Picture("Log loss", told, forest(names, point, low, high, "log loss, nats a game (less is better)"))]


def differences(table: Table, reference: str) -> list[Picture]:
    """How much better than the reference every other method is, with its interval."""
    rows = [row for row in table if row["method"] != reference and row["better_by"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "better_by")
    low, high = numbers(rows, "better_by_low"), numbers(rows, "better_by_high")
    told = f"Nats a game by which each method is better than {reference}: {listed(names, point)}."
    chart = forest(names, point, low, high, "better by, nats a game (right of 0 is better)", zero=True)
    return [Picture(f"Against {reference}", told, chart)]


def forest(
    names: Sequence[str],
    point: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    title: str,
    *,
    zero: bool = False,
) -> "Chart":
    """A dot and a bar for each name, top down."""
    alt = library()
    ends = [end for end in (*low, *high, *point, *([0.0] if zero else ())) if end == end]
    scale = alt.Scale(domain=padded(min(ends), max(ends)), nice=False, zero=False)
    data = values({"place": range(len(names)), "name": names, "point": point, "low": low, "high": high})
    base = alt.Chart(data).encode(y=alt.Y("place:O", axis=None, scale=alt.Scale(paddingOuter=0.35)))

    def across(field: str) -> Any:
        return alt.X(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(tickCount=5))

    bars = base.mark_rule(strokeWidth=2.5, color=COLOURS[0]).encode(x=across("low"), x2="high:Q")
    dots = base.mark_point(size=75, filled=True, opacity=1, color=COLOURS[0]).encode(x=across("point"))
    label = base.mark_text(align="left", dy=-13, color=INK, fontSize=12, limit=alt.ExprRef("width"))
    layers = [bars, dots, label.encode(x=alt.value(0), text="name:N")]
    if zero:
        nought = alt.Chart(values({"at": [0.0]})).mark_rule(color=QUIET, strokeDash=[4, 3])
        layers.insert(0, nought.encode(x=across("at")))
    chart: Chart = alt.layer(*layers).properties(height=STEP * (len(names) + 0.5))
    return chart

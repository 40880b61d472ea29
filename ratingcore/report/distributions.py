"""Histograms of the ratings of a pool, a panel a method."""

from typing import Any

from ratingcore.report.style import COLOURS, Picture, library, numbers, values
from ratingcore.report.table import Table


def distributions(table: Table) -> list[Picture]:
    """One histogram for each method."""
    rows = [row for row in table if row["low"] is not None and row["high"] is not None]
    return [
        _panel(method, [row for row in rows if row["method"] == method])
        for method in dict.fromkeys(str(row["method"]) for row in rows)
    ]


def _panel(method: str, rows: list[dict[str, Any]]) -> Picture:
    alt = library()
    low, high, players = numbers(rows, "low"), numbers(rows, "high"), numbers(rows, "players")
    base = alt.Chart(values({"low": low, "high": high, "players": players, "nobody": [0] * len(rows)}))
    chart = base.mark_rect(color=COLOURS[0], opacity=0.8, stroke="#ffffff", strokeWidth=0.7).encode(
        x=alt.X("low:Q", title="rating", scale=alt.Scale(zero=False)),
        x2="high:Q",
        y=alt.Y("players:Q", title="players", scale=alt.Scale(zero=True), axis=alt.Axis(tickMinStep=1)),
        y2="nobody:Q",
    )
    top = max(range(len(rows)), key=players.__getitem__)
    text = (
        f"Ratings of {sum(players):.0f} players under {method}, from {min(low):.4g} to {max(high):.4g}; "
        f"most, {players[top]:.0f}, are between {low[top]:.4g} and {high[top]:.4g}."
    )
    return Picture(method, text, chart)

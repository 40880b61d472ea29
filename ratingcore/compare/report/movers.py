"""Pictures of the players whose ranks differ most between two lists."""

from typing import Any

from ratingcore.report.forest import STEP
from ratingcore.report.style import COLOURS, INK, QUIET, Picture, library, numbers, padded, values
from ratingcore.report.table import Table

PLAYERS = 10
"""Movers of a panel."""


def movers(table: Table) -> list[Picture]:
    """A panel for each pair of lists: the ranks that differ most."""
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in table:
        if row["rank"] is not None and row["rank_against"] is not None:
            pairs.setdefault((str(row["method"]), str(row["against"])), []).append(row)
    return [_moved(method, against, rows) for (method, against), rows in pairs.items()]


def _moved(method: str, against: str, rows: list[dict[str, Any]]) -> Picture:
    alt = library()
    rows = sorted(rows, key=lambda row: -abs(row["rank"] - row["rank_against"]))[:PLAYERS]
    rows.sort(key=lambda row: row["rank_against"] - row["rank"], reverse=True)
    names, now, then = [str(row["player"]) for row in rows], numbers(rows, "rank"), numbers(rows, "rank_against")
    low, high = padded(min(*now, *then), max(*now, *then))
    scale = alt.Scale(domain=[max(low, 0.5), high], nice=False, zero=False, reverse=True)
    base = alt.Chart(values({"place": range(len(rows)), "player": names, "now": now, "then": then}))
    base = base.encode(y=alt.Y("place:O", axis=None, scale=alt.Scale(paddingOuter=0.35)))

    def across(field: str) -> Any:
        ticks = alt.Axis(tickMinStep=1, tickCount=5)
        return alt.X(f"{field}:Q", title="rank (right is better)", scale=scale, axis=ticks)

    line = base.mark_rule(strokeWidth=2, color=QUIET).encode(x=across("then"), x2="now:Q")
    old = base.mark_point(size=70, filled=True, fill="#ffffff", stroke=COLOURS[0], strokeWidth=1.8, opacity=1)
    new = base.mark_point(size=75, filled=True, color=COLOURS[0], opacity=1)
    label = base.mark_text(align="left", dy=-13, color=INK, fontSize=12, limit=alt.ExprRef("width"))
    chart = alt.layer(
        line, old.encode(x=across("then")), new.encode(x=across("now")), label.encode(x=alt.value(0), text="player:N")
    )
    moved = ", ".join(f"{n} {b:.0f} to {a:.0f}" for n, a, b in zip(names, now, then, strict=True))
    text = f"Ranks that differ most, from {against} (hollow) to {method} (filled): {moved}."
    return Picture(f"{against} (hollow) to {method} (filled)", text, chart.properties(height=STEP * (len(rows) + 0.5)))

"""Bars of actual outcomes by expected outcome, a panel for each contender."""

from collections.abc import Sequence
from typing import Any

from ratingcore.plugin.reports import INK, Picture, Table, library, values

SHADES = {"won": "#3b7fb5", "drawn": "#bdbdbd", "lost": "#f0ede4"}
"""From dark to light, so that they differ in grey, too."""

LEAST = 0.06
"""Smallest share with room for its number."""


def outcomes(table: Table, contenders: Sequence[str]) -> list[Picture]:
    """A panel for each contender, with a bar for each expected outcome."""
    rows = [row for row in table if row["share"] is not None]
    parts = {name: [row for row in rows if row["contender"] == name] for name in contenders}
    return [_panel(name, part) for name, part in parts.items() if part]


def _panel(name: str, rows: Sequence[dict[str, Any]]) -> Picture:
    alt = library()
    cells: dict[str, list[Any]] = {key: [] for key in ("should", "did", "start", "end", "middle", "text")}
    phrases, at = [], {row["should"]: 0.0 for row in rows}
    for row in rows:
        start, share = at[row["should"]], row["share"]
        at[row["should"]] = start + share
        expected = f"should {row['should']}"
        text = f"{share:.0%}" if share >= LEAST else ""
        cell_of = (expected, row["did"], start, start + share, start + share / 2, text)
        for key, cell in zip(cells, cell_of, strict=True):
            cells[key].append(cell)
        phrases.append(f"{expected}, {row['did']} {share:.0%}")
    scale = alt.Scale(domain=list(SHADES), range=list(SHADES.values()))
    y = alt.Y("should:N", title=None, sort=["should win", "should draw", "should lose"])
    base = alt.Chart(values(cells)).encode(y=y)
    across = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    bars = base.mark_bar(stroke=INK, strokeWidth=0.6).encode(
        x=alt.X("start:Q", title="share of the results", axis=across, scale=alt.Scale(domain=[0, 1])), x2="end:Q",
        color=alt.Color("did:N", scale=scale, legend=alt.Legend(columns=3, symbolType="square", symbolStrokeWidth=0.6)),
    )  # fmt: skip
    labels = base.mark_text(color="#000000", fontSize=11).encode(x="middle:Q", text="text:N")
    return Picture(name, f"Of {name}: {'; '.join(phrases)}.", alt.layer(bars, labels).properties(height=120))

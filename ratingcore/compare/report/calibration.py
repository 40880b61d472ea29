"""Calibration plots: mean score against mean forecast, bin by bin, for every method."""

from typing import Any

from ratingcore.report.style import COLOURS, QUIET, Picture, library, numbers, values
from ratingcore.report.table import Table


def calibration(table: Table, what: str = "games") -> list[Picture]:
    """A panel a method: mean score against mean forecast of every bin, with Wilson intervals and the diagonal.

    Parameters
    ----------
    what : {"games", "pairs"}
        The column that says how many a bin has: games, or pairs of sides of sessions.
    """
    rows = [row for row in table if row[what]]
    return [
        _panel(method, [row for row in rows if row["method"] == method], what)
        for method in dict.fromkeys(str(row["method"]) for row in rows)
    ]


def _panel(method: str, rows: list[dict[str, Any]], what: str) -> Picture:
    alt = library()
    expected, scored, games = numbers(rows, "expected"), numbers(rows, "scored"), [int(row[what]) for row in rows]
    of_games = what == "games"
    title = "expected score, share of the point" if of_games else "chance to come in ahead of another side"
    many = what if of_games else "pairs of sides, seen from both sides"
    low, high = numbers(rows, "scored_low"), numbers(rows, "scored_high")
    scale, ticks = alt.Scale(domain=[0, 1]), alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    base = alt.Chart(values({"expected": expected, "scored": scored, "games": games, "low": low, "high": high}))
    base = base.encode(x=alt.X("expected:Q", scale=scale, axis=ticks, title=title))
    y = alt.Y("scored:Q", scale=scale, axis=ticks, title="mean score")
    line = base.mark_line(color=COLOURS[0], strokeWidth=1.2).encode(y=y)
    bars = base.mark_rule(color=COLOURS[0], strokeWidth=2).encode(y=alt.Y("low:Q", title="mean score"), y2="high:Q")
    area = alt.Size("games:Q", scale=alt.Scale(domain=[0, max(games)], range=[15, 170]), legend=None)
    cells = ["expected:Q", "scored:Q", "games:Q"]
    dots = base.mark_point(filled=True, opacity=1, color=COLOURS[0]).encode(y=y, size=area, tooltip=cells)
    ideal = alt.Chart(values({"expected": [0.0, 1.0], "scored": [0.0, 1.0]})).mark_line(color=QUIET, strokeDash=[4, 3])
    ideal = ideal.encode(x="expected:Q", y="scored:Q")
    widest = max(range(len(rows)), key=lambda n: abs(scored[n] - expected[n]))
    text = (
        f"Calibration of {method} over {sum(games)} {many}: the bin furthest from the diagonal has a mean forecast of "
        f"{expected[widest]:.2f} and a mean score of {scored[widest]:.2f}, over {games[widest]} {what}."
    )
    return Picture(method, text, alt.layer(ideal, line, bars, dots))

"""Scatter plots of ranks: the rank of every player in one list against their rank in another."""

from ratingcore.report.style import COLOURS, QUIET, Picture, library, values
from ratingcore.report.table import Table
from ratingcore.report.thinning import spread

DOTS = 400
"""Players of a scatter plot at most."""


def ranks(table: Table, reference: str) -> list[Picture]:
    """A panel a method: rank under it against the rank under the reference, a dot a player."""
    if reference not in table.columns:
        return []
    others = [name for name in table.columns if name not in ("player", reference)]
    return [picture for method in others for picture in _scatter(table, method, reference)]


def _scatter(table: Table, method: str, reference: str) -> list[Picture]:
    alt = library()
    columns = (table[name] for name in ("player", reference, method))
    both = [row for row in zip(*columns, strict=True) if row[1] is not None and row[2] is not None]
    if not both:
        return []
    drawn = [both[n] for n in spread(len(both), DOTS).tolist()]
    names, x, y = (list(column) for column in zip(*drawn, strict=True))
    end = max(map(float, [*x, *y, 2.0]))
    scale = alt.Scale(domain=[1, end], nice=False, zero=False)
    line = alt.Chart(values({"x": [1.0, end], "y": [1.0, end]})).mark_line(color=QUIET, strokeDash=[4, 3])
    line = line.encode(x=alt.X("x:Q", scale=scale), y=alt.Y("y:Q", scale=scale))
    dots = alt.Chart(values({"x": x, "y": y, "player": names})).mark_circle(size=22, opacity=0.6, color=COLOURS[0])
    dots = dots.encode(
        x=alt.X("x:Q", scale=scale, title=f"rank under {reference}", axis=alt.Axis(tickMinStep=1)),
        y=alt.Y("y:Q", scale=scale, title="rank under this method", axis=alt.Axis(tickMinStep=1)),
        tooltip=["player:N", alt.Tooltip("x:Q", title=reference), alt.Tooltip("y:Q", title=method)],
    )
    text = f"Rank of {len(drawn)} of {len(both)} players under {method} against their rank under {reference}."
    return [Picture(f"Ranks: {method} against {reference}", text, alt.layer(line, dots))]

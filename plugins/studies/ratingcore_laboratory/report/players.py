"""Pictures of single players: true rating, and estimated rating under each contender, round by round."""

from collections.abc import Sequence
from typing import Any

from ratingcore.plugin.reports import COLOURS, DASHES, FEW, INK, SHAPES, Picture, Table, evenly, library, values
from ratingcore_laboratory.report.bands import round_axis

POINTS, MARKS = 60, 5
"""Rounds of a curve, and how many of them carry its shape."""

TRUE, STROKE = "true", "M-1,-0.15H1V0.15H-1Z"
"""Name of the curve of the true rating, and its symbol in a legend."""


def followed(table: Table, contenders: Sequence[str]) -> list[Picture]:
    """A panel for each player."""
    rows = list(table)
    return [
        _panel(f"Player {player}", [row for row in rows if row["player"] == player], contenders[:FEW])
        for player in dict.fromkeys(row["player"] for row in rows)
    ]


def anybody(table: Table, contenders: Sequence[str]) -> list[Picture]:
    """One panel with a list to choose a player from."""
    alt, rows = library(), list(table)
    players: list[Any] = list(dict.fromkeys(row["player"] for row in rows))
    if len(players) < 2:
        return []
    cells: dict[str, list[Any]] = {}
    for player in players:
        for name, column in _lines([row for row in rows if row["player"] == player], contenders[:FEW]).items():
            cells.setdefault(name, []).extend(column)
        cells.setdefault("player", []).extend([player] * (len(cells["round"]) - len(cells.get("player", []))))
    choice = alt.param(
        name="player", value=players[0], bind=alt.binding_select(options=sorted(players), name="player ")
    )
    chart = _layers(cells, contenders[:FEW], "datum.player == player").add_params(choice)
    text = f"True and estimated ratings by round of one of {len(players)} players, to be chosen from a list."
    return [Picture("Any player", text, chart)]


def _panel(title: str, rows: Sequence[dict[str, Any]], contenders: Sequence[str]) -> Picture:
    last = {row["contender"]: row for row in rows}
    ends = ", ".join(f"{name} {last[name]['estimated']:.0f}" for name in contenders if name in last)
    true = next(iter(last.values()))["true"]
    text = f"{title}, rounds {rows[0]['round']} to {rows[-1]['round']}: true rating {true:.0f} at the end; {ends}."
    return Picture(title, text, _layers(_lines(rows, contenders), contenders))


def _lines(rows: Sequence[dict[str, Any]], contenders: Sequence[str]) -> dict[str, list[Any]]:
    """Cells of all curves of a player; the true one only once if it is the same under all contenders."""
    cells: dict[str, list[Any]] = {"round": [], "who": [], "of": [], "rating": [], "mark": []}
    strengths = {name: [(row["round"], row["true"]) for row in rows if row["contender"] == name] for name in contenders}
    given = [one for one in strengths.values() if one]
    alike = all(one == given[0] for one in given)
    for place, name in enumerate(contenders):
        own = [row for row in rows if row["contender"] == name]
        drawn = [own[n] for n in evenly(len(own), POINTS).tolist()]
        marked = {int((n + (place + 0.5) / len(contenders)) * len(drawn) / MARKS) for n in range(MARKS)}
        for n, row in enumerate(drawn):
            points = [(name, row["estimated"], n in marked or None)]
            if not alike or strengths[name] is given[0]:
                points.append((TRUE, row["true"], None))
            for who, rating, mark in points:
                for key, cell in zip(cells, (row["round"], who, name, rating, mark), strict=True):
                    cells[key].append(cell)
    return cells


def _layers(cells: dict[str, list[Any]], contenders: Sequence[str], shown: str = "true") -> Any:
    alt, names = library(), [*contenders, TRUE]
    legend = alt.Legend(columns=1 if max(map(len, names)) > 16 else 4)

    def channel(kind: Any, given: Sequence[Any], true: Any) -> Any:
        scale = alt.Scale(domain=names, range=[*(given[n % len(given)] for n in range(len(contenders))), true])
        return kind("who:N", scale=scale, legend=legend)

    y = alt.Y("rating:Q", title="rating, points", scale=alt.Scale(zero=False))
    base = alt.Chart(values(cells)).encode(x=round_axis(), y=y, color=channel(alt.Color, COLOURS, INK))
    base = base.transform_filter(shown) if shown != "true" else base
    lines = base.mark_line(strokeWidth=1.5).encode(
        strokeDash=channel(alt.StrokeDash, [list(dash) for dash in DASHES], [1, 0]), detail="of:N",
        strokeWidth=alt.condition(f"datum.who == '{TRUE}'", alt.value(2.4), alt.value(1.4)),
    )  # fmt: skip
    marks = base.mark_point(filled=True, opacity=1, size=40).encode(shape=channel(alt.Shape, SHAPES, STROKE))
    return alt.layer(lines, marks.transform_filter("datum.mark"))

"""`ratingcore plot`: one picture as PNG or SVG: curves of players or methods, calibration, distribution, health."""

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from ratingcore import Engine
from ratingcore.errors import CannotSay
from ratingcore.plugin import Method
from ratingcore.plugin.analysis import (
    UNDECLARED,
    OverTime,
    Registry,
    ScoredSessions,
    View,
    Way,
    ask,
    busiest,
    expectations,
    reliability,
    shown_by,
    spread_of,
)
from ratingcore.plugin.commands import (
    Mistake,
    Question,
    command,
    must_be_new,
    new_file,
    note,
    note_undeclared,
    question,
    reading,
    shown,
)
from ratingcore.plugin.reports import (
    CONFIG,
    FEW,
    MARKS,
    WIDTH,
    Picture,
    Table,
    check_installed,
    curves,
    distributions,
    first_few,
    library,
    series,
    values,
    version,
)
from ratingcore_pages.comparison_pictures import calibration, health

Entries = Sequence[tuple[str, Method]]

KINDS = ("curves", "calibration", "distribution", "health", "curve")
LOGLESS = "curve"
"""The kind of picture that shows methods without a log."""
_NO_XML = re.compile("[\ufffe\uffff]")
"""Code points in names of older logs that XML does not allow."""
REACH, STEP = 800, 5
"""Largest gap that is drawn, in both directions, and the step between gaps; rating points."""


@command(
    "plot",
    "ratingcore plot club.db curves ann bo --to curves.png",
    "ratingcore plot club.db calibration --method elo --method elo:k=40 > calibration.svg",
    "ratingcore plot club.db distribution --through 2024-03-31 --to march.svg",
    "ratingcore plot club.db health --pool rapid --method periodic --to health.png",
    "ratingcore plot curve --method elo --method elo:curve=normal --to curve.png",
)
@click.argument("log", metavar="LOG")
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS), required=False)
@click.argument("players", metavar="[PLAYER]...", nargs=-1)
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True,
    help="A method with its parameters; the pool's own if left out. Repeat it for further panels or curves.",
)  # fmt: skip
@question("pool", "through", "known_at")
@click.option("--opponent", type=float, metavar="RATING", help="For curve: the opponent's rating; 1500 if left out.")
@click.option("--to", metavar="FILE", help="A new file, .png or .svg; without it, SVG goes to stdout.")
def plot(
    log: str,
    kind: str | None,
    players: tuple[str, ...],
    question: Question,
    methods: tuple[str, ...],
    opponent: float | None,
    to: str | None,
) -> None:
    """Draw one picture, with a panel for each method.

    KIND is curves (the ratings of players over time: the players that you name, or the five with most games),
    calibration (mean score against forecast, with each forecast made before its game; for sessions, the chance that one
    side finishes ahead of another), distribution (number of players by rating), or health (the level of ratings over
    time, activity, and how results connect the pool). The KIND curve needs no LOG: it draws the expected score of
    methods against the gap of two ratings.
    """
    _check_writable(to)
    check_installed()
    if kind is None and log != LOGLESS:
        raise Mistake("missing argument 'KIND'", f"name what to draw of {shown(log)}: {', '.join(KINDS)}")
    if kind is None or kind == LOGLESS:
        _check_alone(players, question)
        if kind is not None:
            note(f"note: a curve shows methods without a log, so {shown(log)} is not read")
        _save(_curve(methods or (UNDECLARED,), 1500.0 if opponent is None else opponent), "", to)
        return
    if opponent is not None:
        raise Mistake(f"--opponent is an option of curve, not of {kind}", "leave it out")
    if players and kind != "curves":
        raise Mistake(f"players can be named for curves, not for {kind}: {players[0]}", f"leave {players[0]} out")
    with reading(log) as engine:
        resolved = question.of(engine)
        view = resolved.view(engine)
        texts = methods or (engine.core.official(view, resolved.known_at).text,)
        named = list(map(engine.registry.named, dict.fromkeys(texts)))
        pictures = _DRAWN[kind](engine, view, named, players)
        if not methods:
            note_undeclared(engine, resolved)
    if not pictures:
        raise Mistake(
            f"there is nothing to draw of pool {resolved.pool} at this cut: {kind}", "ratingcore log shows its results"
        )
    _save(pictures, f"{resolved.pool}: {kind}", to)


def _save(pictures: list[Picture], title: str, to: str | None) -> None:
    """Writes the pictures to their destination."""
    if to is None:
        sys.stdout.write(svg(pictures, title) + "\n")
        return
    drawn = png(pictures, title) if to.lower().endswith(".png") else svg(pictures, title).encode()
    with new_file(to) as out:
        out.write(drawn)
    note(f"{to}: {'; '.join(picture.title for picture in pictures)}")


def _check_writable(to: str | None) -> None:
    """Checks, before any work, that the picture can be written to its destination."""
    if to is None:
        if sys.stdout.isatty():
            raise Mistake("a picture cannot be shown in a terminal", "name a file: --to picture.png")
    elif not to.lower().endswith((".png", ".svg")):
        raise Mistake(f"--to is neither a .png nor a .svg file: {to}", "end the name in .png or .svg: picture.svg")
    else:
        must_be_new(to)


def _check_alone(players: Sequence[str], question: Question) -> None:
    """Refuses players and options about a log for the kind of picture that has no log."""
    cuts = {"--pool": question.pool, "--through": question.through, "--known-at": question.known_at}
    for given in [*players, *(name for name, value in cuts.items() if value is not None)]:
        raise Mistake(f"a curve shows methods without a log: {given}", f"leave {given} out")


def _curve(methods: Sequence[str], opponent: float) -> list[Picture]:
    registry, gaps = Registry.installed(), np.arange(-REACH, REACH + 1, STEP, dtype=np.float64)
    shares = {}
    for text, method in map(registry.named, dict.fromkeys(methods)):
        try:
            shares[text] = expectations(method, opponent + gaps, np.full(len(gaps), opponent)).expected
        except CannotSay as error:
            note(f"left out: {error}")
    if not shares:
        raise Mistake("there is nothing to draw: no method makes a forecast from two ratings", "name another --method")
    if len(shares) > FEW:
        note(f"left out, since a picture has room for {FEW} curves: {', '.join([*shares][FEW:])}")
    columns = {
        "method": tuple(text for text in shares for _ in gaps),
        "gap": np.tile(gaps, len(shares)),
        "expected": np.concatenate(list(shares.values())),
    }
    return expected_scores(Table("expected_scores", "Expected score against gap", columns))


def _curves(engine: Engine, view: View, entries: Entries, players: Sequence[str]) -> list[Picture]:
    rows = [view.row(engine.core.player_id(player)) for player in players] or busiest(view)
    return curves(Table("curves", "Ratings of players", _over_time(view, entries, rows).curves()))


def _over_time(view: View, entries: Entries, rows: Sequence[int] = ()) -> OverTime:
    return OverTime(view, {text: Way.of(method, view) for text, method in entries}, rows)


def _calibration(engine: Engine, view: View, entries: Entries, players: Sequence[str]) -> list[Picture]:
    answers = ask(entries, view)
    games, sessions = answers.games, answers.sessions
    for text, why in answers.left_out.items():
        note(f"left out: {text}: {why}")
    pictures = []
    for text, forecast in games.forecasts.items():
        bins = reliability(games.of(forecast.expected), games.of(games.played.score))
        columns = {"expected": bins.expected, "scored": bins.scored, "scored_low": bins.from_, "scored_high": bins.to}
        named = {"method": (text,) * len(bins.n), "games": bins.n, **columns}
        pictures += calibration(Table("reliability", "Calibration", named))
    scored = ScoredSessions(sessions, next(iter(sessions.forecasts), ""), (), 0)
    return pictures + calibration(scored.tables()["session_reliability"], "pairs")


def _distribution(engine: Engine, view: View, entries: Entries, players: Sequence[str]) -> list[Picture]:
    ratings = {}
    for text, method in entries:
        standing = engine.core.standing(method, view)
        ratings[text] = np.asarray(shown_by(method, standing.state, standing.at)["rating"], np.float64)
    return distributions(Table("distributions", "Distribution of ratings", spread_of(ratings)))


def _health(engine: Engine, view: View, entries: Entries, players: Sequence[str]) -> list[Picture]:
    return health(Table("health", "Health of the pool", _over_time(view, entries).health()))


_DRAWN = {"curves": _curves, "calibration": _calibration, "distribution": _distribution, "health": _health}


READ_AT = 200.0
"""Gap whose expected scores the description gives, in rating points."""


def expected_scores(table: Table) -> list[Picture]:
    """Draws a panel with a curve for each of the first few methods; None for a table without rows.

    Parameters
    ----------
    table : Table
        Columns `method`, `gap` (rating points) and `expected` (share of the point), methods one after the other.
    """
    if not len(table):
        return []
    alt = library()
    method = np.array(table["method"], dtype=object)
    gap, expected = (np.array(table[name], dtype=np.float64) for name in ("gap", "expected"))
    named = [str(name) for name in dict.fromkeys(method)][:FEW]
    cells: dict[str, list[Any]] = {"method": [], "gap": [], "expected": [], "mark": []}
    read = []
    for number, name in enumerate(named):
        rows = np.flatnonzero(method == name)
        read.append(float(expected[rows[np.argmin(np.abs(gap[rows] - READ_AT))]]))
        # curves are close together, so each method has its marks at other gaps
        marked = set((np.linspace(0, len(rows) - 1, MARKS * FEW + 1).astype(int)[number::FEW]).tolist())
        cells["method"] += [name] * len(rows)
        cells["gap"] += gap[rows].tolist()
        cells["expected"] += expected[rows].tolist()
        cells["mark"] += [n in marked or None for n in range(len(rows))]
    channels = series("method", named)
    base = alt.Chart(values(cells)).encode(
        x=alt.X("gap:Q", title="own rating less the opponent's, points"),
        y=alt.Y("expected:Q", title="expected score, share of the point", scale=alt.Scale(domain=[0, 1])),
        color=channels["color"],
    )
    lines = base.mark_line(strokeWidth=1.6).encode(strokeDash=channels["strokeDash"])
    marks = base.mark_point(filled=True, opacity=1, size=45).encode(shape=channels["shape"])
    text = f"Expected score against gap; at {READ_AT:g} points: {first_few(named, read)}."
    alone = f": {named[0]}" if len(named) == 1 else ""  # a single curve has no legend
    return [Picture(f"expected score against gap{alone}", text, alt.layer(lines, marks.transform_filter("datum.mark")))]


def svg(pictures: Sequence[Picture], title: str = "") -> str:
    """Returns pictures under one title as SVG, with texts as text elements."""
    alt = library()
    import vl_convert

    return str(vl_convert.vegalite_to_svg(_together(pictures, title), vl_version=version(alt)))


def png(pictures: Sequence[Picture], title: str = "", scale: float = 2.0) -> bytes:
    """Returns pictures under one title as PNG, magnified `scale` times."""
    alt = library()
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(_together(pictures, title), vl_version=version(alt), scale=scale))


def _together(pictures: Sequence[Picture], title: str) -> dict[str, Any]:
    alt = library()
    lone = len(pictures) == 1
    charts = [one.chart.properties(width=WIDTH, title="" if lone and title else one.title) for one in pictures]
    chart = (
        charts[0]
        if lone
        else alt.concat(*charts, columns=2, spacing=30).resolve_scale(
            color="independent", shape="independent", strokeDash="independent", size="independent"
        )
    )
    if title:
        chart = chart.properties(title=f"{title}: {pictures[0].title}" if lone else title)
    spec: dict[str, Any] = chart.to_dict()
    spec["config"] = CONFIG
    spec["description"] = " ".join(one.description for one in pictures)
    drawable: dict[str, Any] = json.loads(_NO_XML.sub("\ufffd", json.dumps(spec, ensure_ascii=False)))
    return drawable

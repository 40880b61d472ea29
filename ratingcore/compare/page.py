"""The report of a comparison: one HTML page with the answer first, then pictures and the tables behind them."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from ratingcore.compare.comparison import Comparison
from ratingcore.report.charts import DOTS, PERIODS, STEP, curves, distributions, forest, over_time, ranks
from ratingcore.report.frame import Section, framed, made_from
from ratingcore.report.style import (
    COLOURS,
    FEW,
    INK,
    QUIET,
    Picture,
    first_few,
    library,
    numbers,
    padded,
    series,
    values,
)
from ratingcore.report.table import Table, with_called

Rows = list[dict[str, Any]]
"""Rows of a table, some of them; cells are numbers and texts by the name of their column."""


def scores(table: Table) -> list[Picture]:
    """Log loss of every method with its interval, best on top."""
    rows = [row for row in table if row["log_loss"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "log_loss")
    low, high = numbers(rows, "log_loss_low"), numbers(rows, "log_loss_high")
    title = "Log loss of sessions" if "session" in table.unit else "Log loss"
    text = f"Log loss {_each(table)}, less is better: {first_few(names, point)}."
    return [Picture(title, text, forest(names, point, low, high, f"log loss, {table.unit} (less is better)"))]


def differences(table: Table, reference: str) -> list[Picture]:
    """How much better than the reference every other method is, with its interval."""
    rows = [row for row in table if row["method"] != reference and row["better_by"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "better_by")
    low, high = numbers(rows, "better_by_low"), numbers(rows, "better_by_high")
    sessions = " on sessions" if "session" in table.unit else ""
    text = f"Nats {_each(table)} by which each method is better than {reference}: {first_few(names, point)}."
    chart = forest(names, point, low, high, f"better by, {table.unit} (right of 0 is better)", zero=True)
    return [Picture(f"Against {reference}{sessions}", text, chart)]


def _each(table: Table) -> str:
    """What a score is of: a game, or a session."""
    return table.unit.partition(" ")[2]


def sections(comparison: Comparison) -> Iterator[Section]:
    """The sections that have pictures or rows."""
    for section in _all(comparison):
        if section.pictures or any(len(table) for table in section.tables):
            yield section


def _all(made: Comparison) -> Iterator[Section]:
    reference = made.reference
    yield Section(
        "scores", "Scores",
        "Every forecast was made strictly before its game, and all methods were asked about the same games. Log loss "
        "measures how far forecasts are from what happened: less is better, and 0.693 is what always forecasting one "
        "half would lose. Bars are 95 % intervals; they allow for games of the same player or period having something "
        "in common. Sessions are scored apart from games, each as one: log loss and Brier of who came in ahead of "
        "whom, over all pairs of sides; rps, the ranked probability score of the places (Epstein 1969); winner, the "
        "log loss of who came in first.",
        (*scores(made.scores), *differences(made.scores, reference),
         *scores(made.sessions), *differences(made.sessions, reference)),
        (_without(made.scores, "verdict", "seconds"), made.pairs, made.outcomes,
         _without(made.sessions, "verdict", "seconds"), made.left_out),
    )  # fmt: skip
    yield Section(
        "calibration", "Calibration",
        "Games are put into ten bins by their forecast. On the dashed diagonal forecasts come true: of games "
        "with an expected score of 0.7, seven points in ten are scored. Bars are Wilson 95 % intervals, and the area "
        "of a dot grows with the games of its bin. Of sessions it is the chance of one side to come in ahead of "
        "another, each pair of sides seen from both sides, and each session counting as one.",
        (*calibration(made.reliability), *calibration(made.session_reliability, "pairs")),
        (made.reliability, made.session_reliability),
    )  # fmt: skip
    yield _cohorts(made)
    players = dict.fromkeys(made.curves["player"]) if len(made.curves) else {}
    more = len(players) - FEW
    yield Section(
        "curves", "Rating curves of chosen players",
        "The same players under every method. Each method has a scale of its own: compare shapes, not heights. Curves "
        "differ by colour, dash and mark.",
        tuple(curves(made.curves)), (made.curves,),
        f"The pictures show the first {FEW} players; the table has {more} more." if more > 0 else "",
    )  # fmt: skip
    yield Section(
        "distributions", "Distributions of ratings",
        "Number of players at each rating at the end. Each method has a scale of its own.",
        tuple(distributions(made.distributions)), (made.distributions,),
    )  # fmt: skip
    thinned = len(made.ranks) > DOTS
    yield Section(
        "movers", "Where the lists differ",
        f"The players whose rank differs most from that under {reference}, and the ranks of all: a dot on the dashed "
        "diagonal has the same rank in both lists.",
        (*movers(made.movers), *ranks(made.ranks, reference)), (made.agreement, made.movers, made.ranks),
        f"Of {len(made.ranks):,} players the pictures show at most {DOTS}, evenly spread over the list."
        if thinned else "",
    )  # fmt: skip
    periods = len(set(made.health["at"])) if len(made.health) else 0
    yield Section(
        "health", "Health of the pool",
        "Whether ratings drift while players stay as strong as they were (inflation, deflation), and whether everyone "
        "is still connected to everyone by games: without that, ratings cannot be compared.",
        tuple(health(made.health)), (made.health,),
        f"Of {periods} periods the pictures show {PERIODS}, evenly spread." if periods > PERIODS else "",
    )  # fmt: skip


def _cohorts(made: Comparison) -> Section:
    others = [method for method in made.methods if method != made.reference]
    lead = (
        f"Nats a game by which a method is better than {made.reference}; the dashed line is no difference, and a "
        "method right of it (above it, over years) is better there. Bars are 95 % intervals of one cohort each: with "
        "many cohorts a few bars miss the line by chance."
        if others
        else "Log loss a game, less is better."
    )
    left = len(others) - (FEW - 1)
    note = f"The pictures show the best {FEW - 1} methods; the table has all." if left > 0 else ""
    seated = {str(row["method"]): row["verdict"] for row in made.sessions}  # the methods that rate them, best first
    against = next((method for method, verdict in seated.items() if verdict == "the reference"), "")
    of_sessions = cohorts(made.session_cohorts, list(seated), against, "session")
    pictures = (*cohorts(made.cohorts, made.methods, made.reference), *of_sessions)
    return Section("cohorts", "For whom", lead, pictures, (made.cohorts, made.session_cohorts), note)


def _without(table: Table, *names: str) -> Table:
    """A table without columns that other tables repeat, so that it fits on a sheet of paper."""
    return evolve(table, columns={name: cells for name, cells in table.columns.items() if name not in names})


def report_html(comparison: Comparison) -> str:
    """A comparison as a report for a committee: one HTML file without outside requests.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    str
        A page of about a megabyte, most of it the script that draws.

    Raises
    ------
    NotInstalled
        Without altair and vl-convert.
    """
    lead = "With the same log, everyone can make this report again and compare every number:"
    return framed(
        f"{comparison.pool}: which method forecasts best?",
        _about(comparison),
        comparison.answer,
        list(sections(with_called(comparison, comparison.called))),
        made_from(lead, [command(comparison)], comparison.provenance),
    )


def _about(made: Comparison) -> str:
    methods = "1 method" if len(made.methods) == 1 else f"{len(made.methods)} methods"
    return f"{methods} on the results of the pool {made.pool}; reference: {made.reference}."


def command(made: Comparison) -> str:
    """The command line that makes the same report of the same log."""
    facts = {str(row["fact"]): str(row["value"]) for row in made.provenance}
    words = ["ratingcore", "compare", "LOG", "--pool", made.pool]
    for method in (*made.methods, *(str(row["method"]) for row in made.left_out)):
        words += ["--method", method]
    words += ["--reference", made.reference]
    for option, fact in (("--known-at", "head"), ("--through", "through"), ("--since", "since"), ("--seed", "seed")):
        words += [option, facts[fact]] if fact in facts else []
    words += ["--burn-in", facts["burn-in"]] if facts.get("burn-in", "none") != "none" else []
    words += ["--refit", facts["refit"]] if facts.get("refit", "month") != "month" else []
    for player in dict.fromkeys(made.curves["player"] if len(made.curves) else ()):
        words += ["--player", str(player)]
    for cohort in facts.get("cohorts", "").split(", "):
        words += ["--cohort", cohort] if cohort else []
    return shlex.join([*words, "--html", "report.html"])


def calibration(table: Table, what: str = "games") -> list[Picture]:
    """A panel a method: mean score against mean forecast of every bin, with Wilson intervals and the diagonal.

    Parameters
    ----------
    what : {"games", "pairs"}
        The column that says how many a bin has: games, or pairs of sides of sessions.
    """
    rows = [row for row in table if row[what]]
    return [
        _calibrated(method, [row for row in rows if row["method"] == method], what)
        for method in dict.fromkeys(str(row["method"]) for row in rows)
    ]


def _calibrated(method: str, rows: Rows, what: str) -> Picture:
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


MOST, ROW = 12, 12
"""Cohorts in a panel at most, and the pixels of a method in each."""


def cohorts(table: Table, methods: Sequence[str], reference: str, what: str = "game") -> list[Picture]:
    """A panel for each kind of cohort: how much the best methods are better than the reference.

    Parameters
    ----------
    table : Table
    methods : sequence of str
        Best first; if there is only the reference, its log loss is drawn.
    reference : str
    what : {"game", "session"}
        What the rows count, in a column of the same name with an s.
    """
    others = [method for method in methods if method != reference][: FEW - 1]
    shown, column = (others, "better_by") if others else ([reference], "log_loss")
    rows = [row for row in table if row["method"] in shown and row[column] is not None and row[f"{what}s"]]
    pictures = []
    for by in dict.fromkeys(str(row["by"]) for row in rows):
        of_kind = [row for row in rows if row["by"] == by]
        draw = _over_years if _are_years(of_kind) else _side_by_side
        pictures.append(draw(by, of_kind, shown, column, reference, what))
    return pictures


def _are_years(rows: Rows) -> bool:
    names = {str(row["cohort"]) for row in rows}
    return len(names) > MOST and all(name.isdecimal() and len(name) == 4 for name in names)


def _heading(by: str, what: str) -> str:
    return f"By {by}" if what == "game" else f"Sessions by {by}"


def _title(column: str, reference: str, what: str) -> str:
    return f"better than {reference}, nats a {what}" if column == "better_by" else f"log loss, nats a {what}"


def _described(by: str, rows: Rows, column: str, reference: str, what: str) -> str:
    text = ", ".join(
        f"{row['cohort']}: {row['method']} {row[column]:.3g} ({row[f'{what}s']} {what}s)" for row in rows[:4]
    )
    return f"By {by}, {_title(column, reference, what)}: {text}{', ...' if len(rows) > 4 else ''}."


def _over_years(by: str, rows: Rows, shown: Sequence[str], column: str, reference: str, what: str) -> Picture:
    alt = library()
    rows = sorted(rows, key=lambda row: str(row["cohort"]))
    methods, years = [str(row["method"]) for row in rows], [int(row["cohort"]) for row in rows]
    channels = series("method", shown)
    base = alt.Chart(values({"year": years, "method": methods, "amount": numbers(rows, column)})).encode(
        x=alt.X("year:Q", title=by, scale=alt.Scale(zero=False), axis=alt.Axis(format="d", tickMinStep=1)),
        y=alt.Y("amount:Q", title=_title(column, reference, what), scale=alt.Scale(zero=column == "better_by")),
        color=channels["color"],
    )
    lines = base.mark_line(strokeWidth=1.4).encode(strokeDash=channels["strokeDash"])
    dots = base.mark_point(filled=True, opacity=1, size=32).encode(shape=channels["shape"])
    chart = alt.layer(*_nought("y", column), lines, dots)
    return Picture(_heading(by, what), _described(by, rows, column, reference, what), chart)


def _side_by_side(by: str, rows: Rows, shown: Sequence[str], column: str, reference: str, what: str) -> Picture:
    alt = library()
    games: dict[str, int] = {}
    for row in rows:
        games[str(row["cohort"])] = max(games.get(str(row["cohort"]), 0), int(row[f"{what}s"]))
    drawn = set(sorted(games, key=games.__getitem__, reverse=True)[:MOST])
    order = [name for name in games if name in drawn]
    rows = [row for row in rows if str(row["cohort"]) in drawn]
    place = {name: n * (len(shown) + 1.7) for n, name in enumerate(order)}
    down = max(place.values()) + len(shown) - 0.3
    cells, scale = _spans(rows, column, what)
    cells["place"] = [place[str(row["cohort"])] + shown.index(row["method"]) for row in rows]
    y = alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[-1.5, down], reverse=True, nice=False, zero=False))
    channels, title = series("method", shown), _title(column, reference, what)
    base = alt.Chart(values(cells)).encode(y=y, color=channels["color"])
    bars = base.mark_rule(strokeWidth=1.6).encode(x=alt.X("low:Q", scale=scale, title=title), x2="high:Q")
    dots = base.mark_point(filled=True, opacity=1, size=42).encode(
        x=alt.X("point:Q", scale=scale, title=title, axis=alt.Axis(tickCount=5)),
        shape=channels["shape"],
        tooltip=["cohort:N", "method:N", alt.Tooltip("point:Q", title=title), alt.Tooltip("many:Q", title=f"{what}s")],
    )
    heads = alt.Chart(values({"place": [place[name] - 0.9 for name in order], "cohort": order}))
    heads = heads.mark_text(align="left", color=INK, fontSize=12, limit=alt.ExprRef("width"))
    heads = heads.encode(y=y, x=alt.value(0), text="cohort:N")
    chart = alt.layer(*_nought("x", column), bars, dots, heads).properties(height=(down + 1.5) * ROW)
    more = f", the {MOST} with most {what}s" if len(games) > MOST else ""
    return Picture(_heading(by, what) + more, _described(by, rows, column, reference, what), chart)


def _spans(rows: Rows, column: str, what: str) -> tuple[dict[str, Any], Any]:
    """Points with their intervals, and the axis that has room for them."""
    point, nought = numbers(rows, column), column == "better_by"
    low, high = (_ends(rows, point, f"better_by_{end}") if nought else point for end in ("low", "high"))
    ends = padded(min([*low, *[0.0] * nought]), max([*high, *[0.0] * nought]))
    cells: dict[str, Any] = {"point": point, "low": low, "high": high}
    cells |= {name: [str(row[name]) for row in rows] for name in ("cohort", "method")}
    cells["many"] = [row[f"{what}s"] for row in rows]
    return cells, library().Scale(domain=ends, nice=False, zero=False)


def _ends(rows: Rows, point: Sequence[float], end: str) -> list[float]:
    """Ends of the intervals; the point itself where there is none."""
    return [e if e == e else p for p, e in zip(point, numbers(rows, end), strict=True)]


def _nought(channel: str, column: str) -> list[Any]:
    """A dashed line at no difference."""
    if column != "better_by":
        return []
    line = library().Chart(values({"nought": [0.0]})).mark_rule(color=QUIET, strokeDash=[4, 3])
    return [line.encode(**{channel: "nought:Q"})]


LEVELS = {"mean": "all active", "top_mean": "the top", "panel_mean": "the same players"}
PLAY = {"active": "active players", "newcomers": "newcomers"}
TIES = {"components": "components", "bridges": "bridges"}
WHOLE = {"largest_share": "share in the largest component"}


def health(table: Table) -> list[Picture]:
    """Levels, a panel a method, then activity and connectedness, which do not depend on the method."""
    methods = list(dict.fromkeys(str(row["method"]) for row in table))
    rows = {method: [row for row in table if row["method"] == method] for method in methods}
    panels = [(f"Level: {method}", rows[method], LEVELS, "mean rating", False) for method in methods]
    if methods:
        pool = rows[methods[0]]
        panels += [("Activity", pool, PLAY, "players", True), ("Components and bridges", pool, TIES, "number", True)]
        panels += [("Connectedness", pool, WHOLE, "share of the active players", True)]
    return [picture for panel in panels for picture in over_time(*panel)]


PLAYERS = 10
"""Movers of a panel."""


def movers(table: Table) -> list[Picture]:
    """A panel for each pair of lists: the ranks that differ most."""
    pairs: dict[tuple[str, str], Rows] = {}
    for row in table:
        if row["rank"] is not None and row["rank_against"] is not None:
            pairs.setdefault((str(row["method"]), str(row["against"])), []).append(row)
    return [_moved(method, against, rows) for (method, against), rows in pairs.items()]


def _moved(method: str, against: str, rows: Rows) -> Picture:
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

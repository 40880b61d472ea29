"""The page of a study, section by section: one HTML file that holds everything it needs and makes no requests."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.plugin.reports import FEW, Section, Table, evenly, framed, made_from
from ratingcore_laboratory.report.bands import banded, people
from ratingcore_laboratory.report.histograms import histograms
from ratingcore_laboratory.report.outcomes import outcomes
from ratingcore_laboratory.report.players import anybody, followed
from ratingcore_laboratory.study import Study
from ratingcore_laboratory.tabulated import curves
from ratingcore_laboratory.thresholds import called

STYLE = """
.vega-bindings { font-size: .9rem; margin-top: .35rem; }
.vega-bindings select { font: inherit; }
@media print { .vega-bindings { color: inherit; } }
"""


def lab_html(made: Study) -> str:
    """A study as a report for a committee: one HTML file without outside requests.

    Parameters
    ----------
    made : Study

    Returns
    -------
    str
        A page of one or two megabytes, most of it the script that draws.

    Raises
    ------
    NotInstalled
        Without altair and vl-convert.
    """
    lead = "With the same version, everyone can make this report again and compare every number:"
    return framed(
        f"{made.world}: who finds the true strength?",
        _about(made),
        made.answer,
        list(sections(made)),
        made_from(lead, [made.command or _spelt(made)], made.provenance),
        opened={"claims", "figures", "errata", "thresholds"},
        style=STYLE,
    )


def _about(made: Study) -> str:
    world = made.world
    contenders = ", ".join(made.contenders)
    moves = "constant" if world.evolution == "none" else f"moving ({world.evolution}) with the games played"
    seeds = "1 seed" if len(made.seeds) == 1 else f"{len(made.seeds)} seeds"
    return (
        f"A simulated world of {world.players:,} players at the start, {len(made.trials[0].worlds)} rounds of about "
        f"{world.games_mean:g} games a player, true strength {moves}; {seeds}. In it the true rating of everybody is "
        f"known. Contenders: {contenders}."
    )


def _spelt(made: Study) -> str:
    return f"simulate(World.parse({str(made.world)!r}), contenders, seeds={list(made.seeds)})"


ROWS, OFFERED = 240, 60
"""Largest number of rows of a table on the page, and of players in the list to choose from."""

SHOWN = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50)
"""Rounds of the table of thresholds, with the last one."""

NEAR = {
    "deviation": ("Mean deviation", "points off the truth"),
    "largest": ("Largest deviation", "points off the truth"),
    "smallest": ("Smallest deviation", "points off the truth"),
    "shift": ("Estimated less true", "points, mean"),
}
ORDER = {
    "kendall": ("Kendall", "correlation"),
    "spearman": ("Spearman", "correlation"),
    "pearson": ("Pearson", "correlation"),
    "cosine": ("Cosine", "cosine"),
}
NORMAL = {"ppcc": ("Estimated ratings", "PPCC"), "ppcc_true": ("True ratings", "PPCC")}


def sections(made: Study) -> Iterator[Section]:
    """The sections that have pictures or rows."""
    for section in _all(made):
        if section.pictures or any(len(table) for table in section.tables):
            yield section


def _all(made: Study) -> Iterator[Section]:
    table, names = _thinned(made.rounds, len(made.contenders)), made.contenders
    band = f" Bands go from the lowest to the highest of {len(made.seeds)} seeds." if len(made.seeds) > 1 else ""
    printed = list(made.figures)
    dotted = " Empty marks are numbers of an independent program." if printed else ""
    left = len(names) - FEW
    note = f"The pictures show the first {FEW} contenders; the table has {left} more." if left > 0 else ""
    pictures = [
        picture for key, (title, y) in NEAR.items()
        for picture in banded(title, table, key, y, names, printed if key == "deviation" else ())
        if key != "smallest"  # it is always near zero
    ]  # fmt: skip
    yield Section(
        "near", "How near the truth",
        "How far estimated ratings are from the true ones at the end of each round, over all active players."
        f"{band}{dotted}",
        tuple(pictures),
        (
            _only(table, "active", "rated", "games", "deviation", "shift"),
            _only(table, "largest", "smallest"), _extremes(made),
        ),
        note,
    )  # fmt: skip
    yield _claimed(made)
    yield _thresholds(made, band)
    pictures = [one for key, (title, y) in ORDER.items() for one in banded(title, table, key, y, names)]
    yield Section(
        "order", "How well ordered",
        f"Whether the stronger are rated above the weaker, whatever the scale: 1 is the true order.{band}",
        tuple(pictures), (_only(table, "kendall", "spearman"), _only(table, "pearson", "cosine")), note,
    )  # fmt: skip
    yield Section(
        "distributions", "Distributions of ratings",
        f"Active players after the last round, seed {made.seeds[0]}: estimated ratings as bars, true ones as the line.",
        tuple(histograms(made.distributions, names)), (_short(made.distributions),),
    )  # fmt: skip
    offered = Table("curves", "", curves(made.trials[0], _offered(made)))
    yield Section(
        "players", "Single players",
        f"True and estimated ratings of some players, seed {made.seeds[0]}. Where true ratings depend on the games "
        "played, they differ a little between contenders, and each has a line of its own.",
        (*followed(made.curves, names), *anybody(offered, names)), tuple(_of_some(made)),
        "The list has some players of all; any of them can be followed, and the CSV has the curves of those drawn.",
    )  # fmt: skip
    yield Section(
        "outcomes", "What players should have done and what they did",
        "A player should win if their true chance is higher than the opponent's by twice the half band of draws, and "
        "lose if it is lower by as much. All seeds; a game counts for each of its players.",
        tuple(outcomes(made.outcomes, names)), (made.outcomes,),
    )  # fmt: skip
    pictures = [one for key, (title, y) in NORMAL.items() for one in banded(title, table, key, y, names)]
    yield Section(
        "normality", "How normal ratings look",
        f"Filliben's probability plot correlation coefficient: 1 is a normal distribution.{band}",
        tuple(pictures), (_only(table, *NORMAL),), note,
    )  # fmt: skip
    yield Section(
        "people", "Who is there", "Arrivals and departures are the same for all contenders.",
        tuple(people(table, names)), (),
    )  # fmt: skip


def _claimed(made: Study) -> Section:
    return Section(
        "claims", "What was claimed, and what came out",
        "The world is one of the source study's. Its claims, next to what came out here; then the numbers of an "
        "independent program of the same world, which a mean over as many seeds may miss by four standard errors "
        "(allowed), and errata of the study.",
        (), (made.claims, made.figures.rounded(1, ("threshold",)), made.errata),
    )  # fmt: skip


def _thresholds(made: Study, band: str) -> Section:
    table = made.thresholds
    of = tuple(called(float(str(each))) for each in table["threshold"])
    names, curves = tuple(dict.fromkeys(of)), evolve(table, columns={**table.columns, "contender": of})
    printed = [row for row in curves if row["said"] is not None]
    dotted = " Empty marks are numbers of an independent program." if printed else ""
    y = "points off the truth"
    pictures = banded("Mean deviation of C by threshold", curves, "deviation", y, names, printed) if of else []
    rounds = table["round"][-1] if of else 0
    shown = [n for n, row in enumerate(table) if row["round"] in SHOWN or row["round"] == rounds]
    rows = table.some(shown, f"{table.title}, some rounds")
    return Section(
        "thresholds", "How much success it takes before C raises K",
        "C raises K for players who win, or lose, at least this share of their points: a low threshold finds the "
        f"strengths fast and then moves ratings that are right.{band}{dotted}",
        tuple(pictures), (rows.rounded(1, ("threshold",)),),
    )  # fmt: skip


def _thinned(table: Table, contenders: int) -> Table:
    """The rounds of a table, thinned evenly to what a page has room for."""
    rounds = len(table) // contenders
    some = evenly(rounds, max(ROWS // contenders, 2))
    if len(some) == rounds:
        return table
    rows = (some[:, None] * contenders + np.arange(contenders)).ravel().tolist()
    return table.some(rows, f"{table.title}, {len(some)} of {rounds} rounds")


def _only(table: Table, *measures: str) -> Table:
    names = ["round", "contender", *(f"{name}{end}" for name in measures for end in ("", "_low", "_high"))]
    columns = {name: table.columns[name] for name in names if name in table.columns}
    if all(table[f"{name}_low"] == table[f"{name}_high"] for name in measures if f"{name}_low" in columns):
        columns = {name: cells for name, cells in columns.items() if not name.endswith(("_low", "_high"))}
    title = f"{', '.join(name.replace('_', ' ') for name in measures)} by round{table.title.partition('by round')[2]}"
    return evolve(table, title=title.capitalize(), columns=columns)


def _short(table: Table) -> Table:
    if len(table) <= ROWS:
        return table
    return table.some(range(ROWS), f"{table.title}, the first {ROWS} rows")


def _offered(made: Study) -> list[int]:
    """Players to choose from: some who are not drawn already, evenly over the ids, then those who are."""
    sample = made.trials[0].standings[0].sample
    drawn = _drawn(made)
    return list(dict.fromkeys([*(n for n in sample[evenly(len(sample), OFFERED)].tolist() if n not in drawn), *drawn]))


def _of_some(made: Study) -> Iterator[Table]:
    """The rows of the players whose curves are drawn: ratings, then outcomes in percent of the expected ones."""
    width = len(made.trials[0].people)
    rows = [n * width + player for player in _drawn(made) for n in range(len(made.contenders))]
    picked = made.players.some(rows, "The players above, after the last round")
    who = {name: picked[name] for name in ("contender", "player")}
    shares = [name for name in picked.columns if name.startswith("should_") and name.endswith("_percent")]
    due = {name: ": ".join(name.split("_")[1:3]) for name in shares}
    rated = (*who, "true", "estimated", "off", "appetite", "games", "last_round", "joined", "left")
    results = ("games", "wins", "draws", "losses", "win_percent", "draw_percent", "loss_percent")
    boosts = ("boosts_won", "boosts_lost") if any(cell is not None for cell in picked["boosts"]) else ()
    yield evolve(picked, columns={name: picked[name] for name in rated}).rounded(1)
    title = "The players above: results, and boosts after a win and after a loss"
    yield Table(picked.name, title, who | {name: picked[name] for name in (*results, *boosts)}).rounded(1)
    title = "The players above: what they should have done, and the share of it that they won, drew, lost, in percent"
    yield Table(picked.name, title, who | {short: picked[name] for name, short in due.items()}).rounded(1)


def _extremes(made: Study) -> Table:
    return _thinned(made.extremes, len(made.contenders)).rounded(1)


def _drawn(made: Study) -> list[int]:
    players: Any = made.curves.columns["player"]
    return list(dict.fromkeys(players))

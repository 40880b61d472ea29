"""The sections of the page of a study, in order."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.laboratory.report.bands import banded, people
from ratingcore.laboratory.report.histograms import histograms
from ratingcore.laboratory.report.outcomes import outcomes
from ratingcore.laboratory.report.players import anybody, followed
from ratingcore.laboratory.study import Study
from ratingcore.laboratory.tabulated import curves
from ratingcore.report.section import Section
from ratingcore.report.style import FEW
from ratingcore.report.table import Cell, Table
from ratingcore.report.thinning import spread

ROWS, OFFERED = 240, 60
"""Rows of a table on the page, and players in the list to choose from."""

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
    printed = [row for row in made.figures if row["measure"] == "mean deviation"]
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
        (_only(table, "active", "rated", "games", "deviation", "shift"), _only(table, "largest", "smallest")), note,
    )  # fmt: skip
    yield _claimed(made)
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
        (*followed(made.curves, names), *anybody(offered, names)), (_of_some(made),),
        "The list has some players of all; --player NUMBER draws any, and --csv writes the curves of those drawn.",
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
        "The world is one of the source study's. Its claims, and those of an independent program of the same worlds, "
        "next to what came out here; then the numbers of that program, and errata of the study.",
        (), (made.claims, *_by_measure(made.figures), made.errata),
    )  # fmt: skip


def _by_measure(table: Table) -> Iterator[Table]:
    """A table for each measure, because their numbers differ in size."""
    for measure in dict.fromkeys(table["measure"]):
        rows = [row for row in table if row["measure"] == measure]
        digits = 4 if measure == "Kendall" else 1
        columns = {
            name: tuple(_rounded(row[name], digits) for row in rows) for name in table.columns if name != "measure"
        }
        columns["difference_percent"] = tuple(_rounded(row["difference_percent"], 1) for row in rows)
        yield Table(table.name, f"{table.title}: {measure}", columns)


def _rounded(cell: Cell, digits: int) -> Cell:
    return round(cell, digits) if isinstance(cell, float) else cell


def _thinned(table: Table, contenders: int) -> Table:
    """The rounds of a table, thinned evenly to what a page has room for."""
    rounds = len(table) // contenders
    some = spread(rounds, max(ROWS // contenders, 2))
    if len(some) == rounds:
        return table
    rows = (some[:, None] * contenders + np.arange(contenders)).ravel().tolist()
    return _picked(table, rows, f"{table.title}, {len(some)} of {rounds} rounds")


def _picked(table: Table, rows: Sequence[int], title: str) -> Table:
    """Some rows of a table."""
    columns = {
        name: tuple(cells[n] for n in rows) if isinstance(cells, tuple) else cells[list(rows)]
        for name, cells in table.columns.items()
    }
    return Table(table.name, title, columns, table.unit)


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
    return _picked(table, range(ROWS), f"{table.title}, the first {ROWS} rows")


def _offered(made: Study) -> list[int]:
    """Players to choose from: some who are not drawn already, evenly over the ids, then those who are."""
    sample = made.trials[0].standings[0].sample
    drawn = _drawn(made)
    return list(dict.fromkeys([*(n for n in sample[spread(len(sample), OFFERED)].tolist() if n not in drawn), *drawn]))


def _of_some(made: Study) -> Table:
    """The rows of the players whose curves are drawn."""
    width = len(made.trials[0].people)
    rows = [n * width + player for player in _drawn(made) for n in range(len(made.contenders))]
    picked = _picked(made.players, rows, "The players above, after the last round")
    columns = {
        name: cells for name, cells in picked.columns.items() if not name.startswith("should_") and name != "base"
    }
    return evolve(picked, columns=columns)


def _drawn(made: Study) -> list[int]:
    players: Any = made.curves.columns["player"]
    return list(dict.fromkeys(players))

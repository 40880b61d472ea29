"""Pictures of the health of a pool: the level of ratings over time, activity, and connectedness."""

from ratingcore.report.style import Picture
from ratingcore.report.table import Table
from ratingcore.report.timelines import over_time

LEVELS = {"mean": "all active", "top_mean": "the top", "panel_mean": "the same players"}
BALANCE = {
    "brought": "brought by newcomers",
    "carried": "brought back",
    "taken": "taken by leavers",
    "made": "made by results and rules",
}
PLAY = {"active": "active players", "newcomers": "newcomers"}
TIES = {"components": "components", "bridges": "bridges"}
WHOLE = {"largest_share": "share in the largest component", "connectivity": "algebraic connectivity"}


def health(table: Table) -> list[Picture]:
    """Levels and balance, a panel a method each, then activity and connectedness, which do not depend on the method."""
    methods = list(dict.fromkeys(str(row["method"]) for row in table))
    rows = {method: [row for row in table if row["method"] == method] for method in methods}
    panels = [(f"Level: {method}", rows[method], LEVELS, "mean rating", False) for method in methods]
    panels += [(f"In and out: {method}", rows[method], BALANCE, "rating points a period", False) for method in methods]
    if methods:
        pool = rows[methods[0]]
        panels += [("Activity", pool, PLAY, "players", True), ("Components and bridges", pool, TIES, "number", True)]
        panels += [("Connectedness", pool, WHOLE, "share, and eigenvalue", True)]
    return [picture for panel in panels for picture in over_time(*panel)]

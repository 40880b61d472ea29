"""The page of a study: one HTML file that holds everything it needs and makes no requests."""

from ratingcore.plugin.reports import framed, made_from
from ratingcore_laboratory.report.sections import sections
from ratingcore_laboratory.study import Study

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
        writes="ratingcore simulate --csv",
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

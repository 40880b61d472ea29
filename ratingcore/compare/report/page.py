"""The page of a comparison: the answer first, then the pictures and tables behind it."""

import shlex

from ratingcore.compare.comparison import Comparison
from ratingcore.compare.report.sections import sections
from ratingcore.report.frame import framed, made_from
from ratingcore.report.people import with_called


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

"""Command lines that reports print, so that readers can reproduce them."""

import shlex

from ratingcore.plugin.analysis import Comparison

REPORT = "ratingcore report LOG PLAN --to FOLDER"
"""Command line that makes the report for a meeting from a log and a plan."""


def compare(made: Comparison) -> str:
    """Returns the command line that makes the same report from the same log."""
    facts = {str(row["fact"]): str(row["value"]) for row in made.provenance}
    words = ["ratingcore", "compare", "LOG", "--pool", made.pool]
    for method in (*made.methods, *(str(row["method"]) for row in made.left_out)):
        words += ["--method", method]
    words += ["--against", made.reference]
    for option, fact in (("--known-at", "head"), ("--through", "through"), ("--since", "since"), ("--seed", "seed")):
        words += [option, facts[fact]] if fact in facts else []
    words += ["--burn-in", facts["burn-in"]] if facts.get("burn-in", "none") != "none" else []
    words += ["--refit", facts["refit"]] if facts.get("refit", "month") != "month" else []
    for player in dict.fromkeys(made.curves["player"] if len(made.curves) else ()):
        words += ["--player", str(player)]
    for cohort in facts.get("cohorts", "").split(", "):
        words += ["--cohort", cohort] if cohort else []
    for limit in facts.get("policy", "").split(", "):
        name, _, value = limit.partition("=")
        words += [f"--{name.replace('_', '-')}", value] if name in ("min_games", "active") else []
    return shlex.join([*words, "--html", "report.html"])

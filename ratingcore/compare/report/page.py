"""The report of a comparison: the answer first, then the pictures and tables behind it."""

import shlex
from collections.abc import Iterator

from attrs import evolve

from ratingcore.compare.comparison import Comparison
from ratingcore.compare.report.pictures import calibration, cohorts, health, movers
from ratingcore.report.charts import DOTS, PERIODS, curves, distributions, forest, ranks
from ratingcore.report.frame import Section, framed, made_from
from ratingcore.report.style import FEW, Picture, listed, numbers
from ratingcore.report.table import Table, with_called


def scores(table: Table) -> list[Picture]:
    """Log loss of every method with its interval, best on top."""
    rows = [row for row in table if row["log_loss"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "log_loss")
    low, high = numbers(rows, "log_loss_low"), numbers(rows, "log_loss_high")
    title = "Log loss of sessions" if "session" in table.unit else "Log loss"
    text = f"Log loss {_each(table)}, less is better: {listed(names, point)}."
    return [Picture(title, text, forest(names, point, low, high, f"log loss, {table.unit} (less is better)"))]


def differences(table: Table, reference: str) -> list[Picture]:
    """How much better than the reference every other method is, with its interval."""
    rows = [row for row in table if row["method"] != reference and row["better_by"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "better_by")
    low, high = numbers(rows, "better_by_low"), numbers(rows, "better_by_high")
    sessions = " on sessions" if "session" in table.unit else ""
    text = f"Nats {_each(table)} by which each method is better than {reference}: {listed(names, point)}."
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

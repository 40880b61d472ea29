"""The report of a comparison: one HTML page with the answer first, then pictures with their tables."""

from collections.abc import Iterator

import numpy as np
from attrs import evolve

from ratingcore.plugin.analysis import Comparison
from ratingcore.plugin.reports import (
    DOTS,
    FEW,
    PERIODS,
    Section,
    Table,
    curves,
    distributions,
    framed,
    made_from,
    numbers,
    ranks,
    with_visible_names,
)
from ratingcore_pages.command_lines import compare
from ratingcore_pages.comparison_pictures import calibration, cohorts, differences, health, movers, scores


def report_html(comparison: Comparison) -> str:
    """Makes the report of a comparison for a committee: one HTML file that loads nothing from elsewhere.

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
        sections(with_visible_names(comparison, comparison.called)),
        made_from(lead, [compare(comparison)], comparison.provenance),
        measured=comparison.measured,
        opened=("scores", "sessions", "first"),
    )


def _about(made: Comparison) -> str:
    """The subject of the comparison: methods, games, players and days."""
    facts = _facts(made)
    methods = "1 method" if len(made.methods) == 1 else f"{len(made.methods)} methods"
    counted = [f"{int(facts[kind]):,} {kind}" for kind in ("games", "sessions") if int(facts.get(kind, "0"))]
    if "players" in facts:
        counted.append(f"{int(facts['players']):,} players")
    span = f", {facts['first']} to {facts['last']}" if "first" in facts else ""
    on = f" on {', '.join(counted)}" if counted else ""
    return f"{methods}{on}{span}. Compared with {made.reference}."


def _facts(made: Comparison) -> dict[str, str]:
    return {str(row["fact"]): str(row["value"]) for row in made.provenance}


def sections(made: Comparison) -> Iterator[Section]:
    """The sections of the report."""
    reference, seated = made.reference, len(made.sessions) > 0
    yield Section(
        "scores", "Scores",
        "Every forecast was made strictly before its game, and all methods forecast the same games. Accuracy is the "
        "share of games won by the side with the better chance, a draw counting half. Log loss measures how far the "
        "chances are from what happened: less is better, and a forecast of one half for every game has 0.693. Bars "
        "are 95 % intervals; they allow for games having something in common, by "
        f"{_facts(made).get('intervals by', 'players and months')}."
        + (_OF_SESSIONS if seated else ""),
        (*scores(made.scores), *differences(made.scores, made.pairs, reference),
         *scores(made.sessions), *differences(made.sessions, None, reference)),
        (_short(made.scores), _short(made.sessions), made.pairs,
         made.outcomes, made.left_out),
    )  # fmt: skip
    yield Section(
        "calibration", "Calibration", _on_calibration(made),
        (*calibration(made.reliability), *calibration(made.session_reliability, "pairs")),
        (made.reliability, made.session_reliability),
    )  # fmt: skip
    yield _cohorts(made)
    yield Section(
        "lists", "The first twenty",
        "The leaders of each method's list on the same day." + _who_is_listed(made), (), (made.first,),
    )  # fmt: skip
    thinned = len(made.ranks) > DOTS
    yield Section(
        "movers", "Where the lists differ",
        f"The players whose rank differs most from that under {reference}, and the ranks of all: a dot on the dashed "
        f"diagonal has the same rank in both lists.{_who_is_listed(made)}",
        (*movers(made.movers), *ranks(made.ranks, reference)), (made.agreement, made.movers, made.ranks),
        f"The pictures show up to {DOTS} of the {len(made.ranks):,} players, evenly spread over the list."
        if thinned else "",
    )  # fmt: skip
    players = dict.fromkeys(made.curves["player"]) if len(made.curves) else {}
    more = len(players) - FEW
    yield Section(
        "curves", "Rating curves of chosen players",
        "The same players under every method. Each method has its own scale: compare shapes, not heights. Curves "
        "differ by colour, dash and mark.",
        tuple(curves(made.curves)), (made.curves,),
        f"The pictures show the first {FEW} players; the table has {more} more." if more > 0 else "",
    )  # fmt: skip
    yield Section(
        "distributions", "Distributions of ratings",
        "Number of players at each rating at the end. Each method has its own scale.",
        tuple(distributions(made.distributions)), (made.distributions,),
    )  # fmt: skip
    periods = len(set(made.health["at"])) if len(made.health) else 0
    yield Section(
        "health", "Health of the pool",
        "Whether ratings drift while players stay as strong as they were (inflation, deflation), and whether everyone "
        "is still connected to everyone by games: without that, ratings cannot be compared.",
        tuple(health(made.health)), (made.health,),
        f"The pictures show {PERIODS} of the {periods} periods, evenly spread." if periods > PERIODS else "",
    )  # fmt: skip


_OF_SESSIONS = (
    " Sessions are scored separately, each as one result: by the log loss and Brier score of which side of a pair "
    "finished ahead, over all pairs; by rps, the ranked probability score of the places (Epstein 1969); and by winner, "
    "the log loss of who finished first."
)


def _who_is_listed(made: Comparison) -> str:
    policy = _facts(made).get("policy", "")
    return f" Players are listed by this policy: {policy}." if policy else ""


ADVANTAGE = 0.02
"""Points a game by which the first side must score more than expected to be mentioned."""


def _on_calibration(made: Comparison) -> str:
    """Returns how to read the pictures of calibration, whose score they show, and why a curve bends."""
    lead = (
        "Games are put into ten bins by their forecast. Score and forecast are those of the side that the log names "
        "first, which is the home side, or the one with the first move, where the log knows it. On the dashed diagonal "
        "forecasts come true: of games with an expected score of 0.7, seven points in ten are scored. Bars are Wilson "
        "95 % intervals, and the area of a dot grows with the games of its bin."
    )
    bowed = list(_ahead(made.reliability))
    if bowed:
        scored, expected = bowed[0][1:]
        names = ", ".join(name for name, _, _ in bowed)
        lead += (
            f" The side named first scores {scored:.2f} points a game; {names} expected {expected:.2f}"
            f"{' or less' if len(bowed) > 1 else ''}. What that side gains by playing at home or moving first is "
            "unknown to such a method, and its curve bows above the diagonal."
        )
    if len(made.session_reliability):
        lead += (
            " Of sessions it is the chance of one side to come in ahead of another, each pair of sides seen from both "
            "sides, and each session counting as one."
        )
    return lead


def _ahead(table: Table) -> Iterator[tuple[str, float, float]]:
    """Returns the methods that expect too little of the first side, with its mean score and their mean expectation."""
    for method in dict.fromkeys(str(row["method"]) for row in table):
        rows = [row for row in table if row["method"] == method and row["games"]]
        games = np.array(numbers(rows, "games"))
        scored, expected = (float(np.average(numbers(rows, name), weights=games)) for name in ("scored", "expected"))
        if scored - expected > ADVANTAGE:
            yield method, scored, expected


def _cohorts(made: Comparison) -> Section:
    others = [method for method in made.methods if method != made.reference]
    lead = (
        f"Nats a game by which a method is better than {made.reference}; the dashed line is no difference, and a "
        "method right of it (above it, over years) is better there. Bars are 95 % intervals of one cohort each: of "
        "twenty such intervals, one is expected to miss the true value by chance."
        if others
        else "Log loss a game, less is better."
    )
    left = len(others) - (FEW - 1)
    note = f"The pictures show the best {FEW - 1} methods; the table has all." if left > 0 else ""
    ranked = {str(row["method"]): row["verdict"] for row in made.sessions}  # the best methods that rate them
    against = next((method for method, verdict in ranked.items() if verdict == "the reference"), "")
    of_sessions = cohorts(made.session_cohorts, list(ranked), against, "session")
    pictures = (*cohorts(made.cohorts, made.methods, made.reference), *of_sessions)
    return Section("cohorts", "For whom", lead, pictures, (made.cohorts, made.session_cohorts), note)


_LEFT_OFF = ("rank", "deviance", "error", "verdict", "seconds")
"""Columns of scores that do not fit on a sheet of paper; the command writes them."""


def _short(table: Table) -> Table:
    """Returns a table of scores without the columns that other tables have, or that few readers need."""
    return evolve(table, columns={name: cells for name, cells in table.columns.items() if name not in _LEFT_OFF})

"""The comparison of several methods on the games and sessions of a view."""

import platform
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ratingcore.columns import FOREVER, View
from ratingcore.compare.burn_in import BurnIn
from ratingcore.compare.common_games import Asked, ask
from ratingcore.compare.comparison import Comparison
from ratingcore.compare.list_tables import Listed
from ratingcore.compare.score_tables import Scored, no_tables
from ratingcore.compare.session_tables import ScoredSessions
from ratingcore.errors import BadValue
from ratingcore.events import Instant
from ratingcore.lists import RatingList
from ratingcore.lists.people import People
from ratingcore.log.address import Address
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.report.table import Table


def compare(
    asked: Sequence[tuple[str, Method]],
    view: View,
    listing: Callable[[Method], RatingList],
    version: str,
    *,
    since: Instant | None = None,
    burn_in: BurnIn | None = None,
    refit: Period | str | None = None,
    cohorts: Sequence[str] = (),
    followed: Sequence[int] = (),
    reference: str | None = None,
    seed: int = 0,
    address: Address | None = None,
    jobs: int | None = 1,
) -> Comparison:
    """Compares methods on the games and sessions of a view, each kind by itself.

    Parameters
    ----------
    asked : sequence of (str, Method)
        Each method, with the text that names it.
    view : View
    listing : callable
        Makes the rating list of a method over the view; called on first use of a table of lists.
    version : str
        Version of ratingcore.
    since : int or None
        Score the results from this instant on.
    burn_in : BurnIn or None
    refit : Period, str or None
        How often retrospective methods are refitted; every month if None.
    cohorts : sequence of str
    followed : sequence of int
        Rows of the players whose ratings are drawn; those with most games if empty.
    reference : str or None
        Text of the method that the others are held against; the first if None.
    seed : int
        Of the bootstrap.
    address : Address or None
        Of the log, for workers.
    jobs : int or None
        Workers, as joblib counts them.
    """
    methods = dict(asked)
    if reference is not None and reference not in methods:
        raise BadValue("reference", reference, f"is none of the methods: {', '.join(methods)}")
    answers = ask(asked, view, since, burn_in, refit, address, jobs)
    against = reference or asked[0][0]
    if against not in answers.every:  # it was left out
        against = next(iter(answers.every))
    scored = Scored(answers, _among(against, answers.forecasts), tuple(cohorts), seed)
    sessions = ScoredSessions(answers.sessions, against, tuple(cohorts), view, seed)
    best_first = tuple(dict.fromkeys((*(scored.ranked if answers.n else ()), *sessions.ranked, *answers.every)))
    listed = Listed({text: methods[text] for text in best_first}, view, against, tuple(followed), listing)
    facts = _facts(answers, view, version, against)
    facts |= {
        "since": None if since is None else view.clock.iso(since),
        "burn-in": str(burn_in or BurnIn()),
        "refit": str(refit or "month"),
        "cohorts": ", ".join(cohorts),
        "seed": seed,
    }
    out = tuple(answers.left_out)
    said = [scored.answer() if answers.n else "", sessions.answer()]
    return Comparison(
        answer="; sessions: ".join(filter(None, said)), pool=view.pool, methods=best_first, reference=against,
        **(scored.tables() if answers.n else no_tables()), **sessions.tables(), **listed.tables(),
        left_out=Table(
            "left_out", "Methods left out", {"method": out, "why": tuple(answers.left_out[text] for text in out)}
        ),
        provenance=_provenance(facts), called=People(view.book).called_by_key(view.called),
    )  # fmt: skip


def _among(reference: str, forecasts: Mapping[str, Any]) -> str:
    """The reference if it is one of these methods, else the first of them."""
    return reference if reference in forecasts else next(iter(forecasts), "")


def _facts(answers: Asked, view: View, version: str, reference: str) -> dict[str, Any]:
    """What the comparison was made from, as facts by name."""
    identities = {f"method {text}": forecasts.method for text, forecasts in answers.every.items()}
    odd = {f"left out by {text}": forecasts.left_out for text, forecasts in answers.every.items()}
    return {
        "pool": view.pool,
        "head": f"{view.known_at}:{view.digest}",
        "through": None if view.through == FOREVER else view.clock.exact(view.through),
        **({"zone": view.zone} if view.zone else {}),
        "games": len(answers.played),
        "scored": answers.n,
        **(
            {"sessions": len(answers.sessions.played), "sessions scored": answers.sessions.n} if view.n_sessions else {}
        ),
        **identities,
        **odd,
        "reference": reference,
        "ratingcore": version,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def _provenance(facts: Mapping[str, Any]) -> Table:
    rows = {fact: str(value) for fact, value in facts.items() if value not in (None, "")}
    return Table("provenance", "Made from", {"fact": tuple(rows), "value": tuple(rows.values())})

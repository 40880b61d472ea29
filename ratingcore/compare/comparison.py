"""Compares several methods on the games and sessions of a view: the answer, and tables of every number behind it."""

import platform
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from attrs import field, frozen

from ratingcore.columns import FOREVER, View
from ratingcore.columns.games import same_value
from ratingcore.compare.common_games import CommonForecasts, ask
from ratingcore.compare.list_tables import Listed
from ratingcore.compare.played import BurnIn
from ratingcore.compare.score_tables import Scored, ScoredSessions, no_tables
from ratingcore.errors import BadValue
from ratingcore.events import Instant
from ratingcore.lists import ListPolicy, RatingList
from ratingcore.lists.player_names import called_by_key
from ratingcore.log.address import Address
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.replay.contract_check import lacks_home
from ratingcore.report.table import AsTables, Table, provenance

SESSIONS = "; sessions: "
"""Text between the part of an answer about games and the part about sessions."""


@frozen(eq=False, repr=False)
class Comparison(AsTables):
    """Methods compared on the same games: the answer in a sentence, and every number in a table.

    All methods are scored on the same games: those before which every method had rated both players. Sessions are
    scored likewise, separately from games; tables are about games unless they say otherwise. Every forecast was made
    strictly before its game. Tables beyond the scores are computed on first use.

    Parameters
    ----------
    answer : str
        What the games show about the best method, in plain words: in how many more of 100 games than the reference it
        names the winner, or that its chances are closer to what happened, or that no method is clearly better.
    measured : str
        Which method forecasts best, by how much, and whether that is more than chance.
    pool : str
    methods : tuple of str
        Texts of the methods as given, best log loss first.
    reference : str
        The method with which the others are compared.
    scores : Table
        A row per method, best first: rank, method, games, log_loss with log_loss_low and log_loss_high (95 %), brier,
        accuracy, deviance, ece; better_by (nats a game, positive is better than the reference) with its standard
        error and better_by_low, better_by_high (95 %); verdict; unrated (games it could not
        forecast); seconds.
    outcomes : Table
        A row per method that forecasts draws: method, games, log_loss, brier, rps of win, draw and loss.
    reliability : Table
        A row per method and bin: method, low, high, games, expected, scored, scored_low, scored_high (Wilson, 95 %).
    pairs : Table
        A row per method other than the reference and kind of error (by players, periods, both, or bootstrap):
        method, against, games, better_by, error, low, high, blocks, by, used, verdict. If neither of the two best
        methods is the reference, there are also rows that compare these two.
    cohorts : Table
        A row per cohort and method: by, cohort, method, games, log_loss, brier, accuracy; better_by with its error
        and better_by_low, better_by_high (95 %).
    agreement : Table
        A row per method other than the reference: method, against, players, only_old (only on the list of the
        reference) and only_new, pearson, kendall, spearman, cosine, filliben, and how far the lists lie apart.
    movers : Table
        A row per player whose rank differs most: method, against, player, rank and rank_against, places (up is
        positive), rating and rating_against.
    first : Table
        A row per place, from 1 to 20: place, and the player who has it under each method.
    ranks : Table
        A row per player: player, and the rank under each method.
    health : Table
        A row per method and period: method, at (its last day), games, players, active, newcomers, components,
        largest_share, bridges; mean, top_mean, panel_mean and the changes of the sum of ratings.
    curves : Table
        A row per method, player and period: method, player, at, rating, and the deviation if a method has one.
    distributions : Table
        A row per method and bin of ratings: method, low, high, players.
    left_out : Table
        A row per method without forecasts: method, why.
    provenance : Table
        A row per fact that is needed to recompute the comparison: fact, value.
    sessions : Table
        A row per method that forecasts who is ahead of whom in sessions, best first: rank, method, sessions, sides;
        log_loss with log_loss_low and log_loss_high (95 %), brier, rps and winner, as in `losses.SessionLosses`;
        better_by with its error and interval as in `scores`; verdict; unrated (sessions it could not forecast);
        seconds. Every session has the same weight.
    session_reliability : Table
        A row per method and bin: method, low, high; pairs of sides, counted from both sides, and sessions that have
        such a pair; expected, scored, scored_low, scored_high, as in `reliability.SessionReliability`.
    session_cohorts : Table
        A row per cohort and method: by, cohort, method, sessions, log_loss, brier, rps, winner; better_by with its
        error and better_by_low, better_by_high (95 %). The gap is the chance that the strongest side finishes ahead of
        the weakest; strength is the mean rating of all players; experience is that of the least experienced player.
    called : mapping of str to str
        Displayed names of players, by key; the report shows them beside the keys.
    """

    answer: str
    measured: str
    pool: str
    methods: tuple[str, ...]
    reference: str
    scores: Table
    outcomes: Table
    reliability: Table
    pairs: Table
    cohorts: Table
    agreement: Table
    movers: Table
    first: Table
    ranks: Table
    health: Table
    curves: Table
    distributions: Table
    left_out: Table
    provenance: Table
    sessions: Table = Table("sessions", "Scores of sessions", {})  # noqa: RUF009  # a table is frozen
    session_reliability: Table = Table("session_reliability", "Calibration of sessions", {})  # noqa: RUF009  # as above
    session_cohorts: Table = Table("session_cohorts", "Scores of sessions by cohort", {})  # noqa: RUF009  # as above
    called: Mapping[str, str] = field(factory=dict)

    def __eq__(self, other: object) -> bool:
        return same_value(self, other)

    def __hash__(self) -> int:
        return hash((self.pool, self.methods, self.answer))

    def __str__(self) -> str:
        tables = [str(table) for table in (self.scores, self.sessions) if len(table)]
        return "\n\n".join([self.answer, self.measured, *tables])

    __repr__ = __str__

    def facts(self) -> dict[str, object]:
        """Returns answer, measures, pool, methods and reference, by name."""
        return {
            "answer": self.answer, "measured": self.measured, "pool": self.pool, "methods": list(self.methods),
            "reference": self.reference,
        }  # fmt: skip

    def shown(self) -> tuple[Table, ...]:
        """Returns the tables to print: scores of games and of sessions, pairs, methods left out, provenance."""
        return self.scores, self.sessions, self.pairs, self.left_out, self.provenance


def compare(
    entries: Sequence[tuple[str, Method]],
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
    policy: ListPolicy | None = None,
    clusters: str | None = None,
    seed: int = 0,
    address: Address | None = None,
    jobs: int | None = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Comparison:
    """Compares methods on the games and on the sessions of a view, separately.

    Parameters
    ----------
    entries : sequence of (str, Method)
        The text and the value of each method.
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
        Rows of the players whose ratings are drawn; the players with most results if empty.
    reference : str or None
        Text of the method with which the others are compared; the first if None.
    policy : ListPolicy or None
        Policy by which `listing` makes lists; recorded in the provenance.
    clusters : str or None
        Field of results whose values are the clusters of the intervals; None for players and months.
    seed : int
        Seed of the bootstrap.
    address : Address or None
        Address of the log, for workers.
    jobs : int or None
        Number of workers, as joblib counts them.
    progress : callable
        Called with the number of methods that have made their forecasts, whenever it grows.
    """
    methods = dict(entries)
    if reference is not None and reference not in methods:
        raise BadValue("reference", reference, f"must be one of the methods: {', '.join(methods)}")
    answers = ask(entries, view, since, burn_in, refit, address, jobs, progress, clusters or "")
    against = reference or entries[0][0]
    if against not in answers.every:  # this method was left out
        against = next(iter(answers.every))
    games, seated = answers.games, answers.sessions
    scored = Scored(games, _among(against, games.forecasts), tuple(cohorts), seed)
    sessions = ScoredSessions(seated, _among(against, seated.forecasts), tuple(cohorts), seed)
    both: list[tuple[Scored | ScoredSessions, int]] = [(scored, games.n), (sessions, seated.n)]
    ranked = [(kind, n) for kind, n in both if n]
    best_first = tuple(dict.fromkeys((*(text for kind, _ in ranked for text in kind.ranking.texts), *answers.every)))
    listed = Listed({text: methods[text] for text in best_first}, view, against, tuple(followed), listing)
    facts = _facts(answers, methods, view, version, against)
    facts |= {
        "since": None if since is None else view.clock.iso(since),
        "burn-in": str(burn_in or BurnIn()),
        "refit": str(refit or "month"),
        "cohorts": ", ".join(cohorts),
        "intervals by": "; sessions: ".join(kind.ranking.allowed_for for kind, _ in ranked),
        "policy": str(policy or ""),
        "seed": seed,
    }
    out = tuple(answers.left_out)
    return Comparison(
        answer=SESSIONS.join(kind.answer() for kind, _ in ranked),
        measured=SESSIONS.join(kind.ranking.measured(n) for kind, n in ranked),
        pool=view.pool, methods=best_first, reference=against,
        **(scored.tables() if games.n else no_tables()), **sessions.tables(), **listed.tables(),
        left_out=Table(
            "left_out", "Methods left out", {"method": out, "why": tuple(answers.left_out[text] for text in out)}
        ),
        provenance=provenance(facts), called=called_by_key(view),
    )  # fmt: skip


def _among(reference: str, forecasts: Mapping[str, object]) -> str:
    """Returns the reference if it is one of these methods, else the first of them."""
    return reference if reference in forecasts else next(iter(forecasts), "")


def _facts(
    answers: CommonForecasts, methods: Mapping[str, Method], view: View, version: str, reference: str
) -> dict[str, object]:
    """Returns the origin of the comparison as facts by name."""
    identities = {f"method {text}": forecasts.method for text, forecasts in answers.every.items()}
    odd = {f"left out by {text}": forecasts.left_out for text, forecasts in answers.every.items()}
    homeless = [text for text in answers.every if lacks_home(methods[text], view)]
    return {
        "pool": view.pool,
        "head": f"{view.known_at}:{view.digest}",
        "through": None if view.through == FOREVER else view.clock.exact(view.through),
        **({"zone": view.zone} if view.zone else {}),
        **_span(view),
        "games": len(answers.games.played),
        "scored": answers.games.n,
        **(
            {"sessions": len(answers.sessions.played), "sessions scored": answers.sessions.n} if view.n_sessions else {}
        ),
        **identities,
        **odd,
        **{f"home of {text}": "no game has a home side" for text in homeless},
        "reference": reference,
        "ratingcore": version,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def _span(view: View) -> dict[str, object]:
    """Returns the number of players, and the days of the first and the last result."""
    first, last = view.first_played, view.last_played
    if first is None or last is None:
        return {}
    days = {"first": view.clock.day(first), "last": view.clock.day(last)}
    return {"players": int(np.count_nonzero(view.played_counts())), **days}

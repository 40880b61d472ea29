"""Makes tables of the scores of several methods on the same games or sessions, and the answer in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.clusters import Clusters, ClusterSums
from ratingcore.compare.cohorts import Cohorts, cohorts
from ratingcore.compare.common_games import Common
from ratingcore.compare.losses import MEASURES, Pairings, SessionLosses, hits, losses, outcomes, session_losses
from ratingcore.compare.pairs import NATS, NATS_A_SESSION, Paired, answer, first_sentence, indistinct
from ratingcore.compare.played import Played, PlayedSessions
from ratingcore.compare.reliability import Reliability, SessionReliability, reliability, session_reliability
from ratingcore.compare.scores import MethodScores, tally
from ratingcore.compare.uncertainty import FEWEST, Drawn, MeanEstimate, estimate, estimate_of
from ratingcore.errors import BadValue
from ratingcore.methods.strengths import Strengths
from ratingcore.report.table import Columns, Table, columns_of

NOWHERE = (None, None)
OWN = ("gap", "strength", "experience", "year")
"""Kinds of cohorts that are not fields of results or players."""
BETTER = ("better_by", "error", "better_by_low", "better_by_high")


@frozen(eq=False)
class Ranking:
    """Methods ranked by log loss, each compared with a reference and with the best.

    Parameters
    ----------
    loss : mapping of text to float, nats
        Mean log loss of each method.
    sums : mapping of text to ClusterSums
        Sums of these losses over clusters.
    clusters : Clusters
    reference : str
    unit : str
        Unit of a difference of losses.
    seed : int
        Seed of the bootstrap.
    """

    loss: Mapping[str, float]
    sums: Mapping[str, ClusterSums]
    clusters: Clusters
    reference: str
    unit: str
    seed: int

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Texts of the methods, best log loss first; equal ones in the order given."""
        return tuple(sorted(self.loss, key=self.loss.__getitem__))

    @cached_property
    def pairs(self) -> dict[str, Paired]:
        """Every other method compared with the reference."""
        return {text: self.paired(text, self.reference) for text in self.texts if text != self.reference}

    def paired(self, one: str, other: str) -> Paired:
        """Estimates how much better the first of two methods forecasts than the second."""
        drawn, (mine, theirs) = self._drawn, map(tuple(self.sums).index, (one, other))
        interval = None if drawn is None else drawn.interval(drawn.mean[theirs] - drawn.mean[mine])
        return Paired(one, other, estimate_of(self.sums[other], self.clusters, self.sums[one]), interval, self.unit)

    @cached_property
    def _drawn(self) -> Drawn | None:
        """Mean losses of all methods in bootstrap samples of months (or clusters), drawn once for all methods."""
        size = self.clusters.sizes.period
        if self.clusters.named and np.count_nonzero(size) < FEWEST:
            return None
        return Drawn.of([sums.period for sums in self.sums.values()], size, self.seed)

    @property
    def allowed_for(self) -> str:
        """The clusters that the intervals allow for, and their numbers, in words."""
        return estimate_of(next(iter(self.sums.values())), self.clusters).clusters

    @cached_property
    def of_best(self) -> list[Paired]:
        """The best method compared with every other one, in order of the others' log losses."""
        best, *others = self.texts
        return [self.pairs[best] if text == self.reference else self.paired(best, text) for text in others]

    @property
    def rivals(self) -> list[str]:
        """Methods that do not differ significantly from the best one."""
        return [pair.other for pair in indistinct(self.texts[0], self.of_best)]

    def measured(self, n: int) -> str:
        """Names the method that forecasts best, with the measures and whether its lead exceeds chance."""
        best, what = self.texts[0], self.unit.rpartition(" ")[2]
        counted = f"1 {what}" if n == 1 else f"{n:,} {what}s"
        return answer(best, self.loss[best], self.of_best, self.reference, counted)

    def rows(
        self,
        answers: Common[Played] | Common[PlayedSessions],
        counts: Mapping[str, int],
        measures: Callable[[str], Mapping[str, float | None]],
    ) -> list[dict[str, object]]:
        """Makes one row per method, best first: counts, log loss, further measures, and gain over the reference."""
        rows: list[dict[str, object]] = []
        for place, text in enumerate(self.texts, 1):
            pair = self.pairs.get(text)
            low, high = estimate_of(self.sums[text], self.clusters).interval_above_zero or NOWHERE
            rows.append({
                "rank": place, "method": text, **counts, "log_loss": self.loss[text], "log_loss_low": low,
                "log_loss_high": high, **measures(text), **_better(pair.estimate if pair else None),
                "verdict": pair.verdict if pair else "the reference", "unrated": answers.unrated(text),
                "seconds": round(answers.forecasts[text].seconds, 3),
            })  # fmt: skip
        return rows


@frozen(eq=False)
class Scored:
    """Methods scored on the games that all of them can forecast.

    Parameters
    ----------
    games : Common of Played
    reference : str
    kinds : tuple of str
        Kinds of cohorts; gap and strength by the ratings of the reference.
    seed : int
        Seed of the bootstrap.
    """

    games: Common[Played]
    reference: str
    kinds: tuple[str, ...]
    seed: int

    @cached_property
    def clusters(self) -> Clusters:
        """The clusters of the games."""
        return Clusters.of(self.games.played, self.games.which)

    @cached_property
    def tallies(self) -> dict[str, MethodScores]:
        """Scores and sums of losses of each method."""
        return {
            text: tally(self._expected(text), self._score, self.clusters, self.games.unrated(text))
            for text in self.games.forecasts
        }

    @cached_property
    def fields(self) -> dict[str, Cohorts]:
        """Cohorts by fields of results or players."""
        return {kind: cohorts(kind, self.games.played) for kind in self.kinds if kind not in OWN}

    @cached_property
    def parted(self) -> tuple[Cohorts, ...]:
        """The games in cohorts of each kind."""
        played, against = self.games.played, self.games.forecasts[self.reference]
        parts = (self.fields.get(kind) or cohorts(kind, played, against) for kind in self.kinds)
        return tuple(part.some(self.games.which) for part in parts)

    def _expected(self, text: str) -> Floats:
        return np.ascontiguousarray(self.games.of(self.games.forecasts[text].expected))

    @cached_property
    def _score(self) -> Floats:
        return self.games.of(self.games.played.score)

    @cached_property
    def ranking(self) -> Ranking:
        """The methods by their log losses."""
        loss = {text: made.scores.log_loss or 0.0 for text, made in self.tallies.items()}
        sums = {text: made.sums for text, made in self.tallies.items()}
        return Ranking(loss, sums, self.clusters, self.reference, NATS, self.seed)

    def answer(self) -> str:
        """Returns a sentence in everyday words on what the games show about the best method."""
        texts = self.ranking.texts
        if len(texts) == 1:
            share = self.tallies[texts[0]].scores.accuracy or 0.0
            return f"Of 100 games {texts[0]} names the winner in {100 * share:.0f}"
        return first_sentence(texts, self.ranking.rivals, self.reference, self._more_often)

    def _more_often(self, one: str, other: str) -> MeanEstimate:
        """Estimates by what share of the games one method names the winner more often than another."""
        mine, theirs = (hits(self._expected(text), self._score) for text in (one, other))
        return estimate(mine - theirs, self.clusters)

    # tables

    def tables(self) -> dict[str, Table]:
        """All tables by name; those given as functions are computed on first use."""
        _ = self.fields  # computed now, so that an unknown field is refused at once
        return _tables(self.reference, self._scores(), self._outcomes, self._reliability, self._pairs(), self._cohorts)

    def _scores(self) -> dict[str, object]:
        def measures(text: str) -> Mapping[str, float | None]:
            made = self.tallies[text].scores
            return {name: getattr(made, name) for name in ("brier", "accuracy", "deviance", "ece")}

        return columns_of(self.ranking.rows(self.games, {"games": self.games.n}, measures))

    def _outcomes(self) -> dict[str, object]:
        rows = []
        for text in self.ranking.texts:
            forecast = self.games.forecasts[text]
            if forecast.draw is not None:
                win, draw, loss = (self.games.of(chance) for chance in forecast.outcomes)
                found = outcomes(win, draw, loss, self._score)
                cells = {"log_loss": found.log_loss, "brier": found.brier, "rps": found.rps}
                rows.append({"method": text, "games": found.n, **cells})
        return columns_of(rows, ("method", "games", "log_loss", "brier", "rps"))

    def _reliability(self) -> dict[str, object]:
        made = {text: reliability(self._expected(text), self._score) for text in self.ranking.texts}
        return _calibration(made, {"games": "n"})

    def _pairs(self) -> dict[str, object]:
        rows = []
        best = self.ranking.of_best[:1] if self.reference not in self.ranking.texts[:2] else []  # the two best methods
        for pair in (*self.ranking.pairs.values(), *best):
            of, shared = pair.estimate, {"method": pair.one, "against": pair.other, "games": pair.estimate.n}
            ways = (
                ("players", of.by_players, of.interval_by_players, of.players),
                ("periods", of.by_periods, of.interval_by_periods, of.periods),
                ("players and periods", of.by_both, of.interval, min(of.players, of.periods)),
            )
            for by, error, interval, blocks in ((of.named, of.by_both, of.interval, of.periods),) if of.named else ways:
                low, high = interval or NOWHERE
                rows.append(shared | {
                    "better_by": of.mean, "error": error, "low": low, "high": high, "blocks": blocks,
                    "by": by, "used": by in ("players and periods", of.named), "verdict": pair.verdict,
                })  # fmt: skip
            drawn = pair.bootstrap
            if drawn is not None:
                rows.append(shared | {
                    "better_by": of.mean, "error": None, "low": drawn.low, "high": drawn.high, "blocks": drawn.blocks,
                    "by": f"{of.named or 'periods'}, bootstrap", "used": False, "verdict": pair.verdict,
                })  # fmt: skip
        names = ("method", "against", "games", "better_by", "error", "low", "high", "blocks", "by", "used", "verdict")
        return columns_of(rows, names)

    def _cohorts(self) -> dict[str, object]:
        marks = {text: self._marks(text) for text in self.ranking.texts}
        rows = _by_cohort(self.parted, marks, self.reference, "games", partial(self._estimator, marks))
        return columns_of(list(rows), ("by", "cohort", "method", "games", "log_loss", "brier", "accuracy", *BETTER))

    def _marks(self, text: str) -> dict[str, Floats]:
        """Returns the log loss, squared error and hit of a method for each game."""
        p, y = self._expected(text), self._score
        return {"log_loss": losses(p, y), "brier": np.square(p - y), "accuracy": hits(p, y)}

    def _estimator(self, marks: Mapping[str, Mapping[str, Floats]], games: Ints) -> Callable[[str], MeanEstimate]:
        """Returns a function that estimates the gain of a method over the reference on some of the games."""
        clusters, against = self.clusters.take(games), marks[self.reference]["log_loss"][games]
        return lambda text: estimate(against - marks[text]["log_loss"][games], clusters)


@frozen(eq=False)
class ScoredSessions:
    """Methods scored on the sessions that all of them can forecast.

    Parameters
    ----------
    sessions : Common of PlayedSessions
    reference : str
    kinds : tuple of str
        Kinds of cohorts; gap and strength by the ratings of the reference.
    seed : int
        Seed of the bootstrap.
    """

    sessions: Common[PlayedSessions]
    reference: str
    kinds: tuple[str, ...]
    seed: int

    @cached_property
    def losses(self) -> dict[str, SessionLosses]:
        """Losses of each method, session by session."""
        texts = self.sessions.forecasts if self.sessions.n else ()
        return {text: session_losses(*self._forecast(text)) for text in texts}

    @cached_property
    def played(self) -> PlayedSessions:
        """The sessions that are scored."""
        return self.sessions.played.some(self.sessions.which)

    @cached_property
    def pairings(self) -> Pairings:
        """Pairs of sides of the scored sessions."""
        return Pairings.of(self.played.result)

    def _forecast(self, text: str) -> tuple[Strengths, Ints, Floats]:
        """Returns the strengths of the sides in the scored sessions, where each session begins, and the scores."""
        strengths, which = self.sessions.forecasts[text].strengths, self.sessions.which
        assert strengths is not None, "only methods that forecast sessions are asked"
        if which is not None:
            strengths = strengths.take(np.flatnonzero(np.repeat(which, np.diff(self.sessions.played.result))))
        return strengths, self.played.result, self.played.score

    @cached_property
    def clusters(self) -> Clusters:
        """The clusters of the pairs of sides."""
        return Clusters.of_sessions(self.played, self.pairings)

    @cached_property
    def pair_losses(self) -> dict[str, Floats]:
        """Weighted log loss of each method for each pair of sides."""
        score = self.played.score
        return {
            text: self.pairings.losses(self._forecast(text)[0], score, losses_of.log_loss)
            for text, losses_of in self.losses.items()
        }

    @cached_property
    def ranking(self) -> Ranking:
        """The methods by their log losses."""
        loss = {text: float(losses_of.log_loss.mean()) for text, losses_of in self.losses.items()}
        sums = {text: self.clusters.sums(loss) for text, loss in self.pair_losses.items()}
        return Ranking(loss, sums, self.clusters, self.reference, NATS_A_SESSION, self.seed)

    def answer(self) -> str:
        """Returns a sentence in everyday words on what the sessions show about the best method."""
        texts = self.ranking.texts
        if len(texts) == 1:
            return f"{texts[0]} forecasts the order of finish"
        return first_sentence(texts, self.ranking.rivals, self.reference)

    def tables(self) -> dict[str, Table]:
        """All tables by name; those given as functions are computed on first use."""
        if self.losses:
            _ = self.parted  # computed now, so that an unknown field is refused at once
        made = (
            Table("sessions", "Scores of sessions", self._scores(), NATS_A_SESSION),
            Table("session_reliability", "Calibration of sessions", self._reliability if self.losses else {}),
            Table(
                "session_cohorts", "Scores of sessions by cohort", self._cohorts if self.losses else {}, NATS_A_SESSION
            ),
        )
        return {table.name: table for table in made}

    @cached_property
    def parted(self) -> tuple[Cohorts, ...]:
        """The scored sessions in cohorts of each kind."""
        return tuple(self._parts(kind).some(self.sessions.which) for kind in self.kinds)

    def _parts(self, kind: str) -> Cohorts:
        played = self.sessions.played
        try:
            return cohorts(kind, played, self.sessions.forecasts[self.reference])
        except BadValue:
            if played.view.n_games:  # a field of games; the games refuse an unknown one
                return Cohorts(kind, (), np.full(len(played), -1))
            raise

    def _reliability(self) -> dict[str, object]:
        made = {text: session_reliability(*self._forecast(text)) for text in self.ranking.texts}
        return _calibration(made, {"pairs": "pairs", "sessions": "sessions"})

    def _cohorts(self) -> dict[str, object]:
        marks = {text: {name: getattr(self.losses[text], name) for name in MEASURES} for text in self.ranking.texts}
        rows = _by_cohort(self.parted, marks, self.reference, "sessions", self._estimator)
        return columns_of(list(rows), ("by", "cohort", "method", "sessions", *MEASURES, *BETTER))

    def _estimator(self, sessions: Ints) -> Callable[[str], MeanEstimate]:
        """Returns a function that estimates the gain of a method over the reference in some of the sessions."""
        some = np.flatnonzero(np.isin(self.pairings.session, sessions))
        clusters, against = self.clusters.take(some), self.pair_losses[self.reference]
        return lambda text: estimate((against - self.pair_losses[text])[some], clusters)

    def _scores(self) -> dict[str, object]:
        def measures(text: str) -> Mapping[str, float | None]:
            return {name: float(getattr(self.losses[text], name).mean()) for name in MEASURES[1:]}

        counts = {"sessions": self.sessions.n, "sides": len(self.played.score)}
        names = (
            "rank", "method", *counts, "log_loss", "log_loss_low", "log_loss_high", *MEASURES[1:], *BETTER, "verdict",
            "unrated", "seconds",
        )  # fmt: skip
        return columns_of(self.ranking.rows(self.sessions, counts, measures) if self.losses else [], names)


# the columns of both


def _better(gap: MeanEstimate | None) -> dict[str, float | None]:
    """Returns the cells for a method's gain over the reference; all None for the reference itself."""
    cells = (None, None, *NOWHERE) if gap is None else (gap.mean, gap.standard_error, *(gap.interval or NOWHERE))
    return dict(zip(BETTER, cells, strict=True))


def _calibration(made: Mapping[str, Reliability | SessionReliability], counts: Mapping[str, str]) -> dict[str, object]:
    """Makes one row per method and bin; `counts` maps columns of counts to fields of the bins."""
    fields = {"low": "low", "high": "high", **counts, "expected": "expected", "scored": "scored"}
    fields |= {"scored_low": "from_", "scored_high": "to"}
    method = tuple(text for text, bins in made.items() for _ in bins.low)
    columns = {name: np.concatenate([getattr(bins, field) for bins in made.values()]) for name, field in fields.items()}
    return {"method": method, **columns}


def _by_cohort(
    parts: Iterable[Cohorts],
    marks: Mapping[str, Mapping[str, Floats]],
    reference: str,
    what: str,
    estimator: Callable[[Ints], Callable[[str], MeanEstimate]],
) -> Iterator[dict[str, object]]:
    """Yields one row per cohort and method: the means of its measures, and its gain in log loss."""
    for part in parts:
        for cohort, name in enumerate(part.names):
            mine = part.of(cohort)
            if not len(mine):
                continue
            estimated = estimator(mine)
            for text, measures in marks.items():
                means = {measure: float(mark[mine].mean()) for measure, mark in measures.items()}
                gap = None if text == reference else estimated(text)
                yield {"by": part.by, "cohort": name, "method": text, what: len(mine), **means, **_better(gap)}


def no_tables() -> dict[str, Table]:
    """Returns the empty tables, by name, of a pool in which no game is scored."""
    return _tables("", *({} for _ in range(5)))


def _tables(
    reference: str, scores: Columns, outcomes: Columns, reliability: Columns, pairs: Columns, cohorts: Columns
) -> dict[str, Table]:
    made = (
        Table("scores", "Scores", scores, NATS),
        Table("outcomes", "Scores of win, draw and loss", outcomes, NATS),
        Table("reliability", "Calibration", reliability),
        Table("pairs", f"Against {reference}" if reference else "Against each other", pairs, NATS),
        Table("cohorts", "Scores by cohort", cohorts, NATS),
    )
    return {table.name: table for table in made}

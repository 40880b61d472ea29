"""Tables of the scores of several methods on the same games or sessions, and the answer that they give."""

from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.cohorts import Cohorts, SessionCohorts, cohorts, session_cohorts
from ratingcore.compare.common_games import Asked, Sat
from ratingcore.compare.losses import hits, losses, outcomes
from ratingcore.compare.pairs import NATS, NATS_A_SESSION, Paired, answer, paired_by, paired_sessions
from ratingcore.compare.reliability import reliability, session_reliability
from ratingcore.compare.scores import Tally, numbered, tally
from ratingcore.compare.session_losses import MEASURES, SessionLosses, session_losses
from ratingcore.compare.uncertainty import Clusters, estimate, estimate_of, estimate_of_blocks
from ratingcore.methods.strengths import Strengths
from ratingcore.report.table import Table, columns_of

NOWHERE = (None, None)
OWN = ("gap", "strength", "experience", "year")
"""Cohorts that need nothing from the log."""


@frozen(eq=False)
class Scored:
    """Methods scored on the games all of them can forecast.

    Parameters
    ----------
    asked : Asked
    reference : str
    kinds : tuple of str
        Kinds of cohorts; gap and strength by the ratings of the reference.
    seed : int
        Seed of the bootstrap.
    """

    asked: Asked
    reference: str
    kinds: tuple[str, ...]
    seed: int

    @cached_property
    def clusters(self) -> Clusters:
        """The clusters of the games."""
        played, of = self.asked.played, self.asked.of
        a, b, month = of(played.a), of(played.b), of(played.month)
        pair = numbered(np.minimum(a, b), np.maximum(a, b), played.view.n_players)
        return Clusters(a, b, pair, (month - month[0]).astype(np.int32))

    @cached_property
    def tallies(self) -> dict[str, Tally]:
        """Scores of each method."""
        return {
            text: tally(self._expected(text), self._score, self.clusters, self.asked.unrated(text))
            for text in self.asked.forecasts
        }

    @cached_property
    def fields(self) -> dict[str, Cohorts]:
        """Cohorts by fields of results or players."""
        return {kind: cohorts(kind, self.asked.played) for kind in self.kinds if kind not in OWN}

    @cached_property
    def parted(self) -> tuple[Cohorts, ...]:
        """The games in cells of cohort and month, for each kind of cohort."""
        asked, against = self.asked, self.asked.forecasts[self.reference]
        parts = (self.fields.get(kind) or cohorts(kind, asked.played, against) for kind in self.kinds)
        return tuple(part.some(asked.which) for part in parts)

    def _expected(self, text: str) -> Floats:
        return np.ascontiguousarray(self.asked.of(self.asked.forecasts[text].expected))

    @cached_property
    def _score(self) -> Floats:
        return self.asked.of(self.asked.played.score)

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """Texts of the methods, best log loss first; equal ones in the order given."""
        return tuple(sorted(self.tallies, key=lambda text: self.tallies[text].scores.log_loss or 0.0))

    @cached_property
    def pairs(self) -> dict[str, Paired]:
        """Every other method compared with the reference."""
        return {text: self._paired(text, self.reference) for text in self.ranked if text != self.reference}

    def _paired(self, one: str, other: str) -> Paired:
        gap = self.tallies[other].sums - self.tallies[one].sums
        return paired_by(one, other, gap, self.clusters, seed=self.seed)

    def answer(self) -> str:
        """Which method forecasts best, and whether that is more than chance, in a sentence."""
        best, *others = self.ranked
        against = [self.pairs[best] if text == self.reference else self._paired(best, text) for text in others]
        loss = self.tallies[best].scores.log_loss or 0.0
        return answer(best, loss, against, self.reference, _games(self.asked.n))

    # tables

    def tables(self) -> dict[str, Table]:
        """All tables by name; those given as functions are computed on first use."""
        _ = self.fields  # read now, so that a field that nobody has is refused at once
        return _tables(self.reference, self._scores(), self._outcomes, self._reliability, self._pairs(), self._cohorts)

    def _scores(self) -> dict[str, Any]:
        rows = []
        for place, text in enumerate(self.ranked, 1):
            made, forecast, pair = self.tallies[text], self.asked.forecasts[text], self.pairs.get(text)
            low, high = estimate_of(made.sums, self.clusters).interval_above_zero or NOWHERE
            ends = (pair.estimate.interval if pair else None) or NOWHERE
            rows.append({
                "rank": place, "method": text, "games": made.scores.n, "log_loss": made.scores.log_loss,
                "log_loss_low": low, "log_loss_high": high, "brier": made.scores.brier,
                "accuracy": made.scores.accuracy, "deviance": made.scores.deviance, "ece": made.scores.ece,
                "better_by": pair and pair.estimate.mean, "error": pair and pair.estimate.standard_error,
                "better_by_low": ends[0], "better_by_high": ends[1],
                "verdict": pair.verdict if pair else "the reference", "unrated": made.scores.unrated,
                "seconds": round(forecast.seconds, 3),
            })  # fmt: skip
        return columns_of(rows)

    def _outcomes(self) -> dict[str, Any]:
        rows = []
        for text in self.ranked:
            forecast = self.asked.forecasts[text]
            if forecast.draw is not None:
                win, draw, loss = (self.asked.of(chance) for chance in forecast.outcomes)
                found = outcomes(win, draw, loss, self._score)
                cells = {"log_loss": found.log_loss, "brier": found.brier, "rps": found.rps}
                rows.append({"method": text, "games": found.n, **cells})
        return columns_of(rows, ("method", "games", "log_loss", "brier", "rps"))

    def _reliability(self) -> dict[str, Any]:
        binned = [reliability(self._expected(text), self._score) for text in self.ranked]
        cells: dict[str, list[Any]] = {
            "low": [bins.low for bins in binned], "high": [bins.high for bins in binned],
            "games": [bins.n for bins in binned], "expected": [bins.expected for bins in binned],
            "scored": [bins.scored for bins in binned], "scored_low": [bins.from_ for bins in binned],
            "scored_high": [bins.to for bins in binned],
        }  # fmt: skip
        method = tuple(text for text, bins in zip(self.ranked, binned, strict=True) for _ in bins.n)
        return {"method": method} | {name: np.concatenate(parts) for name, parts in cells.items()}

    def _pairs(self) -> dict[str, Any]:
        rows = []
        for text, pair in self.pairs.items():
            of, shared = pair.estimate, {"method": text, "against": self.reference, "games": pair.estimate.n}
            for by, error, interval, blocks in (
                ("players", of.by_players, of.interval_by_players, of.players),
                ("periods", of.by_periods, of.interval_by_periods, of.periods),
                ("players and periods", of.by_both, of.interval, min(of.players, of.periods)),
            ):
                low, high = interval or NOWHERE
                rows.append(shared | {
                    "better_by": of.mean, "error": error, "low": low, "high": high, "blocks": blocks,
                    "by": by, "used": by == "players and periods", "verdict": pair.verdict,
                })  # fmt: skip
            drawn = pair.bootstrap
            if drawn is not None:
                rows.append(shared | {
                    "better_by": of.mean, "error": None, "low": drawn.low, "high": drawn.high, "blocks": drawn.blocks,
                    "by": "periods, bootstrap", "used": False, "verdict": pair.verdict,
                })  # fmt: skip
        names = ("method", "against", "games", "better_by", "error", "low", "high", "blocks", "by", "used", "verdict")
        return columns_of(rows, names)

    def _cohorts(self) -> dict[str, Any]:
        rows = []
        scored = {text: self._marks(text) for text in self.ranked}
        of_reference = scored[self.reference][0]
        for part in self.parted:
            for cohort, name in enumerate(part.names):
                mine = part.games(cohort)
                if not len(mine):
                    continue
                clusters = self.clusters.take(mine)
                for text, marks in scored.items():
                    loss, brier, accuracy = (float(mark[mine].mean()) for mark in marks)
                    gap = None if text == self.reference else estimate(of_reference[mine] - marks[0][mine], clusters)
                    low, high = (gap and gap.interval) or NOWHERE
                    rows.append({
                        "by": part.by, "cohort": name, "method": text, "games": len(mine), "log_loss": loss,
                        "brier": brier, "accuracy": accuracy, "better_by": gap and gap.mean,
                        "error": gap and gap.standard_error, "better_by_low": low, "better_by_high": high,
                    })  # fmt: skip
        names = ("by", "cohort", "method", "games", "log_loss", "brier", "accuracy", "better_by", "error")
        return columns_of(rows, (*names, "better_by_low", "better_by_high"))

    def _marks(self, text: str) -> tuple[Floats, Floats, Floats]:
        """Log loss, squared error and hit of a method, game by game."""
        p, y = self._expected(text), self._score
        return losses(p, y), np.square(p - y), hits(p, y)


def no_tables() -> dict[str, Table]:
    """The tables by name, of a pool in which no game is scored."""
    return _tables("", *({} for _ in range(5)))


def _tables(reference: str, scores: Any, outcomes: Any, reliability: Any, pairs: Any, cohorts: Any) -> dict[str, Table]:
    made = (
        Table("scores", "Scores", scores, NATS),
        Table("outcomes", "Scores of win, draw and loss", outcomes, NATS),
        Table("reliability", "Calibration", reliability),
        Table("pairs", f"Against {reference}" if reference else "Against each other", pairs, NATS),
        Table("cohorts", "Scores by cohort", cohorts, NATS),
    )
    return {table.name: table for table in made}


def _games(n: int) -> str:
    return "1 game" if n == 1 else f"{n:,} games"


COLUMNS = (
    "rank", "method", "sessions", "sides", "log_loss", "log_loss_low", "log_loss_high", "brier", "rps", "winner",
    "better_by", "error", "better_by_low", "better_by_high", "verdict", "unrated", "seconds",
)  # fmt: skip
COHORTS = (
    "by", "cohort", "method", "sessions", *MEASURES, "better_by", "error", "better_by_low", "better_by_high",
)  # fmt: skip


@frozen(eq=False)
class ScoredSessions:
    """Methods scored on the sessions all of them can forecast.

    Parameters
    ----------
    sat : Sat
    reference : str
        The method the others are held against; the first that says who is ahead of whom if it does not.
    kinds : tuple of str
        Kinds of cohorts; gap and strength by the ratings of the method the others are held against.
    view : View
    seed : int
        Seed of the bootstrap.
    """

    sat: Sat
    reference: str
    kinds: tuple[str, ...]
    view: View
    seed: int

    @cached_property
    def losses(self) -> dict[str, SessionLosses]:
        """Losses of each method, session by session."""
        return {text: self._losses(text) for text in self.sat.forecasts} if self.sat.n else {}

    def _losses(self, text: str) -> SessionLosses:
        return session_losses(*self._forecast(text))

    def _forecast(self, text: str) -> tuple[Strengths, Ints, Floats]:
        """Strengths of the sides of the sessions that are scored, where each session begins, and the scores."""
        strengths, played = self.sat.forecasts[text].strengths, self.sat.played
        assert strengths is not None, "only methods that say them are asked"
        some = np.flatnonzero(np.repeat(self.sat.which, np.diff(played.result)))
        size = np.diff(played.result)[self.sat.which]
        return strengths.take(some), np.concatenate([[0], np.cumsum(size)]), played.score[some]

    @cached_property
    def _month(self) -> Ints:
        month = self.sat.played.month[self.sat.which]
        return month - month[0] if len(month) else month

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """Texts of the methods, best log loss first; equal ones in the order given."""
        return tuple(sorted(self.losses, key=lambda text: float(self.losses[text].log_loss.mean())))

    @property
    def against(self) -> str:
        """The method the others are held against."""
        return self.reference if self.reference in self.losses else next(iter(self.losses))

    def _paired(self, one: str, other: str) -> Paired:
        gap: Floats = self.losses[other].log_loss - self.losses[one].log_loss
        return paired_sessions(one, other, gap, self._month, seed=self.seed)

    def answer(self) -> str:
        """Which method forecasts sessions best, and whether that is more than chance; empty if none were scored."""
        if not self.losses:
            return ""
        best, *others = self.ranked
        against = [self._paired(best, text) for text in others]
        sessions = "1 session" if self.sat.n == 1 else f"{self.sat.n:,} sessions"
        return answer(best, float(self.losses[best].log_loss.mean()), against, self.against, sessions)

    def tables(self) -> dict[str, Table]:
        """All tables by name; those given as functions are computed on first use."""
        if self.losses:
            _ = self.parted  # now, so that a field that nobody has is refused at once
        made = (
            self._scores(),
            Table("session_reliability", "Calibration of sessions", self._reliability if self.losses else {}),
            Table(
                "session_cohorts", "Scores of sessions by cohort", self._cohorts if self.losses else {}, NATS_A_SESSION
            ),
        )
        return {table.name: table for table in made}

    @cached_property
    def parted(self) -> tuple[SessionCohorts, ...]:
        """The sessions that are scored in cohorts of each kind."""
        against, played = self.sat.forecasts[self.against], self.sat.played
        parts = (session_cohorts(kind, played, self.view, against) for kind in self.kinds)
        return tuple(part.some(self.sat.which) for part in parts)

    def _reliability(self) -> dict[str, Any]:
        binned = [session_reliability(*self._forecast(text)) for text in self.ranked]
        cells: dict[str, list[Any]] = {
            "low": [bins.low for bins in binned], "high": [bins.high for bins in binned],
            "pairs": [bins.pairs for bins in binned], "sessions": [bins.sessions for bins in binned],
            "expected": [bins.expected for bins in binned], "scored": [bins.scored for bins in binned],
            "scored_low": [bins.from_ for bins in binned], "scored_high": [bins.to for bins in binned],
        }  # fmt: skip
        method = tuple(text for text, bins in zip(self.ranked, binned, strict=True) for _ in bins.low)
        return {"method": method} | {name: np.concatenate(parts) for name, parts in cells.items()}

    def _cohorts(self) -> dict[str, Any]:
        rows: list[dict[str, Any]] = []
        of_reference = self.losses[self.against].log_loss
        for part in self.parted:
            for cohort, name in enumerate(part.names):
                mine = part.of(cohort)
                if not len(mine):
                    continue
                month = self._month[mine] - self._month[mine[0]]
                for text in self.ranked:
                    made = self.losses[text]
                    measures = {measure: float(getattr(made, measure)[mine].mean()) for measure in MEASURES}
                    gap = of_reference[mine] - made.log_loss[mine]
                    better = None if text == self.against else estimate_of_blocks(gap, month)
                    low, high = (better and better.interval) or (None, None)
                    rows.append({
                        "by": part.by, "cohort": name, "method": text, "sessions": len(mine), **measures,
                        "better_by": better and better.mean, "error": better and better.standard_error,
                        "better_by_low": low, "better_by_high": high,
                    })  # fmt: skip
        return columns_of(rows, COHORTS)

    def _scores(self) -> Table:
        """A row a method, best first."""
        rows: list[dict[str, Any]] = []
        sides = int(np.diff(self.sat.played.result)[self.sat.which].sum())
        for place, text in enumerate(self.ranked, 1):
            made = self.losses[text]
            pair = None if text == self.against else self._paired(text, self.against)
            low, high = estimate_of_blocks(made.log_loss, self._month).interval_above_zero or (None, None)
            ends = (pair.estimate.interval if pair else None) or (None, None)
            rows.append({
                "rank": place, "method": text, "sessions": self.sat.n, "sides": sides,
                "log_loss": float(made.log_loss.mean()), "log_loss_low": low, "log_loss_high": high,
                "brier": float(made.brier.mean()), "rps": float(made.rps.mean()), "winner": float(made.winner.mean()),
                "better_by": pair and pair.estimate.mean, "error": pair and pair.estimate.standard_error,
                "better_by_low": ends[0], "better_by_high": ends[1],
                "verdict": pair.verdict if pair else "the reference", "unrated": self.sat.unrated(text),
                "seconds": round(self.sat.forecasts[text].seconds, 3),
            })  # fmt: skip
        return Table("sessions", "Scores of sessions", columns_of(rows, COLUMNS), NATS_A_SESSION)

"""Tables of the scores of several methods on the same sessions, by cohort and by forecast, and the answer they give."""

from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.common_games import Sat
from ratingcore.compare.pairs import NATS_A_SESSION, Paired, paired_sessions
from ratingcore.compare.session_calibration import session_reliability
from ratingcore.compare.session_cohorts import SessionCohorts, session_cohorts
from ratingcore.compare.session_losses import MEASURES, SessionLosses, session_losses
from ratingcore.compare.uncertainty import estimate_of_blocks
from ratingcore.compare.verdict import answer
from ratingcore.methods.strengths import Strengths
from ratingcore.report.table import Table, columns_of

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

"""Summaries of a player's results (form, best win, worst loss, longest runs), and the choice of results to show."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.plugin.analysis import Lines
from ratingcore_pages.answers import Line
from ratingcore_pages.curves import Points

FORM = 10
"""Number of newest results that make up the form."""


class Career(NamedTuple):
    """Summary of a player's wins, draws and losses; results with no outcome are ignored.

    Parameters
    ----------
    form : tuple of int
        Outcomes of the newest results, newest last: 1 won, 0 drawn, -1 lost.
    best, worst : Line or None
        The win against the highest rating, and the loss against the lowest.
    wins, unbeaten : int
        Lengths of the longest run of wins, and of the longest run without a loss.
    """

    form: tuple[int, ...]
    best: Line | None
    worst: Line | None
    wins: int
    unbeaten: int

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Career":
        """Summarises lines that are in order of play."""
        outcomes: list[int] = []
        won: list[tuple[float, Line]] = []
        lost: list[tuple[float, Line]] = []
        for line in lines:
            outcome = None if line.score is None else line.score.outcome
            if outcome is not None:
                outcomes.append(outcome)
                if outcome and line.opposition is not None:
                    (won if outcome > 0 else lost).append((line.opposition, line))
        letters = "".join(["DWL"[outcome] for outcome in outcomes])
        return cls(
            tuple(outcomes[-FORM:]),
            max(won, key=itemgetter(0))[1] if won else None,
            min(lost, key=itemgetter(0))[1] if lost else None,
            _longest(letters.replace("D", "L")), _longest(letters),
        )  # fmt: skip


def _longest(letters: str) -> int:
    """Returns the length of the longest run without an L."""
    return max(map(len, letters.split("L")))


@frozen
class ResultChoice:
    """The choice of a player's results to show, newest first; by default all of them.

    Parameters
    ----------
    year : str
        Four digits; empty for every year.
    opponent : int
        Id; 0 for everybody.
    event : str
        A tournament; empty for all results.
    sheet : int
        From 1.
    """

    year: str = ""
    opponent: int = 0
    event: str = ""
    sheet: int = 1

    @property
    def fields(self) -> dict[str, str]:
        """The filters, as fields of an address."""
        fields = {"year": self.year, "opponent": str(self.opponent or ""), "event": self.event}
        return {name: text for name, text in fields.items() if text}

    def of(self, lines: Sequence[Line], years: Sequence[str]) -> list[Line]:
        """Returns the chosen lines, newest first; `years` has the year of each line."""
        return [
            line
            for line, year in zip(reversed(lines), reversed(years), strict=True)
            if self.year in ("", year) and self.opponent in (0, line.other) and self.event in ("", line.event)
        ]


NEWEST = ResultChoice()


def by_day(lines: Lines) -> Points:
    """Returns the rating after each line, by the instant of the line."""
    rated = lines.take(~np.isnan(lines.ledger.rating))
    return np.column_stack([rated.played, rated.ledger.rating])


def by_game(lines: Lines) -> Points:
    """Returns the rating after each line, by the number of the line."""
    rating = lines.ledger.rating[~np.isnan(lines.ledger.rating)]
    return np.column_stack([np.arange(len(rating)), rating])


def band(lines: Lines) -> Points | None:
    """Returns the ratings minus and plus the deviation, by instant; None if the method has no deviations."""
    deviation = lines.extra.get("deviation")
    if deviation is None:
        return None
    known = np.isfinite(lines.ledger.rating) & np.isfinite(deviation)
    rating, width = lines.ledger.rating[known], deviation[known]
    return np.column_stack([lines.played[known], rating - width, rating + width])

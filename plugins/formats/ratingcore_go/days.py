"""Days of a tournament as go files give them: the first and the last, and how far they are known."""

from collections.abc import Mapping
from datetime import date

from attrs import frozen

from ratingcore.plugin.readers import BadValue, DatedOptions, Warning, at, partial_day, spread


@frozen
class Day:
    """The days of a tournament.

    Parameters
    ----------
    start, end : date or None
        First and last day; None where the file does not say.
    known : {"", "month", "year"}
        What is known of the first day, if not all.
    """

    start: date | None = None
    end: date | None = None
    known: str = ""

    @property
    def at(self) -> int | None:
        """The instant of the first day."""
        return None if self.start is None else at(self.start)

    def of_round(self, options: DatedOptions, turn: int, rounds: int) -> int | None:
        """Returns the instant of the day on which a round was played, as far as the tournament's days tell."""
        return None if self.start is None else at(spread(options.dates, self.start, self.end, turn, rounds))

    @property
    def dated(self) -> Mapping[str, str]:
        """The fact that a game's day is not its own."""
        return {} if self.start is None else {"dated": self.known or "event"}


def days(first: str, last: str, options: DatedOptions, line: int, slashes: str = "") -> tuple[Day, list[Warning]]:
    """Returns the days that two texts mean; texts that mean none give warnings.

    Parameters
    ----------
    first, last : str
        Empty where the file does not say.
    slashes : {"", "day", "month"}
        What stands first in `02/03/2024`.
    """
    warnings: list[Warning] = []
    read: list[tuple[date | None, str]] = []
    for text in (first.strip(), last.strip()):
        try:
            read.append(partial_day(text, options.partial, slashes) if text else (None, ""))
        except BadValue as problem:
            warnings.append(Warning(line, str(problem)))
            read.append((None, ""))
    (start, known), (end, _) = read
    if start is None or (end is not None and end < start):
        end = None
    return Day(start, end, known), warnings

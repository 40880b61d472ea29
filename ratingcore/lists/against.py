"""A rating list beside somebody else's ratings of the same players."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from ratingcore.lists.cells import Cell, difference
from ratingcore.report.text import aligned

AGAINST = ("player", "ours", "theirs", "difference")
"""Names of the cells of a row."""


@frozen
class Against:
    """What a list says otherwise than other ratings do, the largest difference first.

    `str` gives a table; iterating gives rows as dictionaries: those that differ, then players who are rated only in
    ours, then those only in theirs.

    Parameters
    ----------
    apart : tuple of (str, float, float)
        Players whose ratings differ by more than the tolerance: who, our rating, theirs.
    within : int
        How many players have the same rating, within the tolerance.
    only_ours, only_theirs : mapping of str to float
        Players whom only one of the two rates.
    tolerance : float
        The largest difference that counts as none.
    unread : tuple of str
        Rows of theirs that could not be read, with the reason.
    """

    apart: tuple[tuple[str, float, float], ...]
    within: int
    only_ours: Mapping[str, float]
    only_theirs: Mapping[str, float]
    tolerance: float = 0.0
    unread: tuple[str, ...] = ()

    @classmethod
    def between(
        cls,
        ours: Mapping[str, float],
        theirs: Mapping[str, float],
        tolerance: float = 0.0,
        unread: tuple[str, ...] = (),
    ) -> "Against":
        """The differences of two sets of ratings by player."""
        both = ours.keys() & theirs.keys()
        apart = [(who, ours[who], theirs[who]) for who in both if abs(difference(ours[who], theirs[who])) > tolerance]
        apart.sort(key=lambda one: (-abs(difference(one[1], one[2])), one[0]))
        return cls(
            tuple(apart),
            len(both) - len(apart),
            {who: ours[who] for who in sorted(ours.keys() - both)},
            {who: theirs[who] for who in sorted(theirs.keys() - both)},
            tolerance,
            unread,
        )

    @property
    def both(self) -> int:
        """How many players both rate."""
        return len(self.apart) + self.within

    @property
    def holds(self) -> bool:
        """Whether all players whom both rate have the same rating, within the tolerance, and there are some."""
        return not self.apart and self.within > 0

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        for who, ours, theirs in self.apart:
            yield dict(zip(AGAINST, (who, ours, theirs, difference(ours, theirs)), strict=True))
        for who, rating in self.only_ours.items():
            yield dict(zip(AGAINST, (who, rating, None, None), strict=True))
        for who, rating in self.only_theirs.items():
            yield dict(zip(AGAINST, (who, None, rating, None), strict=True))

    def __str__(self) -> str:
        lines = aligned(AGAINST, self, ())
        return "\n".join([*lines, f"{self.within} of {self.both} players are the same"])

"""Differences of a list: to another list, who moved, came and went; to somebody else's ratings of the same players."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from ratingcore.lists.policy import Cell, change_of
from ratingcore.report.table import AsTable, Table, columns_of
from ratingcore.report.text import aligned

Places = Mapping[str, tuple[int | None, float | None]]
"""Rank and rating of each player of a list; None for the unrated."""


@frozen
class Moved:
    """A player whose rating differs between two lists; None where a list has no rating."""

    player: str
    rank: int | None
    new_rank: int | None
    rating: float | None
    new_rating: float | None

    @property
    def change(self) -> float | None:
        """New rating minus old."""
        if self.rating is None or self.new_rating is None:
            return None
        return change_of(self.new_rating, self.rating)


COLUMNS = ("player", "rank", "new_rank", "rating", "new_rating", "change")
"""Names of the cells of a row of differences."""


@frozen
class ListDiff(AsTable):
    """Players whose rating differs between two lists, largest change first.

    `str` gives a table; iterating gives rows as dictionaries.

    Parameters
    ----------
    moved : tuple of Moved
    same : int
        Players whose rating does not differ.
    fine : bool
        Ratings have more decimals than a table shows of others.
    questions : str
        What the lists answer, if they answer two questions; empty if they answer one.
    """

    moved: tuple[Moved, ...]
    same: int
    fine: bool = False
    questions: str = ""

    @classmethod
    def between(cls, before: Places, after: Places, fine: bool = False) -> "ListDiff":
        """The differences from one list to another; `fine` ratings have more decimals than a table shows of others."""
        nobody = (None, None)
        moved = []
        for player in sorted(before.keys() | after.keys()):
            rank, rating = before.get(player, nobody)
            new_rank, new_rating = after.get(player, nobody)
            if rating != new_rating:
                moved.append(Moved(player, rank, new_rank, rating, new_rating))
        moved.sort(key=lambda m: (-abs(m.change) if m.change is not None else float("-inf"), m.player))
        return cls(tuple(moved), len(before.keys() | after.keys()) - len(moved), fine)

    @property
    def rounded_columns(self) -> tuple[str, ...]:
        """Columns whose numbers a table shows as they are."""
        return ("rating", "new_rating", "change") if self.fine else ()

    def __len__(self) -> int:
        return len(self.moved)

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        for m in self.moved:
            yield {
                "player": m.player, "rank": m.rank, "new_rank": m.new_rank,
                "rating": m.rating, "new_rating": m.new_rating, "change": m.change,
            }  # fmt: skip

    def as_table(self) -> Table:
        """A row a player whose rating differs, as a table."""
        return Table("differences", "Differences of two lists", columns_of(list(self), COLUMNS))

    def __str__(self) -> str:
        two = [f"the two lists answer two questions: {self.questions}"] if self.questions else []
        if not self.moved:
            return "\n".join([f"no difference in {self.same} players", *two])
        lines = aligned(COLUMNS, self, self.rounded_columns)
        return "\n".join([*lines, f"{self.same} players are the same", *two])


AGAINST = ("player", "ours", "theirs", "difference")
"""Names of the cells of a row."""


@frozen
class Against(AsTable):
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
        apart = [(who, ours[who], theirs[who]) for who in both if abs(change_of(ours[who], theirs[who])) > tolerance]
        apart.sort(key=lambda one: (-abs(change_of(one[1], one[2])), one[0]))
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
            yield dict(zip(AGAINST, (who, ours, theirs, change_of(ours, theirs)), strict=True))
        for who, rating in self.only_ours.items():
            yield dict(zip(AGAINST, (who, rating, None, None), strict=True))
        for who, rating in self.only_theirs.items():
            yield dict(zip(AGAINST, (who, None, rating, None), strict=True))

    def as_table(self) -> Table:
        """A row a player, as a table."""
        return Table("against", "Differences from other ratings", columns_of(list(self), AGAINST))

    def __str__(self) -> str:
        lines = aligned(AGAINST, self, ())
        return "\n".join([*lines, f"{self.within} of {self.both} players are the same"])

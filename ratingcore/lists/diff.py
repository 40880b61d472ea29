"""Differences between two lists: players whose rating changed, and players on one list only."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from ratingcore.lists.policy import Cell, change_of
from ratingcore.report.aligned_text import aligned
from ratingcore.report.table import AsTable, Table, columns_of

Places = Mapping[str, tuple[int | None, float | None]]
"""Rank and rating of each player of a list; None for the unrated."""


@frozen
class Moved:
    """Player whose rating differs between two lists; None for a list on which the player has no rating."""

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

    Its text is a table; iterating yields rows as dictionaries.

    Parameters
    ----------
    moved : tuple of Moved
    same : int
        Number of players whose rating does not differ.
    fine : bool
        Whether ratings have more decimals than tables usually show.
    questions : str
        Methods and policies of the lists in words, if they differ; else empty.
    """

    moved: tuple[Moved, ...]
    same: int
    fine: bool = False
    questions: str = ""

    @classmethod
    def between(cls, before: Places, after: Places, fine: bool = False) -> "ListDiff":
        """Returns the differences from one list to another; set `fine` if ratings have many decimals."""
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
        """Columns whose numbers a table prints unchanged."""
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
        """Returns a table with a row for each player whose rating differs."""
        return Table("differences", "Differences of two lists", columns_of(list(self), COLUMNS))

    def __str__(self) -> str:
        two = [f"the two lists answer different questions: {self.questions}"] if self.questions else []
        if not self.moved:
            return "\n".join([f"no difference in {self.same} players", *two])
        lines = aligned(COLUMNS, self, self.rounded_columns)
        return "\n".join([*lines, f"{self.same} players are the same", *two])

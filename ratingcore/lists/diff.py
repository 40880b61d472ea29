"""Two lists side by side: who moved, who came, who is gone."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from ratingcore.report.text import aligned

if TYPE_CHECKING:
    from ratingcore.lists.rating_list import Cell, RatingList


@frozen
class Moved:
    """A player whom two lists rate otherwise; None where a list does not have a rating."""

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
        return round(self.new_rating - self.rating, 9)


COLUMNS = ("player", "rank", "new_rank", "rating", "new_rating", "change")
"""Names of the cells of a row of differences."""


@frozen
class ListDiff:
    """What a list says otherwise than another: players whose rating differs, largest change first.

    `str` gives a table; iterating gives rows as dictionaries.
    """

    moved: tuple[Moved, ...]
    same: int

    @classmethod
    def between(cls, old: "RatingList", new: "RatingList") -> "ListDiff":
        """The differences from one list to another."""
        before, after = _by_player(old), _by_player(new)
        nobody = (None, None)
        moved = []
        for player in sorted(before.keys() | after.keys()):
            rank, rating = before.get(player, nobody)
            new_rank, new_rating = after.get(player, nobody)
            if rating != new_rating:
                moved.append(Moved(player, rank, new_rank, rating, new_rating))
        moved.sort(key=lambda m: (-abs(m.change) if m.change is not None else float("-inf"), m.player))
        return cls(tuple(moved), len(before.keys() | after.keys()) - len(moved))

    def __len__(self) -> int:
        return len(self.moved)

    def __iter__(self) -> Iterator[dict[str, "Cell"]]:
        for m in self.moved:
            yield {
                "player": m.player, "rank": m.rank, "new_rank": m.new_rank,
                "rating": m.rating, "new_rating": m.new_rating, "change": m.change,
            }  # fmt: skip

    def __str__(self) -> str:
        if not self.moved:
            return f"no difference in {self.same} players"
        lines = aligned(COLUMNS, self)
        return "\n".join([*lines, f"{self.same} players are the same"])


def _by_player(rating_list: "RatingList") -> dict[str, tuple[int | None, float | None]]:
    ratings = rating_list.values["rating"]
    cells = zip(rating_list.player, rating_list.rank.tolist(), ratings, strict=True)
    return {player: (rank or None, None if rating != rating else float(rating)) for player, rank, rating in cells}

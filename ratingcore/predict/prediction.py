"""The predictions of meetings: expected scores, and the ratings after each possible result."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from ratingcore.events import Instant, clock
from ratingcore.lists.policy import Cell
from ratingcore.predict.matchup import hyphened
from ratingcore.read_only import read_only
from ratingcore.report.table import AsSequence, AsTable, Table, columns_of

Listed = Mapping[str, Mapping[str, Cell]]
"""Cells that a list shows of players, by player and by column: `rating`, `deviation`, ...; unrounded."""


COLUMNS = ("expected", "win", "draw", "loss")
WAYS = ("win", "draw", "loss")


@frozen
class Aftermath:
    """The ratings after a possible result.

    Parameters
    ----------
    result : str
        `win`, `draw` or `loss` of the first of two sides; the places of more sides, such as `2-1-3`; or the requested
        scores, such as `60-40`.
    scores : tuple of float
        Scores with which the result would be recorded, one per side.
    players : mapping of player to mapping of column to cell
        Cells that the list at the instant `listed` of the prediction would show.
    """

    result: str
    scores: tuple[float, ...]
    players: Listed = field(converter=read_only)

    @property
    def label(self) -> str:
        """The name of the result in columns: `win`, `places_2-1-3` (the second side is first), `scores_60-40`."""
        if self.result in WAYS:
            return self.result
        return f"{'scores' if self.result == hyphened(self.scores) else 'places'}_{self.result}"


@frozen
class Prediction(AsTable):
    """The forecast of one meeting.

    Iterating gives one row per player: side, player, listed columns, expected score of the side, and ratings after each
    result. With two sides, results are seen from the player's side: `rating_win` is the rating after its win.
    Every row has every column; it is None if the facts of the game rule out that result for the side.

    Parameters
    ----------
    sides : tuple of tuple of str
    at : int
        When it is played, microseconds since 1970; everything known that was played by then counts.
    listed : int
        The instant of the list with the ratings after it: `at`, or the end of its period.
    expected : tuple of float or None
        Expected score of each side, in the unit of scores: shares of the point for a game. None for unrated players.
    win, draw, loss : float or None
        Chances of the first of two sides; None if the method gives none.
    ahead : tuple of tuple of float or None
        Chance of each side (a row) to finish ahead of each other side (a column), with a tie as one half. None for a
        side with itself, and if the method gives no chances.
    before : mapping of player to mapping of column to cell
        Cells that the list at `at` shows of the players.
    after : tuple of Aftermath
        In the order win, draw, loss; empty if not requested, or for a reason that `notes` gives.
    notes : tuple of str
        Forecasts that are missing, with the reason.
    zone : str
        Time zone of `at` and `listed`; empty for UTC.
    """

    sides: tuple[tuple[str, ...], ...]
    at: Instant
    listed: Instant
    expected: tuple[float | None, ...]
    win: float | None
    draw: float | None
    loss: float | None
    ahead: tuple[tuple[float | None, ...], ...]
    before: Listed = field(converter=read_only)
    after: tuple[Aftermath, ...] = ()
    notes: tuple[str, ...] = ()
    zone: str = ""

    @property
    def time(self) -> str:
        """When it is played, as ISO 8601."""
        return clock(self.zone).iso(self.at)

    def chances(self, side: int) -> tuple[float | None, float | None, float | None]:
        """Returns the chances of a win, a draw and a loss of the first or second of two sides, 0 or 1."""
        return (self.win, self.draw, self.loss) if side == 0 else (self.loss, self.draw, self.win)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        mirrored = {"win": "loss", "loss": "win"} if len(self.sides) == 2 else {}
        looked_at = {one.label for one in self.after}
        turned = looked_at | {mirrored.get(result, result) for result in looked_at}
        labels = [result for result in WAYS if result in turned] or [one.label for one in self.after]
        for number, side in enumerate(self.sides):
            chances = self.chances(number) if len(self.sides) == 2 else (None, None, None)
            for player in side:
                row: dict[str, Any] = {"side": number + 1, "player": player} | dict(self.before[player])
                row |= dict(zip(COLUMNS, (self.expected[number], *chances), strict=True))
                after = {mirrored.get(one.label, one.label) if number else one.label: one for one in self.after}
                for label in labels:
                    cells = after[label].players[player] if label in after else dict.fromkeys(self.before[player])
                    row |= {f"{name}_{label}": cell for name, cell in cells.items()}
                yield row

    def as_table(self) -> Table:
        """The rows as a table."""
        met = " against ".join(" + ".join(side) for side in self.sides)
        return Table("prediction", f"{met}, as of {self.time}", columns_of(list(self)))


PAIR = ("a", "b", "played", "expected", "win", "draw", "loss")


@frozen(eq=False)
class Predictions(AsSequence[Prediction]):
    """The forecasts of several meetings: a sequence of `Prediction`, in the order of the meetings.

    As a table, a meeting of two sides is one row, seen from the first side: a, b, played, expected, win, draw, loss,
    and the listed columns of both sides, None for a side of several players. A meeting of more sides has the rows of
    its prediction.
    """

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of all predictions, each once."""
        return tuple(dict.fromkeys(note for one in self.each for note in one.notes))

    def as_table(self) -> Table:
        """Returns all predictions as one table."""
        rows = [row for one in self.each for row in ([_pair(one)] if len(one.sides) == 2 else one)]
        return Table("predictions", "What is expected", columns_of(rows, PAIR))


def _pair(one: Prediction) -> dict[str, object]:
    cells = (*map("+".join, one.sides), one.time, one.expected[0], one.win, one.draw, one.loss)
    row: dict[str, object] = dict(zip(PAIR, cells, strict=True))
    for name in dict.fromkeys(name for side in one.sides for name in one.before[side[0]]):
        for letter, side in zip("ab", one.sides, strict=True):
            row[f"{name}_{letter}"] = one.before[side[0]][name] if len(side) == 1 else None
    return row

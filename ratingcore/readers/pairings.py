"""Joins the two halves of each game of a cross table, in which the rows of both players have the game."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ratingcore.readers.items import Reason, Refused, Unrated
from ratingcore.safe_text import Filled


class Cell(NamedTuple):
    """One player's side of one pairing.

    Attributes
    ----------
    line : int
        Line of the player's row.
    player, opponent : str
        Numbers of the two players in the document.
    round : int
    outcome : float or str
        This player's score; or, as one of `REASONS`, why the pairing is unrated.
    colour : {"", "w", "b"}
    handicap : int
        Stones; 0 for none.
    text : str
        Text of the cell.
    """

    line: int
    player: str
    opponent: str
    round: int
    outcome: float | str
    colour: str = ""
    handicap: int = 0
    text: str = ""


class Pairing(NamedTuple):
    """A game with the cells of both players; `one` is the player whose row comes first."""

    one: Cell
    other: Cell

    def with_colour(self, first: str) -> tuple[Cell, Cell]:
        """Returns the two cells, first the one with the colour `first`; in their order if no colour is known."""
        return (self.other, self.one) if self.other.colour == first else (self.one, self.other)


def pairings(cells: Iterable[Cell], players: Iterable[str]) -> Iterator[Pairing | Unrated | Refused]:
    """Yields each game of a cross table once, in the order in which its first cell comes.

    The two cells must name each other, and have opposite colours, equal handicaps, and scores that add up to 1. Two
    scores of 0 are unrated as `both lost`, two of 1 as `both won`. Cells that disagree are refused once, at the line of
    the earlier row.

    Parameters
    ----------
    cells : iterable of Cell
        In the order of the file.
    players : iterable of str
        The numbers of all players of the document.

    Examples
    --------
    >>> cells = [Cell(1, "1", "2", 1, 1.0, "w"), Cell(2, "2", "1", 1, 1.0, "b")]
    >>> list(pairings(cells, "12"))
    [Unrated(line=1, reason='both won', count=1)]
    """
    every, numbers = list(cells), set(players)
    by_side: dict[tuple[int, str], list[Cell]] = {}
    for cell in every:
        by_side.setdefault((cell.round, cell.player), []).append(cell)
    done: set[tuple[int, str, str]] = set()
    for cell in every:
        low, high = sorted((cell.player, cell.opponent))
        if (cell.round, low, high) in done:
            continue
        done.add((cell.round, low, high))
        if cell.opponent == cell.player:
            why = Reason("a player meets themselves", cell.player, where=Filled("round {turn}", turn=cell.round))
            yield Refused(cell.line, why, cell.text)
        elif cell.opponent not in numbers:
            where = Filled("round {turn}, player {player}", turn=cell.round, player=cell.player)
            why = Reason("no player in the file has the opponent's number", cell.opponent, where=where)
            yield Refused(cell.line, why, cell.text)
        else:
            back = [one for one in by_side.get((cell.round, cell.opponent), ()) if one.opponent == cell.player]
            yield _joined(cell, back[0] if back else None)


def _joined(one: Cell, other: Cell | None) -> Pairing | Unrated | Refused:
    """Joins two cells, or explains why they are not a rated game."""

    def refused(cause: str, value: object = None) -> Refused:
        where = Filled("round {turn}: {a} - {b}", turn=one.round, a=one.player, b=one.opponent)
        return Refused(one.line, Reason(cause, value, where=where), one.text)

    if other is None:
        return refused(Filled("the opponent's row does not have this game"))
    outcomes = [cell.outcome if isinstance(cell.outcome, str) else f"{cell.outcome:g}" for cell in (one, other)]
    if isinstance(one.outcome, str) or isinstance(other.outcome, str):
        if one.outcome == other.outcome:
            return Unrated(one.line, outcomes[0])
    elif {one.colour, other.colour} not in ({""}, {"w", "b"}):
        return refused(Filled("the two rows have colours that do not match"))
    elif one.handicap != other.handicap:
        return refused(Filled("the two rows have different handicaps"), f"{one.handicap} and {other.handicap} stones")
    elif one.outcome + other.outcome == 1:
        return Pairing(one, other)
    elif one.outcome == other.outcome and one.outcome in (0, 1):
        return Unrated(one.line, "both lost" if one.outcome == 0 else "both won")
    return refused(Filled("the two rows have results that do not match"), " and ".join(outcomes))

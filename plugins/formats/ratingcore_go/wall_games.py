"""Games of a wall list: its rows joined, with what is unrated and refused."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import field, frozen

from ratingcore.plugin.readers import (
    Cell,
    DatedOptions,
    Document,
    Game,
    Item,
    Pairing,
    Refused,
    Unrated,
    Warning,
    Who,
    event_of,
    pairings,
    round_order,
)
from ratingcore_go.days import Day
from ratingcore_go.wall_rows import Mark, Row

_SCORES = {"+": 1.0, "-": 0.0, "=": 0.5}


@frozen
class WallList:
    """A tournament as its header tells it.

    Parameters
    ----------
    key : tuple of str
        By which it is known when it is issued again.
    name : str
    day : Day
    data : mapping
        Facts of every game.
    warnings : list of Warning
    """

    key: tuple[str, ...]
    name: str
    day: Day
    data: Mapping[str, str] = field(factory=dict)
    warnings: Iterable[Warning] = ()


def wall_items(
    wall: WallList, rows: list[Row], who: Callable[[Row], Who], told: Callable[[Row, Who], Iterable[Item]],
    options: DatedOptions,
) -> Iterator[Item]:  # fmt: skip
    """Yields the items of a wall list.

    Parameters
    ----------
    who : callable
        The player of a row.
    told : callable
        Facts and seeds of a row and its player.
    """
    event = event_of(wall.name, wall.day.start)
    yield Document(wall.key, event, wall.day.start, wall.day.end)
    yield from wall.warnings
    players = {str(row.number): who(row) for row in rows}
    for row in rows:
        if row.flaw:
            yield Refused(row.line, row.flaw, row.text)
        if not row.grade:
            yield Warning(row.line, f"row {row.number} has no grade, so nobody can say where the name ends")
        else:
            yield from told(row, players[str(row.number)])
        yield from (
            Unrated(row.line, "bye" if mark.sign == "+" else "absent") for mark in row.marks if not mark.opponent
        )
    rounds = max((len(row.marks) for row in rows), default=0)
    by_round: list[tuple[int | None, int, dict[str, str | int | float | bool]]] = [
        (wall.day.of_round(options, turn, rounds), round_order(turn),
         {"event": event, "round": turn, **wall.day.dated, **wall.data})
        for turn in range(rounds + 1)
    ]  # fmt: skip
    for found in pairings(list(_cells(rows)), players):
        if not isinstance(found, Pairing):
            yield found
            continue
        black, white = found.with_colour("b")
        assert isinstance(black.says, float)  # a pairing without a score is unrated
        played, order, data = by_round[black.round]
        yield Game(
            found.one.line, (str(black.round),), players[black.player], players[white.player], black.says, played,
            order, {**data, "handicap": black.handicap} if black.handicap else data,
        )  # fmt: skip


def _cells(rows: list[Row]) -> Iterator[Cell]:
    for row in rows:
        for turn, mark in enumerate(row.marks, 1):
            if mark.opponent:
                yield Cell(
                    row.line, str(row.number), str(mark.opponent), turn, _says(mark), mark.colour, mark.stones, row.text
                )


def _says(mark: Mark) -> float | str:
    if mark.by_default:
        return "forfeit"
    return _SCORES.get(mark.sign, "no result yet")

"""What tags of a PGN file mean, remembered by their bytes: a file says the same few things a million times."""

from typing import TypeVar

from ratingcore.plugin.readers import Source, Who, registered
from ratingcore_chess.pgn_grammar import plain
from ratingcore_chess.pgn_values import day_in, event_in, known, number_in, seconds_in, speed_of, variant_of

MOST = 2**16
"""Values of a kind that are remembered at a time: memory stays flat however long the file is."""
_SECOND = 1_000_000

Marks = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bool, int, str, str]

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Player:
    """A player of the file, and which of their titles and speeds have been spoken of."""

    __slots__ = ("speeds", "titles", "who")

    def __init__(self, who: Who) -> None:
        self.who = who
        self.titles: set[bytes] = set()
        self.speeds: set[str] = set()


def _remembered(memory: "dict[_Key, _Value]", key: _Key, value: _Value) -> _Value:
    if len(memory) >= MOST:
        memory.clear()
    memory[key] = value
    return value


class Memory:
    """Reads values of tags; the dictionaries are open to be looked into before a value is read.

    Attributes
    ----------
    players : dict
        By name and FIDE id.
    tables : dict
        By TimeControl, Variant and whether the game is of Lichess.
    midnights : dict
        Instants of days that are wholly known.
    clocks : dict
        Microseconds since midnight.
    data : dict
        Facts of a game, by all the tags that they are made of.
    """

    def __init__(self, source: Source, partial: str) -> None:
        self._source = source
        self._partial = partial
        self.players: dict[tuple[bytes, bytes], Player] = {}
        self.tables: dict[tuple[bytes, bytes, bool], dict[str, str]] = {}
        self.midnights: dict[bytes, int] = {}
        self.clocks: dict[bytes, int] = {}
        self._days: dict[bytes, tuple[int, str, int] | None] = {}
        self.data: dict[tuple[object, ...], dict[str, str | int]] = {}

    def text(self, value: bytes) -> str:
        """The text of a value."""
        return self._source.decoded(plain(value))

    def player(self, name: bytes, number: bytes) -> Player:
        """The player of a name and FIDE id."""
        who = Who(registered("fide", self.text(number)) if number else None, self.text(name))
        return _remembered(self.players, (name, number), Player(who))

    def tables_of(self, control: bytes, variant: bytes, lichess: bool) -> dict[str, str]:
        """What templates of pools may name: variant and, if known, speed."""
        speed = speed_of(self.text(control))
        tables = {"variant": variant_of(self.text(variant), lichess) or "standard"}
        return _remembered(self.tables, (control, variant, lichess), tables | ({"speed": speed} if speed else {}))

    def day(self, value: bytes) -> tuple[int, str, int] | None:
        """Instant of a day, what of it is known, and its year; None for a text that says nothing.

        Raises
        ------
        BadValue
            If it is no day, or known in part where that is refused.
        """
        try:
            return self._days[value]
        except KeyError:
            day = day_in(self.text(value), self._partial)
            if day is not None and not day[1]:
                _remembered(self.midnights, value, day[0])
            return _remembered(self._days, value, day)

    def clock(self, value: bytes) -> int | None:
        """Microseconds since midnight; None for a text that is no time."""
        found = self.clocks.get(value)
        if found is None and (seconds := seconds_in(self.text(value))) is not None:
            return _remembered(self.clocks, value, seconds * _SECOND)
        return found

    def data_of(self, marks: Marks) -> dict[str, str | int]:
        """Facts of a game: marks are six tags, whether of Lichess, year, what of the day is known, variant."""
        event, starts, turn, board, white, black, lichess, year, part, variant = marks
        first = self.text(starts)[:4]
        if first.isascii() and first.isdecimal() and int(first):
            year = int(first)
        facts: dict[str, str | int] = {
            "home": "a",
            "event": event_in(self.text(event), year, lichess),
            "round": number_in(known(self.text(turn))),
            "board": number_in(known(self.text(board))),
            "team_a": known(self.text(white)),
            "team_b": known(self.text(black)),
            "variant": "" if variant == "standard" else variant,
            "dated": part,
        }
        return _remembered(self.data, marks, {name: fact for name, fact in facts.items() if fact != ""})

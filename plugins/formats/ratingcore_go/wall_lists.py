"""Reads wall lists, with a row per player and a cell per round: h9 of the EGF, tou of the French federation."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from attrs import field, frozen

from ratingcore.plugin.readers import (
    Cell,
    DatedOptions,
    Days,
    Document,
    Filled,
    Game,
    Item,
    Pairing,
    Reader,
    Refused,
    Sample,
    Source,
    Unrated,
    Warning,
    Who,
    event_of,
    one_line,
    pairings,
    registered,
    round_order,
)
from ratingcore_go.graded_players import GRADE, GradedOptions, days, facts_of, seed_of_grade

OLD = "iso-8859-15"
"""Encoding of tables that are not UTF-8."""
_NEAR = 2**13

_CELL = re.compile(r"([0-9]{1,6})([-+=?])(!?)(?:/?([bw?])([0-9]{0,2}))?(!?)", re.IGNORECASE)
_PIN = re.compile(r"\|\s*([0-9]*)\s*$")
_PLACE = re.compile(r"[0-9]{1,6}\.?")
_BARE = re.compile(r"[0-9]{1,6}\?")  # or the half point in a column before the cells


class WallCell(NamedTuple):
    """A cell: the opponent's row number (0 for none), the sign of the result, whether by default, colour, stones."""

    opponent: int
    sign: str
    by_default: bool
    colour: str
    stones: int


class WallLine(NamedTuple):
    """A player's line.

    Attributes
    ----------
    line, number : int
        Line of the file, and number of the row, by which cells name opponents.
    name, grade : str
        `grade` is empty if the row has none; the end of the name is then uncertain.
    words : tuple of str
        Text between the grade and the cells.
    marks : tuple of WallCell
        One per round; empty if the rounds of the row cannot be read.
    pin : str
        Text after the bar.
    text : str
    flaw : str
        Reason why the rounds cannot be read.
    """

    line: int
    number: int
    name: str
    grade: str
    words: tuple[str, ...]
    marks: tuple[WallCell, ...]
    pin: str
    text: str
    flaw: str = ""


def near(sample: Sample) -> str:
    """Returns the beginning of a file as Latin-1, which is enough to recognise a table."""
    return sample.head[:_NEAR].removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r", "\n")


def is_row(text: str) -> bool:
    """True if a line is a player's row: it has a grade, and ends in a result."""
    words = _PIN.sub("", text).split()
    return len(words) > 2 and _CELL.fullmatch(words[-1]) is not None and any(map(GRADE.fullmatch, words[:-1]))


def table_of(source: Source, header: re.Pattern[str]) -> tuple[dict[str, tuple[int, str]], list[WallLine]]:
    """Returns the header of a table (by keys in lower case: line and value) and its rows.

    Parameters
    ----------
    header : pattern
        Matches a header line in a comment; its groups are the key and the value.

    Raises
    ------
    BadFile
        If there is neither a header nor a row.
    """
    values: dict[str, tuple[int, str]] = {}
    lines: list[tuple[int, str]] = []
    for number, line in source.lines(OLD):
        place = 0
        while match := header.match(line, place):  # some programs write several headers on one line
            values.setdefault(match[1].lower(), (number, match[2].strip()))
            place = match.end()
        lines.append((number, line.partition(";")[0]))
    table = rows(lines)
    if not values and not table:
        source.refuse("it is not a table of results: it has neither a header nor a row")
    return values, table


def rows(lines: Iterable[tuple[int, str]]) -> list[WallLine]:
    """Returns the rows of a table whose lines have no comments.

    Lines before the first row with cells are a heading. After it, every non-blank line counts as a row, even a
    malformed one, since cells name opponents by the number of their row.
    """
    table: list[tuple[int, str, list[str], list[re.Match[str]], str]] = []
    for line, text in lines:
        if not text.strip():
            continue
        pin = _PIN.search(text)
        words = (text[: pin.start()] if pin else text).split()
        cells: list[re.Match[str]] = []
        while words and (cell := _CELL.fullmatch(words[-1])):
            cells.append(cell)
            words.pop()
        if table or cells:
            table.append((line, text, words, cells[::-1], pin[1] if pin else ""))
    often = Counter(len(cells) for _, _, _, cells, _ in table if cells)
    rounds = max(often, key=lambda count: (often[count], count), default=0)
    return [_row(number, rounds, *parts) for number, parts in enumerate(table, 1)]


def _row(
    number: int, rounds: int, line: int, text: str, head: list[str], cells: list[re.Match[str]], pin: str
) -> WallLine:  # fmt: skip
    surplus = len(cells) - rounds
    if surplus > 0 and all(_BARE.fullmatch(cell[0]) for cell in cells[:surplus]):
        head, cells = head + [cell[0] for cell in cells[:surplus]], cells[surplus:]
    flaw = (
        ""
        if len(cells) == rounds
        else Filled("has {n} results where other rows have {rounds}", n=len(cells), rounds=rounds)
    )
    first = 1 if len(head) > 1 and _PLACE.fullmatch(head[0]) else 0
    grade = next((at for at in range(first, len(head)) if GRADE.fullmatch(head[at])), None)
    name, words = ("", head[first:]) if grade is None else (" ".join(head[first:grade]), head[grade + 1 :])
    marks = () if flaw else tuple(map(_mark, cells))
    return WallLine(
        line, number, name, "" if grade is None else head[grade], tuple(words), marks, pin, text.strip(), flaw
    )


def _mark(cell: re.Match[str]) -> WallCell:
    opponent, sign, before, colour, stones, after = cell.groups()
    if colour is None or colour == "?":
        return WallCell(int(opponent), sign, bool(before or after), "", 0)
    return WallCell(int(opponent), sign, bool(before or after), colour.lower(), int(stones or 0))


_SCORES = {"+": 1.0, "-": 0.0, "=": 0.5}


@frozen
class WallList:
    """A tournament as described by its header.

    Parameters
    ----------
    key : tuple of str
        Key by which a later version of the same file is recognised.
    name : str
    day : Days
    data : mapping
        Facts of every game.
    warnings : list of Warning
    """

    key: tuple[str, ...]
    name: str
    day: Days
    data: Mapping[str, str] = field(factory=dict)
    warnings: Iterable[Warning] = ()


def wall_items(
    wall: WallList, rows: list[WallLine], who: Callable[[WallLine], Who],
    known: Callable[[WallLine, Who], Iterable[Item]], options: DatedOptions,
) -> Iterator[Item]:  # fmt: skip
    """Yields the items of a wall list.

    Parameters
    ----------
    who : callable
        Returns the player of a row.
    known : callable
        Returns the facts and the seed that a row has about its player.
    """
    event = event_of(wall.name, wall.day.start)
    yield Document(wall.key, event, wall.day.start, wall.day.end)
    yield from wall.warnings
    players = {str(row.number): who(row) for row in rows}
    for row in rows:
        if row.flaw:
            yield Refused(row.line, row.flaw, row.text)
        if not row.grade:
            yield Warning(row.line, "the row has no grade, so the end of the name is uncertain, and no facts are read")
        else:
            yield from known(row, players[str(row.number)])
        yield from (
            Unrated(row.line, "bye" if mark.sign == "+" else "absent") for mark in row.marks if not mark.opponent
        )
    rounds = max((len(row.marks) for row in rows), default=0)
    by_round: list[tuple[int | None, int, dict[str, str | int | float | bool]]] = [
        (wall.day.of_round(options.dates, turn, rounds), round_order(turn),
         {"event": event, "round": turn, **wall.day.dated, **wall.data})
        for turn in range(rounds + 1)
    ]  # fmt: skip
    for found in pairings(list(_cells(rows)), players):
        if not isinstance(found, Pairing):
            yield found
            continue
        black, white = found.with_colour("b")
        assert isinstance(black.outcome, float)  # pairings without a score are `Unrated`
        played, order, data = by_round[black.round]
        yield Game(
            found.one.line, (str(black.round),), players[black.player], players[white.player], black.outcome, played,
            order, {**data, "handicap": black.handicap} if black.handicap else data,
        )  # fmt: skip


def _cells(rows: list[WallLine]) -> Iterator[Cell]:
    for row in rows:
        for turn, mark in enumerate(row.marks, 1):
            if mark.opponent:
                number, opponent, outcome = str(row.number), str(mark.opponent), _outcome(mark)
                yield Cell(row.line, number, opponent, turn, outcome, mark.colour, mark.stones, row.text)


def _outcome(mark: WallCell) -> float | str:
    if mark.by_default:
        return "forfeit"
    return _SCORES.get(mark.sign, "no result yet")


LEAST_MINUTES = 30
"""Least adjusted minutes: the European Go Federation does not rate faster games."""
_H9 = re.compile(r"(?:\s*;+|(?<=\]))\s*([A-Za-z]{2})\s*\[((?:(?!\]\s*[A-Za-z]{2}\s*\[).)*)\]")
_HEADED = re.compile(r"^\s*;\s*(?:EV|CL|TC)\s*\[", re.IGNORECASE | re.MULTILINE)


def sniff_h9(sample: Sample) -> int:
    """Returns the confidence that a sample is such a table: by its header, or (lower) by rows that end in results."""
    text = near(sample)
    if _HEADED.search(text):
        return 95
    if re.search(r"^\s*;\s*name=", text, re.IGNORECASE | re.MULTILINE):
        return 0
    return 60 if any(map(is_row, text.splitlines()[:60])) else 0


def read_h9(source: Source, options: GradedOptions) -> Iterator[Item]:
    """Yields the games of a table. A cell has the row number of the opponent; both cells of a game must agree."""
    header, table = table_of(source, _H9)
    wall = _wall(source, header, options)

    def who(row: WallLine) -> Who:
        return Who(registered("egf", row.pin), row.name, str(row.number))

    def known(row: WallLine, player: Who) -> Iterator[Item]:
        country, club = (word if re.search("[^\\W\\d_]", word) else "" for word in (*row.words, "", "")[:2])
        yield from facts_of(row.line, player, wall.day, row.grade, country, club)
        if options.grade == "seed":
            yield from seed_of_grade(row.line, player, wall.day, row.grade)

    yield from wall_items(wall, table, who, known, options)


def _wall(source: Source, header: dict[str, tuple[int, str]], options: GradedOptions) -> WallList:
    line, span = header.get("dt", (1, ""))
    first, _, last = span.partition(",")
    day, warnings = days(first, last, options, line)
    line, category = header.get("cl", (1, ""))
    category = category.upper()
    if category and category not in ("A", "B", "C", "D"):
        warnings.append(Warning(line, "a class of tournament is A, B, C or D", category[:40]))
        category = ""
    line, minutes = header.get("tm", (1, ""))
    if category and _minutes(minutes) < LEAST_MINUTES:
        warnings.append(
            Warning(line, f"the EGF rates no games of under {LEAST_MINUTES} minutes, so they have no class", minutes)
        )
        category = ""
    name = one_line(header.get("ev", (1, ""))[1]) or source.name
    code = one_line(header.get("tc", (1, ""))[1])
    key = (code,) if code else tuple(filter(None, (name, one_line(first))))
    return WallList(key, name, day, {"event_class": category} if category else {}, warnings)


def _minutes(text: str) -> float:
    """Returns the adjusted minutes; a text that is not a number counts as enough."""
    match = re.fullmatch(r"([0-9]{1,6}(?:[.,][0-9]{1,6})?).*", text.strip())
    return float(match[1].replace(",", ".")) if match else LEAST_MINUTES


H9 = Reader(
    "egf-h9", "tables of go tournaments for the European Go Database", "document", sniff_h9, read=read_h9,
    options=GradedOptions, suffixes=(".h9",),
)  # fmt: skip


_TOU = re.compile(r"\s*;+\s*([A-Za-z]{2,12})\s*=(.*)")
_NAMED = re.compile(r"^\s*;\s*name\s*=", re.IGNORECASE | re.MULTILINE)
_ANOTHER = re.compile(r"^\s*;\s*(?:date|vill|comm|prog|komi|ta|time|size)\s*=", re.IGNORECASE | re.MULTILINE)
_LICENCE = re.compile(r"[0-9]{7}")


def sniff_tou(sample: Sample) -> int:
    """Confidence that a sample is such a table: by its header."""
    text = near(sample)
    return 95 if _NAMED.search(text) and _ANOTHER.search(text) else 0


def read_tou(source: Source, options: GradedOptions) -> Iterator[Item]:
    """Yields the games of a table. A cell has the row number of the opponent; both cells of a game must agree."""
    header, table = table_of(source, _TOU)
    line, first = header.get("date", (1, ""))
    day, warnings = days(first, "", options, line, "day")
    warnings.append(Warning(1, "the format drops the mark of forfeits: they count as games"))
    name = one_line(header.get("name", (1, ""))[1]) or source.name
    wall = WallList(tuple(filter(None, (name, one_line(first)))), name, day, {}, warnings)

    def who(row: WallLine) -> Who:
        licence = row.words[0] if row.words and _LICENCE.fullmatch(row.words[0]) else ""
        return Who(registered("ffg", licence), row.name, str(row.number))

    def known(row: WallLine, player: Who) -> Iterator[Item]:
        others = row.words[1:] if player.id else row.words
        yield from facts_of(row.line, player, day, row.grade, club=" ".join(others))
        if options.grade == "seed":
            yield from seed_of_grade(row.line, player, day, row.grade)

    yield from wall_items(wall, table, who, known, options)


TOU = Reader(
    "ffg-tou", "tables of go tournaments for the French Go Federation", "document", sniff_tou, read=read_tou,
    options=GradedOptions, suffixes=(".tou",),
)  # fmt: skip

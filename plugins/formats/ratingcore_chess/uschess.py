"""Reads rating reports to US Chess: three dBase III tables, each with a header and records of fixed-width fields."""

import re
import struct
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from attrs import frozen

from ratingcore.plugin.readers import (
    Cell,
    DatedOptions,
    Days,
    Document,
    Facts,
    Filled,
    Game,
    Item,
    Pairing,
    Reader,
    Reason,
    Refused,
    Sample,
    Seed,
    Source,
    Unrated,
    Warning,
    Who,
    day_or_why,
    day_unread,
    event_of,
    natural,
    one_of,
    pairings,
    registered,
    round_order,
)

_HEADER = struct.Struct("<B3xIHH20x")
_FIELD = struct.Struct("<11sc4xB15x")
_VERSION, _END_OF_FIELDS, _DELETED = 3, 0x0D, ord("*")


class RecordField(NamedTuple):
    """A column: its name, where it begins in a record, and its width."""

    name: str
    start: int
    width: int


class TableHeader(NamedTuple):
    """The header of a table: its columns by name, the offset of the records, their width and their number."""

    fields: dict[str, RecordField]
    start: int
    width: int
    length: int


def table_of(head: bytes) -> TableHeader:
    """Parses the header of a table; raises `ValueError` for other files."""
    if len(head) < _HEADER.size:
        raise ValueError(Filled("it is shorter than the header of a table"))
    version, count, start, width = _HEADER.unpack_from(head)
    if version != _VERSION:
        raise ValueError(Filled("it is not a dBase III table"))
    fields: dict[str, RecordField] = {}
    at, offset = _HEADER.size, 1
    while at + _FIELD.size <= min(start, len(head)) and head[at] != _END_OF_FIELDS:
        name, _, length = _FIELD.unpack_from(head, at)
        text = name.split(b"\0")[0].decode("ascii", "replace").strip().upper()
        fields.setdefault(text, RecordField(text, offset, length))
        at, offset = at + _FIELD.size, offset + length
    if at >= len(head) or head[at] != _END_OF_FIELDS or not fields:
        raise ValueError(Filled("its header does not end"))
    if offset != width or at >= start:
        raise ValueError(Filled("its fields do not fill its records"))
    return TableHeader(fields, start, width, count)


def records(content: bytes, table: TableHeader) -> Iterator[tuple[int, dict[str, bytes] | None]]:
    """Yields the records, numbered from 1: stripped bytes by field, or None for a deleted record.

    Raises
    ------
    ValueError
        If the number of records differs from that in the header.
    """
    end = table.start + table.length * table.width
    if end > len(content) or content[end:].strip(b"\x1a\0\r\n "):
        raise ValueError(Filled("its header gives {n} records, but its size does not fit that number", n=table.length))
    for index in range(table.length):
        start = table.start + index * table.width
        record = content[start : start + table.width]
        if record[0] == _DELETED:
            yield index + 1, None
        else:
            yield (
                index + 1,
                {
                    field.name: record[field.start : field.start + field.width].strip(b" \0")
                    for field in table.fields.values()
                },
            )


_FILES = {"TH": "H_EVENT_ID", "TS": "S_SEC_NUM", "TD": "D_PAIR_NUM"}
"""The tables by the beginning of their names, with a field that only each of them has."""
_CELL = re.compile(r"([A-Za-z])[ 0]*([1-9][0-9]{0,4})? *([WwBb]?) *|([A-Za-z])[ 0]*")
_ROUND = re.compile("D_RND([0-9]{1,3})")
_RATING = re.compile("[ 0]*([1-9][0-9]{1,3})")
_SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}
_UNRATED = {"X": "forfeit", "F": "forfeit", "Z": "forfeit", "B": "bye", "H": "bye", "U": "absent"}
_SYSTEMS = {"R": ("regular",), "Q": ("quick",), "B": ("blitz",), "D": ("regular", "quick")}

Record = dict[str, str]


@frozen
class ReportOptions(DatedOptions):
    """Options of rating reports to US Chess.

    Parameters
    ----------
    dual : {"regular", "both"}
        Whether the games of a dual-rated section count once, as regular, or both as regular and as quick.
    """

    dual: str = one_of("regular", "both")


def sniff(sample: Sample) -> int:
    """Confidence that a sample is one of the three tables: by a dBase header with their fields."""
    try:
        return 95 if _kind(table_of(sample.head)) else 0
    except ValueError:
        return 0


def read_report(source: Source, options: ReportOptions) -> Iterator[Item]:
    """Reads the sections of a report. The table of players yields all items; the other two tables yield none."""
    kind = _kind(_table(source, source.content()))
    if not kind:
        source.refuse("this is not a table of a rating report")
    files = {other: source if other == kind else _other_table(source, kind, other) for other in _FILES}
    missing = [f"{other}EXPORT.DBF" for other, file in files.items() if file is None]
    if missing:
        source.refuse(
            Filled("{files} must lie beside it", files=", ".join(missing)),
            "import the folder or the zip with all three",
        )
    if kind != "TD":
        return
    tables: dict[str, list[tuple[int, Record]]] = {}
    for other, file in files.items():
        if file is not None:
            found, deleted = _records(file)
            tables[other] = found
            if deleted:
                yield Warning(1, f"{deleted} deleted records of {file.name} are passed over")
    yield from _Report(options, tables).items()


def _kind(table: TableHeader) -> str:
    return next((kind for kind, field in _FILES.items() if field in table.fields), "")


def _table(source: Source, content: bytes) -> TableHeader:
    try:
        return table_of(content)
    except ValueError as error:
        source.refuse(error.args[0])


def _other_table(source: Source, kind: str, other: str) -> Source | None:
    """Finds the file of another table, whose name differs in two letters, such as TH instead of TD."""
    folder, slash, name = source.name.replace("\\", "/").rpartition("/")
    renamed = re.sub(f"{kind}(?=EXPORT)", other, name, flags=re.IGNORECASE)
    for guess in dict.fromkeys((f"{folder}{slash}{renamed}", renamed, f"{other}EXPORT.DBF")):
        found = source.sibling(guess)
        if found is not None:
            return found
    return None


def _records(source: Source) -> tuple[list[tuple[int, Record]], int]:
    """Returns the records of a table as text, and the number of deleted ones."""
    content = source.content()
    table = _table(source, content)
    encoding = source.encoding or "cp437"
    found, deleted = [], 0
    try:
        for number, record in records(content, table):
            if record is None:
                deleted += 1
            else:
                found.append((number, {name: value.decode(encoding) for name, value in record.items()}))
    except UnicodeDecodeError as error:
        source.refuse(
            Filled("it is not {encoding}: {error}", encoding=encoding, error=error.reason),
            "give another encoding",
            "encoding",
        )
    except (ValueError, LookupError) as error:
        source.refuse(error.args[0])
    return found, deleted


class _Player:
    """A player of a section, with the cells of their rounds."""

    def __init__(self, line: int, who: Who, rating: str) -> None:
        self.line = line
        self.who = who
        self.rating = rating
        self.rounds: dict[int, str] = {}


class _Report:
    def __init__(self, options: ReportOptions, tables: dict[str, list[tuple[int, Record]]]) -> None:
        self._options = options
        self._events = {record.get("H_EVENT_ID", ""): record for _, record in reversed(tables["TH"])}
        self._sections = {
            (record.get("S_EVENT_ID", ""), _number(record.get("S_SEC_NUM", ""))): record
            for _, record in reversed(tables["TS"])
        }
        self._players: dict[tuple[str, str], list[tuple[int, Record]]] = {}
        for line, record in tables["TD"]:
            key = (record.get("D_EVENT_ID", ""), _number(record.get("D_SEC_NUM", "")))
            self._players.setdefault(key, []).append((line, record))

    def items(self) -> Iterator[Item]:
        """Yields a document and its items for each section."""
        for (event, number), players in self._players.items():
            head = self._events.get(event) or {}
            section = self._sections.get((event, number))
            line = players[0][0]
            yield from _Section(self._options, head, section or {}, event, number).items(line, players)
            if section is None:
                yield Warning(line, "the section is not in TSEXPORT.DBF", number)


class _Section:
    """One tournament of a report."""

    def __init__(self, options: ReportOptions, head: Record, section: Record, event: str, number: str) -> None:
        self._options = options
        self._flaws: list[tuple[str, Reason]] = []
        name = head.get("H_NAME", "")
        self._days = Days(
            self._day(section, "S_BEG_DATE") or self._day(head, "H_BEG_DATE"),
            self._day(section, "S_END_DATE") or self._day(head, "H_END_DATE"),
        )
        self._event = event_of(
            ": ".join(filter(None, (name, section.get("S_SEC_NAME") or f"section {number}"))), self._days.start
        )
        self._key = (event, number) if event.strip("0") else (name, head.get("H_BEG_DATE", ""), number)
        system = section.get("S_R_SYSTEM", "").upper()
        systems = _SYSTEMS.get(system, (system,) if system else ())
        if system == "D" and options.dual != "both":
            systems = systems[:1]
        self._tables: list[dict[str, str]] = [{"system": one} for one in systems] or [{}]
        self._rounds = natural(section.get("S_TOT_RNDS", ""), 3) or 0

    def items(self, line: int, records: list[tuple[int, Record]]) -> Iterator[Item]:
        """Yields the document, facts, and pairings."""
        yield Document(self._key, self._event, self._days.start, self._days.end)
        for name, why in self._flaws:
            yield day_unread(line, name, why)
        players: dict[str, _Player] = {}
        for number, record in records:
            pair = _number(record.get("D_PAIR_NUM", ""))
            rounds = _cells(record)
            player = players.get(pair)
            if not pair or (player is not None and set(rounds) & set(player.rounds)):
                why = Reason("another player has the pairing number", pair) if pair else Reason("has no pairing number")
                yield Refused(number, why, " ".join(record.values())[:200])
                continue
            if player is None:
                member = record.get("D_MEM_ID", "")
                known = registered("uschess", member) if len(member) == 8 else None
                who = Who(known, record.get("D_NAME", ""), pair)
                player = players[pair] = _Player(number, who, record.get("D_RATING", ""))
            player.rounds |= rounds
        yield from self._about(players)
        self._rounds = max([self._rounds, *(max(player.rounds, default=0) for player in players.values())])
        cells = []
        for pair, player in players.items():
            for item in self._rounds_of(pair, player):
                if isinstance(item, Cell):
                    cells.append(item)
                else:
                    yield item
        for pairing in pairings(cells, players):
            if isinstance(pairing, Pairing):
                yield from self._games(pairing, players)
            else:
                yield pairing

    def _about(self, players: dict[str, _Player]) -> Iterator[Item]:
        day = self._days.at
        for player in players.values():
            if player.who.id and self._options.players == "id":
                yield Facts(player.line, player.who, {"called": player.who.name}, day)
            if rating := _RATING.match(player.rating):
                yield Seed(player.line, player.who, {"rating": float(rating[1])}, day, self._tables[0])

    def _rounds_of(self, pair: str, player: _Player) -> Iterator[Cell | Unrated | Refused]:
        """Yields the rounds of a player up to the last one that is not blank; blank ones before it are absences."""
        for turn in range(1, max(player.rounds, default=0) + 1):
            text = player.rounds.get(turn, "")
            match = _CELL.fullmatch(text)
            if not text:
                yield Unrated(player.line, "absent")
                continue
            code = (match[1] or match[4]).upper() if match else ""
            opponent = (match[2] or "") if match else ""
            text_of = f"{player.who.name}: {text}"
            if match is None or (code not in _SCORES and code not in _UNRATED):
                yield Refused(
                    player.line, Reason("is not a result", text, where=Filled("round {turn}", turn=turn)), text_of
                )
            elif code in "BHU" or (code not in _SCORES and not opponent):
                yield Unrated(player.line, _UNRATED[code])
            elif not opponent:
                yield Refused(
                    player.line,
                    Reason("a result without an opponent", where=Filled("round {turn}", turn=turn)),
                    text_of,
                )
            else:
                outcome = _SCORES.get(code, "forfeit") if code in _SCORES else "forfeit"
                yield Cell(player.line, pair, opponent, turn, outcome, (match[3] or "").lower(), 0, text_of)

    def _games(self, pairing: Pairing, players: dict[str, _Player]) -> Iterator[Game]:
        white, black = pairing.with_colour("w")
        turn = white.round
        data: dict[str, str | int] = {"event": self._event, "round": turn, **self._days.dated}
        if white.colour:
            data["home"] = "a"
        played = self._days.of_round(self._options.dates, turn, self._rounds)
        score = white.outcome if isinstance(white.outcome, float) else 0.0  # `pairings` returns only cells with scores
        a, b = players[white.player].who, players[black.player].who
        for tables in self._tables:
            key = (str(turn), *(tables.values() if len(self._tables) > 1 else ()))
            yield Game(pairing.one.line, key, a, b, score, played, round_order(turn), data, tables)

    def _day(self, record: Record, name: str) -> date | None:
        day, _, why = day_or_why(record.get(name, ""), self._options.partial, self._options.date_format)
        if why:
            self._flaws.append((name, why))
        return day


def _cells(record: Record) -> dict[int, str]:
    """Returns the non-blank rounds of a record; in the old format, a second record has rounds 11 to 20."""
    ahead = 10 * max((natural(record.get("D_REC_SEQ", ""), 3) or 0) - 1, 0)
    found = {}
    for name, value in record.items():
        if value and (match := _ROUND.fullmatch(name)):
            found[int(match[1]) + ahead] = value
    return found


def _number(text: str) -> str:
    """Returns a number without blanks and leading zeros, so that ` 1` and `01` are equal."""
    return text.strip().lstrip("0")


USCHESS = Reader(
    "uschess", "rating reports to US Chess: THEXPORT, TSEXPORT and TDEXPORT.DBF", "document", sniff, read=read_report,
    options=ReportOptions, suffixes=(".dbf",), tables=("system",),
)  # fmt: skip

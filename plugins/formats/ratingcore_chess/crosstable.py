"""Reads cross-tables, with a row per player and a column per round or opponent, and lists of a round's pairings."""

import re
from collections.abc import Generator, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from attrs import frozen

from ratingcore.plugin.readers import (
    Cell,
    Days,
    Document,
    Facts,
    Filled,
    Game,
    Item,
    Options,
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
    event_of,
    natural,
    one_of,
    pairings,
    registered,
    round_order,
)
from ratingcore_chess.crosstable_cells import CrosstableCell, Style, is_bye, is_of_grid, plain
from ratingcore_chess.printed_tables import Printed, PrintedRow, days_in, days_of, lines_of, name_of, tables_of
from ratingcore_chess.titles import title_of

_HEADINGS = {
    "number": "no nr n° # num rg rk rank rang place platz pl pos sno stno st-no startno snr start-nr tnr pair poř lp",
    "name": "name player playername players participant spieler teilnehmer nom nombre nome naam navn namn jméno jmeno "
    "joueur jugador giocatore nazwisko white weiß weiss blancas blanc blancs bianco bílý bily wit hvid hvit vit białe",
    "black": "black schwarz negras noir noirs nero černý cerny zwart sort svart czarne",
    "result": "result results res ergebnis erg resultado résultat resultat risultato výsledek uitslag wynik",
    "points": "pts pt points total tot score punkte pkt puntos ptos punti body punten",
    "rating": "rtg rtng rating elo rtgi rtgn twz nwz dwz rate",
    "federation": "fed feder federation land country",
    "club": "club club/city verein verein/ort klub",
    "title": "t ti tit title titel",
    "fide": "fideid fide-id idfide fideno",
    "uschess": "uscf uscfid uschessid",
}
_ROLES = {"": "title"} | {heading: role for role, headings in _HEADINGS.items() for heading in headings.split()}
_TURN = r"(?:rd|rnd|round|runde|ronde|ronda|rde|turno|kolo)"
_ROUND = re.compile(rf"(?:r|{_TURN})?-?([1-9][0-9]?)(?:r|{_TURN})?")
_OF_ROUND = re.compile(rf"\b{_TURN}\.? *([1-9][0-9]?)\b|\b([1-9][0-9]?)\. *{_TURN}\b", re.IGNORECASE)
_NAMES = re.compile(rf"\b(?:{'|'.join(_HEADINGS['name'].split())})\b", re.IGNORECASE)
_TOP = 60
"""Number of lines at the top that are searched for a header, to recognise a table."""
_OTHER_FORMAT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:[{\[<(;]|0[0-9]{2} )")
"""Beginnings of PGN, JSON, XML, SGF, wall lists of go, and TRF."""
_SCORES = {"1-0": 1.0, "½-½": 0.5, "0-1": 0.0, "1:0": 1.0, "½:½": 0.5, "0:1": 0.0}


@frozen
class CrosstableOptions(Options):
    """Options of cross-tables.

    Parameters
    ----------
    dates : {"start", "end", "spread"}
        Day of a game: the first or last of the tournament, or spread over its rounds.
    sheet : str
        The sheet of a spreadsheet, if it has several.
    signs : {"auto", "games", "forfeits"}
        Meaning of `3+` and `3-`; `auto` infers it from the other cells.
    """

    dates: str = one_of("start", "end", "spread")
    sheet: str = ""
    signs: str = one_of("auto", "games", "forfeits")


class CrosstableColumns(NamedTuple):
    """The columns of a table: those of rounds or opponents with their numbers, and those of each role, such as name."""

    rounds: list[tuple[int, int]]
    of: dict[str, list[int]]

    def cell(self, row: PrintedRow, role: str) -> str:
        """Returns the cell of a row in a role; empty if there is no such column."""
        return row.cells[self.of[role][0]] if role in self.of else ""


def columns_of(headings: Sequence[str]) -> CrosstableColumns | None:
    """Returns the columns of a cross-table or a list of pairings; None for other headings."""
    words = [re.sub(r"[:\s]|\.(?![0-9])", "", heading.casefold()) for heading in headings]
    rounds = [(at, int(match[1])) for at, word in enumerate(words) if (match := _ROUND.fullmatch(word))]
    of: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        if word in _ROLES:
            of.setdefault(_ROLES[word], []).append(at)
    sides = [*of.get("name", ()), *of.get("black", ())]
    lists = "result" in of and (min(sides, default=99) < of["result"][0] < max(sides) or _is_twice(words, sides))
    row = next(filter(None, words), "").isdecimal()  # a player may be called Name
    several = (len(rounds) > 1 or (rounds and "number" in of)) and not row
    return CrosstableColumns([] if lists else rounds, of) if "name" in of and (several or lists) else None


def _is_twice(words: Sequence[str], sides: Sequence[int]) -> bool:
    """True if both players of a pairing have the same heading, so that the result may be beside them."""
    return len(sides) == 2 and words[sides[0]] == words[sides[1]]


def header(headings: Sequence[str]) -> int | None:
    """Returns the index of the first column of results; None if these are not the headings of a table."""
    columns = columns_of(headings)
    return columns and (columns.rounds[0][0] if columns.rounds else columns.of["result"][0])


class CrosstableRow(NamedTuple):
    """A row of a cross-table, its second line if it has one, and the meaning of its cells.

    `marks` are numbered by round or, if columns are opponents, by game between the two players.
    """

    row: PrintedRow
    second: PrintedRow | None
    marks: list[tuple[int, CrosstableCell]]


Found = list[Pairing | Unrated | Refused]


class Crosstable:
    """A cross-table: its players, and the meaning of their cells."""

    def __init__(self, table: Printed, columns: CrosstableColumns, signs: str) -> None:
        self.table, self.columns = table, columns
        self.players: list[CrosstableRow] = []
        self.refused: list[Refused] = []
        for row in table.rows:
            numbered = columns.cell(row, "number").rstrip(".").isdecimal() if not row.flaw else True
            if self.players and not numbered and re.search(r"\b[0-9]{8}\b|\bR:", row.text):
                self.players[-1] = self.players[-1]._replace(second=row)
            elif row.flaw or not columns.cell(row, "name"):
                self.refused.append(Refused(row.line, row.flaw or Filled("has no name"), row.text[:200]))
            else:
                self.players.append(CrosstableRow(row, None, []))
        cells = [[plain(player.row.cells[at]) for at, _ in columns.rounds] for player in self.players]
        filled = [cell for row in cells for cell in row if cell]
        bare = all(table.columns[at].strip(".").isdecimal() for at, _ in columns.rounds)
        full = any(all(re.search("[01½+=-]", cell) for cell in row) for row in cells)  # nobody plays against themselves
        self.grid = bare and not full and 4 * sum(map(is_of_grid, filled)) >= 3 * len(filled)
        style = Style(filled, signs, self.grid)
        others = [at for at in range(len(table.columns)) if at not in dict(columns.rounds)]
        has_results = {at: [style.has_result(player.row.cells[at]) for player in self.players] for at in others}
        self.stray = [at for at, clear in has_results.items() if 2 * sum(clear) > len(clear)]
        to_come = [not any(column) for column in zip(*cells, strict=True)]
        for player, texts in zip(self.players, cells, strict=True):
            for (at, turn), cell, empty in zip(columns.rounds, texts, to_come, strict=True):
                below = {"W": "w", "B": "b"}.get(player.second.cells[at] if player.second else "", "")
                for number, mark in [] if empty else style.marks(turn, cell):
                    if isinstance(mark, CrosstableCell):
                        player.marks.append((number, mark._replace(colour=mark.colour or below)))
                    else:
                        why = Reason(mark, player.row.cells[at][:40], where=table.columns[at])
                        self.refused.append(Refused(player.row.line, why, player.row.text[:200]))

    def name(self, player: CrosstableRow) -> str:
        return self.columns.cell(player.row, "name")

    def pairings_by(self, numbers: Sequence[str]) -> Found:
        """Returns the pairings for a numbering of the players."""
        named = list(zip(numbers, self.players, strict=True))
        free = {number for number, player in named if is_bye(self.name(player))}
        cells, byes = list[Cell](), list[Unrated]()
        for number, player in named:
            for turn, mark in player.marks if number not in free else ():
                opponent, line = str(mark.opponent), player.row.line
                if not mark.opponent or opponent in free:
                    byes.append(Unrated(line, "bye" if mark.opponent else str(mark.outcome)))
                else:
                    text = player.row.text[:200]
                    cells.append(Cell(line, number, opponent, turn, mark.outcome, mark.colour, 0, text))
        return [*byes, *pairings(cells, numbers)]

    def numbered(self, source: Source) -> tuple[Sequence[str], Found]:
        """Returns the numbering of the players that the cells use, and the pairings for it.

        If several columns could number the players, the one whose pairings clash least is taken. If there is no such
        column, players are numbered by row.
        """
        sure: dict[Sequence[str], str] = {}
        for at in self.columns.of.get("number", ()):
            numbers = tuple(player.row.cells[at].rstrip(".").lstrip("0") for player in self.players)
            if len({*numbers}) == len(numbers) and all(map(str.isdecimal, numbers)):
                sure.setdefault(numbers, self.table.columns[at])
        read = {one: self.pairings_by(one) for one in sure or [tuple(map(str, range(1, len(self.players) + 1)))]}
        clashes = {numbers: sum(isinstance(one, Refused) for one in found) for numbers, found in read.items()}
        best, *others = sorted(clashes, key=lambda numbers: clashes[numbers])
        if others and clashes[others[0]] <= 10 * clashes[best]:
            form = "the cells below line {line} may refer to the column {one} or to {other}"
            source.refuse(
                Filled(form, line=self.table.line, one=sure[best], other=sure[others[0]]),
                "remove from the table the column that they do not refer to",
            )
        turns = sorted(turn for _, turn in self.columns.rounds)
        if self.stray:
            heading = self.table.columns[self.stray[0]]
            form = "the column {column} of line {line} has results, but no round number"
            source.refuse(Filled(form, column=repr(heading), line=self.table.line))
        if not self.grid and turns != list(range(turns[0], turns[-1] + 1)):
            form = "line {line} names the rounds {rounds}: name each round once"
            source.refuse(Filled(form, line=self.table.line, rounds=", ".join(map(str, turns))))
        marks = [(number, mark) for number, one in zip(best, self.players, strict=True) for _, mark in one.marks]
        own = self.grid and any(number == str(mark.opponent) for number, mark in marks)
        if own or not any(mark.opponent for _, mark in marks):
            first = "".join(f": line {one.line} {one.reason}" for one in self.refused[:1])
            source.refuse(
                Filled("the cells below line {line} name no opponents{first}", line=self.table.line, first=first)
            )
        return best, read[best]

    def items(self, name: str, days: Days, options: CrosstableOptions, source: Source) -> Iterator[Item]:
        """Yields facts and ratings of the players, and the pairings."""
        numbers, found = self.numbered(source)
        event, who, off = event_of(name, days.start), dict[str, Who](), list[str]()
        for number, player in zip(numbers, self.players, strict=True):
            who[number] = yield from self._about(player, number, days)
            points = [mark.points for _, mark in player.marks]
            total = re.fullmatch(r"([0-9]{0,3})(½|\.5)?", plain(self.columns.cell(player.row, "points")))
            if total and total[0] and None not in points:
                given, summed = float(total[1] or 0) + bool(total[2]) / 2, sum(filter(None, points))
                if given != summed:
                    off.append(f"{self.name(player)} {given:g} ({summed:g})")
        if off:
            form = "points that are not the sum of the cells, which follows in brackets, {n} in all: {some}"
            yield Warning(self.table.line, Filled(form, n=len(off), some="; ".join(off[:3])))
        yield from self.refused
        last = max(turn for _, turn in self.columns.rounds)
        for pairing in found:
            if not isinstance(pairing, Pairing):
                yield pairing
                continue
            white, black = pairing.with_colour("w")
            assert isinstance(white.outcome, float)  # pairings without a score are `Unrated`
            turn = 0 if self.grid else white.round
            data: dict[str, str | int] = {**days.dated, "event": event}
            if turn:
                data["round"] = turn
            if white.colour:
                data["home"] = "a"
            played, order = days.of_round(options.dates, turn or 1, last), round_order(turn)
            a, b = who[white.player], who[black.player]
            yield Game(pairing.one.line, (str(white.round),), a, b, white.outcome, played, order, data)

    def _about(self, player: CrosstableRow, number: str, days: Days) -> Generator[Item, None, Who]:
        """Yields the facts and the rating of a player in the table, and returns the player."""
        below = "" if player.second is None else player.second.text
        values = {
            field: self.columns.cell(player.row, field) for field in ("title", "federation", "club", "fide", "rating")
        }
        member, before = re.search(r"\b[0-9]{8}\b", below), re.search(r"\bR: *([0-9]{3,4})\b", below)
        uschess = member[0] if member else self.columns.cell(player.row, "uschess")
        register = registered("fide", values.pop("fide")) or (
            registered("uschess", uschess) if len(uschess) == 8 else None
        )
        who, line = Who(register, self.name(player), number), player.row.line
        listed = values.pop("rating")
        rating = natural(before[1] if before else listed, 4)
        values |= {"title": title_of(values["title"]), "called": who.name if who.id else ""}
        if data := {field: value for field, value in values.items() if value}:
            yield Facts(line, who, data, days.at)
        if rating:
            yield Seed(line, who, {"rating": float(rating)}, days.at)
        return who


def round_items(table: Printed, columns: CrosstableColumns, name: str, days: Days, source: Source) -> Iterator[Item]:
    """Yields the pairings of a round; each row has White before the result and Black after it."""
    round_match = next((match for title in reversed(table.titles) if (match := _OF_ROUND.search(title))), None)
    if round_match is None:
        source.refuse(
            Filled("no line above line {line} names its round", line=table.line),
            "write a line such as Round 3 above it",
        )
    turn, own = int(round_match[1] or round_match[2]), days_in(_OF_ROUND.sub("", round_match.string)).start
    event, day = event_of(name, days.start), own or days.start
    yield Document(_key(name, days, f"round {turn}"), event, days.start or own, own or days.end)
    column, names = columns.of["result"][0], [*columns.of["name"], *columns.of.get("black", ())]
    numbers = columns.of.get("number", ())
    middle = column if min(names) < column < max(names) else sum(names) / len(names)
    data: dict[str, str | int] = {"event": event, "round": turn, "home": "a", **({} if own else days.dated)}
    paired = set[Who]()
    for row in table.rows:
        if row.flaw:
            yield Refused(row.line, row.flaw, row.text[:200])
            continue
        a, b = (
            Who(
                None,
                *(next((row.cells[at] for at in places if (at > middle) == after), "") for places in (names, numbers)),
            )
            for after in (False, True)
        )
        result = plain(row.cells[column])
        if not a.name and _OF_ROUND.search(row.text):
            source.refuse(Filled("line {line} begins a round, but no line below it names the columns", line=row.line))
        elif is_bye(a.name) or is_bye(b.name):
            yield Unrated(row.line, "absent" if result == "0" else "bye")
        elif not result.strip("-:*?") and len(result) < 3:
            yield Unrated(row.line, "no result yet")
        elif re.fullmatch("[-+][-:][-+]|[01]k?[-:][01]k", result):
            yield Unrated(row.line, "forfeit")
        elif result in ("0-0", "0:0"):
            yield Unrated(row.line, "both lost")
        elif result not in _SCORES or not paired.isdisjoint((a, b)):
            odd = Reason("is not a result", row.cells[column][:40])
            why = odd if result not in _SCORES else "pairs a player twice in a round"
            yield Refused(row.line, why, row.text[:200])
        else:
            yield Game(row.line, (str(turn),), a, b, _SCORES[result], Days(day).at, round_order(turn), data)
            paired |= {a, b}


def _key(name: str, days: Days, *more: str) -> tuple[str, ...]:
    return (name, *([days.start.isoformat()] if days.start else []), *more)


def read_tables(source: Source, options: CrosstableOptions) -> Iterator[Item]:
    """Reads the tournaments in the tables of a file; the two cells of a game must agree."""
    tables = tables_of(lines_of(source, options.sheet), header, _NAMES)
    if not tables:
        source.refuse("no line names the columns of a cross-table", "it needs a line such as: No, Name, 1, 2, 3")
    found, above = list[Item](), list[object]()
    name, days = "", Days()
    for table in tables:
        columns = columns_of(table.columns)
        assert columns is not None  # `header` recognised them
        name = name_of(table.titles) or name
        days = days_of(table.titles, name) or days
        shown = name or PurePath(source.name).name
        if not columns.rounds:
            found += round_items(table, columns, shown, days, source)
            continue
        one = Crosstable(table, columns, options.signs)
        new = [name, sorted(map(one.name, one.players))]
        if new[0] in above or new[1] in above:
            source.refuse(
                Filled("the table at line {line} has the name or the players of one above it", line=table.line),
                "import one of them, or write the name of its tournament above each",
            )
        above += new
        found.append(Document(_key(name or source.name, days), event_of(shown, days.start), days.start, days.end))
        found += one.items(shown, days, options, source)
    return iter(found)  # the whole file is read before the first item is imported


def sniff(sample: Sample) -> int:
    """Confidence that a sample has such a table: a header, and rows of results."""
    if b"\0" in sample.head or _OTHER_FORMAT.match(sample.head):
        return 0
    lines = sample.text.splitlines()[:400]
    if not any(map(_NAMES.search, lines[:_TOP])):  # a header is near the top, and most files have none
        return 0
    tables = tables_of(list(enumerate(lines, 1)), header, _NAMES)
    columns = columns_of(tables[0].columns) if tables else None
    if columns is None or len(tables[0].rows) < 2:
        return 0
    if not columns.rounds:
        return 85 if any(map(_OF_ROUND.search, tables[0].titles)) else 0
    one = Crosstable(tables[0], columns, "games")
    marks = [mark for player in one.players for _, mark in player.marks if mark.opponent]
    results = [
        mark for mark in marks if mark.colour or mark.outcome != "no result yet"
    ]  # other cells may be any numbers
    return 85 if len(results) > len(one.refused) else 0


CROSSTABLE = Reader(
    "crosstable", "cross-tables and pairings of rounds, as pairing programs print and publish them", "document", sniff,
    read=read_tables, options=CrosstableOptions,
)  # fmt: skip

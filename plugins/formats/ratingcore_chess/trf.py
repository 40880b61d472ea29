"""Reads a tournament from a TRF file: its players, then its games, each of which appears in two rows."""

import re
from collections.abc import Iterator

from attrs import frozen

from ratingcore.plugin.readers import (
    BadValue,
    Cell,
    DatedOptions,
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
    at,
    event_of,
    one_of,
    pairings,
    round_order,
)
from ratingcore_chess.titles import other_titles
from ratingcore_chess.trf_records import (
    KNOWN,
    NO_GAME,
    POINTS,
    Code,
    PlayerRecord,
    Records,
    Teams,
    rank_of,
    rating_of,
    row_by_bytes,
    row_of,
)

_FEDERATION = re.compile("[A-Za-z]{3}")

_Facts = dict[str, str | int]
_Round = tuple[int | None, int, tuple[str, ...], tuple[_Facts, _Facts]]
"""The time of a round, its order, its key, and facts of its games without and with colours."""


class TrfTournament:
    """Reads a whole file, and yields its items.

    Parameters
    ----------
    source : Source
    options : TrfOptions
    """

    def __init__(self, source: Source, options: "TrfOptions") -> None:
        self._dates = options.dates
        self._national_ratings = options.ratings == "national"
        self._by_id = options.players == "id"
        self._players: dict[int, PlayerRecord] = {}
        self._codes: dict[str, Code] = {}
        self._rounds: dict[int, _Round] = {}
        self._refused: list[Refused] = []
        records, others = [], []
        for number, text in enumerate(source.text_lines(), 1):
            code = text[:3]
            if code == "001":
                self._row(number, text)
            elif code in KNOWN or code[:2] == "XX":
                records.append((number, text))
            elif text.strip() and not text.startswith("###"):
                others.append((number, text))
        self._federations = [one for one in others if self._of_federation(one[1])]
        self._unknown = [one for one in others if one not in self._federations]
        self._records = Records(records, options.partial, options.date_format)
        if not self._players and not self._refused and not self._records.name:
            source.refuse("it has neither a player (001) nor the name of a tournament (012)")
        self._key = self._records.key() or ("file", source.name)
        self._teams = Teams(self._records)
        self._days = self._records.days()
        played = max((len(row.rounds) for row in self._players.values()), default=0)
        self._last = max(self._records.number("142"), self._records.number("XXR"), played)
        self._span = self._records.span
        self._event = event_of(self._records.name, self._span.start)
        speed = self._records.speed()
        self._tables = {"speed": speed} if speed else {}

    def items(self) -> Iterator[Item]:
        """Yields the document, remarks, facts and seeds of players, and pairings in the order of the rows."""
        yield Document(self._key, self._event, self._span.start, self._span.end)
        yield from self._warnings()
        yield from self._about_players()
        yield from self._refused
        yield from self._pairings()

    def _row(self, number: int, text: str) -> None:
        try:
            row = self._row_of(number, text)
            if row.rank in self._players:
                raise BadValue(
                    Filled("the rank"),
                    row.rank,
                    Filled("is also that of a player on line {line}", line=self._players[row.rank].line),
                )
        except ValueError as error:
            self._refused.append(Refused(number, Reason.of(error), text[:200].rstrip()))
        else:
            self._players[row.rank] = row

    def _row_of(self, number: int, text: str) -> PlayerRecord:
        try:
            return row_of(number, text, self._codes)
        except ValueError:
            if text.isascii():
                raise
            return row_by_bytes(number, text, self._codes)

    def _of_federation(self, text: str) -> bool:
        """True if a line is a national federation's record about one of the players."""
        try:
            return bool(_FEDERATION.fullmatch(text[:3]) and rank_of(text) in self._players and text[48:68].strip())
        except ValueError:
            return False

    def _warnings(self) -> Iterator[Warning]:
        yield from self._records.remarks
        if self._unknown:
            count = len(self._unknown)
            lines = f"{count} lines are not records" if count > 1 else "a line is not a record"
            yield Warning(self._unknown[0][0], f"{lines} of the format", self._unknown[0][1][:40])
        for code, what, count in (("062", "players", len(self._players)), ("082", "teams", self._teams.count)):
            declared = self._records.number(code)
            if declared and declared != count:
                yield Warning(
                    self._records.of(code)[0][0], f"record {code} gives {declared} {what}, but the file has {count}"
                )
        if not any(self._records.of(code) for code in POINTS):
            yield from self._points()
        yield from other_titles((row.text[10:13], row.line) for row in self._players.values())

    def _points(self) -> Iterator[Warning]:
        """Yields a warning if players' points differ from their rounds, counted with the usual points."""
        differ = []
        for row in self._players.values():
            total = sum(code.points for _, code in row.rounds)
            try:
                if row.points and float(row.points.replace(",", ".")) != total:
                    differ.append((row, total))
            except ValueError:
                differ.append((row, total))
        if differ:
            row, total = differ[0]
            count = f"{len(differ)} players have" if len(differ) > 1 else "a player has"
            yield Warning(
                row.line, f"{count} points that the rounds do not give, first {row.rank}: {row.points}, not {total:g}"
            )

    def _about_players(self) -> Iterator[Item]:
        day = self._span.at
        for row in self._players.values():
            facts = dict(row.facts)
            if row.who.id and self._by_id:
                facts["called"] = row.who.name
            if facts:
                yield Facts(row.line, row.who, facts, day)
            if row.rating and not self._national_ratings:
                yield Seed(row.line, row.who, {"rating": float(row.rating)}, day, self._tables)
        for line, text in self._federations:
            who = self._players[rank_of(text)].who
            if number := text[57:68].strip():
                yield Facts(line, who, {"national_id": number}, day)
            if self._national_ratings and (rating := rating_of(text)):
                yield Seed(line, who, {"rating": float(rating)}, day, self._tables)

    def _pairings(self) -> Iterator[Item]:
        """Yields the pairings in the order of their first rows."""
        there = self._players
        outcomes: dict[tuple[Code, Code], tuple[bool, float] | str | None] = {}
        for row in there.values():
            line, rank = row.line, row.rank
            for turn, (opponent, code) in enumerate(row.rounds, 1):
                if not opponent or code.code in NO_GAME:
                    yield self._without_game(row, turn, code)
                    continue
                other = there.get(opponent)
                if other is None or len(other.rounds) < turn:
                    yield from self._mismatch(row, turn, None)
                    continue
                back, answer = other.rounds[turn - 1]
                if back != rank or answer.code in NO_GAME or other is row:
                    yield from self._mismatch(row, turn, None)
                    continue
                if other.line < line:  # yielded already
                    continue
                try:
                    outcome = outcomes[code, answer]
                except KeyError:
                    outcome = outcomes[code, answer] = _outcome(code, answer)
                if outcome is None:
                    yield from self._mismatch(row, turn, other)
                elif isinstance(outcome, str):
                    yield Unrated(line, outcome)
                else:
                    white_first, score = outcome
                    white, black = (row, other) if white_first else (other, row)
                    yield self._game(line, turn, white, black, score, bool(code.colour))

    def _without_game(self, row: PlayerRecord, turn: int, code: Code) -> Unrated | Refused:
        try:
            outcome = code.outcome(0)
        except ValueError as error:
            return Refused(row.line, Reason.of(error, Filled("round {turn}", turn=turn)), row.text[:200].rstrip())
        return Unrated(row.line, str(outcome))

    def _mismatch(self, row: PlayerRecord, turn: int, other: PlayerRecord | None) -> Iterator[Item]:
        """Yields what is wrong with a pairing; `other` is the opponent if their row names this player."""
        cells, text = [], row.text[:200].rstrip()
        for one in (row,) if other is None else (row, other):
            opponent, code = one.rounds[turn - 1]
            try:
                outcome = code.outcome(opponent)
            except ValueError as error:
                yield Refused(row.line, Reason.of(error, Filled("round {turn}", turn=turn)), text)
                return
            cells.append(
                Cell(one.line, str(one.rank), str(opponent), turn, outcome, code.colour, 0, row.text[:200].rstrip())
            )
        yield from (found for found in pairings(cells, map(str, self._players)) if isinstance(found, Refused))

    def _round(self, turn: int) -> _Round:
        data: _Facts = {"event": self._event, "round": turn}
        if url := self._records.url():
            data["event_url"] = url
        if turn in self._days:
            played: int | None = at(self._days[turn])
        else:
            data |= self._span.dated
            played = self._span.of_round(self._dates, turn, self._last)
        return played, round_order(turn), (str(turn),), (data, data | {"home": "a"})

    def _game(
        self, line: int, turn: int, white: PlayerRecord, black: PlayerRecord, score: float, coloured: bool
    ) -> Game:
        if turn not in self._rounds:
            self._rounds[turn] = self._round(turn)
        played, order, key, facts = self._rounds[turn]
        data = facts[coloured]
        if self._teams.count:
            data = data | self._teams.facts(turn, white.rank, black.rank)
        return Game(line, key, white.who, black.who, score, played, order, data, self._tables)


def _outcome(code: Code, answer: Code) -> tuple[bool, float] | str | None:
    """Returns whether the first of two opponents is White, and White's score; or why the pairing is unrated.

    None if their rows contradict each other.
    """
    try:
        cells = [
            Cell(1, "1", "2", 1, code.outcome(2), code.colour), Cell(2, "2", "1", 1, answer.outcome(1), answer.colour),
        ]  # fmt: skip
    except ValueError:
        return None
    found = next(pairings(cells, ("1", "2")))
    if isinstance(found, Pairing):
        white, _ = found.with_colour("w")
        return (white is cells[0], white.outcome) if isinstance(white.outcome, float) else None
    return found.reason if isinstance(found, Unrated) else None


_PLAYER = re.compile(r"^001 [ 0-9]{3}[0-9]", re.MULTILINE)
_HEADER = re.compile(r"^[01][0-9]2 ", re.MULTILINE)


@frozen
class TrfOptions(DatedOptions):
    """Options of TRF files.

    Parameters
    ----------
    ratings : {"fide", "national"}
        Whether seeds are the ratings in the players' rows or in the rows of their federations.
    """

    ratings: str = one_of("fide", "national")


def sniff(sample: Sample) -> int:
    """Returns the confidence that a sample is TRF: by rows 001 with a rank, and lines such as 012."""
    text = re.sub("\r\n?", "\n", sample.text)
    headers = len(_HEADER.findall(text[:4096])) + text.startswith(("012 ", "012\n"))
    if _PLAYER.search(text):
        return 95 if headers else 80
    return 60 if headers > 3 else 0


def read_trf(source: Source, options: TrfOptions) -> Iterator[Item]:
    """Reads the tournament of a TRF file."""
    yield from TrfTournament(source, options).items()


TRF = Reader(
    "trf", "TRF16, TRF26, TRFx: tournament reports of FIDE and of pairing programs", "document", sniff, read=read_trf,
    options=TrfOptions, suffixes=(".trf", ".trfx"), tables=("speed",),
)  # fmt: skip

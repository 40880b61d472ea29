"""Reads PGN. The meanings of tags are cached by their bytes, since a file repeats few values very often."""

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import TypeVar

from attrs import field, frozen

from ratingcore.plugin.readers import (
    DAY,
    BadValue,
    DatedOptions,
    Document,
    Facts,
    Filled,
    Game,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Seed,
    Source,
    Unrated,
    Warning,
    Who,
    natural,
    number_or_text,
    one_of,
    registered,
    round_order,
)
from ratingcore_chess.pgn_blocks import Block, Tags, blocks, ends, plain
from ratingcore_chess.pgn_values import (
    Ordinals,
    day_in,
    event_in,
    forfeits_by,
    id_of,
    is_casual,
    known,
    local_moment,
    rating_in,
    score_in,
    seconds_in,
    speed_of,
    variant_of,
)
from ratingcore_chess.titles import other_titles, title_of

MOST = 2**16
"""Number of values of a kind that are cached: memory stays flat however long the file is."""
_SECOND = 1_000_000

Marks = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bool, int, str, str, tuple[bytes, ...]]

_Time = tuple[int | None, str, bool, int]
"""The time of a game, the known part of its day, whether it is exact to the second, and the year."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class PgnPlayer:
    """A player of the file, with the titles and speeds for which items were already yielded."""

    __slots__ = ("speeds", "titles", "who")

    def __init__(self, who: Who) -> None:
        self.who = who
        self.titles: set[bytes] = set()
        self.speeds: set[str] = set()


class _Cache(dict[_Key, _Value]):
    """A cache of values made from tags, cleared when it grows too large."""

    def keep(self, key: _Key, value: _Value) -> _Value:
        """Stores a value and returns it."""
        if len(self) >= MOST:
            self.clear()
        self[key] = value
        return value


class _Read(_Cache[_Key, _Value]):
    """A cache that makes a missing value when it is first read."""

    def __init__(self, make: Callable[[_Key], _Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: _Key) -> _Value:
        return self.keep(key, self._make(key))


class Memory:
    """Caches of the values of tags.

    Attributes
    ----------
    texts : dict
        By value.
    players : dict
        By name and FIDE id.
    tables : dict
        By TimeControl, Variant and whether the game is from Lichess: names for templates of pools.
    days : dict
        Instant of a day, its known part, and its year; None for an unknown day. `BadValue` if it is not a day, or is
        known only in part and such days are refused.
    midnights : dict
        Instants of days that are fully known; `KeyError` for others.
    clocks : dict
        Microseconds since midnight; `KeyError` for a text that is not a time.
    data : dict
        Facts of a game, by all tags behind them.
    """

    def __init__(self, source: Source, partial: str, date_format: str = "") -> None:
        self.texts = _Read[bytes, str](lambda value: source.decoded(plain(value)))
        self.players = _Read[tuple[bytes, bytes], PgnPlayer](self._player)
        self.tables = _Read[tuple[bytes, bytes, bool], dict[str, str]](self._tables)
        self.days = _Read[bytes, tuple[int, str, int] | None](
            lambda value: day_in(self.texts[value], partial, date_format)
        )
        self.midnights = _Read[bytes, int](self._midnight)
        self.clocks = _Read[bytes, int](self._clock)
        self.data = _Read[Marks, dict[str, str | int]](self._data)
        self._events = _Read[tuple[bytes, int, bool], str](lambda tag: event_in(self.texts[tag[0]], *tag[1:]))
        self._places = _Read[bytes, str | int](lambda tag: number_or_text(known(self.texts[tag])))

    def _player(self, tags: tuple[bytes, bytes]) -> PgnPlayer:
        name, number = tags
        return PgnPlayer(Who(registered("fide", self.texts[number]) if number else None, self.texts[name]))

    def _tables(self, tags: tuple[bytes, bytes, bool]) -> dict[str, str]:
        control, variant, lichess = tags
        speed = speed_of(self.texts[control])
        tables = {"variant": variant_of(self.texts[variant], lichess) or "standard"}
        return tables | ({"speed": speed} if speed else {})

    def _midnight(self, value: bytes) -> int:
        day = self.days[value]
        if day is None or day[1]:
            raise KeyError(value)
        return day[0]

    def _clock(self, value: bytes) -> int:
        seconds = seconds_in(self.texts[value])
        if seconds is None:
            raise KeyError(value)
        return seconds * _SECOND

    def clock(self, value: bytes) -> int | None:
        """Microseconds since midnight; None for a text that is not a time."""
        try:
            return self.clocks[value]
        except KeyError:
            return None

    def _data(self, marks: Marks) -> dict[str, str | int]:
        """Returns the facts of a game; `marks` are six tags, whether of Lichess, year, day part, variant, opening."""
        event, starts, turn, board, white, black, lichess, year, part, variant, opening = marks
        facts: dict[str, str | int] = {"home": "a"}
        if event:
            facts["event"] = self._events[event, natural(self.texts[starts][:4]) or year, lichess]
        facts |= {name: self._places[tag] for name, tag in (("round", turn), ("board", board)) if tag}
        facts |= {name: known(self.texts[tag]) for name, tag in (("team_a", white), ("team_b", black)) if tag}
        if variant != "standard":
            facts["variant"] = variant
        if part:
            facts["dated"] = part
        facts |= {name: known(self.texts[tag]) for name, tag in zip(_OPENING, opening, strict=False)}
        return {name: fact for name, fact in facts.items() if fact != ""} if "" in facts.values() else facts


_SCORES = {b"1-0": 1.0, b"0-1": 0.0, b"1/2-1/2": 0.5}
_OPENING = ("eco", "opening", "fen")
"""Fields of a result that are made from the tags of its opening."""
_LICHESS = b"https://lichess.org/"
_GAME_OF_LICHESS = re.compile(rb"(?!analysis|training|practice)[A-Za-z0-9]{8}\Z").match


@frozen
class PgnOptions(DatedOptions):
    """Options of PGN files; `dates` is unused, since each game has its day.

    Parameters
    ----------
    variants : {"standard", "all"}
        Whether games of other variants are rated.
    casual : bool
        Whether games that a server calls casual are rated.
    terminations : {"forfeit", "count"}
        Whether a game whose Termination says `forfeit`, `unplayed`, `rules infraction`, or `abandoned` before a move,
        is a forfeit, or counts by its result.
    whole : bool
        Whether the games of one event and year are a document: games missing from a later file are voided.
    openings : bool
        Whether ECO, Opening and FEN become fields of results, for slices and for clusters of games from one opening.
    """

    variants: str = one_of("standard", "all")
    casual: bool = field(default=False)
    terminations: str = one_of("forfeit", "count")
    whole: bool = field(default=False)
    openings: bool = field(default=False)


class PgnGames:
    """Makes items of the blocks of a file.

    Parameters
    ----------
    source : Source
    options : PgnOptions
    """

    def __init__(self, source: Source, options: PgnOptions) -> None:
        self._source, self._options = source, options
        self._variants = options.variants == "all"
        self._memory = Memory(source, options.partial, options.date_format)
        self._ordinals = Ordinals()
        self._document: tuple[str, ...] = ()
        self._titles: list[tuple[str, int]] = []
        self._no_ids = _Cache[tuple[bytes, ...], tuple[str, ...]]()
        self._days = _Cache[tuple[bytes, ...], _Time]()

    def items(self) -> Iterator[Item]:
        """Yields the items of the file, game by game. The usual case comes first, for speed."""
        memory = self._memory
        players, all_tables, all_data, texts = memory.players, memory.tables, memory.data, memory.texts
        midnights, clocks, openings = memory.midnights, memory.clocks, self._options.openings
        no_ids, days = self._no_ids, self._days
        for block in blocks(self._source):
            line, tags, moves, last, flaw = block
            (
                event, site, date, turn, white_name, black_name, result, board, event_date, utc_date, utc_time, time,
                control, termination, variant, white_id, black_id, white_team, black_team, white_elo, black_elo,
                white_title, black_title, game_id, link, url, fics, end_date, end_time, eco, opening, fen,
            ) = tags  # fmt: skip
            score = _SCORES.get(result)
            if score is None or flaw or (last and not last.endswith(result)):
                score = yield from self._unusual(block)
                if score is None:
                    continue
            if termination and termination != b"Normal" and self._is_forfeit(termination, moves, last):
                yield Unrated(line, "forfeit")
                continue
            where = site, game_id, link, url, fics
            if site[:20] == _LICHESS and _GAME_OF_LICHESS(site, 20) and (not game_id or game_id == site[20:]):
                key: tuple[str, ...] = ("lichess:" + site[20:].decode(),)  # the usual case of the largest files
                lichess = True
            else:
                key = () if where in no_ids else id_of(*map(texts.__getitem__, where)) or no_ids.keep(where, ())
                lichess = bool(key) and key[0].startswith("lichess:")
            tables = all_tables[control, variant, lichess]
            if not self._variants and tables["variant"] != "standard":
                yield Unrated(line, f"variant {tables['variant']}")
                continue
            if lichess and not self._options.casual and is_casual(event):
                yield Unrated(line, "casual")
                continue
            part, timed, year = "", True, 0
            played: int | None
            try:
                try:
                    if not lichess or end_date:
                        raise KeyError
                    played = midnights[utc_date] + clocks[utc_time]
                except KeyError:
                    when = date, event_date, utc_date, utc_time, time, end_date, end_time
                    played, part, timed, year = days.get(when) or self._time(when)
            except BadValue as error:
                yield self._refused(block, Reason.of(error))
                continue
            marks = (
                event, event_date, turn, board, white_team, black_team, lichess, 0 if lichess else year, part,
                tables["variant"], (eco, opening, fen) if openings else (),
            )  # fmt: skip
            data, white, black = all_data[marks], players[white_name, white_id], players[black_name, black_id]
            if self._options.whole:
                yield from self._opened(str(data.get("event", "")), year)
                key = (known(texts[turn]), *(key or (known(texts[board]),)))
            elif not key:
                tagged = texts[event], texts[site], texts[date], texts[turn], texts[board]
                key = (*tagged, str(self._ordinals.of((*tagged, *sorted((white_name, black_name))))))
            order = 0 if timed else round_order(texts[turn])
            yield Game(line, key, white.who, black.who, score, played, order, data, tables)
            speed = tables.get("speed", "")
            if white_title not in white.titles or (white_elo and speed not in white.speeds):
                yield from self._about(line, white, white_title, white_elo, played, tables)
            if black_title not in black.titles or (black_elo and speed not in black.speeds):
                yield from self._about(line, black, black_title, black_elo, played, tables)
        yield from other_titles(self._titles)

    def _unusual(self, block: Block) -> Generator[Item, None, float | None]:
        """Yields the items of a block with no, an unusual or two results; returns its score if it is a rated game."""
        line, _, _, last, flaw = block
        tags = Tags(*block[1])
        ending = ends(last)[0].decode()
        if flaw or not line:
            if flaw or ending:
                yield self._refused(block, flaw or Filled("it has moves but no tags, so its players are unknown"))
            return None
        result = known(self._memory.texts[tags.result])
        score = score_in(result or ending or "*")
        if result and ending and score != score_in(ending):
            yield Warning(line, "a game has two results, in its tag and after its moves", f"{result[:20]} and {ending}")
        if not isinstance(score, str):
            return score
        yield (
            Unrated(line, score) if score else self._refused(block, Reason("its result is not one of PGN", result[:80]))
        )
        return None

    def _refused(self, block: Block, why: str) -> Refused:
        tags = Tags(*block[1])
        names = f"{self._memory.texts[tags.white]} - {self._memory.texts[tags.black]}"
        return Refused(block[0] or 1, why, (names if block[0] else self._source.decoded(block[3]))[:200])

    def _is_forfeit(self, termination: bytes, moves: int, last: bytes) -> bool:
        return self._options.terminations == "forfeit" and forfeits_by(
            self._memory.texts[termination], moves > 1 or ends(last)[1]
        )

    def _time(self, when: tuple[bytes, ...]) -> _Time:
        """Returns the time of a game from its seven tags of days and times."""
        *began, end_date, end_time = when
        played, part, timed, year = self._played(*began)
        if end_date and played is not None and self._options.time == "end":
            played, timed = self._ended(played, timed, end_date, end_time, utc=bool(began[2]))
        found = played, part, timed, year
        return found if timed else self._days.keep(when, found)  # days recur often, times rarely

    def _played(self, date: bytes, event_date: bytes, utc_date: bytes, utc_time: bytes, time: bytes) -> _Time:
        """Returns the time at which a game began."""
        memory, zone = self._memory, self._source.zone
        utc = memory.days[utc_date]
        if utc is not None and not utc[1] and (clock := memory.clock(utc_time)) is not None:
            return utc[0] + clock, "", True, utc[2]
        day = memory.days[date] or utc
        if day is not None:
            clock = memory.clock(time) if zone and not day[1] else None
            if clock is None or zone is None:
                return day[0], day[1], False, day[2]
            return local_moment(day[0], clock, zone), "", True, day[2]
        day = memory.days[event_date]
        return (day[0], day[1] or "event", False, day[2]) if day else (None, "", False, 0)

    def _ended(self, start: int, timed: bool, end_date: bytes, end_time: bytes, utc: bool) -> tuple[int, bool]:
        """Returns the end of a game, and whether it is exact to the second; the start if the tags give no later time.

        Parameters
        ----------
        utc : bool
            Whether its other times are in UTC, as those of Chess.com.
        """
        day, clock, zone = None, self._memory.clock(end_time), self._source.zone
        with suppress(BadValue):  # at least it begins on a day
            day = self._memory.days[end_date]
        if day is None or day[1]:
            return start, timed
        end = day[0]
        if clock is not None and (utc or b"GMT" in end_time or b"UTC" in end_time):
            end += clock
        elif clock is not None and zone is not None:
            end = local_moment(end, clock, zone)
        return (end, end % DAY != 0) if end > start else (start, timed)

    def _about(
        self, line: int, player: PgnPlayer, title: bytes, rating: bytes, played: int | None, tables: dict[str, str]
    ) -> Iterator[Item]:
        """Yields name, title and rating of a player, each once."""
        facts: dict[str, str] = {}
        if player.who.id and self._options.players == "id" and not player.titles:
            facts["called"] = player.who.name
        if title and title not in player.titles:
            if of_fide := title_of(self._memory.texts[title]):
                facts["title"] = of_fide
            else:
                self._titles.append((self._memory.texts[title], line))
        player.titles.add(title)
        if facts:
            yield Facts(line, player.who, facts, played and played - played % DAY)
        speed, value = tables.get("speed", ""), rating_in(self._memory.texts[rating])
        if rating and speed not in player.speeds:
            player.speeds.add(speed)
            if value is not None:
                yield Seed(line, player.who, {"rating": value}, played, tables)

    def _opened(self, event: str, year: int) -> Iterator[Item]:
        key = (event, str(year))
        if key != self._document:
            self._document = key
            yield Document(key, event)


_FIRST = re.compile(rb'\[\s*(?:Event|Site|Date|White|Black)\s*"', re.IGNORECASE)
_BRIDGE = re.compile(rb'^% PBN|^\[(?:Deal|Dealer|Declarer|Vulnerable)\s+"', re.MULTILINE)
_PLAYERS = re.compile(rb'^\s*\[(?:White|Black)\s+"', re.MULTILINE)


def sniff(sample: Sample) -> int:
    """Confidence that a sample is PGN: its first line, after `%` lines and blank ones, must be a tag of a game."""
    head = sample.head.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    if _BRIDGE.search(head[:4096]):
        return 0
    for line in head.split(b"\n"):
        text = line.strip()
        if text and not text.startswith((b"%", b";")):
            players = _PLAYERS.search(head) is not None
            if _FIRST.match(text):
                return 97 if players else 95
            return 80 if players and text.startswith(b"[") and not text.startswith(b"[Board") else 0
    return 0


def read_pgn(source: Source, options: PgnOptions) -> Iterator[Item]:
    """The games of a PGN file."""
    return PgnGames(source, options).items()


PGN = Reader(
    "pgn", "PGN: games of chess, by their tags", "stream", sniff, read=read_pgn, options=PgnOptions,
    suffixes=(".pgn",), tables=("speed", "variant"),
)  # fmt: skip

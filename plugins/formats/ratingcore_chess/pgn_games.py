"""Games of a PGN file as items: results, players, days and what else their tags say."""

import re
from collections.abc import Generator, Iterator

from ratingcore.plugin.readers import (
    DAY,
    BadValue,
    Document,
    Facts,
    Game,
    Item,
    Refused,
    Seed,
    Source,
    Unrated,
    Warning,
    round_order,
)
from ratingcore_chess.pgn_blocks import blocks
from ratingcore_chess.pgn_grammar import Tags, ends
from ratingcore_chess.pgn_ids import Ordinals, id_of
from ratingcore_chess.pgn_lines import Block
from ratingcore_chess.pgn_memory import Memory, Player
from ratingcore_chess.pgn_values import forfeits_by, is_casual, known, local_moment, rating_in, score_in
from ratingcore_chess.titles import title_of

_SCORES = {b"1-0": 1.0, b"0-1": 0.0, b"1/2-1/2": 0.5}
_LICHESS = b"https://lichess.org/"
_GAME_OF_LICHESS = re.compile(rb"(?!analysis|training|practice)[A-Za-z0-9]{8}\Z").match


class Games:
    """Makes items of the blocks of a file.

    Parameters
    ----------
    source : Source
    partial : {"refuse", "first", "last"}
    variants, casual : bool
        Whether games of other variants, and casual ones, are rated.
    forfeits : bool
        Whether Termination may make a game a forfeit.
    whole : bool
        Whether the games of an event and year are a document.
    by_id : bool
        Whether players are known by their ids.
    """

    def __init__(
        self, source: Source, *, partial: str, variants: bool, casual: bool, forfeits: bool, whole: bool, by_id: bool
    ) -> None:
        self._source = source
        self._variants, self._casual, self._forfeits, self._whole = variants, casual, forfeits, whole
        self._by_id = by_id
        self._memory = Memory(source, partial)
        self._ordinals = Ordinals()
        self._document: tuple[str, ...] = ()

    def items(self) -> Iterator[Item]:
        """Yields what the file says, game by game. The usual case goes straight down, so that it is fast."""
        memory = self._memory
        players, all_tables, all_data = memory.players, memory.tables, memory.data
        midnights, clocks = memory.midnights, memory.clocks
        for block in blocks(self._source):
            line, tags, moves, last, flaw = block
            (
                event, site, date, turn, white_name, black_name, result, board, event_date, utc_date, utc_time, time,
                control, termination, variant, white_id, black_id, white_team, black_team, white_elo, black_elo,
                white_title, black_title, game_id, link, url, fics,
            ) = tags  # fmt: skip
            score = _SCORES.get(result)
            if score is None or flaw or not last.endswith(result):
                score = yield from self._unusual(block)
                if score is None:
                    continue
            if termination and termination != b"Normal" and self._is_forfeit(termination, moves, last):
                yield Unrated(line, "forfeit")
                continue
            if site[:20] == _LICHESS and _GAME_OF_LICHESS(site, 20) and (not game_id or game_id == site[20:]):
                key: tuple[str, ...] = ("lichess:" + site[20:].decode(),)  # the usual case of the largest files
                lichess = True
            else:
                key = id_of(*map(memory.text, (site, game_id, link, url, fics)))
                lichess = bool(key) and key[0].startswith("lichess:")
            tables = all_tables.get((control, variant, lichess)) or memory.tables_of(control, variant, lichess)
            if not self._variants and tables["variant"] != "standard":
                yield Unrated(line, f"variant {tables['variant']}")
                continue
            if lichess and not self._casual and is_casual(event):
                yield Unrated(line, "casual")
                continue
            part, timed, year = "", True, 0
            played: int | None
            try:
                if not lichess:
                    raise KeyError
                played = midnights[utc_date] + clocks[utc_time]  # nearly always they have been read before
            except KeyError:
                try:
                    played, part, timed, year = self._played(date, event_date, utc_date, utc_time, time)
                except BadValue as error:
                    yield self._refused(block, str(error))
                    continue
            marks = (
                event, event_date, turn, board, white_team, black_team, lichess, 0 if lichess else year, part,
                tables["variant"],
            )  # fmt: skip
            data = all_data.get(marks) or memory.data_of(marks)
            white = players.get((white_name, white_id)) or memory.player(white_name, white_id)
            black = players.get((black_name, black_id)) or memory.player(black_name, black_id)
            if self._whole:
                yield from self._opened(str(data.get("event", "")), year)
                key = (known(memory.text(turn)), *(key or (known(memory.text(board)),)))
            elif not key:
                said = (*map(memory.text, (event, site, date, turn, board)),)
                key = (*said, str(self._ordinals.of((*said, *sorted((white_name, black_name))))))
            order = 0 if timed else round_order(memory.text(turn))
            yield Game(line, key, white.who, black.who, score, played, order, data, tables)
            speed = tables.get("speed", "")
            if white_title not in white.titles or (white_elo and speed not in white.speeds):
                yield from self._about(line, white, white_title, white_elo, played, tables)
            if black_title not in black.titles or (black_elo and speed not in black.speeds):
                yield from self._about(line, black, black_title, black_elo, played, tables)

    def _unusual(self, block: Block) -> Generator[Item, None, float | None]:
        """What a block says that has no result, another one, or two; its score if it is a game to be rated."""
        line, _, _, last, flaw = block
        tags = Tags(*block[1])
        ending = ends(last)[0].decode()
        if flaw or not line:
            if flaw or ending:
                yield self._refused(block, flaw or "moves without a tag: nobody is named")
            return None
        said = known(self._memory.text(tags.result))
        score = score_in(said or ending or "*")
        if said and ending and score != score_in(ending):
            yield Warning(line, f"a game has two results, {said[:20]} in its tag and {ending} after its moves")
        if not isinstance(score, str):
            return score
        yield Unrated(line, score) if score else self._refused(block, f"its result is none: {said[:80]!r}")
        return None

    def _refused(self, block: Block, why: str) -> Refused:
        tags = Tags(*block[1])
        names = f"{self._memory.text(tags.white)} - {self._memory.text(tags.black)}"
        return Refused(block[0] or 1, why, (names if block[0] else self._source.decoded(block[3]))[:200])

    def _is_forfeit(self, termination: bytes, moves: int, last: bytes) -> bool:
        return self._forfeits and forfeits_by(self._memory.text(termination), moves > 1 or ends(last)[1])

    def _played(
        self, date: bytes, event_date: bytes, utc_date: bytes, utc_time: bytes, time: bytes
    ) -> tuple[int | None, str, bool, int]:
        """When the game was played, the mark of a day that is not all its own, whether to the second, and the year."""
        memory, zone = self._memory, self._source.zone
        utc = memory.day(utc_date)
        if utc is not None and not utc[1] and (clock := memory.clock(utc_time)) is not None:
            return utc[0] + clock, "", True, utc[2]
        day = memory.day(date) or utc
        if day is not None:
            clock = memory.clock(time) if zone and not day[1] else None
            if clock is None or zone is None:
                return day[0], day[1], False, day[2]
            return local_moment(day[0], clock, zone), "", True, day[2]
        day = memory.day(event_date)
        return (day[0], day[1] or "event", False, day[2]) if day else (None, "", False, 0)

    def _about(
        self, line: int, player: Player, title: bytes, rating: bytes, played: int | None, tables: dict[str, str]
    ) -> Iterator[Item]:
        """Name, title and rating of a player, each said once."""
        facts: dict[str, str] = {}
        if player.who.id and self._by_id and not player.titles:
            facts["called"] = player.who.name
        if title not in player.titles and title_of(self._memory.text(title)):
            facts["title"] = title_of(self._memory.text(title))
        player.titles.add(title)
        if facts:
            yield Facts(line, player.who, facts, played and played - played % DAY)
        speed, value = tables.get("speed", ""), rating_in(self._memory.text(rating))
        if rating and speed not in player.speeds:
            player.speeds.add(speed)
            if value is not None:
                yield Seed(line, player.who, {"rating": value}, played, tables)

    def _opened(self, event: str, year: int) -> Iterator[Item]:
        key = (event, str(year))
        if key != self._document:
            self._document = key
            yield Document(key, event)

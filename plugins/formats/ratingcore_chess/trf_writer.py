"""Writes a tournament as a TRF report: players by rating, games by round, points and places computed from the games."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from attrs import define, field, frozen

from ratingcore.plugin.readers import (
    CannotWrite,
    Document,
    Facts,
    Game,
    Outgoing,
    Sample,
    Seed,
    Session,
    Who,
    Writer,
    at,
    natural,
    one_of,
)
from ratingcore_chess.trf import sniff
from ratingcore_chess.trf_versions import TeamRecords, converted

_EPOCH = date(1970, 1, 1)
_ROUNDS = 999
_PLAYERS = 9_999
_POINTS = 99.5
_BLANK = "0000 -  "
_WRITTEN = frozenset(("event", "event_url", "round", "home", "dated", "team_a", "team_b", "match", "board"))
"""Facts of games that a report contains, or that follow from its content."""


@define
class TrfPlayer:
    """A player with their facts and rounds (opponent, colour, score)."""

    who: Who
    facts: dict[str, object] = field(factory=dict)
    rating: int = 0
    rounds: dict[int, tuple["TrfPlayer", str, float]] = field(factory=dict)
    rank: int = 0
    place: int = 0

    @property
    def points(self) -> float:
        return sum(score for _, _, score in self.rounds.values())

    @property
    def name(self) -> str:
        return str(self.facts.get("called") or self.who.name)

    @property
    def number(self) -> str:
        """The FIDE id; empty if unknown."""
        return (self.who.id or "").removeprefix("fide:") if (self.who.id or "").startswith("fide:") else ""


class TrfReport:
    """The content of a report.

    Parameters
    ----------
    out : Outgoing
        Has the name of the file and the tournament, and collects remarks.
    """

    def __init__(self, out: Outgoing) -> None:
        self._out = out
        self._name = out.name or "the report"
        self._document: Document | None = None
        self._players: dict[str, TrfPlayer] = {}
        self._games: list[tuple[int, TrfPlayer, TrfPlayer, Game]] = []
        self._left_out: Counter[str] = Counter()

    @classmethod
    def of(cls, out: Outgoing) -> "TrfReport":
        """Makes the report of a document or a tournament in a log.

        Raises
        ------
        CannotWrite
            If a game has no round or not exactly two players, or a value does not fit into its columns.
        """
        made = cls(out)
        for item in out.items():
            if isinstance(item, Document):
                if made._document is not None:
                    raise made._cannot("a report holds one tournament, but the source has several", "name one of them")
                made._document = item
            elif isinstance(item, Facts):
                made._of(item.who).facts.update(item.data)
            elif isinstance(item, Seed):
                made._of(item.who).rating = round(item.values.get("rating", 0.0))
            elif isinstance(item, Game):
                made._pair(item)
            elif isinstance(item, Session):
                raise made._cannot("a report cannot hold sessions of many sides")
        if made._document is None or not made._players:
            raise made._cannot("there is no tournament with games of two players")
        made._rank()
        return made

    def lines(self, teams: str) -> Iterator[str]:
        """Returns the lines, with the teams in records of this code: 013 of TRF16, or 310 of TRF26."""
        players = sorted(self._players.values(), key=lambda one: one.rank)
        last = max((turn for turn, *_ in self._games), default=0)
        written = TeamRecords(
            self._name, [(turn, white.rank, black.rank, game) for turn, white, black, game in self._games],
            self._out.remark,
        )  # fmt: skip
        yield f"### unplayed rounds are not in {'this report' if self._out.source else 'the log'}"
        yield from self._head(players, written.count)
        if teams == "310":
            yield f"142 {last}"
        rows = [self._row(player, last) for player in players]
        self._say_what_was_left_out()
        yield from rows
        yield from written.lines(teams)

    def _of(self, who: Who) -> TrfPlayer:
        return self._players.setdefault(who.id or who.name, TrfPlayer(who))

    def _pair(self, game: Game) -> None:
        turn, a, b = self._round_of(game), self._of(game.a), self._of(game.b)
        for one in (a, b):
            if turn in one.rounds:
                raise self._cannot(f"{one.name} has two games in round {turn}", "a report has one block a round")
        if game.score not in (0.0, 0.5, 1.0):
            raise self._cannot(f"{a.name} - {b.name} in round {turn}: a report cannot hold a score of {game.score:g}")
        colours = {"a": "wb", "b": "bw"}.get(str(game.data.get("home", "")), "--")
        a.rounds[turn] = b, colours[0], game.score
        b.rounds[turn] = a, colours[1], 1.0 - game.score
        white, black = (b, a) if colours == "bw" else (a, b)
        self._games.append((turn, white, black, game))
        self._left_out.update(game.data.keys() - _WRITTEN)

    def _round_of(self, game: Game) -> int:
        text = str(game.data.get("round", game.key[0] if game.key else "")).partition(".")[0].lstrip("R")
        turn = natural(text, 3)
        if turn is None or not 0 < turn <= _ROUNDS:
            raise self._cannot(f"a game has no round: {game.a.name} - {game.b.name}", "name the round of every game")
        return turn

    def _rank(self) -> None:
        ranked = sorted(self._players.values(), key=lambda one: (-one.rating, one.name, one.who.id or ""))
        if len(ranked) > _PLAYERS:
            raise self._cannot(f"a report has room for {_PLAYERS} players, but the tournament has {len(ranked)}")
        for rank, player in enumerate(ranked, 1):
            player.rank = rank
        for place, player in enumerate(sorted(ranked, key=lambda one: (-one.points, one.rank)), 1):
            player.place = place
        if ranked and max(one.points for one in ranked) > _POINTS:
            raise self._cannot(f"a report has room for {_POINTS} points, but a player has more")
        named = Counter(one.name[:33] for one in ranked if not one.number)
        twice = next((name for name, count in named.items() if count > 1), "")
        if twice:
            raise self._cannot(
                f"two players without a FIDE id have the name {twice!r} in the report", "rename one of them"
            )

    def _head(self, players: list[TrfPlayer], teams: int) -> Iterator[str]:
        document = self._document
        assert document is not None
        start = document.start
        name = document.event.removesuffix(f" ({start})") if start else document.event
        urls = {str(game.data["event_url"]) for *_, game in self._games if "event_url" in game.data}
        yield f"012 {name}"
        if len(urls) == 1:
            yield f"022 {urls.pop()}"
        if start:
            yield f"042 {start:%Y/%m/%d}"
        if document.end:
            yield f"052 {document.end:%Y/%m/%d}"
        yield f"062 {len(players)}"
        yield f"072 {sum(1 for one in players if one.rating)}"
        if teams:
            yield f"082 {teams}"
        if days := self._days(start):
            blocks = [f"{days[turn]:%y/%m/%d}" if turn in days else "" for turn in range(1, max(days) + 1)]
            yield "132".ljust(91) + "".join(f"{block:10}" for block in blocks)

    def _days(self, start: date | None) -> dict[int, date]:
        """Returns the day of each round by number, without rounds dated only by the start of the tournament."""
        days: dict[int, Counter[date]] = {}
        first = None if start is None else at(start)
        for turn, _, _, game in self._games:
            if game.played is not None and not (game.data.get("dated") and game.played == first):
                days.setdefault(turn, Counter())[_EPOCH + timedelta(microseconds=game.played)] += 1
        apart = [turn for turn, found in days.items() if len(found) > 1]
        if apart:
            self._out.remark(
                f"round {min(apart)} was played on several days; a report has one day per round: that of most games"
            )
        return {turn: found.most_common(1)[0][0] for turn, found in sorted(days.items())}

    def _row(self, player: TrfPlayer, last: int) -> str:
        facts = player.facts
        sex = {"f": "w", "m": "m"}.get(str(facts.get("sex", "")), "")
        born = f"{facts['born']}/00/00" if "born" in facts else ""
        if player.who.id and not player.number and player.who.id != player.name:
            self._left_out["an id of another register than FIDE's"] += 1
        name = self._cut("name", {"name": player.name}, 33)
        text = (
            f"001 {player.rank:>4} {sex:1}{self._cut('title', facts, 3):>3} {name:33} "
            f"{self._rating(player):>4} {self._cut('federation', facts, 3):3} {self._id(player):>11} {born[:10]:10} "
            f"{player.points:>4.1f} {player.place:>4}"
        )
        blocks = [_block(player.rounds.get(turn)) for turn in range(1, last + 1)]
        return "  ".join([text, *blocks])

    def _cut(self, name: str, facts: dict[str, object], width: int) -> str:
        text = str(facts.get(name, ""))
        if len(text) > width:
            self._out.remark(f"the {name} {text[:60]!r} is cut to {width} characters")
        return text[:width]

    def _rating(self, player: TrfPlayer) -> int | str:
        if not 0 <= player.rating <= _PLAYERS:
            self._out.remark(f"the rating {player.rating} of {player.name} does not fit into four digits")
            return ""
        return player.rating or ""

    def _id(self, player: TrfPlayer) -> str:
        if len(player.number) > 11:
            raise self._cannot(f"the id of {player.name} has more than 11 characters: {player.number[:40]}")
        return player.number

    def _say_what_was_left_out(self) -> None:
        for name, count in sorted(self._left_out.items()):
            self._out.remark(f"a report cannot hold {name}: left out {count} times")

    def _cannot(self, why: str, advice: str = "") -> CannotWrite:
        return CannotWrite(self._name, why, advice)


def _block(met: tuple[TrfPlayer, str, float] | None) -> str:
    if met is None:
        return _BLANK
    other, colour, score = met
    return f"{other.rank:>4} {colour} {'1' if score == 1.0 else '=' if score else '0'}"


_ENDS = {"crlf": "\r\n", "lf": "\n", "cr": "\r"}


@frozen
class TrfForm:
    """Options of the writer of TRF.

    Parameters
    ----------
    version : {"", "16", "26"}
        Version of the format; by default that of the source file if it is TRF, else 16.
    eol : {"crlf", "lf", "cr"}
        End of lines.
    encoding : {"utf-8", "cp1252", "iso-8859-15"}
        Encoding; names with characters outside it are refused.
    """

    version: str = one_of("", "16", "26")
    eol: str = one_of("crlf", "lf", "cr")
    encoding: str = one_of("utf-8", "cp1252", "iso-8859-15")


def write_trf(out: Outgoing, options: TrfForm) -> Iterator[bytes]:
    """Yields the encoded lines of a report.

    If the source is TRF, its lines are kept, unknown records included; only records that differ between the two
    versions are converted.
    """
    end, name = _ENDS[options.eol], out.name or "the report"
    lines = _same(out, options.version) or TrfReport.of(out).lines(teams="310" if options.version == "26" else "013")
    for line in lines:
        try:
            yield (line.rstrip() + end).encode(options.encoding)
        except UnicodeEncodeError as error:
            lacking = line[error.start : error.end][:20]
            raise CannotWrite(
                name, f"{options.encoding} has no characters {lacking!r}: {line[:60].rstrip()}",
                "write it as UTF-8, encoding=utf-8",
            ) from None  # fmt: skip


def _same(out: Outgoing, version: str) -> list[str]:
    """Returns the lines of a TRF source, converted to a version; empty for other sources."""
    source = out.source
    if source is None:
        return []
    content = source.content()
    if not sniff(Sample(source.name, content[: 2**16], len(content))):
        return []
    lines = source.text_lines()
    return converted(lines, version, out.remark) if version else lines


TRF_REPORT = Writer("trf", "tournament report of one tournament, TRF16 or TRF26", TrfForm, write=write_trf)

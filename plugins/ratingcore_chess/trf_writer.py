"""Writes TRF16 reports of one tournament: players by rating, their games by round, and their points."""

from collections.abc import Iterator
from datetime import date, timedelta

from attrs import define, field, frozen

from ratingcore.plugin import BadFile, Document, Facts, Game, Outgoing, Sample, Seed, Who, Writer, one_of
from ratingcore_chess.trf import sniff

_ENDS = {"crlf": "\r\n", "lf": "\n", "cr": "\r"}
_EPOCH = date(1970, 1, 1)
_ROUNDS = 999
_NAME = 33
_BLANK = "0000 -  "
_PLAYERS = 9_999


@frozen
class TrfForm:
    """Options of the writer of TRF.

    Parameters
    ----------
    eol : {"crlf", "lf", "cr"}
        What ends lines.
    """

    eol: str = one_of("crlf", "lf", "cr")


@define
class _Player:
    """A player, what is known about them, and their block of each round."""

    who: Who
    facts: dict[str, object] = field(factory=dict)
    rating: int = 0
    rounds: dict[int, tuple["_Player", str, float]] = field(factory=dict)
    rank: int = 0
    place: int = 0

    @property
    def points(self) -> float:
        return sum(score for _, _, score in self.rounds.values())

    @property
    def name(self) -> str:
        return str(self.facts.get("called") or self.who.name)


def write_trf(out: Outgoing, options: TrfForm) -> Iterator[bytes]:
    """The lines of a report; those of a file that is TRF already stay as they are, unknown records among them."""
    end = _ENDS[options.eol]
    lines = _same(out) or list(_lines(out))
    for line in lines:
        yield (line.rstrip() + end).encode()


def _same(out: Outgoing) -> list[str]:
    """The lines of a source that is TRF; none of another one."""
    source = out.source
    if source is None:
        return []
    content = source.content()
    return source.text_lines() if sniff(Sample(source.name, content[: 2**16], len(content))) else []


def _lines(out: Outgoing) -> Iterator[str]:
    document: Document | None = None
    players: dict[str, _Player] = {}
    days: dict[int, int] = {}
    for item in out.items():
        if isinstance(item, Document):
            if document is not None:
                raise BadFile(out.name, "a report is of one tournament, and here are several")
            document = item
        elif isinstance(item, Facts):
            _of(players, item.who).facts.update(item.data)
        elif isinstance(item, Seed):
            _of(players, item.who).rating = round(item.values.get("rating", 0.0))
        elif isinstance(item, Game):
            turn = _round_of(out, item)
            _pair(out, turn, _of(players, item.a), _of(players, item.b), item)
            if item.played is not None and item.data.get("dated") != "event":
                days.setdefault(turn, item.played)
    if document is None or not players:
        raise BadFile(out.name, "there is no tournament with games of two players")
    yield from _head(document, players, days)
    last = max((turn for one in players.values() for turn in one.rounds), default=0)
    ranked = sorted(players.values(), key=lambda one: (-one.rating, one.name))
    if len(ranked) > _PLAYERS:
        raise BadFile(out.name, f"a report has {_PLAYERS} players at most")
    for rank, player in enumerate(ranked, 1):
        player.rank = rank
    for place, player in enumerate(sorted(ranked, key=lambda one: (-one.points, one.rank)), 1):
        player.place = place
    yield from (f"### {one.rank} is {one.name}" for one in ranked if len(one.name) > _NAME)
    yield from (_row(player, last) for player in ranked)


def _of(players: dict[str, _Player], who: Who) -> _Player:
    return players.setdefault(who.id or who.name, _Player(who))


def _round_of(out: Outgoing, game: Game) -> int:
    text = str(game.data.get("round", game.key[0] if game.key else "")).partition(".")[0].lstrip("R")
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= _ROUNDS):
        raise BadFile(out.name, f"a game has no round: {game.a.name} - {game.b.name}", "name the round of every game")
    return int(text)


def _pair(out: Outgoing, turn: int, a: _Player, b: _Player, game: Game) -> None:
    for one in (a, b):
        if turn in one.rounds:
            raise BadFile(out.name, f"{one.name} has two games in round {turn}", "a report has one block a round")
    if game.score not in (0.0, 0.5, 1.0):
        raise BadFile(out.name, f"{a.name} - {b.name} in round {turn}: a report has no score of {game.score:g}")
    colours = {"a": "wb", "b": "bw"}.get(str(game.data.get("home", "")), "  ")
    a.rounds[turn] = b, colours[0], game.score
    b.rounds[turn] = a, colours[1], 1.0 - game.score


def _head(document: Document, players: dict[str, _Player], days: dict[int, int]) -> Iterator[str]:
    start = document.start
    name = document.event.removesuffix(f" ({start})") if start else document.event
    yield "### unplayed rounds are not in this report"
    yield f"012 {name}"
    if start:
        yield f"042 {start:%Y/%m/%d}"
    if document.end:
        yield f"052 {document.end:%Y/%m/%d}"
    yield f"062 {len(players)}"
    yield f"072 {sum(1 for one in players.values() if one.rating)}"
    if days:
        text = {turn: f"{_EPOCH + timedelta(microseconds=played):%y/%m/%d}" for turn, played in days.items()}
        blocks = [text.get(turn, "") for turn in range(1, max(days) + 1)]
        yield "132".ljust(91) + "".join(f"{block:10}" for block in blocks)


def _row(player: _Player, last: int) -> str:
    facts, number = player.facts, (player.who.id or "").removeprefix("fide:")
    known = number if (player.who.id or "").startswith("fide:") else ""
    title = str(facts.get("title", ""))[:3]
    text = (
        f"001 {player.rank:>4} {_sex(facts):1}{title:>3} {player.name[:_NAME]:33} {player.rating or '':>4} "
        f"{str(facts.get('federation', ''))[:3]:3} {known[:11]:>11} {_born(facts):10} {player.points:>4.1f} "
        f"{player.place:>4}"
    )
    blocks = [_block(player.rounds.get(turn)) for turn in range(1, last + 1)]
    return f"{text}  {'  '.join(blocks)}"


def _sex(facts: dict[str, object]) -> str:
    return {"f": "w", "m": "m"}.get(str(facts.get("sex", "")), "")


def _born(facts: dict[str, object]) -> str:
    return f"{facts['born']}/00/00" if "born" in facts else ""


def _block(met: tuple[_Player, str, float] | None) -> str:
    if met is None:
        return _BLANK
    other, colour, score = met
    return f"{other.rank:>4} {colour if colour != ' ' else '-'} {'1' if score == 1.0 else '=' if score else '0'}"


TRF_REPORT = Writer("trf", "TRF16 report of one tournament", TrfForm, write=write_trf)

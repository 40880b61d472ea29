"""Reads PGN: games of chess as programs, servers and federations exchange them."""

import re
from collections.abc import Iterator

from attrs import field, frozen

from ratingcore.plugin.readers import DatedOptions, Item, Reader, Sample, Source, one_of
from ratingcore_chess.pgn_games import Games

_FIRST = re.compile(rb'\[\s*(?:Event|Site|Date|White|Black)\s*"', re.IGNORECASE)
_BRIDGE = re.compile(rb'^% PBN|^\[(?:Deal|Dealer|Declarer|Vulnerable)\s+"', re.MULTILINE)
_PLAYERS = re.compile(rb'^\s*\[(?:White|Black)\s+"', re.MULTILINE)


@frozen
class PgnOptions(DatedOptions):
    """Options of PGN files; `dates` says nothing, since each game has its day.

    Parameters
    ----------
    variants : {"standard", "all"}
        Whether games of other variants are rated.
    casual : bool
        Whether games that a server calls casual are rated.
    terminations : {"forfeit", "count"}
        Whether a game whose Termination says `forfeit`, `unplayed`, `rules infraction`, or `abandoned` before a move,
        is a forfeit, or counts as its result says.
    whole : bool
        Whether the games of one event and year are a document: what a later file no longer says is taken back.
    """

    variants: str = one_of("standard", "all")
    casual: bool = field(default=False)
    terminations: str = one_of("forfeit", "count")
    whole: bool = field(default=False)


def sniff(sample: Sample) -> int:
    """How sure it is that a sample is PGN: its first line, after `%` lines and blank ones, is a tag of a game."""
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
    return Games(
        source, partial=options.partial, variants=options.variants == "all", casual=options.casual,
        forfeits=options.terminations == "forfeit", whole=options.whole, by_id=options.players == "id",
    ).items()  # fmt: skip


PGN = Reader(
    "pgn", "PGN: games of chess, by their tags", "stream", sniff, read=read_pgn, options=PgnOptions,
    suffixes=(".pgn",), tables=("speed", "variant"),
)  # fmt: skip

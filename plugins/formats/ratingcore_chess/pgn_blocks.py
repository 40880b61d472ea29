"""The games of a PGN file as blocks of tags, found without reading a move.

Files are large and programs write them alike, so a game that looks as usual is taken apart as a whole, at its quotation
marks. Whatever looks different goes line by line through the grammar.
"""

import re
from collections.abc import Callable, Iterator
from operator import itemgetter

from ratingcore.plugin.readers import Source
from ratingcore_chess.pgn_grammar import WANTED, Tags
from ratingcore_chess.pgn_lines import Block, Lines

_CHUNK = 2**16
_LONG, _LONGEST = 2**19, 2**22
_BEGIN = b'\n[Event "'
_RESULT = Tags._fields.index("result")
_USUAL = frozenset((b"1-0", b"0-1", b"1/2-1/2", b"*"))
_UNUSUAL = frozenset((b"%", b"[", b" ", b"\t", b"\n"))
_ESCAPE_OR_TAG = re.compile(rb"\n[ \t]*[\[%]").search
_MOST_ORDERS = 10_000

Pick = Callable[[list[bytes]], tuple[bytes, ...]]
"""Picks the `Tags` out of the head of a game that was split at its quotation marks."""


def blocks(source: Source) -> Iterator[Block]:
    """Yields the games of a file, in its order.

    A game begins at the first tag after moves, or at a second tag `Event`; blank lines mean nothing. A line inside a
    comment begins no game. If the last comment of the file does not end, the games that it swallows come as flawed.
    """
    picks: dict[bytes, Pick | None] = {}  # by the names of tags in their order, which are few
    lines = Lines()
    line, untouched = 1, True  # whether no line is in the grammar's hands
    for text, begins in _parts(source):
        if begins and not untouched and lines.whole:
            yield from lines.ended()
            untouched = True
        if begins and untouched and len(text) < _LONG:
            head, _, tail = text.partition(b"\n\n")
            pieces = head.split(b'"')  # value of Event, name, value, name, value, ..., the last bracket
            order = b'"'.join(pieces[1::2])
            try:
                pick = picks[order]
            except KeyError:
                if len(picks) >= _MOST_ORDERS:
                    picks.clear()
                pick = picks[order] = _pick(pieces[1::2])
            names = len(pieces) // 2
            if pick is not None and 2 * names == len(pieces) and head.count(b"\n") == names - 1 and b"\\" not in head:
                pieces[-1] = b""
                tags = pick(pieces)
                last = tail.rstrip()
                if (
                    tags[_RESULT] in _USUAL
                    and last.endswith(tags[_RESULT])
                    and last.rfind(b"{") <= last.rfind(b"}")
                    and b";" not in last
                    and last[:1] not in _UNUSUAL
                    and (b"\n" not in last or _ESCAPE_OR_TAG(last) is None)
                ):
                    yield line, tags, 1, last, ""
                    line += names + tail.count(b"\n") + 2
                    continue
        if begins:
            text = _BEGIN[1:] + text
        for one in text.split(b"\n"):
            yield from lines.take(line, source.bounded(line, one))
            line += 1
        untouched = False
    yield from lines.ended()


def _pick(names: list[bytes]) -> Pick | None:
    """What picks the tags of a game whose names stand in this order; None where it looks unusual.

    Each name is what stands between two values; the last is the bracket that ends the tags.
    """
    if not names or names.pop() != b"]":
        return None
    places = {"event": 0}
    for place, name in enumerate(names):
        word = name[3:-1]
        lower = word.lower()
        if name[:3] != b"]\n[" or name[-1:] != b" " or not word.isalnum() or lower == b"event":
            return None
        if lower in WANTED:
            places.setdefault(WANTED[lower], 2 * place + 2)
    return itemgetter(*(places.get(name, -1) for name in Tags._fields))  # the last piece is made empty


def _parts(source: Source) -> Iterator[tuple[bytes, bool]]:
    """Yields a text in parts of whole lines, without the last line end; and whether `[Event "`, cut off, begins it."""
    rest, begins = b"\n", False
    with source.open_lines() as file:
        while chunk := file.read(_CHUNK):
            parts = (rest + chunk).split(_BEGIN)
            rest = parts.pop()
            for text in parts:  # the first is empty where the file begins with an Event
                if begins or text:
                    yield (text, True) if begins else (text[1:], False)
                begins = True
            if len(rest) > _LONGEST:  # no Event for a long time: give whole lines
                text, _, last = rest.rpartition(b"\n")
                yield (text, True) if begins else (text[1:], False)
                rest, begins = b"\n" + last, False
    yield (rest, True) if begins else (rest[1:], False)

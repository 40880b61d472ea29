"""The part of PGN's grammar that results need: tag pairs, comments, and the result at the end of the moves.

The standard is *Portable Game Notation Specification and Implementation Guide* (1994), sections 5 to 8.
"""

import re
from array import array
from collections import namedtuple
from collections.abc import Callable, Iterator
from operator import itemgetter

from ratingcore.plugin.readers import Filled, Reason, Source

Tags = namedtuple(
    "Tags",
    "event site date round white black result board eventdate utcdate utctime time timecontrol termination variant "
    "whitefideid blackfideid whiteteam blackteam whiteelo blackelo whitetitle blacktitle gameid link gameurl "
    "ficsgamesdbgameno enddate endtime eco opening fen",
)
"""Values of the tags that are read, as written, including escapes; empty for missing tags."""
NO_TAGS = Tags._make([b""] * len(Tags._fields))
WANTED = {name.encode(): name for name in Tags._fields}
"""Tags that are read: fields of `Tags` by their names in lower case."""
TERMINATORS = (b"1-0", b"0-1", b"1/2-1/2", b"*")
_TAG = re.compile(rb'\s*\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_QUOTED_INSIDE = re.compile(rb'\s*\[\s*([A-Za-z0-9_]+)\s+"(.*)"\s*\]\s*')
_TAG_BEGINS = re.compile(rb"\s*\[\s*([A-Za-z0-9_]+)(?:\s|$)")
_ESCAPED = re.compile(rb'\\(["\\])')


def is_tag(line: bytes) -> bool:
    """True if a line that begins with `[` outside comments is a tag pair, even a malformed one."""
    return _TAG_BEGINS.match(line) is not None or _TAG.match(line) is not None


def tags_of(line: bytes) -> tuple[list[tuple[str, bytes]], bytes]:
    """Returns the wanted tags of a line, and the rest of the line.

    Unescaped quotation marks within a value, which many programs write, are part of the value.

    Raises
    ------
    ValueError
        If a value has no closing quotation mark.

    Examples
    --------
    >>> tags_of(b'[White "Ann"] [Black "Bo"] 1. e4')
    ([('white', b'Ann'), ('black', b'Bo')], b'1. e4')
    >>> tags_of(b'[Event "The "Big" One"]')
    ([('event', b'The "Big" One')], b'')
    """
    found, end = [], 0
    while match := _TAG.match(line, end):
        found.append((match[1], match[2]))
        end = match.end()
    rest = line[end:].strip()
    if rest[:1] == b"[" or not found:
        whole = _QUOTED_INSIDE.fullmatch(line)
        if whole is None or whole[2][-1:] == b"\\":
            raise ValueError(Filled("a value has no closing quotation mark"))
        found, rest = [(whole[1], whole[2])], b""
    return [(WANTED[name.lower()], value) for name, value in found if name.lower() in WANTED], rest


def plain(value: bytes) -> bytes:
    r"""Unescapes quotation marks and backslashes in a value; a lone backslash stays.

    Examples
    --------
    >>> plain(b'The \\"Big\\" One')
    b'The "Big" One'
    """
    return _ESCAPED.sub(rb"\1", value) if b"\\" in value else value


def outside_comments(line: bytes, inside: bool) -> tuple[bytes, bool]:
    """Returns the part of a line of moves outside comments, and whether a comment is open at its end.

    Examples
    --------
    >>> outside_comments(b"opening } 1. e4 {best} c5 ; a { that opens nothing", True)
    (b' 1. e4  c5 ', False)
    """
    parts: list[bytes] = []
    at = 0
    while True:
        if inside:
            end = line.find(b"}", at)
            if end < 0:
                return b"".join(parts), True
            at, inside = end + 1, False
        brace, semicolon = line.find(b"{", at), line.find(b";", at)
        if semicolon >= 0 and (brace < 0 or semicolon < brace):
            parts.append(line[at:semicolon])
            return b"".join(parts), False
        if brace < 0:
            parts.append(line[at:])
            return b"".join(parts), False
        parts.append(line[at:brace])
        at, inside = brace + 1, True


def ends(line: bytes) -> tuple[bytes, bool]:
    """Returns the result at the end of a line of moves (empty if none), and whether moves precede it.

    Examples
    --------
    >>> ends(b"32. Kh1 Nf3 0-1 {time}"), ends(b" *"), ends(b"32. Kh1")
    ((b'0-1', True), (b'*', False), (b'', True))
    """
    words = outside_comments(line, False)[0].split()
    if words and words[-1] in TERMINATORS:
        return words[-1], len(words) > 1
    return b"", bool(words)


Block = tuple[int, tuple[bytes, ...], int, bytes, str]
"""A game of a file: the line of its first tag (0 without tags), its `Tags`, the number of lines with moves or a result,
the last of these lines or all of them, and the reason why it cannot be read, or an empty text. A plain tuple, since
there are millions."""


class GameSplitter:
    """Splits lines into games: takes them one by one, and yields each game once it has ended."""

    def __init__(self) -> None:
        self._begin()
        self._opened = 0  # line where the open comment begins
        self._swallowed = array("Q")  # lines inside that comment that look like games

    def _begin(self) -> None:
        self._line = 0
        self._tags: dict[str, bytes] = {}
        self._moves = 0
        self._last = b""
        self._flaw = ""

    @property
    def whole(self) -> bool:
        """True if a tag `Event` ends the open game."""
        return not self._opened and (self._moves > 0 or "event" in self._tags or not self._line)

    def ended(self) -> Iterator[Block]:
        """Yields the open game, if any, and starts afresh; at the file's end, also games inside an unclosed comment."""
        if self._line or self._moves:
            yield self._line, NO_TAGS._replace(**self._tags), self._moves, self._last, self._flaw
        self._begin()
        for number in self._swallowed if self._opened else ():
            yield (
                number,
                NO_TAGS,
                0,
                b"",
                Filled("it is inside a comment that begins at line {line} and does not end", line=self._opened),
            )

    def take(self, number: int, line: bytes) -> Iterator[Block]:
        """Takes a line; yields the game before it if the line begins another."""
        if self._opened:
            rest, inside = outside_comments(line, True)
            if inside and line.startswith(b'[Event "'):
                self._swallowed.append(number)
            self._text(number, rest, inside)
            return
        line = line.lstrip(b" \t")
        if line[:1] in (b"%", b";", b""):
            return
        if line[:1] != b"[" or not is_tag(line):
            self._text(number, *outside_comments(line, False))
            return
        try:
            found, rest = tags_of(line)
            flaw = ""
        except ValueError as error:
            found, rest = [("event", b"")] if line.startswith(b'[Event "') else [], b""
            shown = line[:80].decode("utf-8", "replace").strip()
            flaw = Reason(str(error), shown, where=Filled("line {line}", line=number))
        if self._moves or ("event" in self._tags and any(name == "event" for name, _ in found)):
            yield from self.ended()
        self._line = self._line or number
        self._flaw = self._flaw or flaw
        for name, value in found:
            self._tags.setdefault(name, value)
        self._text(number, *outside_comments(rest, False))

    def _text(self, number: int, text: bytes, inside: bool) -> None:
        """Takes the part of a line outside tags and comments; `inside` if a comment is open at its end."""
        if inside and not self._opened:
            self._opened = number
        elif not inside and self._opened:
            self._opened = 0
            del self._swallowed[:]
        if text.strip():
            self._moves += 1
            self._last = text.rstrip()


_CHUNK = 2**16
_LONG, _LONGEST = 2**19, 2**22
_BEGIN = b'\n[Event "'
_RESULT = Tags._fields.index("result")
_USUAL = frozenset((b"1-0", b"0-1", b"1/2-1/2", b"*"))
_UNUSUAL = frozenset((b"%", b"[", b" ", b"\t", b"\n"))
_ESCAPE_OR_TAG = re.compile(rb"\n[ \t]*[\[%]").search
_MOST_ORDERS = 10_000

Pick = Callable[[list[bytes]], tuple[bytes, ...]]
"""Picks the `Tags` from the head of a game that was split at its quotation marks."""


def blocks(source: Source) -> Iterator[Block]:
    """Yields the games of a file, in order.

    A game begins at the first tag after moves, or at a second tag `Event`, but not inside a comment; blank lines are
    ignored. If the last comment of the file is unclosed, the games inside it are yielded as flawed.
    """
    picks: dict[bytes, Pick | None] = {}  # by the sequence of tag names, of which there are few
    lines = GameSplitter()
    line, untouched = 1, True  # whether all lines so far took the fast path
    for text, begins in _parts(source):
        if begins and not untouched and lines.whole:
            yield from lines.ended()
            untouched = True
        if begins and untouched and len(text) < _LONG:
            head, _, tail = text.partition(b"\n\n")
            head = head.removesuffix(b"\n")  # only tags, before the empty line
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
                if not last:
                    yield line, tags, 0, last, ""
                    line += text.count(b"\n") + 1
                    continue
                if (
                    tags[_RESULT] in _USUAL
                    and last.endswith(tags[_RESULT])
                    and last.rfind(b"{") <= last.rfind(b"}")
                    and b";" not in last
                    and last[:1] not in _UNUSUAL
                    and (b"\n" not in last or _ESCAPE_OR_TAG(last) is None)
                ):
                    yield line, tags, 1, last, ""
                    line += text.count(b"\n") + 1
                    continue
        if begins:
            text = _BEGIN[1:] + text
        for one in text.split(b"\n"):
            yield from lines.take(line, source.bounded(line, one))
            line += 1
        untouched = False
    yield from lines.ended()


def _pick(names: list[bytes]) -> Pick | None:
    """Returns a function that picks the wanted tags of a game whose tags have this order; None if the order is unusual.

    Each name is the text between two values; the last one is the bracket that ends the tags.
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
    """Yields a text in parts of whole lines, each with whether `[Event "` was cut off before, without last line end."""
    rest, begins = b"\n", False
    with source.open_lines() as file:
        while chunk := file.read(_CHUNK):
            parts = (rest + chunk).split(_BEGIN)
            rest = parts.pop()
            for text in parts:  # the first is empty if the file begins with an Event
                if begins or text:
                    yield (text, True) if begins else (text[1:], False)
                begins = True
            if len(rest) > _LONGEST:  # no Event for a long time: give whole lines
                text, _, last = rest.rpartition(b"\n")
                yield (text, True) if begins else (text[1:], False)
                rest, begins = b"\n" + last, False
    yield (rest, True) if begins else (rest[1:], False)

"""The grammar of PGN as far as results need it: tag pairs, comments, and the word that ends the moves.

The standard is *Portable Game Notation Specification and Implementation Guide* (1994), sections 5 to 8.
"""

import re
from typing import NamedTuple


class Tags(NamedTuple):
    """Values of the tags that are read, as they stand, escapes and all; empty where a game has none."""

    event: bytes = b""
    site: bytes = b""
    date: bytes = b""
    round: bytes = b""
    white: bytes = b""
    black: bytes = b""
    result: bytes = b""
    board: bytes = b""
    eventdate: bytes = b""
    utcdate: bytes = b""
    utctime: bytes = b""
    time: bytes = b""
    timecontrol: bytes = b""
    termination: bytes = b""
    variant: bytes = b""
    whitefideid: bytes = b""
    blackfideid: bytes = b""
    whiteteam: bytes = b""
    blackteam: bytes = b""
    whiteelo: bytes = b""
    blackelo: bytes = b""
    whitetitle: bytes = b""
    blacktitle: bytes = b""
    gameid: bytes = b""
    link: bytes = b""
    gameurl: bytes = b""
    ficsgamesdbgameno: bytes = b""


WANTED = {name.encode(): name for name in Tags._fields}
"""Tags that are read: fields of `Tags` by their names in lower case."""
TERMINATORS = (b"1-0", b"0-1", b"1/2-1/2", b"*")
_TAG = re.compile(rb'\s*\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_QUOTED_INSIDE = re.compile(rb'\s*\[\s*([A-Za-z0-9_]+)\s+"(.*)"\s*\]\s*')
_TAG_BEGINS = re.compile(rb"\s*\[\s*([A-Za-z0-9_]+)(?:\s|$)")
_ESCAPED = re.compile(rb'\\(["\\])')


def is_tag(line: bytes) -> bool:
    """Whether a line outside comments that begins with `[` is a tag pair, be it a broken one."""
    return _TAG_BEGINS.match(line) is not None or _TAG.match(line) is not None


def tags_of(line: bytes) -> tuple[list[tuple[str, bytes]], bytes]:
    """Returns the wanted tags of a line, and what follows them on it.

    Quotation marks within a value that are not escaped, as many programs write them, belong to the value.

    Raises
    ------
    ValueError
        If a value does not end.

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
            raise ValueError("a value does not end")
        found, rest = [(whole[1], whole[2])], b""
    return [(WANTED[name.lower()], value) for name, value in found if name.lower() in WANTED], rest


def plain(value: bytes) -> bytes:
    r"""Returns a value without the escapes of quotation marks and backslashes; a lone backslash stays.

    Examples
    --------
    >>> plain(b'The \\"Big\\" One')
    b'The "Big" One'
    """
    return _ESCAPED.sub(rb"\1", value) if b"\\" in value else value


def outside_comments(line: bytes, inside: bool) -> tuple[bytes, bool]:
    """Returns what of a line of moves is no comment, and whether a comment is open at its end.

    Examples
    --------
    >>> outside_comments(b"opening } 1. e4 {best} c5 ; a { that opens nothing", True)
    (b' 1. e4  c5 ', False)
    """
    kept: list[bytes] = []
    at = 0
    while True:
        if inside:
            end = line.find(b"}", at)
            if end < 0:
                return b"".join(kept), True
            at, inside = end + 1, False
        brace, semicolon = line.find(b"{", at), line.find(b";", at)
        if semicolon >= 0 and (brace < 0 or semicolon < brace):
            kept.append(line[at:semicolon])
            return b"".join(kept), False
        if brace < 0:
            kept.append(line[at:])
            return b"".join(kept), False
        kept.append(line[at:brace])
        at, inside = brace + 1, True


def ends(line: bytes) -> tuple[bytes, bool]:
    """Returns the result that ends a line of moves, or nothing, and whether moves stand before it.

    Examples
    --------
    >>> ends(b"32. Kh1 Nf3 0-1 {time}"), ends(b" *"), ends(b"32. Kh1")
    ((b'0-1', True), (b'*', False), (b'', True))
    """
    words = outside_comments(line, False)[0].split()
    if words and words[-1] in TERMINATORS:
        return words[-1], len(words) > 1
    return b"", bool(words)

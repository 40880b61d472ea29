"""Finds the games of a PGN file line by line, by the grammar: tags wherever they stand, comments across lines."""

from array import array
from collections.abc import Iterator

from ratingcore_chess.pgn_grammar import Tags, is_tag, outside_comments, tags_of

Block = tuple[int, tuple[bytes, ...], int, bytes, str]
"""A game of a file: line of its first tag (0: it has none), its `Tags`, how many lines of moves or result it has, the
last of them or all, and why it is no game, if it is none. A plain tuple, since there are millions."""


class Lines:
    """Takes lines one by one and gives the games that they end."""

    def __init__(self) -> None:
        self._begin()
        self._opened = 0  # where the open comment begins
        self._swallowed = array("Q")  # lines inside it that look like games

    def _begin(self) -> None:
        self._line = 0
        self._tags: dict[str, bytes] = {}
        self._moves = 0
        self._last = b""
        self._flaw = ""

    @property
    def whole(self) -> bool:
        """Whether the open game is whole when an `Event` follows."""
        return not self._opened and (self._moves > 0 or "event" in self._tags or not self._line)

    def ended(self) -> Iterator[Block]:
        """Yields the open game, if any, and begins anew; at the end of the file, also what an open comment swallows."""
        if self._line or self._moves:
            yield self._line, Tags(**self._tags), self._moves, self._last, self._flaw
        self._begin()
        for number in self._swallowed if self._opened else ():
            yield number, Tags(), 0, b"", f"it is inside a comment that begins at line {self._opened} and does not end"

    def take(self, number: int, line: bytes) -> Iterator[Block]:
        """Takes a line; yields the game before it, if it begins another."""
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
            flaw = f"line {number}: {error}: {line[:80].decode('utf-8', 'replace').strip()!r}"
        if self._moves or ("event" in self._tags and any(name == "event" for name, _ in found)):
            yield from self.ended()
        self._line = self._line or number
        self._flaw = self._flaw or flaw
        for name, value in found:
            self._tags.setdefault(name, value)
        self._text(number, *outside_comments(rest, False))

    def _text(self, number: int, text: bytes, inside: bool) -> None:
        """Takes what of a line is no tag and no comment; and whether a comment is open at its end."""
        if inside and not self._opened:
            self._opened = number
        elif not inside and self._opened:
            self._opened = 0
            del self._swallowed[:]
        if text.strip():
            self._moves += 1
            self._last = text.rstrip()

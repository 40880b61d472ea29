"""Splits SGF files into games, each in its own encoding."""

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from typing import BinaryIO, NamedTuple

from ratingcore.plugin.readers import Filled, Source


class Charset(NamedTuple):
    """An encoding of text.

    Attributes
    ----------
    codec : str
        Its name in Python.
    lead : bytes
        Character class (for a regular expression) of the first bytes of two-byte characters, whose second byte may
        look like a bracket or a backslash; empty if there are none.
    """

    codec: str
    lead: bytes = b""


_GB = Charset("gb18030", rb"\x81-\xfe")
_BIG5 = Charset("big5hkscs", rb"\x81-\xfe")
_JAPANESE = Charset("cp932", rb"\x81-\x9f\xe0-\xfc")
UTF8 = Charset("utf-8")
LATIN = Charset("latin-1")
_KNOWN = {
    "utf8": UTF8,
    "gb2312": _GB, "gb231280": _GB, "gbk": _GB, "gb18030": _GB, "gb": _GB, "cp936": _GB, "windows936": _GB,
    "big5": _BIG5, "big5hkscs": _BIG5, "cp950": _BIG5, "windows950": _BIG5,
    "shiftjis": _JAPANESE, "sjis": _JAPANESE, "xsjis": _JAPANESE, "cp932": _JAPANESE, "ms932": _JAPANESE,
    "windows31j": _JAPANESE, "mskanji": _JAPANESE,
    "euckr": Charset("cp949"), "ksc56011987": Charset("cp949"), "ksc5601": Charset("cp949"), "uhc": Charset("cp949"),
    "cp949": Charset("cp949"), "eucjp": Charset("euc_jp"), "xeucjp": Charset("euc_jp"),
    "latin1": LATIN, "ascii": UTF8, "usascii": UTF8, "koi8r": Charset("koi8_r"), "koi8u": Charset("koi8_u"),
    "tis620": Charset("tis_620"), "windows874": Charset("cp874"),
    **{f"iso8859{part}": Charset(f"iso8859_{part}") for part in (*range(1, 12), *range(13, 17))},
    **{f"{name}125{part}": Charset(f"cp125{part}") for part in range(9) for name in ("windows", "cp")},
}  # fmt: skip
_LONG = re.compile(
    rb"[\xe0-\xf4][\x80-\xbf]{2}"
)  # a character of UTF-8 whose bytes are not text in the other encodings
_NAMED = re.compile(rb"(?:^|[^A-Za-z])CA\s*\[([A-Za-z0-9_ .:-]{1,40})\]")


def charset_of(text: bytes, encoding: str | None = None) -> Charset | None:
    """Returns the encoding named at the beginning of a game; None if it names none, or an unknown one.

    Parameters
    ----------
    encoding : str or None
        The encoding that the user gave, which takes precedence.
    """
    name = named(text) if encoding is None else encoding
    return _KNOWN.get(re.sub(r"[^a-z0-9]", "", name.lower()))


def named(text: bytes) -> str:
    """Returns the name of the encoding at the beginning of a game; empty without one."""
    match = _NAMED.search(text)
    return match[1].decode().strip() if match else ""


def lead_of(held: bytes, first: int, about: int, end: int, encoding: str | None) -> bytes:
    """Returns the class of bytes that begin a two-byte character in a game; empty if none can.

    A game that claims a Chinese or Japanese encoding but is valid UTF-8 is scanned as UTF-8, where no byte of a
    character looks like a bracket.

    Parameters
    ----------
    held : bytes
    first, about, end : int
        Places in `held`: the start of the game, the end of the part that may name its encoding, and the end.
    """
    charset = charset_of(held[first:about], encoding)
    if charset is None or not charset.lead:
        return b""
    text = held[first:end]
    return charset.lead if text.isascii() or not _is_utf8(text) else b""


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError as problem:
        return problem.start > len(text) - 4 and problem.reason == "unexpected end of data"
    return True


def decoded(root: bytes, source: Source, wide: bool) -> tuple[str, str]:
    """Returns the first node of a game as text, and a remark on its encoding, empty if there is none.

    Parameters
    ----------
    wide : bool
        Whether the file was UTF-16; its bytes have been turned into UTF-8, whatever encoding the game names.
    """
    if source.encoding is not None and not wide:
        try:
            return root.decode(source.encoding), ""
        except (UnicodeError, LookupError):
            source.refuse(
                Filled("it is not {encoding}: {error}", encoding=source.encoding, error=repr(root[:40])),
                "give another encoding",
                "encoding",
            )
    name = "" if wide or root.isascii() else named(root)
    charset = charset_of(root) if name else None
    if charset is not None and charset.lead and _LONG.search(root) and _is_utf8(root):
        charset = None  # the bytes can be decoded, but would be wrong characters
    for one in ([charset] if charset else []) + [UTF8]:
        try:
            text = root.decode(one.codec)
        except UnicodeError:
            continue
        if one is not UTF8:
            source.decoded_as = one.codec
        return text, f"it is marked as {name}, but is read as UTF-8" if name and one is not charset else ""
    source.decoded_as = LATIN.codec
    return root.decode(LATIN.codec), f"it is marked as {name}, but is not: read as Latin-1" if name else ""


LARGEST = 64 * 2**20
"""Largest size of a game tree, in bytes."""
_CHUNK = 2**18
_WINDOW = 2**16
"""Number of bytes at the beginning of a game from which its encoding is recognised."""
_BEGINS = re.compile(rb"\(\s*;")
_BEGINS_ANOTHER = re.compile(
    rb"\(\s*;\s*(?:AP|BR|CA|DT|EV|FF|GM|GN|KM|PB|PC|PW|RE|RO|RU|ST|SZ|US|WR)\s*\[[^\]\\]{0,200}\]"
)
_NEAR = 512  # longer than any match of `_BEGINS_ANOTHER`, except for blanks
_MOVE = re.compile(rb"(?<![A-Za-z])[BW]\[[A-Za-z]{0,2}\]")


class Tree(NamedTuple):
    """A game of a file.

    Attributes
    ----------
    line : int
        Line on which it begins.
    root : bytes
        Its first node, without the semicolon.
    moves : str
        Digest of the moves of its main line.
    whole : bool
        Whether its closing parenthesis was found.
    wide : bool
        Whether the file was UTF-16; its bytes have been turned into UTF-8.
    """

    line: int
    root: bytes
    moves: str
    whole: bool
    wide: bool


class _Pattern(NamedTuple):
    """Patterns for scanning a game: one up to a parenthesis outside values, and one up to the end of a node."""

    run: re.Pattern[bytes]
    node: re.Pattern[bytes]


@cache
def _pattern(lead: bytes) -> _Pattern:
    pair = rb"[" + lead + rb"][\s\S]|" if lead else b""
    value = rb"\[(?:" + pair + rb"[^\]\\" + lead + rb"]++|\\[\s\S])*+\]"
    return _Pattern(re.compile(rb"(?:[^()\[]++|" + value + rb")*+"), re.compile(rb"(?:[^()\[;]++|" + value + rb")*+"))


def _chunks(source: Source, file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Yields the bytes of a file without its byte order mark, with UTF-16 converted to UTF-8."""
    size, decoder, first = _CHUNK, None, True
    while chunk := file.read(size):
        source.progress(len(chunk))
        if first and chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
            decoder = getincrementaldecoder("utf-16")("replace")
        elif first:
            chunk = chunk.removeprefix(b"\xef\xbb\xbf")
        first = False
        if decoder is not None:
            chunk = decoder.decode(chunk).encode("utf-8", "replace")
        if b"\0" in chunk:
            source.refuse("it holds a NUL byte, so it is not text")
        yield chunk, decoder is not None


def trees(source: Source) -> Iterator[Tree]:
    """Yields the games of a file, one held at a time.

    A game without an end is cut where the next one begins.

    Raises
    ------
    BadFile
        If a game is larger than 64 MB.
    """
    with source.open() as file:
        yield from _Scan(source, file).trees()


class _Scan:
    """Scans a file for games; holds some of its bytes, the position up to which they are done, and the line there."""

    def __init__(self, source: Source, file: BinaryIO) -> None:
        self._source = source
        self._chunks = _chunks(source, file)
        self._held = b""
        self._done = 0
        self._line = 1
        self._ended = False
        self._wide = False
        self._next: int | None = None  # start of the next game, if found so far
        self._looked = 0

    def trees(self) -> Iterator[Tree]:
        while True:
            begin = _BEGINS.search(self._held, self._done)
            if begin is None:
                last = self._held.rfind(b"(", max(len(self._held) - _NEAR, self._done))
                self._do(last if last >= 0 else len(self._held))
            else:
                self._do(begin.start())
            if begin is None or (len(self._held) - self._done < _WINDOW and not self._ended):
                self._next = None
                self._looked = max(self._looked - self._done, 0) if begin is None else 0
                self._held, self._done = self._held[self._done :], 0
                if not self._more() and begin is None:
                    return
                continue
            tree, end = self._tree(begin.end())
            yield tree
            self._do(end)

    def _do(self, end: int) -> None:
        """Marks the bytes up to `end` as done, and counts their lines."""
        counts = [self._held.count(ends, self._done, end) for ends in (b"\n", b"\r", b"\r\n")]
        self._line += counts[0] + counts[1] - counts[2]
        self._done = end

    def _more(self) -> bool:
        """Doubles the bytes held, so that no byte is scanned more than a few times; returns whether there were more."""
        parts, size, least = [self._held], 0, len(self._held) - self._done
        while not self._ended and (size == 0 or size < least):
            chunk, self._wide = next(self._chunks, (b"", self._wide))
            self._ended = not chunk
            parts.append(chunk)
            size += len(chunk)
        self._held = b"".join(parts)
        return size > 0

    def _another(self, first: int) -> int | None:
        """Returns where the next game starts, if the bytes held include it; examines no byte twice."""
        if self._next is not None and self._next >= first:
            return self._next
        if self._looked < len(self._held):
            match = _BEGINS_ANOTHER.search(self._held, max(self._looked - _NEAR, first))
            self._next = match.start() if match else None
            self._looked = match.start() + 1 if match else len(self._held)
        else:
            self._next = None
        return self._next

    def _pattern(self, first: int, end: int) -> _Pattern:
        """Returns the patterns for the game whose first node begins at `first`."""
        guess = _pattern(b"").node.match(self._held, first, end)
        about = (guess.end() if guess else first) + _NEAR
        if self._wide:
            return _pattern(b"")
        window = min(first + _WINDOW, end)
        return _pattern(lead_of(self._held, first, min(about, end), window, self._source.encoding))

    def _tree(self, first: int) -> tuple[Tree, int]:
        """Returns the game whose first node begins at `first`, and where it ends."""
        pattern: _Pattern | None = None
        at, depth, close = first, 1, 0
        while depth:
            limit = self._another(first)
            held = len(self._held) if limit is None else limit
            if pattern is None:
                pattern = self._pattern(first, held)
            run = pattern.run.match(self._held, at, held)
            at = run.end() if run else at
            if at >= held or self._held[at : at + 1] == b"[":
                if limit is not None:
                    at = limit
                    break
                if len(self._held) - first > LARGEST:
                    form = "line {line}: a game is larger than {most} MB"
                    self._source.refuse(Filled(form, line=self._line, most=LARGEST // 2**20))
                if self._more():
                    continue
                at = len(self._held)
                break
            opens = self._held[at : at + 1] == b"("
            depth += 1 if opens else -1
            close = close or (0 if opens else at)
            at += 1
        node = pattern.node.match(self._held, first, at) if pattern is not None else None
        root = node[0] if node else b""
        finished = not depth and self._held[first + len(root) : first + len(root) + 1] in (b";", b"(", b")")
        moves = _MOVE.findall(self._held[first : close or at])
        digest = blake2b(b"".join(moves), digest_size=8)
        return Tree(self._line, root, digest.hexdigest(), finished, self._wide), at

"""Encodings of SGF files: which one a game names, and how far its bytes may be scanned."""

import re
from typing import NamedTuple

from ratingcore.plugin.readers import Source


class Charset(NamedTuple):
    """An encoding of text.

    Attributes
    ----------
    codec : str
        What Python calls it.
    lead : bytes
        Class of bytes (of a regular expression) that begin a character of two, whose second may look like a bracket
        or a backslash; empty where none can.
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
_LONG = re.compile(rb"[\xe0-\xf4][\x80-\xbf]{2}")  # a character of UTF-8 such as no two of another encoding look like
_NAMED = re.compile(rb"(?:^|[^A-Za-z])CA\s*\[([A-Za-z0-9_ .:-]{1,40})\]")


def charset_of(text: bytes, encoding: str | None = None) -> Charset | None:
    """Returns the encoding that the beginning of a game names; None where it names none, or one that nobody knows.

    Parameters
    ----------
    encoding : str or None
        The encoding that the user names instead.
    """
    name = named(text) if encoding is None else encoding
    return _KNOWN.get(re.sub(r"[^a-z0-9]", "", name.lower()))


def named(text: bytes) -> str:
    """Returns the name of the encoding that the beginning of a game gives; empty where it gives none."""
    match = _NAMED.search(text)
    return match[1].decode().strip() if match else ""


def lead_of(held: bytes, first: int, about: int, end: int, encoding: str | None) -> bytes:
    """Returns the bytes that begin a character of two in a game.

    What says that it is Chinese or Japanese but reads as UTF-8 is scanned as UTF-8, in which no byte of a character
    looks like a bracket.

    Parameters
    ----------
    held : bytes
    first, about, end : int
        Where the game begins in them, up to where it may name its encoding, and up to where it is looked at.
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
    """Returns the first node of a game as text, and what is odd about its encoding.

    Parameters
    ----------
    wide : bool
        Whether the file was UTF-16, so that the bytes are UTF-8 by now, whatever the game says.
    """
    if source.encoding is not None and not wide:
        try:
            return root.decode(source.encoding), ""
        except (UnicodeError, LookupError):
            source.refuse(f"it is not {source.encoding}: {root[:40]!r}", "say another --encoding")
    name = "" if wide or root.isascii() else named(root)
    charset = charset_of(root) if name else None
    if charset is not None and charset.lead and _LONG.search(root) and _is_utf8(root):
        charset = None  # it would decode, as other characters
    for one in ([charset] if charset else []) + [UTF8]:
        try:
            text = root.decode(one.codec)
        except UnicodeError:
            continue
        if one is not UTF8:
            source.decoded_as = one.codec
        return text, f"it says that it is {name}, but is read as UTF-8" if name and one is not charset else ""
    source.decoded_as = LATIN.codec
    return root.decode(LATIN.codec), f"it says that it is {name}, but is not: read as Latin-1" if name else ""

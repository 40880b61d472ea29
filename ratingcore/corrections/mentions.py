"""Search for texts that mention a person by name, so that an erasure can find them."""

from collections.abc import Iterable
from unicodedata import name as letter
from unicodedata import normalize

_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts without spaces between words, or with endings right after names, so that a name has no word boundary."""

SHORTEST = 3
"""Least number of letters of a name that can be searched for; one less in scripts without spaces."""


class Mentions:
    """Finds texts that mention a person by one of some names; case and Unicode form do not matter.

    A name counts only as whole words: `ann` is in `Ann's brother`, not in `annual`.

    Examples
    --------
    >>> of_ann = Mentions(["Ann", "Zoë"])
    >>> [of_ann.within(text) for text in ("told by ANN", "annual", "zoe\\u0308 won", "ann_lee-1")]
    [True, False, True, True]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted({_plain(name) for name in names if name.strip()})

    def within(self, text: str) -> bool:
        """True if the text mentions the person."""
        plain = _plain(text)
        return any(name in plain and _is_whole(name, plain) for name in self._names)

    def in_json(self, value: object) -> bool:
        """True if any text in a JSON value mentions the person; names of fields are texts, too."""
        if isinstance(value, str):
            return self.within(value)
        if isinstance(value, dict):
            return any(self.in_json(part) for item in value.items() for part in item)
        return isinstance(value, list) and any(map(self.in_json, value))

    def like_patterns(self) -> list[str]:
        """Returns patterns for SQL LIKE that match every mention; LIKE ignores the case of ASCII letters only."""
        return ["%" + "".join(map(_loose, name)) + "%" for name in self._names]


def _plain(text: str) -> str:
    return normalize("NFC", normalize("NFC", text).casefold())


def _is_whole(name: str, text: str) -> bool:
    """True if a text contains a name as whole words.

    Most names are searched for in one text only, where a compiled regular expression would cost many times as much.
    """
    at, first, last = text.find(name), _spaced(name[0]), _spaced(name[-1])
    while at >= 0:
        stop = at + len(name)
        within = (first and text[max(at - 1, 0) : at].isalnum()) or (last and text[stop : stop + 1].isalnum())
        if not within:
            return True
        at = text.find(name, at + 1)
    return False


def _spaced(char: str) -> bool:
    return char.isalnum() and (char.isascii() or not letter(char, "").startswith(_UNSPACED))


def _loose(char: str) -> str:
    """Returns a character for LIKE; a wildcard if JSON may escape it, or if other characters fold to it (`s`, `k`)."""
    return char if char.isascii() and char.isalnum() and char not in "sk" else "%"


def distinctive(name: str) -> bool:
    """True if any text with this name mentions the player; digits alone, or one or two letters, may mean other things.

    Examples
    --------
    >>> [distinctive(name) for name in ("ann", "bo", "12", "1503014", "fide:1503014", "名前", "王")]
    [True, False, False, False, True, True, False]
    """
    letters = [sign for sign in _plain(name) if sign.isalpha()]
    return bool(letters) and len(name.strip()) >= (SHORTEST if all(map(_spaced, letters)) else SHORTEST - 1)

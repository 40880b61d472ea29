"""Where a text speaks of a person: names found in notes, sources, uids and free fields."""

import re
from collections.abc import Iterable
from functools import cached_property
from unicodedata import name as letter
from unicodedata import normalize

_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts that write words side by side, or endings right after a name: there a name has no edge to look for."""


class Mentions:
    """Whether texts speak of a person, by one of the names given; case and Unicode form do not matter.

    A name counts where it stands as words of its own: `ann` is in `Ann's brother`, not in `annual`.

    Examples
    --------
    >>> of_ann = Mentions(["Ann", "Zoë"])
    >>> [of_ann.within(text) for text in ("told by ANN", "annual", "zoe\\u0308 won", "ann_lee-1")]
    [True, False, True, True]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted({_plain(name) for name in names if name.strip()})

    def within(self, text: str) -> bool:
        """Whether a text speaks of the person."""
        return bool(self._pattern.search(_plain(text)))

    def among(self, value: object) -> bool:
        """Whether any text in a value of JSON does, names of fields included."""
        if isinstance(value, str):
            return self.within(value)
        if isinstance(value, dict):
            return any(self.among(part) for item in value.items() for part in item)
        return isinstance(value, list) and any(map(self.among, value))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # what never matches, where there is no name
        return re.compile("|".join(map(_edged, self._names)) or r"(?!)")

    def likely(self) -> list[str]:
        """Patterns for LIKE, which knows the case of ASCII letters only; every mention matches one of them."""
        return ["%" + "".join(map(_loose, name)) + "%" for name in self._names]


def _plain(text: str) -> str:
    return normalize("NFC", normalize("NFC", text).casefold())


def _edged(name: str) -> str:
    before = r"(?<![^\W_])" if _spaced(name[0]) else ""
    after = r"(?![^\W_])" if _spaced(name[-1]) else ""
    return before + re.escape(name) + after


def _spaced(char: str) -> bool:
    return char.isalnum() and not letter(char, "").startswith(_UNSPACED)


def _loose(char: str) -> str:
    """A character as LIKE may find it, also inside JSON; `s` and `k` are also letters that are not ASCII."""
    return char if char.isascii() and char.isalnum() and char not in "sk" else "%"

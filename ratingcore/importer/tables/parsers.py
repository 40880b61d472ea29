"""Parsers of the cells of a table, which cache the value of each text: of one field, or of several together."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Generic, TypeVar

from ratingcore.errors import BadValue
from ratingcore.events.values import name as normal
from ratingcore.readers.sheets import Moment, Truth
from ratingcore.spelling import one_blank

V = TypeVar("V")

CACHE_LIMIT = 65_536
"""Largest number of texts that a parser caches: days, names and words recur, but exact times may not."""


_TRUTHS = Truth.of(True), Truth.of(False)


class Parser(dict[str, V], Generic[V]):
    """Parser of one field that caches the value of each cell text.

    The same few values recur in many rows, and parsing is most of the work of an import. In a dict with `__missing__`,
    a text that was parsed before costs one look-up in C and no Python call.
    """

    def __init__(self, index: int, read: Callable[[str], V]) -> None:
        super().__init__()
        self.index, self.read = index, read
        self.naming = ""
        """The name of the field if its values are names of players or pools; otherwise empty."""

    def __missing__(self, text: str) -> V:
        if self.naming and text in _TRUTHS:
            if type(text) is Truth:
                raise BadValue(self.naming, str(text), "must be a name, not true or false")
            return self.read(text)  # not cached, since a truth value has an equal text
        if type(text) is Moment and self.naming not in ("", "pool"):
            raise BadValue(
                self.naming, text, "the cell is a date, not a name: a spreadsheet may have turned a name into it"
            )
        value = self.read(self._plain(text))
        if len(self) >= CACHE_LIMIT:
            self.clear()  # a field with so many texts rarely repeats one, so all may be dropped
        self[text] = value
        return value

    def _plain(self, text: str) -> str:
        if self.naming in ("", "pool"):
            return normal(text.strip())
        return whole(name_in(text))


_BLANKS = dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F], " ")
"""Blanks that look like a space, such as the no-break space."""


def name_in(text: str) -> str:
    """Returns the name in a cell: in one Unicode form, and with one plain space for all blanks between two words.

    Examples
    --------
    >>> name_in(" Ann\u00a0Lee\u2009"), name_in("Lee,  Ann")
    ('Ann Lee', 'Lee, Ann')
    """
    name = text.strip() if text.isascii() else normal(text.translate(_BLANKS).strip())
    return one_blank(name) if "  " in name else name


def whole(text: str) -> str:
    """Removes the ending .0 that a program added to a whole number; returns any other text unchanged.

    Examples
    --------
    >>> whole("123.0"), whole("12.5"), whole("ann")
    ('123', '12.5', 'ann')
    """
    return text[:-2] if text.endswith(".0") and text[:-2].isdecimal() else text


class Group(dict[str | tuple[str, ...], V], Generic[V]):
    """Cache of values that are made from several fields, by the texts of their cells.

    `pick` takes those texts from the cells of a row; a combination that was met before costs a single look-up.
    """

    def __init__(self, readers: Sequence[Parser[Any]], combine: Callable[[list[Any]], V]) -> None:
        super().__init__()
        self.readers, self.combine = readers, combine
        self.pick: Callable[[list[str]], str | tuple[str, ...]] = (
            itemgetter(*(reader.index for reader in readers)) if readers else lambda cells: ()
        )

    def __missing__(self, key: str | tuple[str, ...]) -> V:
        texts = (key,) if isinstance(key, str) else key  # itemgetter of one index gives the text, not a tuple
        value = self.combine([reader[text] for reader, text in zip(self.readers, texts, strict=True)])
        if len(self) >= CACHE_LIMIT:
            self.clear()
        self[key] = value
        return value

"""Makes text safe to store and to show: finds invisible characters, conceals passwords, counts things in words."""

import re
from collections.abc import Sequence
from typing import Any
from unicodedata import bidirectional, category, combining

LONGEST = 200
"""Largest number of characters in the name of a player, a pool or a list, or in a uid."""

# few processes need these patterns, so `re` compiles them on first use and caches them
_CONTROL = r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]"
_DIRECTION = r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_HIDDEN = (
    r"[\u00ad\u034f\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e00ff\ufdd0-\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
"""Invisible characters, and the 66 code points that Unicode reserves as noncharacters; XML forbids two of these."""
_JOINERS = "[\u200c\u200d]"
_UNSEEN = f"{_CONTROL}|{_DIRECTION}|{_HIDDEN}|{_JOINERS}"
_NEAR = 8
"""Number of characters examined on each side of a joiner; this is enough, because a letter has few marks."""
_VIRAMA = 9
"""Combining class of the signs that remove the vowel of an Indic letter."""

_ADDRESS = r"(?i)(?:(?:[a-z][\w+.-]{1,30}:){1,3}/{1,2}|postgres(?:ql)?(?:\+\w{1,30})?:)(?=[^\s/@:]{0,200}:)"
"""Pattern of the beginning of an address with a user and a password; bounded repetitions keep it fast on any text."""
_PASSWORD = r"(?i)(passw\w{0,20}\s{0,9}=\s{0,9})(?:'[^'\n]*'|[^\s&]+)"


class Filled(str):
    """A sentence with facts filled in, which keeps its form and the facts, so that it can be translated.

    Parameters
    ----------
    form : str
        The sentence, with the names of facts in braces.
    **named
        The facts.

    Examples
    --------
    >>> why = Filled("line {line} has no end", line=7)
    >>> why, why.form, why.named
    ('line 7 has no end', 'line {line} has no end', {'line': 7})
    """

    form: str
    named: dict[str, Any]

    def __new__(cls, form: str, /, **named: Any) -> "Filled":
        filled = super().__new__(cls, form.format_map(named))
        filled.form, filled.named = form, named
        return filled

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.form,), self.named


def flaw(text: str, longest: int = LONGEST) -> str:
    """Returns the reason why a text cannot be a name, or an empty text if it can.

    A name has at most 200 characters, none of them invisible: no control characters, no marks that change the direction
    of writing, nothing of zero width. Two invisible characters shape letters in some scripts, and are allowed where
    Unicode allows them [1]_: the zero-width joiner and non-joiner between Arabic letters (used in Persian) and beside a
    virama (used in Indic scripts), and the joiner between emoji.

    References
    ----------
    .. [1] Unicode Standard Annex 31, section 2.3, *Layout and Format Control Characters*.

    Examples
    --------
    >>> flaw("Ann"), flaw("\\u0639\\u0644\\u06cc\\u200c\\u0631\\u0636\\u0627")
    ('', '')
    >>> flaw("Ann\\u202e"), flaw("x" * 201)
    ('holds a mark that turns the direction of writing', 'has 201 characters, more than 200')
    """
    if len(text) > longest:
        return Filled("has {count} characters, more than {most}", count=len(text), most=longest)
    if text.isascii() and text.isprintable():
        return ""
    if re.search(_CONTROL, text):
        return "holds a control character"
    if re.search(_DIRECTION, text):
        return "holds a mark that turns the direction of writing"
    if re.search(_HIDDEN, text) or not all(_joins(text, match.start()) for match in re.finditer(_JOINERS, text)):
        return "holds an invisible character"
    return ""


def _joins(text: str, at: int) -> bool:
    """True if a joiner or non-joiner has an effect in its script, and is therefore allowed."""
    before, after = text[max(at - _NEAR, 0) : at], text[at + 1 : at + 1 + _NEAR]
    if any(combining(char) == _VIRAMA for char in (before[-1:], after[:1]) if char):
        return True
    left = next((char for char in reversed(before) if not _leans(char)), "")
    right = next((char for char in after if not _leans(char)), "")
    if not left or not right:
        return False
    if bidirectional(left) == bidirectional(right) == "AL":
        return True
    return text[at] == "\u200d" and category(left) == "So" and category(right) in ("So", "Sm")


def _leans(char: str) -> bool:
    """True if a character modifies the one before: a mark, or the colour of an emoji's skin."""
    return category(char).startswith("M") or category(char) == "Sk"


MARK = "\ufeff"
"""The byte-order mark, by which Excel recognises a CSV file as UTF-8."""

_FORMULA = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")


def harmless(cell: Any) -> Any:
    """Makes a cell safe for a spreadsheet by an apostrophe before text that would be read as a formula.

    Examples
    --------
    >>> harmless("=1+1"), harmless("ann"), harmless(-1.5)
    ("'=1+1", 'ann', -1.5)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def visible(text: str, lines: bool = False) -> str:
    """Returns a text in which every invisible character is written as its code; `lines` keeps line ends.

    Examples
    --------
    >>> print(visible("Ann\\u202e"))
    Ann\\u202e
    """
    if text.isascii() and text.isprintable():
        return text

    def written(match: re.Match[str]) -> str:
        char, at = match[0], match.start()
        if (lines and char == "\n") or (re.match(_JOINERS, char) and _joins(text, at)):
            return char
        return char.encode("unicode_escape").decode()

    return re.sub(_UNSEEN, written, text)


def concealed(text: str) -> str:
    """Returns a text without the users and passwords in its addresses.

    Examples
    --------
    >>> concealed("there is no such file: postgresql://ann:secret@db/league?password=secret")
    'there is no such file: postgresql://...@db/league?password=...'
    """
    lines = (re.sub(_PASSWORD, r"\1...", line) for line in text.split("\n"))
    return "\n".join(map(_anonymous, lines))


def _anonymous(line: str) -> str:
    """Returns a line without the user and password of an address, up to the last @."""
    before, at, after = line.rpartition("@")
    address = re.search(_ADDRESS, before)
    return f"{before[: address.end()]}...{at}{after}" if address else line


def are_plain(texts: Sequence[str]) -> bool:
    """True if all texts are plain names: short, printable ASCII, no bracket at the beginning, no blank at either end.

    One test of all texts together is fast, and nearly all names pass it. A text in brackets is not plain, because it
    may be the label of an erased name.

    Examples
    --------
    >>> are_plain(["ann", "bo li"]), are_plain(["ann", " bo"]), are_plain(["(erased 7)"]), are_plain(["Zo\u00eb"])
    (True, False, False, False)
    """
    every = "\n".join(texts)
    if not every.isascii() or every.count("\n") > len(texts) - 1 or not every.replace("\n", "").isprintable():
        return False
    bounded = f"\n{every}\n"
    return not any(map(bounded.__contains__, _ODD)) and max(map(len, texts), default=1) <= LONGEST


_ODD = "\n\n", "\n ", "\n(", " \n"
"""Signs that a line is not a plain name: it is empty, begins with a blank or a bracket, or ends with a blank."""


def counted(count: int, one: str, several: str = "") -> str:
    """Puts a number before the singular or plural of a noun; `several` defaults to `one` with an s.

    Examples
    --------
    >>> counted(1, "row"), counted(2, "row"), counted(0, "row is", "rows are")
    ('1 row', '2 rows', '0 rows are')
    """
    return f"{count} {one if count == 1 else several or one + 's'}"

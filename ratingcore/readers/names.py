"""Names of players as files spell them: what is cleaned, and what tells nobody who it is."""

import re
import unicodedata

from ratingcore.errors import BadValue
from ratingcore.spelling import flaw

_BLANKS = re.compile(r"[\s\u00a0]+")
_COMMA = re.compile(r"\s*,\s*")
_NOBODY = frozenset({"", "?", "-", "nn", "n.n.", "n.n", "n. n.", "bye", "spielfrei", "tbd", "freilos", "no name"})


def clean_name(text: str) -> str:
    """Returns a name in one spelling: composed (NFC), one blank between words, one after a comma and none before.

    Upper and lower case stay; nothing is guessed: words are not swapped, titles not dropped.

    Raises
    ------
    BadValue
        If the name is too long, or holds characters that nobody sees.

    Examples
    --------
    >>> clean_name(" Carlsen ,Magnus ")
    'Carlsen, Magnus'
    """
    if len(text) > 4_000:
        raise BadValue("player", text[:40], f"has {len(text)} characters, more than a name may have")
    spaced = _COMMA.sub(", ", _BLANKS.sub(" ", unicodedata.normalize("NFC", text))).strip()
    why = flaw(spaced)
    if why:
        raise BadValue("player", spaced[:80], why)
    return spaced


def tells_who(name: str) -> bool:
    """Whether a name says who somebody is; `? ??`, `NN` and `BYE` do not.

    Examples
    --------
    >>> tells_who("Ann"), tells_who("? ??"), tells_who("N.N.")
    (True, False, False)
    """
    plain = name.strip()
    return plain.casefold() not in _NOBODY and any(unicodedata.category(letter)[0] == "L" for letter in plain)


def registered(register: str, number: str, digits: int = 12) -> str | None:
    """Returns the id of a player with the name of its register, or None where the file gives no number.

    A number is at most so many digits, one of which is not 0.

    Examples
    --------
    >>> registered("fide", " 3400042 "), registered("fide", "0"), registered("fide", "-")
    ('fide:3400042', None, None)
    """
    plain = number.strip()
    if not (plain.isascii() and plain.isdecimal()) or len(plain) > digits or not plain.strip("0"):
        return None
    return f"{register}:{plain}"

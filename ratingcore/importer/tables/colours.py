"""Finds out who had White: by the headings of both sides, or by a column such as `Color`."""

from itertools import islice

from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.headings import plain, word_list
from ratingcore.readers import Refused
from ratingcore.readers.sheets import Sheet

_HEADINGS = word_list(
    "color, colour, colors, farbe, couleur, colore, cor, kleur, barva, kolor, цвет, farve, farge, farg, vari, szin, "
    "boja"
)
_WHITE = word_list(
    "w, white, whites, weiss, blanc, blancs, blanco, blancas, bianco, bianchi, branco, brancas, wit, bily, bila, "
    "biale, белые, hvid, hvit, vit, valkoinen, vilagos, beli"
)
_BLACK = word_list(
    "black, blacks, s, schwarz, noir, noirs, n, negro, negras, nero, neri, preto, pretas, z, zwart, cerny, cerna, "
    "czarne, черные, sort, svart, musta, sotet, crni"
)
_EITHER = "b"
"""Means Black in English, but White (blancas, bianco, blancs) in tables that write N for Black."""
_SEEN = 5_000
"""Number of rows that are examined."""


def colour_of(heading: str) -> str:
    """Returns the colour that the heading of a side gives, `w` or `b`; empty if it gives none.

    Examples
    --------
    >>> [colour_of(heading) for heading in ("White player", "Schwarz", "Home", "b")]
    ['w', 'b', '', '']
    """
    words = {word for word in plain(heading).split() if len(word) > 1}
    white, black = not words.isdisjoint(_WHITE), not words.isdisjoint(_BLACK)
    return "" if white == black else "w" if white else "b"


def home_by_colour(sheet: Sheet, fields: FieldMap) -> dict[str, FromColumn]:
    """Maps the field `home` to a column of colours; empty if there is none, or if `home` has a column already.

    Examples
    --------
    >>> rows = [(2, ["ann", "bo", "W"]), (3, ["ann", "cy", "B"])]
    >>> sheet = Sheet("games.csv", ("player", "opponent", "Color"), lambda used: iter(rows))
    >>> dict(home_by_colour(sheet, FieldMap.parse("a=player,b=opponent"))["home"].words)
    {'B': 'b', 'W': 'a'}
    """
    sides = [source.column if isinstance(source, FromColumn) else "" for source in map(fields.fields.get, "ab")]
    given = {*sheet.columns, *fields.fields}
    if sheet.once or "home" in given or "neutral" in given or not all(sides):
        return {}
    for column in sheet.columns:
        words = plain(column).split()
        rest = " ".join(word for word in words if word not in _HEADINGS)
        if len(words) > len(rest.split()) and rest in ("", *map(plain, sides)):
            words_of = _words(sheet, column, turned=rest == plain(sides[1]))
            return {"home": FromColumn(column, words_of, otherwise="")} if words_of else {}
    return {}


def _words(sheet: Sheet, column: str, *, turned: bool) -> dict[str, str]:
    """Maps each text of a column of colours to the side with White; `turned` if the colour is the second side's."""
    at = sheet.columns.index(column)
    rows = islice(sheet.rows(frozenset({at})), _SEEN)
    texts = {row[1][at].strip() for row in rows if not isinstance(row, Refused)}
    white = _WHITE | ({_EITHER} if any(plain(text) in ("n", "nero", "noir", "negro") for text in texts) else set())
    sides = "ba" if turned else "ab"
    some = [text for text in sorted(texts) if plain(text) in white | _BLACK | {_EITHER}]
    return {text: sides[0] if plain(text) in white else sides[1] for text in some}

"""Finds out who had White or was at home: by the headings of both sides, or by a column such as `Color` or `Venue`."""

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
_GROUND = word_list(
    "venue, home/away, home away, homeaway, h/a, ha, location, loc, ground, ort, lieu, dom/ext, d/e, lugar, sede, "
    "campo, c/f, c/t, thuis/uit, t/u, hjemme/borte, h/b, misto"
)
_AT_HOME = word_list(
    "h, home, heim, heimspiel, d, dom, domicile, l, local, c, casa, t, thuis, hjemme, hemma, doma, u siebie, vs"
)
_AWAY = word_list(
    "a, away, auswarts, auswartsspiel, e, ext, exterieur, v, visitante, fuera, f, fora, trasferta, u, uit, borte, b, "
    "borta, venku, wyjazd, at, @"
)
_NEUTRAL = word_list("n, neutral, neutre, neutrale, neutraal, neutralny, neutralni")
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
    """Maps the field `home` to a column of colours or of home and away; empty without one, or if `home` has a column.

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
        if plain(column) in _GROUND and (words_of := _words_of_ground(_texts(sheet, column))):
            return {"home": FromColumn(column, words_of, otherwise="")}
    return {}


def _texts(sheet: Sheet, column: str) -> set[str]:
    at = sheet.columns.index(column)
    rows = islice(sheet.rows(frozenset({at})), _SEEN)
    return {row[1][at].strip() for row in rows if not isinstance(row, Refused)}


def _words_of_ground(texts: set[str]) -> dict[str, str]:
    """Maps each word for home and away to the side at home; empty unless all texts are such words, or neutral."""
    words = {text: plain(text) for text in texts if text}
    away = {word for word in words.values() if word in _AWAY}
    if not away or not {*words.values()} <= _AT_HOME | _AWAY | _NEUTRAL or away & _AT_HOME:
        return {}
    return {text: "a" if word in _AT_HOME else "b" for text, word in sorted(words.items()) if word not in _NEUTRAL}


def _words(sheet: Sheet, column: str, *, turned: bool) -> dict[str, str]:
    """Maps each text of a column of colours to the side with White; `turned` if the colour is the second side's."""
    texts = _texts(sheet, column)
    white = _WHITE | ({_EITHER} if any(plain(text) in ("n", "nero", "noir", "negro") for text in texts) else set())
    sides = "ba" if turned else "ab"
    some = [text for text in sorted(texts) if plain(text) in white | _BLACK | {_EITHER}]
    return {text: sides[0] if plain(text) in white else sides[1] for text in some}

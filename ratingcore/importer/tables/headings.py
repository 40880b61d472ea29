"""What columns are called in files of leagues: a mapping to offer where a column is missing; none is used unasked."""

import unicodedata
from collections.abc import Mapping, Sequence

_CALLED = {
    "a": (
        "white, weiss, blancs, blanc, blancas, blanco, bianco, bianchi, brancas, wit, bily, biale, белые, бели, "
        "hvid, hvit, vit, valkoinen, vilagos, beli, 白, home, home team, heim, heimmannschaft, domicile, local, casa, "
        "domaci, хозяева, team 1, spieler 1, joueur 1, jugador 1, giocatore 1, hrac 1"
    ),
    "b": (
        "black, schwarz, noirs, noir, negras, negro, nero, neri, pretas, zwart, cerny, czarne, черные, черни, sort, "
        "svart, musta, sotet, crni, 黒, 黑, away, away team, guest, gast, gastmannschaft, exterieur, visiteur, "
        "visitante, ospite, fora, host, hoste, гости, team 2, spieler 2, joueur 2, jugador 2, giocatore 2, hrac 2"
    ),
    "score": (
        "result, ergebnis, resultat, resultado, risultato, uitslag, vysledek, vysledok, wynik, результат, резултат, "
        "tulos, eredmeny, rezultat, 結果, 结果"
    ),
    "played": (
        "date, datum, fecha, data, дата, dato, paiva, paivamaara, day, tag, jour, dia, giorno, den, день, 日付, 日期"
    ),
}
_WORDS = {word.strip(): field for field, words in _CALLED.items() for word in words.split(",")}


def offered(columns: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """A column for each field of a game that has none of its own name, as far as headings say it.

    Parameters
    ----------
    given : mapping of str to str
        Columns that are mapped already and exist.

    Examples
    --------
    >>> offered(["Datum", "Weiß", "Schwarz", "Ergebnis"], {})
    {'a': 'Weiß', 'b': 'Schwarz', 'score': 'Ergebnis', 'played': 'Datum'}
    """
    found = dict(given)
    for column in columns:
        field = _WORDS.get(_plain(column))
        if field is not None and field not in columns and column not in given.values():
            found.setdefault(field, column)
    order = {field: place for place, field in enumerate((*_CALLED, *given))}
    return dict(sorted(found.items(), key=lambda one: order[one[0]]))


def as_option(mapping: Mapping[str, str], argument: str = "") -> str:
    """A mapping as it is given: the option `--map`, or the argument of this name in Python.

    Examples
    --------
    >>> print(as_option({"a": "Weiß", "b": "Schwarz, Gast"}))
    --map 'a=Weiß,b="Schwarz, Gast"'
    """
    if argument:
        return f"{argument}={dict(mapping)}"
    pairs = ",".join(
        f'{field}="{column}"' if "," in column else f"{field}={column}" for field, column in mapping.items()
    )
    return f"--map '{pairs}'" if set(pairs) & set(' "()&;#*') else f"--map {pairs}"


def _plain(text: str) -> str:
    """A heading without case, accents and more than one blank."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    return " ".join(bare.replace("_", " ").replace("ł", "l").split())

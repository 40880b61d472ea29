"""What columns are called in files of leagues: a mapping to offer where a column is missing; none is used unasked."""

import unicodedata
from collections.abc import Mapping, Sequence

Words = Mapping[str, str]
"""Fields by what their columns are called, without case and accents."""


def _words(**called: str) -> Words:
    """Fields by what their columns are called, and by their own names in other letters."""
    return {word.strip(): field for field, words in called.items() for word in (field, *words.split(","))}


_DATE = "date, datum, fecha, data, дата, dato, paiva, paivamaara, day, tag, jour, dia, giorno, den, день, 日付, 日期"

OF_GAMES = _words(
    a="white, weiss, blancs, blanc, blancas, blanco, bianco, bianchi, brancas, wit, bily, biale, белые, бели, "
    "hvid, hvit, vit, valkoinen, vilagos, beli, 白, home, home team, heim, heimmannschaft, domicile, local, casa, "
    "domaci, хозяева, team 1, spieler 1, joueur 1, jugador 1, giocatore 1, hrac 1",
    b="black, schwarz, noirs, noir, negras, negro, nero, neri, pretas, zwart, cerny, czarne, черные, черни, sort, "
    "svart, musta, sotet, crni, 黒, 黑, away, away team, guest, gast, gastmannschaft, exterieur, visiteur, "
    "visitante, ospite, fora, host, hoste, гости, team 2, spieler 2, joueur 2, jugador 2, giocatore 2, hrac 2",
    score="result, ergebnis, resultat, resultado, risultato, uitslag, vysledek, vysledok, wynik, результат, резултат, "
    "tulos, eredmeny, rezultat, 結果, 结果",
    played=_DATE,
    event="tournament, turnier, tournoi, torneo, torneio, toernooi, turnaj, turniej, турнир, turnering, turnaus, "
    "verseny, turnir, 大会, competition, wettbewerb, wettkampf, competicion, competizione, competicao, soutez, "
    "соревнование",
    round="runde, ronde, ronda, rodada, turno, kolo, runda, тур, кръг, kierros, fordulo, rond, omgang, 回戦, 轮次, "
    "spieltag, journee, jornada, giornata",
    season="saison, temporada, stagione, seizoen, sezona, sezon, сезон, saesong, sesong, kausi",
)
"""Columns of results."""

_PLAYER = (
    "id, key, mitgliedsnummer, mitgliedsnr, pkz, fide id, fide-id, licence, licencia, tessera, spieler, spielerin, "
    "joueur, jugador, giocatore, jogador, speler, hrac, zawodnik, игрок, участник, spiller, spelare, pelaaja, "
    "jatekos, igrac, 選手, 棋手"
)
_NAME = (
    "name, spielername, nom, nom complet, nombre, nome, имя, фио, jmeno, nazwisko, naam, navn, namn, nimi, nev, ime, "
    "full name, 名前, 姓名, 氏名"
)

OF_PLAYERS = _words(
    player=_PLAYER,
    called=_NAME,
    born="year of birth, birth year, geburtsjahr, jahrgang, geboren, naissance, annee de naissance, nacimiento, "
    "ano de nacimiento, nascimento, ano de nascimento, nascita, anno di nascita, geboortejaar, rok narozeni, rocnik, "
    "rok urodzenia, год рождения, fodt, fodselsar, fodelsear, syntymavuosi, szuletesi ev, 生年",
    club="verein, clube, circolo, vereniging, oddil, klub, клуб, klubb, klubbi, seura, egyesulet, 所属",
    federation="verband, federacion, federacao, federazione, bond, svaz, federacja, федерация, forbund, liitto",
    sex="gender, geschlecht, sexe, sexo, sesso, geslacht, pohlavi, plec, пол, kon, kjonn, sukupuoli, nem, spol, 性別",
    title="titel, titre, titulo, titolo, titul, tytul, звание, титул, cim",
)
"""Columns of facts of players."""

OF_SEEDS = _words(
    player=f"{_PLAYER}, {_NAME}",
    rating="elo, dwz, wertung, wertungszahl, рейтинг, elo rating",
    deviation="rd, abweichung",
    at=_DATE,
)
"""Columns of ratings from outside."""


def offered(columns: Sequence[str], given: Mapping[str, str], words: Words = OF_GAMES) -> dict[str, str]:
    """A column for each field that has none of its own name, as far as headings say it.

    Parameters
    ----------
    given : mapping of str to str
        Columns that are mapped already and exist.
    words : mapping of str to str
        What columns of such a table are called: `OF_GAMES`, `OF_PLAYERS` or `OF_SEEDS`. Players without a column of
        keys are known by their names.

    Examples
    --------
    >>> offered(["Datum", "Weiß", "Schwarz", "Ergebnis"], {})
    {'a': 'Weiß', 'b': 'Schwarz', 'score': 'Ergebnis', 'played': 'Datum'}
    >>> offered(["Name", "Verein"], {}, OF_PLAYERS)
    {'player': 'Name', 'club': 'Verein'}
    """
    found = dict(given)
    for column in columns:
        field = words.get(_plain(column))
        if field is not None and field not in columns and column not in given.values():
            found.setdefault(field, column)
    if "called" in found and "player" not in found and "player" not in columns:
        found["player"] = found.pop("called")
    order = {field: place for place, field in enumerate(dict.fromkeys((*words.values(), *given)))}
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

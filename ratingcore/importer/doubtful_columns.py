"""Notes on columns that no field is read from, but by which games may be of other people, or may not count."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from ratingcore.importer.name_notes import ToldApart
from ratingcore.importer.notes import SHOWN, DoubtfulGames
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.forfeit_remarks import first_clause
from ratingcore.importer.tables.headings import OF_PLAYERS, plain, word_list
from ratingcore.importer.tables.result_letters import NO, NOTHING, YES
from ratingcore.importer.tables.unplayed import is_of_remarks, is_of_unplayed
from ratingcore.readers import Note, Refused
from ratingcore.readers.sheets import Sheet
from ratingcore.readers.spellings import bare_words

_SEEN = 5_000
"""Number of rows that are examined: over years, players change their clubs."""
_DETAILS = word_list(
    "first name, forename, given name, vorname, prenom, nombre, nome, voornaam, jmeno, imie, имя, fornavn, fornamn, "
    "etunimi, born, club, federation, id, no, nr, number, licence, license, member id, fide id, team, mannschaft, "
    "country, land, nation, city, ort"
) | {word for word, field in OF_PLAYERS.items() if field in ("born", "club", "federation")}
"""What the headings of columns say of a player, beside the word for the side: `White Club`, `Club 1`."""
_OF_KINDS = word_list(
    "type, game type, match type, kind, art, spielart, category, kategorie, categorie, categoria, typ, tipo, stage, "
    "phase"
)
_DOUBTS = [
    f" {phrase} "
    for phrase in word_list(
        "tiebreak, tie break, tiebreaker, tie breaker, armageddon, stichkampf, exhibition, showmatch, show match, "
        "simul, simultaneous, simultan, training, practice, trainingspartie, ubungspartie, not rated, unrated, "
        "nicht gewertet, ungewertet, does not count, doesn t count, not counted, zahlt nicht, ne compte pas, "
        "no cuenta, non conta, annulled, annulliert, wrong, incorrect, falsch, replay, replayed, disputed, protest, "
        "appeal, corrected, correction, korrigiert, korrektur, should be"
    )
]
_DRAWS = word_list("draw, drawn, tie, tied, remis, unentschieden, nul, empate, patta, pari, remiza")
"""Words in any column that contradict a table of winners and losers."""


def doubts_of_columns(sheet: Sheet, fields: FieldMap) -> Iterator[Note]:
    """Yields notes on the columns of a table of games that no field is read from."""
    if sheet.once or sheet.typed is not None:
        return
    read = {one.column for one in fields.fields.values() if isinstance(one, FromColumn)} | {*fields.fields}
    rest = [one for one in sheet.columns if one not in read]
    yield from _doubtful_games(sheet, fields, rest)
    sources = [fields.fields.get(side, FromColumn(side)) for side in ("a", "b")]
    sides = [one.column for one in sources if isinstance(one, FromColumn)]
    if len({*sides} & {*sheet.columns}) == 2:
        yield from _told_apart(sheet, sides, rest)


def _rows(sheet: Sheet, columns: Collection[str]) -> Iterator[tuple[int, list[str]]]:
    """Yields the cells of some columns, with the lines of the first rows."""
    places = [sheet.columns.index(one) for one in columns]
    rows = (row for row in sheet.rows(frozenset(places)) if not isinstance(row, Refused))
    return ((line, [cells[at].strip() for at in places]) for line, cells in islice(rows, _SEEN))


def _doubtful_games(sheet: Sheet, fields: FieldMap, columns: Sequence[str]) -> Iterator[Note]:
    """Notes games that count in spite of a remark, a code or another result, and winners of draws."""
    score, a = (fields.fields.get(name) for name in ("score", "a"))
    found = dict[int, str]()
    for column in columns:
        if is_of_remarks(column) or plain(column) in _OF_KINDS:
            cells = _cells(sheet, column, lambda text: any(map(f" {bare_words(text)} ".__contains__, _DOUBTS)))
        elif _is_of_another_result(column):
            cells = {
                line: f"{column} {text}" for line, text in _cells(sheet, column, lambda text: text.strip("0.-")).items()
            }
        else:
            cells = _odd_codes(sheet, column) if is_of_unplayed(column) else {}
        found = cells | found
        if score is not None and score == a:
            found = _cells(sheet, column, lambda text: first_clause(text).casefold() in _DRAWS) | found
    if found:
        yield DoubtfulGames(len(found), tuple(sorted(found.items())[:SHOWN]))


def _cells(sheet: Sheet, column: str, wanted: Callable[[str], object]) -> dict[int, str]:
    """Returns the wanted cells of a column by their lines."""
    return {line: text for line, (text,) in _rows(sheet, [column]) if text and wanted(text)}


def _is_of_another_result(heading: str) -> bool:
    """True if a heading is of results that replace the score, or of points after the regular time of one side."""
    words = {*plain(heading).split()}
    of_score = bool(words & _SCORES) and bool(words & _LATER)
    return of_score or (bool(words & _EXTRA) and bool(words & _SIDES))


_SCORES = word_list("score, result, ergebnis, resultat, resultado, risultato, wynik, vysledek, outcome")
_LATER = word_list("corrected, revised, adjusted, amended, appeal, korrigiert, korrigiertes, berichtigt, corrige")
_EXTRA = word_list("et, aet, extra, pen, pens, penalty, penalties, shootout")
_SIDES = word_list("home, away, team, heim, gast, a, b, 1, 2")


def _odd_codes(sheet: Sheet, column: str) -> dict[int, str]:
    """Returns the rows with another code than most, if a column such as `Status` or `Rated` has codes only."""
    codes = _cells(sheet, column, bool)
    several = {*codes.values()}
    if len(several) < 2 or not all(one.isdecimal() or len(one) == 1 for one in several):
        return {}
    if {one.casefold() for one in several} <= YES | NO | NOTHING and not plain(column).endswith("status"):
        return {}
    most = max(several, key=[*codes.values()].count)
    return {line: f"{column} {one}" for line, one in codes.items() if one != most}


def _told_apart(sheet: Sheet, sides: Sequence[str], columns: Sequence[str]) -> Iterator[Note]:
    """Notes names that a column about the players tells apart, unless it does so with most names."""
    for one, other in _details(sheet, sides, columns):
        first, apart, names = dict[str, tuple[str, int]](), dict[str, tuple[str, str, int, str, int]](), set[str]()
        for line, cells in _rows(sheet, [*sides, one, other]):
            for name, value in (cells[::2], cells[1::2]):
                if not name or not value:
                    continue
                known, at = first.setdefault(name, (value, line))
                names |= {name} if at != line else set()
                if known.casefold() != value.casefold():
                    apart.setdefault(name, (name, known, at, value, line))
        if 0 < 2 * len(apart) <= len(names):
            yield ToldApart((one, other), len(apart), tuple(apart.values())[:SHOWN])


def _details(sheet: Sheet, sides: Sequence[str], columns: Sequence[str]) -> list[tuple[str, str]]:
    """Returns pairs of columns that say the same of the players of both sides."""
    found = dict[str, list[str]]()
    for side in sides:
        words = plain(side).split()
        for column in columns:
            rest = [word for word in plain(column).split() if word not in words]
            detail = " ".join(rest)
            if detail in _DETAILS and len(rest) < len(plain(column).split()):
                found.setdefault(detail, []).append(column)
    pairs = [(two[0], two[1]) for two in found.values() if len(two) == 2 and two[0] != two[1]]
    doubled = sorted(column for column in sheet.doubled if plain(column) in _DETAILS)
    return pairs + [(one, f"{one} 2") for one in doubled if {one, f"{one} 2"} <= {*columns}]

"""Headings of columns in many languages, and the mappings that the headings of a table suggest."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from ratingcore.readers.sheets import parts_of

Words = Mapping[str, str]
"""The field that each heading means; headings are without case and accents."""


def word_list(words: str) -> frozenset[str]:
    """Splits a text into its words, which are separated by commas."""
    return frozenset(map(str.strip, words.split(",")))


def _words(**called: str) -> Words:
    """Returns the field that each of the given headings means; the field's own name counts as a heading of it."""
    return {word.strip(): field for field, words in called.items() for word in (field, *words.split(","))}


_DATE = (
    "date, datum, fecha, data, дата, dato, paiva, paivamaara, day, tag, jour, dia, giorno, den, день, 日付, 日期, "
    "match date, game date, tourney date, played on"
)

OF_GAMES = _words(
    a="white, weiss, blancs, blanc, blancas, blanco, bianco, bianchi, brancas, wit, bily, biale, белые, бели, "
    "hvid, hvit, vit, valkoinen, vilagos, beli, 白, home, home team, heim, heimmannschaft, domicile, local, casa, "
    "domaci, хозяева, team 1, spieler 1, joueur 1, jugador 1, giocatore 1, hrac 1, "
    "player 1, player a, team a, model a, heimteam, thuis, thuisploeg, hjemme, hjemmelag, hemma, equipe domicile, "
    "equipo local, squadra casa, equipe 1, equipo 1, squadra 1, mannschaft 1, white player, white name, "
    "white team, weissspieler, home player, player home, heimspieler, spieler heim, spieler a, joueur a, jugador a, "
    "giocatore a, jogador a, hrac a, zawodnik a",
    b="black, schwarz, noirs, noir, negras, negro, nero, neri, pretas, zwart, cerny, czarne, черные, черни, sort, "
    "svart, musta, sotet, crni, 黒, 黑, away, away team, guest, gast, gastmannschaft, exterieur, visiteur, "
    "visitante, ospite, fora, host, hoste, гости, team 2, spieler 2, joueur 2, jugador 2, giocatore 2, hrac 2, "
    "player 2, player b, team b, model b, gastteam, auswarts, auswartsmannschaft, uit, uitploeg, borte, bortelag, "
    "borta, equipe exterieur, equipo visitante, squadra ospite, trasferta, equipe 2, equipo 2, squadra 2, "
    "mannschaft 2, black player, black name, black team, schwarzspieler, away player, player away, gastspieler, "
    "spieler gast, spieler b, joueur b, jugador b, giocatore b, jogador b, hrac b, zawodnik b",
    score="result, ergebnis, resultat, resultaat, esito, resultado, risultato, uitslag, vysledek, vysledok, wynik, "
    "результат, резултат, tulos, eredmeny, rezultat, 結果, 结果, ftr, full time result, res, erg, rez, vysl, outcome, "
    "match outcome, game outcome, game result, match result, final result, w/l, w/l/d, w/d/l, w/l/t, wl, wld, wdl, "
    "win/loss, win loss, won/lost, win or loss, ausgang, endergebnis, spielergebnis, s/n, s/u/n, v/d, v/n/d, g/p, "
    "v/e/d, g/e/p, v/p, v/n/p",
    played=_DATE,
    points_a="home score, home goals, home points, score home, goals home, home team score, home team goals, hg, fthg, "
    "hgoal, heimtore, tore heim, heimpunkte, punkte heim, buts domicile, goles local, goles locales, gol casa, "
    "score 1, goals 1, points 1, score a, goals a, points a, team 1 score, player 1 score, white score, points white, "
    "punkte 1, tore 1, buts 1, goles 1, gol 1, body 1, skore 1, home pts, pts home, sets 1, sets a, home sets, "
    "sets home, satze 1, satze heim, heimsatze, sety 1, frames 1, legs 1, games 1, pkt. weiss, pkt weiss, "
    "punkte weiss, weiss punkte, weiss pkt, pts white, white points, white pts, pts. white, pkt. heim, pkt heim, "
    "heim pkt, pts blancs, points blancs, punti bianco, punti casa, puntos blancas, puntos local, pontos brancas, "
    "body bily",
    points_b="away score, away goals, away points, score away, goals away, away team score, away team goals, ag, ftag, "
    "vgoal, agoal, gasttore, tore gast, gastpunkte, punkte gast, buts exterieur, goles visitante, goles visitantes, "
    "gol ospite, score 2, goals 2, points 2, score b, goals b, points b, team 2 score, player 2 score, "
    "black score, points black, punkte 2, tore 2, buts 2, goles 2, gol 2, body 2, skore 2, away pts, pts away, "
    "sets 2, sets b, away sets, sets away, satze 2, satze gast, gastsatze, sety 2, frames 2, legs 2, games 2, "
    "pkt. schwarz, pkt schwarz, punkte schwarz, schwarz punkte, schwarz pkt, pts black, black points, black pts, "
    "pts. black, pkt. gast, pkt gast, gast pkt, pts noirs, points noirs, punti nero, punti ospite, puntos negras, "
    "puntos visitante, pontos pretas, body cerny",
    event="tournament, turnier, tournoi, torneo, torneio, toernooi, turnaj, turniej, турнир, turnering, turnaus, "
    "verseny, turnir, 大会, competition, wettbewerb, wettkampf, competicion, competizione, competicao, soutez, "
    "соревнование, tourney name, tournament name",
    round="runde, ronde, ronda, rodada, turno, kolo, runda, тур, кръг, kierros, fordulo, rond, omgang, 回戦, 轮次, "
    "spieltag, journee, jornada, giornata, rd, rnd, rde",
    season="saison, temporada, stagione, seizoen, sezona, sezon, сезон, saesong, sesong, kausi",
)
"""Headings of the columns of results."""

_TIMES = _words(
    played="time, date time, datetime, timestamp, tstamp, start, start time, started, started at, begin, began, "
    "beginn, played at, match time, game time, heure, hora, ora, zeit, zeitpunkt, время, cas, czas, tijd, tid"
)
"""Headings of columns of times, which are read as the days of games if no other column has these."""
CLOCKS = _words(
    time="start, started at, begin, anfang, debut, inicio, inizio, zacatek, uhrzeit, zeit, beginn, spielbeginn, "
    "kickoff, start time, match time, game time, heure, horaire, hora, ora, orario, время, cas, czas, tijd, tid, "
    "time of day, startzeit, anstoss, heure de debut, hora de inicio, hora inicio, ora inizio, ora di inizio, hodina, "
    "godzina, aanvang, aanvangstijd, starttid, klokkeslaet, klokkeslett, klockslag, aika, klo, kellonaika, kezdes, "
    "начало, 時刻, 時間, 时间, 開始時刻"
)
"""Headings of columns with a time of day."""

_PLAYER = (
    "id, key, mitgliedsnummer, mitgliedsnr, pkz, fide id, fide-id, licence, licencia, tessera, spieler, spielerin, "
    "joueur, jugador, giocatore, jogador, speler, hrac, zawodnik, игрок, участник, spiller, spelare, pelaaja, "
    "jatekos, igrac, 選手, 棋手"
)
_NAME = (
    "name, spielername, nom, nom complet, nombre, nome, имя, фио, jmeno, nazwisko, naam, navn, namn, nimi, nev, ime, "
    "full name, 名前, 姓名, 氏名"
)

_BOTH_SIDES = word_list(
    "match, matchup, match up, game, pairing, fixture, paarung, begegnung, partie, spiel, rencontre, encuentro, "
    "partido, incontro, partita, partida, wedstrijd, zapas, mecz, players, teams, kamp, матч"
)
"""Headings of columns that name both sides, such as `Ann vs Bo`."""
_OPPOSED = _words(
    a=f"player, team, {_PLAYER.partition('tessera, ')[2]}, {_NAME}",
    b="opponent, opponent name, opposition, gegner, gegnerin, adversaire, oponente, rival, adversario, avversario, "
    "tegenstander, souper, protihrac, przeciwnik, соперник, противник, motstander, modstander, motstandare, "
    "vastustaja, ellenfel, protivnik",
)
"""Headings of the sides in tables with a player and an opponent."""
_TEAMS_OPPOSED = {
    **{word: field for word, field in _OPPOSED.items() if field == "b"},
    **dict.fromkeys(word_list("mannschaft, equipe, equipo, squadra, equipa, ploeg, druzyna, druzstvo"), "a"),
}
"""The same where no column names a player."""
_OPPOSED_POINTS = _words(
    points_a="score, points, goals, points for, goals for, score for, gf, pf, pts, own score, own points, own goals, "
    "player score, player points, team score, team points, team goals, punkte, tore, eigene punkte, eigene tore",
    points_b="opponent score, opponent points, opponent goals, opp score, opp points, opp pts, opp goals, "
    "points against, goals against, score against, ga, pa, gegner punkte, gegner tore, punkte gegner, "
    "tore gegner, gegentore",
)
"""Headings of the points of both sides in such tables; `score` is one only beside the points of the opponent."""

WON = _words(
    winner="winner name, winning team, winning player, sieger, gewinner, vainqueur, gagnant, ganador, vincitore, "
    "vencedor, winnaar, vitez, zwyciezca, победитель, vinder, vinner, vinnare",
    loser="loser name, losing team, losing player, verlierer, perdant, perdedor, perdente, sconfitto, derrotado, "
    "verliezer, porazeny, przegrany, проигравший, taber, taper, forlorare",
    points_winner="winner score, winner points, winner goals, winning score, pts w, w pts, w score, score w, "
    "wpts, wscore, winner pts",
    points_loser="loser score, loser points, loser goals, losing score, pts l, l pts, l score, score l, lpts, "
    "lscore, loser pts",
    tied="tie, draw, remis, nul",
)
"""Headings in tables that name the winner."""

_WORTH = _words(
    score="points, punkte, punkty, punti, puntos, pontos, punten, body, очки, poeng, poang, pisteet",
    place="rank, ranking, platz, rang, place, puesto, posto, classement, posizione, plaats, misto, miejsce, место",
)

_POSITIONS = (
    "pos, position, final position, finish, finish position, finishing position, standing, poradi, pozice, posicion, "
    "posicao, pozycja, placering, plassering, sijoitus, helyezes, позиция"
)
_PLACED = word_list(_POSITIONS)
"""Further headings of places."""


def is_of_places(heading: str) -> bool:
    """True if a heading means the places in a session.

    Examples
    --------
    >>> is_of_places("Rang"), is_of_places("Position"), is_of_places("points")
    (True, True, False)
    """
    return meanings(heading, _WORTH) == {"place"} or plain(heading) in _PLACED


OF_PLAYERS = _words(
    player=_PLAYER,
    called=_NAME,
    born="year of birth, birth year, geburtsjahr, jahrgang, geboren, naissance, annee de naissance, ne en, nee en, "
    "ne(e) en, ne le, nee le, ne(e) le, date de naissance, annee naissance, nacimiento, nacido en, nacida en, "
    "nato nel, nata nel, nascido em, nascida em, geboren in, born in, date of birth, birth date, geburtsdatum, "
    "geb.-jahr, geb-jahr, jg, jahrg, narozen, narozena, urodzony, urodzona, "
    "ano de nacimiento, nascimento, ano de nascimento, nascita, anno di nascita, geboortejaar, rok narozeni, rocnik, "
    "rok urodzenia, год рождения, fodt, fodselsar, fodelsear, syntymavuosi, szuletesi ev, 生年",
    club="verein, clube, circolo, vereniging, oddil, klub, клуб, klubb, klubbi, seura, egyesulet, 所属",
    federation="verband, federacion, federacao, federazione, bond, svaz, federacja, федерация, forbund, liitto",
    sex="gender, geschlecht, sexe, sexo, sesso, geslacht, pohlavi, plec, пол, kon, kjonn, sukupuoli, nem, spol, 性別",
    title="titel, titre, titulo, titolo, titul, tytul, звание, титул, cim",
)
"""Headings of the facts of players."""

OF_SEEDS = _words(
    player=f"{_PLAYER}, {_NAME}",
    rating="elo, dwz, wertung, wertungszahl, рейтинг, elo rating",
    deviation="rd, abweichung",
    at=_DATE,
)
"""Headings of ratings that are given from outside."""


def days_of(columns: Sequence[str]) -> list[str]:
    """Returns the columns whose heading means the day of a game."""
    return [one for one in columns if meanings(one, OF_GAMES) == {"played"}]


def offered(columns: Sequence[str], given: Mapping[str, str], words: Words = OF_GAMES) -> dict[str, str]:
    """Suggests columns, by their headings, for fields that have no column with their own name.

    Parameters
    ----------
    given : mapping of str to str
        Columns that are mapped already and exist.
    words : mapping of str to str
        Headings of such a table: `OF_GAMES`, `OF_PLAYERS` or `OF_SEEDS`. Without a column of keys, the column of
        names identifies the players.

    Examples
    --------
    >>> offered(["Datum", "Weiß", "Schwarz", "Ergebnis"], {})
    {'a': 'Weiß', 'b': 'Schwarz', 'score': 'Ergebnis', 'played': 'Datum'}
    >>> offered(["Name", "Verein"], {}, OF_PLAYERS)
    {'player': 'Name', 'club': 'Verein'}
    """
    found = dict(given)
    ways = [words, _TIMES] if words is OF_GAMES else [words]
    for column, called in ((column, called) for called in ways for column in _of_two(columns)):
        for field in sorted(meanings(column, called)):
            if field not in columns and column not in found.values():
                found.setdefault(field, column)
    if "called" in found and "player" not in found and "player" not in columns:
        found["player"] = found.pop("called")
    order = {field: place for place, field in enumerate(dict.fromkeys((*words.values(), *given)))}
    return dict(sorted(found.items(), key=lambda one: order[one[0]]))


def sides_offered(columns: Sequence[str]) -> dict[str, str]:
    """Returns the columns of both sides in a table of winners and losers, or of players and opponents.

    Examples
    --------
    >>> sides_offered(["when", "winner", "loser"])
    {'a': 'winner', 'b': 'loser', 'score': 'winner'}
    >>> sides_offered(["when", "player", "opponent"]), sides_offered(["when", "player"])
    ({'a': 'player', 'b': 'opponent'}, {})
    """
    called = {word: field for word, field in WON.items() if field in ("winner", "loser")}
    for words, names in ((called, ("winner", "loser")), (_OPPOSED, ("a", "b"))):
        found = {name: [one for one in columns if meanings(one, words) == {name}] for name in names}
        if all(map(found.get, names)):
            a, b = (found[name][0] for name in names)
            return {"a": a, "b": b} | ({"score": a} if words is called else {})
    return {}


_OF_GROUND = word_list(
    "home, away, heim, gast, domicile, exterieur, local, locales, visitante, visitantes, casa, ospite, hg, ag, fthg, "
    "ftag, hgoal, vgoal, agoal, heimtore, gasttore, heimpunkte, gastpunkte, heimsatze, gastsatze"
)


def _is_of_ground(heading: str) -> bool:
    """True if a heading means the points of the side at home, or of its guest, which may be the player or not."""
    return not _OF_GROUND.isdisjoint(plain(heading).split())


def is_of_opponents(heading: str) -> bool:
    """True if a column names the opponent of a player: `Opponent`, `Gegner`, but not `b`."""
    return plain(heading) != "b" and meanings(heading, _OPPOSED) == {"b"}


_OF_MARKS = (
    "w d l, w t l, s u n, s r n, v n d, v n p, g n p, v e d, g e p, w g v, z r p, v r p, в н п, v o f, "
    "win draw loss, wins draws losses, won drawn lost, win tie loss, wins ties losses, won tied lost, "
    "sieg unentschieden niederlage, siege unentschieden niederlagen, gewonnen unentschieden verloren, "
    "sieg remis niederlage, gewonnen remis verloren, victoire nul defaite, gagne nul perdu, "
    "victoria empate derrota, ganada empatada perdida, ganado empatado perdido, gano empato perdio, "
    "vittoria pareggio sconfitta, vinta patta persa, vitoria empate derrota, winst gelijk verlies, "
    "gewonnen gelijk verloren, vyhra remiza prohra, wygrana remis porazka, wygrana remis przegrana, "
    "победа ничья поражение, выигрыш ничья проигрыш"
)
MARKS = [tuple(words.strip().split()) for words in _OF_MARKS.split(",")]
"""Headings of columns that mark games won, drawn and lost; a heading counts only beside another one of its set."""

_SETS = re.compile(r"(set|satz|manche|parcial|map) ?([1-9])|([1-9])(?:\.|st|nd|rd|th|a)? ?(set|satz|manche|map)")
"""Headings of the points of each set."""


def columns_of_sets(columns: Sequence[str], first: str) -> list[str]:
    """Returns the columns with the points of each set, if the given one is the first of several.

    Examples
    --------
    >>> columns_of_sets(["1. Satz", "2. Satz", "Punkte"], "1. Satz"), columns_of_sets(["Set 1", "Result"], "Set 1")
    (['1. Satz', '2. Satz'], [])
    """
    found = {_set_of(one): one for one in columns}
    word, number = _set_of(first)
    if number != "1":
        return []
    sets = [found[word, other] for other in "123456789" if (word, other) in found]
    return sets if len(sets) > 1 else []


def _set_of(heading: str) -> tuple[str, str]:
    """Returns the word and the number in the heading of a set; empty for others."""
    match = _SETS.fullmatch(plain(heading))
    return ("", "") if match is None else (match[1] or match[4], match[2] or match[3])


_SESSION = _words(
    session="contest", played=_DATE, player=f"{_PLAYER.removeprefix('id, key, ')}, {_NAME}, handle, driver"
)
_SEAT = re.compile(r"(?:player|spieler|joueur|jugador|giocatore|hrac) ?([0-9])")
"""Headings such as `player1`: the players of one side, or the two sides of a game."""
_MOST = 4
"""Largest number of mappings that are suggested for one table."""


def readings(
    columns: Sequence[str], given: Mapping[str, str], absent: Collection[str] = (), kept: Collection[str] = ()
) -> list[dict[str, str]]:
    """Lists the mappings that read a whole table of results; several if its headings are ambiguous.

    Parameters
    ----------
    given : mapping of str to str
        Columns that are mapped already and exist; an empty text for a field that has a constant in place of a column.
    absent : collection of str
        Fields that must not be read from any column.
    kept : collection of str
        Columns that are read under their own names, and for no other fact of a result.

    Examples
    --------
    >>> readings(["date", "home_team", "away_team", "FTHG", "FTAG"], {})
    [{'a': 'home_team', 'b': 'away_team', 'played': 'date', 'points_a': 'FTHG', 'points_b': 'FTAG'}]
    >>> readings(["winner", "loser", "date"], {})
    [{'a': 'winner', 'b': 'loser', 'score': 'winner', 'played': 'date'}]
    >>> readings(["white", "black", "date"], {})
    []
    """
    found = _Headings(columns, given, absent, kept)
    games = list(found.games()) if given.keys().isdisjoint({"session", "player"}) else []
    of_sessions = given.keys().isdisjoint({"a", "b"}) and (not games or found.are_seats(games))
    sessions = list(found.sessions()) if of_sessions else []
    if games:
        sessions = [{"session": "session", **one} for one in sessions]
    order = {field: place for place, field in enumerate((*_SESSION.values(), *OF_GAMES.values(), "points", "place"))}
    return [
        {field: column for field, column in sorted(one.items(), key=lambda pair: order.get(pair[0], -1)) if column}
        for one in (games + sessions)[:_MOST]
    ]


class _Headings:
    """Finds the possible mappings of a table of results by its headings."""

    def __init__(
        self, columns: Sequence[str], given: Mapping[str, str], absent: Collection[str], kept: Collection[str]
    ) -> None:
        self._columns, self._given, self._absent, self._kept = columns, given, absent, kept
        self._free = [column for column in _of_two(columns) if column not in given.values()]

    def _has(self, field: str) -> bool:
        """True if a field is mapped already, or a column has its name."""
        return field in self._given or (field in self._free and field not in self._absent)

    def _called(self, field: str, words: Words = OF_GAMES) -> list[dict[str, str]]:
        """Lists the ways to map a field: an empty mapping if it has a column already, else one per fitting heading."""
        if self._has(field):
            return [{}]
        there = [column for column in self._free if meanings(column, words) - {"tied"} == {field}]
        if field == "played" and not there:
            there = [column for column in self._free if meanings(column, _TIMES)]
        return [] if field in self._absent else [{field: column} for column in dict.fromkeys(there)]

    def _pair(self, a: str, b: str, words: Words = OF_GAMES) -> list[dict[str, str]]:
        """Lists the ways to map two fields; equally many columns are paired in the order of the table."""
        ones, others = self._called(a, words), self._called(b, words)
        return [one | other for one, other in (zip if len(ones) == len(others) else product)(ones, others)]

    def games(self) -> Iterator[dict[str, str]]:
        """Yields the mappings that read the table as games."""
        sides, words = self._pair("a", "b"), OF_GAMES
        if not sides:
            sides, words = self._pair("a", "b", _OPPOSED) or self._pair("a", "b", _TEAMS_OPPOSED), _OPPOSED_POINTS
        pairs = [one | result for one in sides for result in self._results(words)]
        if not sides and not self._called("player", _SESSION):
            sides = [{"a": one, "b": one} for one in self._free if plain(one) in _BOTH_SIDES]
            pairs = [one | result for one in sides for result in self._results(words) or [{"points": one["a"]}]]
        won = self._pair("winner", "loser", WON) if not pairs and not (self._has("a") or self._has("b")) else []
        for one in won:
            winner, loser = one.get("winner", "winner"), one.get("loser", "loser")
            points = self._pair("points_winner", "points_loser", WON)
            worth = [{"points_a": p["points_winner"], "points_b": p["points_loser"]} for p in points]
            if not worth and "tied" not in meanings(winner, WON):
                worth = [{"score": winner}]
            pairs += [{"a": winner, "b": loser} | result for result in worth]
        yield from self._whole(pairs, ("event", "round", "season"))

    def _results(self, words: Words) -> list[dict[str, str]]:
        """Lists the ways to map the result of a game: points of both sides, a score, or the winner."""
        points = []
        if {"points_a", "points_b"}.isdisjoint(self._absent):
            points = self._pair("points_a", "points_b", words)
            others = [] if points else self._pair("points_a", "points_b")
            points += [one for one in others if words is OF_GAMES or not any(map(_is_of_ground, one.values()))]
        sides = [*self._free, self._given.get("a", "")]
        winners = [column for column in sides if meanings(column, WON) == {"winner"}]
        scores = [{"score": "score"}] if self._has("score") else self._called("score") or self._in_several_columns()
        if (
            not points
            and len(winners) == len(scores) == 1
            and {"score", "points"}.isdisjoint({*self._given, *self._absent})
        ):
            return [{"score": winners[0], "points": scores[0]["score"]}]
        if self._has("score"):
            return points[:1] if len(points) == 1 else [{}]
        if len(points) == 1:
            further = [one for one in scores if one["score"] not in points[0].values()]
            return [points[0] | further[0] if len(further) == 1 else points[0]]
        if "score" not in self._absent:
            scores += [{"score": column} for column in winners]
        return points + scores

    def _in_several_columns(self) -> list[dict[str, str]]:
        """Lists the ways to map a score that several columns give: marks of won, drawn and lost, or points of sets."""
        if "score" in self._absent:
            return []
        free = {plain(column): column for column in self._free}
        firsts = [free[marks[0]] for marks in MARKS if {*marks} <= free.keys()]
        firsts += [column for column in self._columns if columns_of_sets(self._columns, column)]
        return [{"score": column} for column in dict.fromkeys(firsts)]

    def sessions(self) -> Iterator[dict[str, str]]:
        """Yields the mappings that read the table as sessions."""
        seats = {f"player{seat[1]}": column for column in self._columns if (seat := _SEAT.fullmatch(plain(column)))}
        renamed = {name: column for name, column in seats.items() if name != column}
        players = [renamed] if seats else self._called("player", _SESSION)
        called = self._called("score", _WORTH) + self._called("place", _WORTH)
        worth = [{}] if {} in called else called
        parts = product(self._called("session", _SESSION), players, worth)
        yield from self._whole([one | who | won for one, who, won in parts], ("event", "round"))

    def are_seats(self, games: Sequence[Mapping[str, str]]) -> bool:
        """True if the sides found for games, such as `player1` and `player2`, may be partners in a session."""
        sides = [column for one in games for column in (one.get("a"), one.get("b")) if column]
        return bool(self._called("session", _SESSION)) and any(_SEAT.fullmatch(plain(column)) for column in sides)

    def _whole(self, parts: Sequence[dict[str, str]], further: Sequence[str]) -> Iterator[dict[str, str]]:
        """Completes each mapping with the day, and with further facts that exactly one column gives."""
        for part, day in product(parts, self._called("played")):
            facts: dict[str, str] = {}
            for field in further:
                ways = self._called(field)
                facts |= ways[0] if len(ways) == 1 and not {*ways[0].values()} & {*part.values(), *self._kept} else {}
            yield {**self._given, **facts, **part, **day}


def _of_two(columns: Sequence[str]) -> list[str]:
    """Returns the columns, without `player1` and `player2` if there is a `player3`, and so for any such heading."""
    third = {column: re.sub(r"\b[12]\b", "3", re.sub(r"\b[ab]\b", "c", plain(column))) for column in columns}
    there = {*map(plain, columns)}
    return [column for column, one in third.items() if column and (one == plain(column) or one not in there)]


def meanings(heading: str, words: Words) -> set[str]:
    """Returns the fields that a heading may mean, in one language or several (`White/Blancs`)."""
    parts = [part for part in parts_of(heading) if len(part) > 1 or part == heading]  # no H or A of `H/A`
    return {words[bare] for part in parts if (bare := plain(part)) in words}


_OF_POOLS = word_list(
    "group, groups, league, division, div, class, tier, gruppe, liga, staffel, klasse, spielklasse, wertungsgruppe, "
    "groupe, ligue, poule, classe, serie, gruppo, girone, lega, campionato, grupo, clase, divisione, divisao, klasa, "
    "grupa, rozgrywki, skupina, soutez, trida, divize, группа, лига, дивизион, класс, rating pool, "
    "time control, time class, bedenkzeit, tempo, cadence, ritmo, discipline, disziplin, disciplina"
)


def is_of_pools(heading: str) -> bool:
    """True if a heading may be of a column of pools, or of groups within one tournament: `Gruppe`, `League`."""
    return plain(heading) in _OF_POOLS


def plain(text: str) -> str:
    """Normalises a heading: no case, accents, final full stop or repeated blanks; `HomeTeam1` becomes `home team 1`."""
    text = _JOINT.sub(" ", text).casefold()
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return " ".join(bare.replace("_", " ").replace("ł", "l").rstrip(". ").split())


_JOINT = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)")
"""Boundaries between the words of a heading: `HomeTeam`, `player1`."""

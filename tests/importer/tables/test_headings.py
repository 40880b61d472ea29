"""Headings of files in many languages, and the mapping that they suggest."""

import pytest

from ratingcore.importer.tables.headings import OF_PLAYERS, OF_SEEDS, Words, offered

GAMES = (
    "Datum Turnier Runde Weiß Schwarz Ergebnis Saison", "Date Tournoi Ronde Blancs Noirs Résultat Saison",
    "Дата Турнир Тур Белые Чёрные Результат Сезон",  # noqa: RUF001  # Russian
    "Fecha Torneo Ronda Blancas Negras Resultado Temporada",
    "Data Torneo Turno Bianco Nero Risultato Stagione", "Datum Turnaj Kolo Bílý Černý Výsledek Sezóna",
    "Played Event Round A B Score Season", "datum toernooi ronde wit zwart uitslag seizoen",
)  # fmt: skip


@pytest.mark.parametrize("headings", GAMES)
def test_tournament_and_round_are_offered_beside_who_met(headings: str) -> None:
    """Only who met, the score and the day were: the tournament was lost by who copied the line."""
    played, event, turn, a, b, score, season = headings.split()
    assert offered(headings.split(), {}) == {
        "a": a, "b": b, "score": score, "played": played, "event": event, "round": turn, "season": season
    }  # fmt: skip


@pytest.mark.parametrize(
    ("headings", "words", "mapping"),
    [
        ("Name;Verein;Jahrgang", OF_PLAYERS, {"player": "Name", "born": "Jahrgang", "club": "Verein"}),
        ("PKZ;Name;DWZ", OF_PLAYERS, {"player": "PKZ", "called": "Name"}),
        ("Nom;Fédération;Année de naissance", OF_PLAYERS,
         {"player": "Nom", "born": "Année de naissance", "federation": "Fédération"}),
        ("Игрок;Клуб;Год рождения", OF_PLAYERS, {"player": "Игрок", "born": "Год рождения", "club": "Клуб"}),
        ("player;Name", OF_PLAYERS, {"called": "Name"}),
        ("Nr;Spieler;DWZ;Verein;Datum", OF_SEEDS, {"player": "Spieler", "rating": "DWZ", "at": "Datum"}),
    ],
)  # fmt: skip
def test_headings_of_players_and_ratings_are_offered(headings: str, words: Words, mapping: dict[str, str]) -> None:
    """A running number is nobody's key, and a seed has no club."""
    assert offered(headings.split(";"), {}, words) == mapping

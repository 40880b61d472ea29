"""Headings of files in many languages, and the mapping that they suggest."""

import shlex
from pathlib import Path

import pytest

from ratingcore.cli.words import hint, map_option
from ratingcore.errors import ColumnNotFound
from ratingcore.events import instant
from ratingcore.importer.tables import FieldMap, read_results
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.importer.tables.headings import OF_PLAYERS, OF_SEEDS, Words, offered, readings
from ratingcore.importer.tables.results import by_headings, sheet_of_results
from ratingcore.readers import Made

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
        ("Nom;Né en", OF_PLAYERS, {"player": "Nom", "born": "Né en"}),
        ("Игрок;Клуб;Год рождения", OF_PLAYERS, {"player": "Игрок", "born": "Год рождения", "club": "Клуб"}),
        ("player;Name", OF_PLAYERS, {"called": "Name"}),
        ("Nr;Spieler;DWZ;Verein;Datum", OF_SEEDS, {"player": "Spieler", "rating": "DWZ", "at": "Datum"}),
    ],
)  # fmt: skip
def test_headings_of_players_and_ratings_are_offered(headings: str, words: Words, mapping: dict[str, str]) -> None:
    """A running number is nobody's key, and a seed has no club."""
    assert offered(headings.split(";"), {}, words) == mapping


READ = {
    "date,white,black,result": ("2024-01-06,ann,bo,1-0", 1.0),
    "date,home_team,away_team,home_score,away_score,tournament,neutral": ("2024-01-06,ann,bo,2,1,Friendly,FALSE", 1.0),
    "Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR": ("2024-01-06,ann,bo,0,0,D", 0.5),
    "winner,loser,date": ("ann,bo,2024-01-06", 1.0),
    "tourney_name,tourney_date,winner_id,winner_name,loser_id,loser_name,score,round": (
        "Open,20240106,7,ann,8,bo,6-4 3-6 7-5,F", 1.0,
    ),
    "Week,Date,Winner/tie,Loser/tie,PtsW,PtsL": ("1,2024-01-06,ann,bo,20,20", 0.5),
    "player1,player2,score1,score2,date": ("ann,bo,1,3,2024-01-06", 0.0),
    "Date,Player A,Player B,Points A,Points B": ("2024-01-06,ann,bo,2,1", 1.0),
    "date,white,black,result,winner": ("2024-01-06,ann,bo,0-1,bo", 0.0),
    "time,winner,loser,score": ("2024-01-06,ann,bo,3-1", 1.0),
    "time,Date,White,Black,Result": ("18:00,2024-01-06,ann,bo,1-0", 1.0),
    "date/time,White,Black,Result": ("2024-01-06,ann,bo,0-1", 0.0),
    "started,White,Black,Result": ("2024-01-06,ann,bo,0-1", 0.0),
    "timestamp,White,Black,Result": ("2024-01-06,ann,bo,0-1", 0.0),
    "Player,Opponent,Result,Date": ("ann,bo,L,2024-01-06", 0.0),
    "Date,HomeTeam,AwayTeam,FTR": ("2024-01-06,ann,bo,A", 0.0),
    "team1,team2,winner,date": ("ann,bo,bo,2024-01-06", 0.0),
    "date,model_a,model_b,winner": ("2024-01-06,ann,bo,model_b", 0.0),
    "Datum,Weiß,Schwarz,Ergebnis": ("2024-01-06,ann,bo,1-0", 1.0),
    "Datum;Heim;Gast;Tore Heim;Tore Gast": ("2024-01-06;ann;bo;1;2", 0.0),
    "Fecha,Blancas,Negras,Resultado": ("2024-01-06,ann,bo,0-1", 0.0),
    "Data,Bianco,Nero,Risultato": ("2024-01-06,ann,bo,1/2", 0.5),
    "Date,Blancs,Noirs,Résultat": ("2024-01-06,ann,bo,1-0", 1.0),
    "Datum,Bílý,Černý,Výsledek": ("2024-01-06,ann,bo,1-0", 1.0),
    "Datum,Wit,Zwart,Uitslag": ("2024-01-06,ann,bo,1-0", 1.0),
    "Date / Datum,White / Weiß,Black / Schwarz,Result / Ergebnis": ("2024-01-06,ann,bo,1-0", 1.0),
    "played,a,black,score": ("2024-01-06,ann,bo,1-0", 1.0),
}  # fmt: skip
"""Headers of files as they come, with a row and the score of ann."""


@pytest.mark.parametrize("header", READ)
def test_a_table_is_read_by_its_headings_and_by_the_mapping_that_the_hint_names(tmp_path: Path, header: str) -> None:
    """The hint left out the points, and the next error was worse than the first."""
    row, score = READ[header]
    file = tmp_path / "games.csv"
    file.write_text(f"{header}\n{row}\n")
    sheet = sheet_of_results(file, FieldMap())
    (game,) = read_results(file, pool="p", fields=by_headings(sheet, FieldMap()))
    assert isinstance(game, Made), game
    assert (game.event.a, game.event.b, game.event.score, game.event.played) == (
        "ann",
        "bo",
        score,
        instant("2024-01-06"),
    )
    with pytest.raises(ColumnNotFound) as caught:
        read_results(file, pool="p")
    assert hint(caught.value).startswith("if these are the columns: --map ")
    (option,) = shlex.split(hint(caught.value).partition("--map ")[2])
    (again,) = read_results(file, pool="p", fields=FieldMap.parse(option))
    assert isinstance(again, Made)
    assert (again.event.a, again.event.score) == ("ann", score)


def test_a_session_is_read_by_its_points_or_ranks() -> None:
    columns = ["session", "played", "player"]
    assert readings([*columns, "points"], {}) == [{"score": "points"}]
    assert readings([*columns, "Platz"], {}) == [{"place": "Platz"}]
    assert readings(["contest", "date", "handle", "rank"], {}) == [
        {"session": "contest", "player": "handle", "played": "date", "place": "rank"}
    ]
    assert len(readings([*columns, "points", "rank"], {})) == 2


@pytest.mark.parametrize(
    "header",
    [
        "Date,Tag,White,Black,Result", "date,white,black", "white,black,result",
        "date,player1,player2,player3,score1,score2,score3", "date,team_a,team_b,team_c,winner",
        "Date,Winner/tie,Loser/tie", "date,home,away,white,black,result",
    ],
)  # fmt: skip
def test_headings_that_may_mean_several_things_or_not_all_are_not_read(tmp_path: Path, header: str) -> None:
    file = tmp_path / "games.csv"
    file.write_text(f"{header}\n")
    assert by_headings(sheet_of_results(file, FieldMap()), FieldMap()) == FieldMap()
    with pytest.raises(ColumnNotFound) as caught:
        read_results(file, pool="p")
    assert "if these are the columns" not in caught.value.hint


def test_the_hint_names_all_mappings_of_a_table_that_can_be_read_in_two_ways(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("Date,Tag,White,Black,Result\n")
    with pytest.raises(ColumnNotFound) as caught:
        read_results(file, pool="p")
    assert hint(caught.value) == (
        "if one of these is meant: --map a=White,b=Black,score=Result,played=Date or "
        "--map a=White,b=Black,score=Result,played=Tag"
    )


def test_what_is_mapped_is_not_guessed_again_and_a_column_that_is_missing_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("Datum,Weiß,Schwarz,Ergebnis\n")
    sheet = sheet_of_results(file, FieldMap())
    swapped = by_headings(sheet, FieldMap.parse("b=Weiß,a=Schwarz"))
    assert map_option({name: one.column for name, one in swapped.fields.items() if isinstance(one, FromColumn)}) == (
        "--map a=Schwarz,b=Weiß,score=Ergebnis,played=Datum"
    )
    for given in (FieldMap.parse("a=Spieler"), FieldMap.parse("score=")):
        assert by_headings(sheet, given) == given
    assert "event" in by_headings(sheet_of_results(write(tmp_path), FieldMap()), FieldMap()).fields
    assert (
        "event"
        not in by_headings(sheet_of_results(write(tmp_path), FieldMap()), FieldMap(), lambda: ["Turnier"]).fields
    )


def write(folder: Path) -> Path:
    file = folder / "events.csv"
    file.write_text("Datum,Weiß,Schwarz,Ergebnis,Turnier\n")
    return file


@pytest.mark.parametrize(
    ("header", "lacking", "option"),
    [
        ("when,winner,loser,score", "for when games were played", "a=winner,b=loser,score=winner,played=..."),
        ("when,player,opponent,result", "for when games were played", "score=result,a=player,b=opponent,played=..."),
        ("date,white,foo,result", "'b' for b", "a=white,score=result,played=date,b=..."),
        ("a,b,score,when", "for when games were played", "played=..."),
        ("x,y,z", "'a' for a", "a=...,b=...,score=...,played=..."),
    ],
)
def test_a_hint_names_no_column_that_the_file_does_not_have(
    tmp_path: Path, header: str, lacking: str, option: str
) -> None:
    """The hint said `--map a=white,b=black`, of a file without either."""
    file = tmp_path / "games.csv"
    file.write_text(f"{header}\n")
    with pytest.raises(ColumnNotFound) as caught:
        read_results(file, pool="p")
    assert f"has no column {lacking}: it has {header.replace(',', ', ')}" in str(caught.value)
    words = hint(caught.value).partition("--map ")[2].partition(";")[0]
    assert dict(pair.split("=") for pair in words.split(",")) == dict(pair.split("=") for pair in option.split(","))


def test_players_beside_their_teams_are_not_left_out_without_a_question() -> None:
    """The teams were rated, a result a board."""
    found = readings(["Datum", "Heim", "Spieler_Heim", "Gast", "Spieler_Gast", "Ergebnis"], {})
    assert [(one["a"], one["b"]) for one in found] == [("Heim", "Gast"), ("Spieler_Heim", "Spieler_Gast")]


def test_sets_and_points_of_both_sides_are_two_ways_to_read_the_score() -> None:
    """The points were taken, and who won by sets lost."""
    found = readings(["Date", "Player 1", "Player 2", "Sets 1", "Sets 2", "Points 1", "Points 2"], {})
    assert [one["points_a"] for one in found] == ["Sets 1", "Points 1"]


@pytest.mark.parametrize("sides", [("player1", "player2"), ("Player 1", "Player 2"), ("Spieler1", "Spieler2")])
def test_two_players_beside_a_session_may_be_partners(sides: tuple[str, str]) -> None:
    """Partners of a bridge evening were read as opponents, since its days were in a column `date`."""
    games, sessions = readings(["session", "date", *sides, "score"], {})
    assert (games["a"], games["b"], "session" in games) == (*sides, False)
    assert sessions["session"] == "session"
    assert {sessions.get("player1", "player1"), sessions.get("player2", "player2")} == {*sides}


def test_a_session_of_named_sides_is_a_fact_of_games() -> None:
    for sides in (("white", "black"), ("team 1", "team 2")):
        (one,) = readings(["session", "date", *sides, "score"], {})
        assert (one["a"], one["b"]) == sides


@pytest.mark.parametrize("heading", ["W/L", "Outcome", "W/D/L", "S/U/N", "Win/Loss", "Ausgang"])
def test_a_column_of_wins_and_losses_is_one_of_scores(heading: str) -> None:
    """It had another name, and was left out beside a column `score` that said otherwise."""
    assert readings(["date", "player", "opponent", heading], {}) == [
        {"a": "player", "b": "opponent", "score": heading, "played": "date"}
    ]


def test_a_table_of_opponents_with_a_club_night_is_one_of_games(tmp_path: Path) -> None:
    """The column `session` made it a table of sessions, in which all who met that night played each other."""
    file = tmp_path / "night.csv"
    file.write_text("played,player,opponent,score,session\n2024-03-02,ann,bo,1,night\n2024-03-02,cy,di,0,night\n")
    mapping = by_headings(sheet_of_results(file, FieldMap()), FieldMap())
    found = [row for row in read_results(file, pool="club", fields=mapping) if isinstance(row, Made)]
    assert [(row.event.kind, row.event.a, row.event.b, row.event.score) for row in found] == [
        ("game", "ann", "bo", 1.0), ("game", "cy", "di", 0.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "heads", ["Score,Opponent Score", "score,opponent_score", "GF,GA", "Points For,Points Against", "Tore,Gegentore"]
)
def test_points_of_the_opponent_are_read_beside_those_of_the_player(tmp_path: Path, heads: str) -> None:
    """A 1-1 counted as a win, since the player's own points alone were read as the score."""
    own, other = heads.split(",")
    assert readings(["date", "player", "opponent", own, other], {}) == [
        {"a": "player", "b": "opponent", "played": "date", "points_a": own, "points_b": other}
    ]
    assert "points_a" not in readings(["date", "player", "opponent", "Score"], {})[0]


@pytest.mark.parametrize(("scores", "ways"), [(("5-3", "2-7"), 2), (("1-0", "0-1"), 2), (("H", "A"), 1), (("1-1",), 1)])
def test_scores_beside_sides_in_reverse_order_are_not_read_by_themselves(
    tmp_path: Path, scores: tuple[str, ...], ways: int
) -> None:
    """American tables have the guest first, also in the score; every result was the other way round."""
    file = tmp_path / "games.csv"
    file.write_text("date,away,home,score\n" + "".join(f"2024-03-02,bo,ann,{score}\n" for score in scores))
    sheet = sheet_of_results(file, FieldMap())
    assert ("a" in by_headings(sheet, FieldMap()).fields) == (ways == 1)
    with pytest.raises(ColumnNotFound) as caught:
        read_results(file, pool="p")
    offered_ways = [one[:13] for one in shlex.split(hint(caught.value)) if one.startswith("a=")]
    assert offered_ways == ["a=home,b=away", "a=away,b=home"][:ways]


def test_goals_at_home_are_not_those_of_a_team_that_may_be_away() -> None:
    """Home goals counted as the team's own, in away games too; `H/A` named the first side."""
    columns = ["Date", "Team", "Opponent", "H/A", "Home Goals", "Away Goals"]
    assert readings(columns, {}) == []
    (found,) = readings([*columns, "Result"], {})
    assert found == {"a": "Team", "b": "Opponent", "score": "Result", "played": "Date"}
    assert readings(["Date", "Opponent", "H/A", "Score"], {}) == []
    (french,) = readings(["Date", "Equipe", "Adversaire", "Résultat"], {})
    assert (french["a"], french["b"]) == ("Equipe", "Adversaire")
    (player,) = readings(["Date", "Joueur", "Equipe", "Adversaire", "Résultat"], {})
    assert player["a"] == "Joueur"


@pytest.mark.parametrize("results", ["1-0,0-1", "1,0", "W,L", "Win,Loss"])
def test_a_result_of_one_side_may_be_of_the_first_column(tmp_path: Path, results: str) -> None:
    """Below Black and White, a W was a win of White without a word, though Black comes first."""
    one, other = results.split(",")
    path = tmp_path / "games.csv"
    path.write_text(f"Date,Black,White,Result\n2024-03-02,ann,bo,{one}\n2024-03-03,bo,ann,{other}\n")
    sheet = sheet_of_results(path, FieldMap())
    assert by_headings(sheet, FieldMap()).fields == {}
    for heading, text in (("Winner", "W"), ("Result", "B")):
        path.write_text(f"Date,Black,White,{heading}\n2024-03-02,ann,bo,{text}\n2024-03-03,bo,ann,W\n")
        sheet = sheet_of_results(path, FieldMap())
        assert by_headings(sheet, FieldMap()).fields["a"] == FromColumn("White")
    path.write_text(f"Date,Black,White,Result\n2024-03-02,ann,bo,{one}\n2024-03-03,bo,ann,{other}\n")
    with pytest.raises(ColumnNotFound) as unread:
        list(read_results(path, pool="p"))
    assert [(one["a"], one["b"]) for one in unread.value.readings] == [("White", "Black"), ("Black", "White")]


def test_points_of_the_winner_may_be_abbreviated() -> None:
    """WPts and LPts were not used, so a winner with fewer points won."""
    (found,) = readings(["Date", "Winner", "WPts", "Loser", "LPts"], {})
    assert (found["points_a"], found["points_b"]) == ("WPts", "LPts")

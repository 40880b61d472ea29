"""What the desk says of rows and files that it refuses: in its language, with what mends it, never by a command."""

import re
from html import unescape

import pytest

import ratingcore as rc
from tests.service.asking import Applied, ask
from tests.service.desk import Desk
from tests.service.serving import PATIENCE

HEADER = "played,a,b,score,points_a\n"
ROWS = {
    "31.02.2026,ann,bo,1,": "Tag: 31.02.2026 ist kein Tag des Kalenders",
    "2024-04-03,ann,cy,9-9,": "Ergebnis des ersten Spielers: 9-9 ist weder ein Ergebnis noch eine Zahl von 0 bis 1",
    "2024-04-03,ann,ann,1,": "Ein Spieler kann nicht gegen sich selbst spielen: ann",
    "2024-04-04,ann,cy,1,,7": "6 Zellen, wo die Kopfzeile 5 hat",
    "2024-04-05,,cy,1,": "Erster Spieler:  ist kein Name",
    "2024-04-05,ann,cy,1,x": "Punkte des ersten Spielers: x ist keine Zahl",
    "1200-04-05,ann,cy,1,2": "Tag: 05.04.1200 liegt außerhalb der Jahre 1400 bis 2199",
    '2024-04-05,"an\tn",cy,1/2,2': "Erster Spieler: an\tn enthält ein Steuerzeichen",
}
"""Rows, and why the desk refuses them in German."""


@pytest.fixture
def desk(applied: Applied) -> Desk:
    """A signed-in browser that speaks German."""
    return Desk(applied(language="de", seconds=PATIENCE, rate=1000.0, burst=10_000.0))


def cells(page: str) -> list[str]:
    """Why rows are refused, as a page shows it."""
    table = re.search(r"<table><caption>Zeilen.*?</table>", page, re.DOTALL)
    assert table is not None, page
    return [unescape(why) for why in re.findall(r'<td class="n">\d+</td><td class="said">([^<]*)</td>', table[0])]


def test_refused_rows_are_explained_in_the_language_of_the_desk(desk: Desk) -> None:
    """A fixed fault: the reasons of rows were English in every language."""
    page = desk.get(desk.bring("april.csv", HEADER + "\n".join(ROWS), pool="rapid").headers["location"])
    assert cells(page) == list(ROWS.values())


def test_what_was_understood_is_told_by_fields_and_in_the_language_of_the_desk(desk: Desk) -> None:
    """A fixed fault: the desk took the English lines of the report apart."""
    text = (
        "played,a,b,score,event,arbiter\n2024-04-05,ann,bo,1/2,Open,x\n2024-04-06,ann,bye,1,,\n2024-04-06,ann,bo,*,,\n"
    )
    page = desk.get(desk.bring("april.csv", text, pool="rapid").headers["location"])
    assert "Nicht gewertet wird 1 Zeile, Zeile 3: spielfrei" in page
    assert "Nicht gewertet wird 1 Zeile, Zeile 4: noch kein Ergebnis" in page
    assert '<td class="said">ann</td><td class="said">bo</td><td class="n">0,5</td>' in page
    assert "Turnier Open" in page
    for english in ("unrated", "understood", "would be", "columns not used", "drew"):
        assert english not in page


def test_a_row_that_the_log_has_otherwise_is_corrected_by_a_choice(desk: Desk, club: str) -> None:
    text = "played,a,b,score\n2024-04-01,ann,bo,1\n"
    address = desk.bring("a.csv", text, pool="rapid").headers["location"]
    desk.send(f"{address}/accept", desk.get(address))
    with rc.open(club) as engine:
        position = engine.log.head.position
    address = desk.bring("a.csv", text.replace(",1\n", ",0\n"), pool="rapid").headers["location"]
    page = desk.get(address)
    result = "Ergebnis des ersten Spielers: im Protokoll 1, hier 0"
    assert cells(page) == [f"ann - bo: Im Protokoll ist es anders, an Position {position}: {result}"]
    assert '<details id="again" open>' in page
    page = desk.get(desk.send(f"{address}/map", page, amend="yes", pool="rapid").headers["location"])
    assert "Berichtigt: ann" in page
    assert "Ergebnis des ersten Spielers 1 → 0" in page


@pytest.mark.parametrize(
    ("text", "pool", "said", "mending"),
    [
        ("", "rapid", "Die Datei lässt sich nicht lesen: sie ist leer", ""),
        ("played,a,b,score\n2024-04-01,ann,bo,1\n", "", "Keine Gruppe ist angegeben",
         "Wählen Sie die Spalten oder die Gruppe aller Zeilen."),
        ("played,a,b,score\n2024-04-01T19:30,ann,bo,1\n", "rapid", "Die Uhrzeit hat keinen Zeitzonenversatz",
         "Geben Sie die Zeitzone der Uhrzeiten an."),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_why_and_what_mends_it(
    desk: Desk, text: str, pool: str, said: str, mending: str, club: str
) -> None:
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="blitz", played="2024-04-01", a="ann", b="bo", score=1.0))
    page = desk.get(desk.bring("april.csv", text, pool=pool).headers["location"])
    assert said in page
    assert mending in page
    assert "--" not in page.replace("<!--", "")


def test_the_zone_of_a_file_is_given_where_it_was_missed(desk: Desk) -> None:
    """A fixed fault: the form under a file that lacked a zone had no field for it."""
    address = desk.bring("april.csv", "played,a,b,score\n2024-04-01T19:30,ann,bo,1\n", pool="rapid").headers["location"]
    page = desk.get(address)
    desk.send(f"{address}/map", page, pool="rapid", zone="Europa/Prag")
    assert "Zeitzone: Europa/Prag ist keine Zeitzone wie Europe/Paris" in desk.get(address)
    desk.send(f"{address}/map", page, pool="rapid", zone="Europe/Prague")
    assert "01.04.2024 17:30" in desk.get(address)


def test_a_file_without_days_is_given_one_where_it_was_missed(desk: Desk) -> None:
    address = desk.bring("april.csv", "White,Black,Result\nann,bo,1-0\n", pool="rapid").headers["location"]
    page, columns = desk.get(address), {"map.a": "White", "map.b": "Black", "map.score": "Result"}
    desk.send(f"{address}/map", page, pool="rapid", played="2024-04-01", **columns)
    assert "01.04.2024" in desk.get(address)
    own = desk.bring("may.csv", "played,a,b,score\n2024-05-01,ann,bo,1\n", pool="rapid", played="2024-04-01")
    page = desk.get(own.headers["location"])
    assert "sie hat eigene Tage in der Spalte played, sodass kein anderer Tag angegeben werden kann" in page


def test_what_a_format_refuses_is_worded_like_the_rows_of_tables(desk: Desk) -> None:
    """A fixed fault: reasons of TRF, PGN and other formats were English in every language."""
    pgn = '[Event "Open"]\n[Date "2024.04.01"]\n[White "ann"]\n[Black "bo"]\n[Result "2-0"]\n\n2-0\n'
    page = desk.get(desk.bring("open.pgn", pgn, pool="rapid").headers["location"])
    assert cells(page) == ["das Ergebnis ist keines von PGN: 2-0"]
    rows = f"012 Open\n001    1      {'Ann':33} 1500 GER {'':11} {'':10}  1.0    1     9 w 1\n"
    rows += f"001    2      {'Bo':33} 1500 GER {'':11} {'':10}  1.0    2     1 w X\n"
    page = desk.get(desk.bring("open.trf", rows + "042 2024/04/01\n", pool="rapid").headers["location"])
    assert cells(page)[0] == "Runde 1, Spieler 1: kein Spieler der Datei hat die Nummer des Gegners: 9"
    page = desk.get(desk.bring("open.sgf", "no game", pool="rapid").headers["location"])
    assert "Die Datei lässt sich nicht lesen" in page


def test_two_who_have_met_are_not_joined_and_the_desk_says_why(desk: Desk) -> None:
    page = desk.get("/desk/correct/merge")
    answer = desk.send("/desk/correct/merge", page, keep="ann", other="bo", why="eine Person")
    assert answer.status_code == 422
    assert "ann und bo haben in der Gruppe rapid gegeneinander gespielt" in answer.text
    assert "Nehmen Sie es zuerst zurück" in answer.text


def test_the_second_of_two_officers_reads_what_the_first_decided(desk: Desk, club: str) -> None:
    """An amendment is refused with its place, its officer and its reason, and so is one of a result taken back."""
    with rc.open(club) as engine:
        uid = next(event.uid for _, event in engine.events(0) if isinstance(event, rc.GamePlayed))
    form = f"/desk/correct/amend?uid={uid}"
    page = desk.get(form)
    fields = [{"set.score": score, "why": score} for score in ("0.1", "0.2")]
    seen = [desk.send("/desk/correct/amend", page, **given).text for given in fields]
    assert desk.send("/desk/correct/amend", seen[0]).status_code == 303
    second = desk.send("/desk/correct/amend", seen[1])
    with rc.open(club) as engine:
        position = engine.log.head.position
    assert second.status_code == 412
    assert re.search(r"Inzwischen wurde etwas anderes entschieden: [^<]*; Grund: 0.1; von: secretary", second.text)
    assert f'href="/log/{position}"' in second.text
    assert '<td class="n">0,1</td>' in second.text  # as it reads now
    page = desk.get("/desk/correct/void")
    seen = [desk.send("/desk/correct/void", page, uid=uid, why=why).text for why in "xy"]
    assert desk.send("/desk/correct/void", seen[0]).status_code == 303
    second = desk.send("/desk/correct/void", seen[1])
    assert second.status_code == 422
    assert "Es ist schon zurückgenommen (secretary: x)" in second.text
    assert second.text.count(f"Ereignis {position + 1}<") == 1


def test_a_wrong_file_is_taken_back_and_comes_again_with_other_columns(desk: Desk, club: str) -> None:
    """A fixed fault: its rows were refused as recorded with other content, though they counted nowhere."""
    text = "Datum;Weiß;Schwarz;Ergebnis\n2024-05-01;ann;bo;1-0\n2024-05-02;cy;di;1-0\n"
    columns = {"map.a": "Weiß", "map.b": "Schwarz", "map.score": "Ergebnis", "map.played": "Datum", "pool": "rapid"}
    address = ""
    for chosen in ({"map.a": "Schwarz", "map.b": "Weiß"}, {}):
        address = desk.bring("mai.csv", text).headers["location"]
        desk.send(f"{address}/map", desk.get(address), **columns | chosen)
        page = desk.get(address)
        assert "2 Ergebnisse übernehmen" in page
        assert "Zeilen, die nicht eingetragen werden können" not in page
        desk.send(f"{address}/accept", page)
        if chosen:
            with rc.open(club) as engine:
                last = engine.log.head.position
            fields = {"positions": f"{last - 1}-{last}", "why": "Seiten vertauscht"}
            page = desk.send("/desk/correct/void_all", desk.get("/desk/correct/void_all"), **fields).text
            assert '<td class="said">bo</td><td class="said">ann</td><td class="n">1</td>' in page
            assert "counts as never recorded" not in page
            desk.send("/desk/correct/void_all", page)
    with rc.open(club) as engine:
        last = engine.log.head.position
        played = [event for _, event in engine.events(last - 2)]
    assert [(game.a, game.b) for game in played if isinstance(game, rc.GamePlayed)] == [("ann", "bo"), ("cy", "di")]


@pytest.mark.parametrize(
    ("address", "fields", "why"),
    [
        ("/desk/erase", {"player": ""}, "Spieler: fehlt"),
        ("/desk/correct/rename", {"player": "x" * 201, "called": "y"}, "Spieler: zu lang oder von anderer Art"),
        ("/desk/studies/simulate", {"seed": "x"}, "Startwert der Simulation: zu lang oder von anderer Art"),
    ],
)
def test_a_field_that_does_not_fit_is_named_in_the_language_of_the_desk(
    desk: Desk, address: str, fields: dict[str, str], why: str
) -> None:
    """A fixed fault: the desk answered in the words of the decoder, `Expected `str` of length >= 1 - at `$.player``."""
    answer = desk.send(address, desk.get(address), **fields)
    assert answer.status_code == 422
    assert why in unescape(answer.text)
    assert "Expected" not in answer.text


def test_an_unknown_field_of_an_address_is_named_in_the_language(desk: Desk) -> None:
    answer = ask(desk.app, "GET", "/rapid/?colour=red", desk.headers)
    assert answer.status_code == 422
    assert "Diese Seite hat kein Feld colour</p>" in answer.text
    assert "not a field" not in answer.text

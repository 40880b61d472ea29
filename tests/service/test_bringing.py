"""A file as clubs have them is brought to the desk: it is read as its headings say, and buttons mend what is wrong."""

import io
import re
from datetime import date

from openpyxl import Workbook  # type: ignore[import-untyped]  # no types
from ratingcore_service.front import Front

import ratingcore as rc
from ratingcore.plugin.analysis import as_read, iso
from tests.service.asking import Bearer, ask
from tests.service.desk import Desk

MESSY = """Chess friends, rapid 2024;;;;
;;;;
Rd.;Datum;Weiß;Schwarz;Erg.
1;5.4.2024;ann;bo;1:0
1;5.4.2024;cy;di;½:½
2;12.4.2024;ann;spielfrei;1:0
2;13.4.2024;bo;Katharina Muster;0:1
2;13.4.2024;di;Platz 9;1:0
"""


def brought(desk: Desk, text: str, name: str = "april.csv", **fields: str) -> tuple[str, str]:
    """The address of a file that was brought, and its page."""
    address = desk.bring(name, text, pool="rapid", **fields).headers["location"]
    return address, desk.get(address)


def mended(desk: Desk, address: str, page: str, button: str, value: str = "yes") -> str:
    """The page of a file after a button was pressed."""
    forms = re.findall(rf'<form method="post" action="{address}/mend">.*?</form>', page)
    (form,) = (form for form in forms if f">{button}</button>" in form and f'value="{value}"' in form)
    hidden = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    assert desk.send(f"{address}/mend", form, **hidden).status_code == 303
    return desk.get(address)


def test_a_messy_table_below_a_title_is_read_as_its_headings_say(desk: Desk, club: str) -> None:
    """Two clicks: see what it holds, accept it. The columns had to be chosen though their headings are common."""
    address, page = brought(desk, MESSY)
    assert "<dt>Rows</dt><dd>5</dd>" in page
    assert "<dt>Refused</dt><dd>0</dd>" in page
    assert re.findall(r"<option selected>([^<]*)", page) == ["Weiß", "Schwarz", "Erg.", "Datum", "Rd."]
    assert '<th scope="col">Datum</th>' in page
    assert "<td>5.4.2024</td><td>ann</td><td>bo</td><td>1:0</td>" in page
    before = head_of(desk.app)
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        first = next(event for _, event in engine.events(before))
        assert isinstance(first, rc.GamePlayed)
        assert (first.a, first.b, first.score, iso(first.played)) == ("ann", "bo", 1.0, "2024-04-05")
        assert first.data["round"] == 1


def test_the_title_of_a_table_whose_headings_nobody_knows_is_not_its_header(desk: Desk) -> None:
    """The first line was taken for the header, and there was no column to choose."""
    page = brought(desk, MESSY.replace("Weiß", "wer").replace("Schwarz", "gegen wen"))[1]
    assert "Choose the columns of the file" in page
    assert "<option>gegen wen</option>" in page
    assert "<option selected>Erg.</option>" in page
    assert "<td>ann</td><td>bo</td>" in page


def test_a_file_without_days_and_a_list_of_players_are_told_apart(desk: Desk) -> None:
    """Either was only asked for its columns, although it has none for the day, or no games."""
    page = brought(desk, "Runde;Weiß;Schwarz;Ergebnis\n1;ann;bo;1-0\n")[1]
    assert "The file has no column of days: give the day of all results" in page
    assert "If it is a list of players" not in page
    page = brought(desk, "Name;Verein;Geburtsjahr\nann;Nord;1990\n")[1]
    assert "If it is a list of players" in page
    assert "no column of days" not in page
    rows = "2024-03-02;ann;bo;x9\n2024-03-02;cy;bo;y8\n2024-03-02;di;bo;1\n"
    page = brought(desk, f"Datum;Weiß;Schwarz;Ergebnis\n{rows}")[1]
    assert "Correct these cells in the file, or choose another column of results." in page


def test_a_word_for_a_bye_that_only_the_club_knows_becomes_nobody_by_a_button(desk: Desk, club: str) -> None:
    address, page = brought(desk, MESSY)
    assert "2 players are new" in page
    assert "<dt>New results</dt><dd>4</dd>" in page
    page = mended(desk, address, page, "This is not a player", "Platz 9")
    assert "<dt>New results</dt><dd>3</dd>" in page
    assert "1 player is new" in page
    assert 'name="nobody" value="Platz 9"' in page


def test_each_side_on_a_row_of_its_own_is_taken_once_by_a_button(desk: Desk) -> None:
    text = "played,a,b,score\n2024-05-01,ann,bo,1\n2024-05-01,bo,ann,0\n"
    address, page = brought(desk, text)
    assert "Accept 2 results<" in page
    assert "Accept 1 result<" in mended(desk, address, page, "Take each game once")


def test_a_file_that_differs_corrects_what_is_recorded_by_a_button(desk: Desk, club: str) -> None:
    text = "id,played,a,b,score\nx-1,2024-05-01,ann,bo,1\n"
    address, page = brought(desk, text)
    desk.send(f"{address}/accept", page)
    address, page = brought(desk, text.replace(",1\n", ",0\n"))
    assert "Accept" not in page
    page = mended(desk, address, page, "Correct what is recorded")
    assert "<dt>Corrected</dt><dd>1</dd>" in page
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        now = as_read(engine.log, "x-1")
        assert now is not None
        assert now.score == 0.0


def test_names_that_may_be_one_person_or_two_lead_on_after_the_file_is_in(desk: Desk) -> None:
    first, page = brought(desk, MESSY)
    desk.send(f"{first}/accept", page)
    text = "played,a,b,score\n2024-05-01T10:00Z,Katarina Muster,bo,1\n2024-05-01T10:00Z,Katarina Muster,cy,1\n"
    address, page = brought(desk, text, "mai.csv")
    desk.send(f"{address}/accept", page)
    page = desk.get(address)
    merge, split = (re.findall(rf'href="(/desk/correct/{what}[^"]*)"', page)[0] for what in ("merge", "split"))
    assert 'value="Katharina Muster"' in desk.get(merge.replace("&amp;", "&"))
    assert 'value="Katarina Muster"' in desk.get(split.replace("&amp;", "&"))


def test_days_written_in_several_ways_are_read_or_lead_on(desk: Desk) -> None:
    """No format read 3.2.24 beside 03.02.2024, and nothing at the desk could."""
    rows = "played,a,b,score\n3.2.24,ann,bo,1\n03.02.2024,bo,cy,1\n"
    _, page = brought(desk, rows)
    assert "Accept 2 results<" in page
    _, page = brought(desk, rows + "2024-2-9,ann,cy,1\n4/2/2024,ann,dee,1\n", "more.csv")
    assert "Accept 4 results<" in page
    address, page = brought(desk, "played,a,b,score\n3/2/24,ann,bo,1\n03/02/2024,bo,cy,1\n", "doubt.csv")
    assert "Accept 2 results<" in mended(desk, address, page, "31/12/2026", "%d/%m/%Y")


def head_of(app: Front) -> int:
    return app.service.desk.engine.log.head.position


def test_a_row_is_taken_out_by_a_button_and_named_as_left_out(desk: Desk, club: str) -> None:
    text = MESSY.replace("1;5.4.2024;cy", "1;31.4.2024;cy")
    address, page = brought(desk, text)
    assert "Day: 31.4.2024 must be a day of the calendar" in page
    assert "Choose how the file writes days." not in page
    line = "5"
    page = mended(desk, address, page, "Take this row out", line)
    assert "<dt>Refused</dt><dd>0</dd>" in page
    assert "Not rated is 1 row, line 5: left out by choice" in page
    assert f'name="without" value="{line}"' in page
    before = head_of(desk.app)
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        assert len(list(engine.events(before))) == 3


def test_a_misspelt_name_is_read_as_the_one_that_is_meant(desk: Desk, club: str) -> None:
    first, page = brought(desk, MESSY)
    desk.send(f"{first}/accept", page)
    text = "Datum;Weiß;Schwarz;Erg.\n1.5.2024;Katarina Muster;bo;1-0\n"
    address, page = brought(desk, text, "mai.csv")
    page = mended(desk, address, page, "Katarina Muster is Katharina Muster", "Katarina Muster=Katharina Muster")
    assert "spelt much like" not in page
    before = head_of(desk.app)
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        (played,) = (event for _, event in engine.events(before))
        assert isinstance(played, rc.GamePlayed)
        assert played.a == "Katharina Muster"


def test_a_file_that_was_read_slowly_is_mapped_by_its_headings_when_it_is_looked_at(desk: Desk, bearer: Bearer) -> None:
    """A fixed fault: where reading took longer than the answer, its columns had to be chosen on the page."""
    url = "/api/v1/uploads?pool=rapid&name=april.csv"
    made = ask(desk.app, "POST", url, bearer(), content=MESSY.encode()).json()  # which maps nothing by itself
    assert made["state"] == "unmapped"
    address = f"/desk/files/{made['id']}"
    assert ask(desk.app, "GET", address, desk.headers).status_code == 303
    assert "<dt>Rows</dt><dd>5</dd>" in desk.get(address)


def test_a_table_of_thousands_of_columns_is_shown_by_its_first_ones(desk: Desk) -> None:
    """Each field had all headings to choose from: the page of 20,000 columns and five rows had many megabytes."""
    extra = [f"column {n}" for n in range(3_000)]
    rows = [f"2024-04-0{day},ann,bo,1-0,{','.join(['7'] * 3_000)}" for day in (1, 2)]
    page = brought(desk, "\n".join([f"played,one,other,score,{','.join(extra)}", *rows]) + "\n")[1]
    assert "Choose the columns of the file" in page
    assert page.count("<th ") == 52
    assert '<th scope="col">... (3004)</th>' in page
    assert len(page) < 20_000
    assert '<input name="map.a" value="" autocomplete="off">' in page
    page = brought(desk, "\n".join([f"played,a,b,score,{','.join(extra)}", *rows]) + "\n", "may.csv")[1]
    assert "column 49, ... (3000)" in page
    assert "column 50" not in page
    assert len(page) < 30_000


def test_answers_about_a_file_stay_when_it_is_mapped_or_brought_again(desk: Desk, club: str) -> None:
    """A fixed fault: what was decided about names and rows was asked again for the next file of that name."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="Katharina Muster", b="bo", score=1.0))
    text = MESSY.replace("Katharina", "Katarina") + "2;31.4.2024;ann;bo;1:0\n"
    address, page = brought(desk, text)
    page = mended(desk, address, page, "This is not a player", "Platz 9")
    page = mended(desk, address, page, "Katarina Muster is Katharina Muster", "Katarina Muster=Katharina Muster")
    page = mended(desk, address, page, "Take this row out", "9")
    answers = ("Platz 9 is nobody", "Katarina Muster is Katharina Muster", "Line 9 is left out")
    assert [one for one in answers if f'<td class="said">{one}</td>' not in page] == []
    columns = {"map.a": "Weiß", "map.b": "Schwarz", "map.score": "Erg.", "map.played": "Datum", "pool": "rapid"}
    typed = dict(re.findall(r'<input name="(nobody|without)" value="([^"]*)"', page))
    assert desk.send(f"{address}/map", page, **columns, **typed).status_code == 303
    for again in (desk.get(address), brought(desk, text)[1]):
        assert [one for one in answers if f'<td class="said">{one}</td>' not in again] == []
        assert "<dt>Refused</dt><dd>0</dd>" in again
    longer = brought(desk, text.replace(";;;;\n", "", 1))[1]  # other lines
    assert [one in longer for one in answers] == [True, True, False]
    assert "<dt>Refused</dt><dd>1</dd>" in longer
    assert answers[0] not in brought(desk, text, "mai.csv")[1]


def test_an_answer_about_a_file_is_taken_back_by_a_button(desk: Desk, club: str) -> None:
    """A fixed dead end: a name that was wrongly read as another one had to be typed away, if the field was found."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="Katharina Muster", b="bo", score=1.0))
    address, page = brought(desk, MESSY.replace("Katharina", "Katarina"))
    one = "Katarina Muster=Katharina Muster"
    page = mended(desk, address, page, "Katarina Muster is Katharina Muster", one)
    page = mended(desk, address, page, "This is not a player", "Platz 9")
    assert "spelt much like" not in page
    page = mended(desk, address, page, "Take this answer back", one)
    assert "spelt much like" in page
    assert "<dt>New results</dt><dd>3</dd>" in page
    page = mended(desk, address, page, "Take this answer back", "Platz 9")
    assert "Your answers" not in page
    assert "<dt>New results</dt><dd>4</dd>" in page
    assert "Your answers" not in brought(desk, MESSY)[1]


def test_an_erasure_forgets_answers_about_names(app: Front, desk: Desk) -> None:
    address, page = brought(desk, MESSY)
    mended(desk, address, page, "This is not a player", "Platz 9")
    assert "Platz 9 is nobody" in brought(desk, MESSY)[1]
    ask(app, "POST", "/desk/erase", desk.headers, data={**_form(desk), "player": "di", "again": "di"})
    assert "Platz 9 is nobody" not in brought(desk, MESSY)[1]


def _form(desk: Desk) -> dict[str, str]:
    return dict(re.findall(r'name="(form)" value="([^"]*)"', desk.get("/desk/erase")))


def test_ratings_that_would_change_are_above_the_rows_of_a_long_file(desk: Desk) -> None:
    """A fixed fault: below 200 rows nobody saw them, and points of both sides were headed points_a."""
    _, page = brought(desk, "played,a,b,score\n2024-05-01,ann,bo,3-1\n2024-05-02,cy,di,2-2\n")
    assert 0 < page.index("Ratings that would change in") < page.index("<caption>What it found")
    assert "Points of the first player 3" in page
    assert "points_a " not in page


def test_headings_below_a_title_are_found_by_their_line(desk: Desk, club: str) -> None:
    """A fixed dead end: none of them was known, the title was taken for them, and no column could be chosen."""
    book, content = Workbook(), io.BytesIO()
    assert book.active is not None
    heads = ["Spieltag", "Anstoß", "Heim", "Gast", "Tore Heim", "Tore Gast", "Bemerkung"]
    for row in (["Liga 2025"], [], heads, [1, "5.4.2025", "ann", "bo", 2, 1], [1, "5.4.2025", "cy", "di", 0, 0]):
        book.active.append(row)
    book.save(content)
    address = desk.bring("liga.xlsx", content.getvalue(), pool="rapid").headers["location"]
    page = desk.get(address)
    assert '<td class="n">3</td><td>Spieltag</td>' in page
    assert desk.send(f"{address}/map", page, headings="3", pool="rapid").status_code == 303
    page = desk.get(address)
    assert "<option>Heim</option>" in page
    assert 'name="headings" type="number" min="1" max="9999" value="3"' in page
    columns = {"a": "Heim", "b": "Gast", "points_a": "Tore Heim", "points_b": "Tore Gast", "played": "Anstoß"}
    chosen = {f"map.{name}": column for name, column in columns.items()}
    desk.send(f"{address}/map", page, headings="3", pool="rapid", **chosen)
    before, page = head_of(desk.app), desk.get(address)
    assert "Accept 2 results<" in page
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        assert [getattr(event, "score", None) for _, event in engine.events(before)] == [1.0, 0.5]


def test_a_sheet_of_a_spreadsheet_is_asked_for_and_none_is_left_out_silently(desk: Desk) -> None:
    """Fixed faults: of two sheets with results each had to be a file, and one alone was read without a word."""
    book, content = Workbook(), io.BytesIO()
    assert book.active is not None
    book.active.title = "April"
    for sheet, day in ((book.active, "2024-04-05"), (book.create_sheet("May"), "2024-05-03")):
        sheet.append(["played", "a", "b", "score"])
        sheet.append([day, "ann", "bo", 1])
    book.save(content)
    address = desk.bring("two.xlsx", content.getvalue(), pool="rapid").headers["location"]
    page = desk.get(address)
    assert "2 of its sheets have the columns: April, May" in page
    assert re.findall(r'name="sheet" value="(\w+)"', page) == ["April", "May"]
    desk.send(f"{address}/mend", page, sheet="May")
    assert "2024-05-03" in desk.get(address)
    book["April"].delete_rows(1)
    book.save(content)
    page = desk.get(desk.bring("one.xlsx", content.getvalue(), pool="rapid").headers["location"])
    assert "Only the sheet May is read, and not: April" in page
    assert "Read the sheet April</button>" in page


def test_cells_that_put_a_column_in_doubt_are_shown_and_their_rows_are_taken_out_by_a_button(desk: Desk) -> None:
    """Fixed dead ends: they were only counted, and rows that were taken out still put the others in doubt."""
    scores = ("1", "0", "abc", "1", "3-x", "zz", "abc")
    rows = "".join(f"2024-05-0{day},ann,bo,{score}\n" for day, score in enumerate(scores, 1))
    address, page = brought(desk, f"played,a,b,score\n{rows}")
    assert "4 of its scores cannot be read" in page
    for line, score in ((4, "abc"), (6, "3-x"), (7, "zz"), (8, "abc")):
        assert f'<td class="n">{line}</td><td class="said">{score}</td>' in page
    (lines,) = re.findall(r'name="without" value="([0-9,]+)"><button class="plain">Take these rows out<', page)
    desk.send(f"{address}/mend", page, without=lines)
    assert "Accept 3 results<" in desk.get(address)


def test_days_of_a_spreadsheet_are_filled_down(desk: Desk) -> None:
    """A fixed crash: the note on the filled days held a day of a spreadsheet's own type."""
    book, content = Workbook(), io.BytesIO()
    assert book.active is not None
    heads = ["Datum", "Weiß", "Schwarz", "Ergebnis"]
    book.active.append(heads)
    for day in (date(2024, 4, 5), date(2024, 4, 12)):
        book.active.append([day, "ann", "bo", "1-0"])
        book.active.append([None, "cy", "di", "1-0"])
    book.save(content)
    page = desk.get(desk.bring("april.xlsx", content.getvalue(), pool="rapid").headers["location"])
    assert "Accept 4 results<" in page
    assert "2024-04-05" in page


def test_a_column_of_times_is_chosen_beside_the_days(desk: Desk, club: str) -> None:
    """A fixed fault: only the command line had a field for it."""
    address, page = brought(desk, "Datum;Wann;Weiß;Schwarz;Erg.\n5.4.2024;19:30;ann;bo;1:0\n", zone="Europe/Prague")
    columns = {"a": "Weiß", "b": "Schwarz", "score": "Erg.", "played": "Datum", "time": "Wann"}
    given = {f"map.{name}": column for name, column in columns.items()}
    desk.send(f"{address}/map", page, pool="rapid", zone="Europe/Prague", **given)
    assert "<option selected>Wann</option>" in desk.get(address)
    desk.send(f"{address}/accept", desk.get(address))
    with rc.open(club) as engine:
        ((_, event),) = engine.events(engine.log.head.position - 1)
        assert iso(event.played) == "2024-04-05T17:30:00Z"  # type: ignore[union-attr]  # it is a result


def test_points_of_both_players_with_a_decimal_comma_are_chosen_and_read(desk: Desk, club: str) -> None:
    """Their columns were not offered unless the headings were known, and 0,5 was not a number."""
    text = "Datum;Wer;Gegen;Pkt. Weiss;Pkt. Schwarz\n5.4.2024;ann;bo;1;0\n6.4.2024;cy;di;0,5;0,5\n"
    address, page = brought(desk, text)
    columns = {"a": "Wer", "b": "Gegen", "points_a": "Pkt. Weiss", "points_b": "Pkt. Schwarz", "played": "Datum"}
    assert all(f'name="map.{name}"' in page for name in columns)
    desk.send(f"{address}/map", page, pool="rapid", **{f"map.{name}": column for name, column in columns.items()})
    before, page = head_of(desk.app), desk.get(address)
    assert "Accept 2 results<" in page
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        assert [getattr(event, "score", None) for _, event in engine.events(before)] == [1.0, 0.5]

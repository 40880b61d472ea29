"""What an officer types at the desk: results and days as the country writes them, and what may be a slip."""

import re
from html import unescape

import pytest
from ratingcore_service.front import Front

import ratingcore as rc
from tests.service.asking import Applied, ask
from tests.service.desk import Desk, head
from tests.service.serving import PATIENCE

AMEND, RESULT = "/desk/correct/amend", "/desk/result"


@pytest.fixture
def app(applied: Applied) -> Front:
    """A desk in German."""
    return applied(language="de", seconds=PATIENCE, rate=1000.0, burst=10_000.0)


@pytest.fixture
def desk(app: Front) -> Desk:
    """A signed-in browser."""
    return Desk(app)


def recorded(app: Front) -> int:
    """The position of a game in which each side took some of the point."""
    app.service.desk.engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=0.25))
    return head(app)


def test_a_result_is_corrected_as_one_writes_it(app: Front, desk: Desk) -> None:
    """A fixed bug: the form took 0.5 only, while a file has any of these."""
    page = desk.get(f"{AMEND}?uid={recorded(app)}")
    results = dict.fromkeys(("½", "1/2", "½-½", "remis", "0,5"), 0.5) | {"1:0": 1.0, "1-0": 1.0, "0 : 1": 0.0}
    for typed, score in results.items():
        seen = desk.send(AMEND, page, why="Zettel", **{"set.score": typed})
        assert f"Ergebnis des ersten Spielers 0,25 → {f'{score:g}'.replace('.', ',')}<" in seen.text, typed


def test_a_day_is_corrected_as_one_writes_it_and_shown_as_a_day(app: Front, desk: Desk) -> None:
    """A fixed bug: a German day was answered by a regular expression, and the preview had microseconds."""
    page = desk.get(f"{AMEND}?uid={recorded(app)}")
    for typed in ("1.6.2024", "01.06.24", "2024-06-01"):
        seen = desk.send(AMEND, page, why="Zettel", **{"set.played": typed})
        assert "Tag 02.03.2024 → 01.06.2024" in seen.text, seen.text
    for typed in ("5/6/2024", "31.2.2024", "gestern", "2024-13-01", "3024-01-01"):
        refused = desk.send(AMEND, page, why="Zettel", **{"set.played": typed})
        assert refused.status_code == 422, typed
        assert "regex" not in refused.text


def test_a_result_corrected_to_a_forfeit_is_taken_back(app: Front, desk: Desk) -> None:
    """A fixed dead end: a forfeit was refused with the advice to go elsewhere; other words still are."""
    position = recorded(app)
    page = desk.get(f"{AMEND}?uid={position}")
    for typed, words in (("kampflos", "kein Ergebnis, das gewertet wird: kampflos"), ("x", "Ergebnis")):
        refused = desk.send(AMEND, page, why="Zettel", **{"set.score": typed})
        assert (refused.status_code, words in refused.text) == (422, True), refused.text
    seen = desk.send(AMEND, page, why="Gegner krank", **{"set.score": "-/+"})
    assert "<h1>Ein Ergebnis zurücknehmen</h1>" in seen.text
    assert desk.send("/desk/correct/void", seen.text).status_code == 303
    assert "zählt als nie eingetragen; Grund: kampflos: Gegner krank" in desk.get(f"/log/{position}")


def test_a_new_name_a_new_pool_and_a_coming_day_are_told_before_they_are_recorded(app: Front, desk: Desk) -> None:
    engine = app.service.desk.engine
    engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="Katharina Muster", b="bo", score=1.0))
    page = desk.get(f"{AMEND}?uid={recorded(app)}")
    changed = {"set.a": "Katarina Muster", "set.pool": "blitz", "set.played": "2024-03-03"}
    seen = unescape(desk.send(AMEND, page, why="Zettel", **changed).text)
    assert "Katarina Muster ist neu: Kein früheres Ereignis hat diesen Namen." in seen
    assert "Katarina Muster ist neu und fast so geschrieben wie Katharina Muster." in seen
    assert "blitz ist eine neue Gruppe" in seen
    seen = desk.send(AMEND, page, why="Zettel", **{"set.played": "1.6.2199"}).text
    assert "Stimmt der Tag: 01.06.2199?" in seen
    seen = desk.send(AMEND, page, why="Zettel", **{"set.a": "cy"}).text
    assert "ist neu" not in seen


def test_what_counts_already_is_said_with_its_players_and_a_link(app: Front, desk: Desk) -> None:
    """The desk answered in English with a raw uid, that nothing which stands speaks against it."""
    position = recorded(app)
    refused = desk.send("/desk/correct/revive", desk.get("/desk/correct/revive"), uid=str(position), why="x")
    assert refused.status_code == 422
    assert re.search(r"Es zählt schon, denn niemand hat es zurückgenommen: [^<]*ann[^<]*bo", refused.text)
    assert f'href="/log/{position}"' in refused.text
    for what, fields, words in (
        ("void_all", {"positions": "5-2000"}, f"Uid 5-2000: Seine letzte Nummer ist {position}"),
        ("void", {"uid": "1"}, "Das lässt sich hier nicht zurücknehmen: Es ist die Regel einer Gruppe"),
    ):
        refused = desk.send(f"/desk/correct/{what}", desk.get(f"/desk/correct/{what}"), why="x", **fields)
        assert (refused.status_code, words in refused.text) == (422, True), refused.text
    assert 'href="/desk/correct/undeclare?uid=1">Diese Regel zurücknehmen' in refused.text
    assert 'href="/log/1"' in refused.text


@pytest.mark.parametrize("sheet", ["", "?sheet=true"])
def test_a_forfeit_is_answered_and_day_and_tournament_stay(app: Front, desk: Desk, sheet: str) -> None:
    """A fixed gap: only a score sheet had the buttons, and after one with forfeits alone it was a dead end."""
    before, page = head(app), desk.get(f"{RESULT}{sheet}")
    assert "> +/- kampflos</label>" in page
    typed = {"a.0": "ann", "score.0": "+/-", "b.0": "bo"}
    seen = desk.send(RESULT, page, pool="rapid", played="2024-07-02", event="Liga", **typed).text
    assert f"Nicht gewertet, also wurde nichts eingetragen: {'Zeile 1' if sheet else 'ann - bo'} (kampflos)" in seen
    assert (head(app), ' list="players" value="ann"' in seen, " checked" in seen) == (before, False, False)
    assert 'name="played" type="date" required value="2024-07-02"' in seen
    assert 'value="Liga"' in seen


def test_who_is_signed_in_may_ask_by_any_method(applied: Applied) -> None:
    """A fixed bug: the page refused an officer, and said that a token would do, which she had signed in with."""
    app = applied(offered="declared", seconds=PATIENCE, rate=1000.0, burst=10_000.0)
    desk = Desk(app)
    url = "/rapid/?method=glicko"
    assert ask(app, "GET", url).status_code == 403
    answer = ask(app, "GET", url, desk.headers)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "private, no-cache")


def test_a_day_that_is_left_out_is_asked_for_in_the_words_of_the_form(app: Front, desk: Desk) -> None:
    """A fixed bug: the desk answered `played: Expected str, got null`."""
    refused = desk.send(AMEND, desk.get(f"{AMEND}?uid={recorded(app)}"), why="Zettel", **{"set.played": ""})
    assert refused.status_code == 422
    assert "Zu einem Ergebnis gehört der Tag, an dem gespielt wurde" in refused.text


def test_games_of_a_score_sheet_that_are_known_are_recorded_as_other_ones(app: Front, desk: Desk) -> None:
    """A fixed bug: a second game of a day had no button on a score sheet."""
    sheet = {"sheet": "yes", "pool": "rapid", "played": "2024-07-01"}
    rows = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "a.1": "cy", "score.1": "0-1", "b.1": "di"}
    first = desk.send(RESULT, desk.get(f"{RESULT}?sheet=true"), **sheet, **rows)
    assert desk.send(RESULT, first.text).status_code == 303
    before = head(app)
    rows |= {"a.1": "ann", "b.1": "di"}
    again = desk.send(RESULT, desk.get(f"{RESULT}?sheet=true"), **sheet, **rows)
    button = "Die bekannten Partien sind andere: auch sie eintragen"
    assert button in again.text
    page = again.text[again.text.rindex("<form", 0, again.text.index(button)) :]  # the form with that button
    both = desk.send(RESULT, page)
    assert desk.send(RESULT, both.text).status_code == 303
    assert head(app) == before + 2


def test_an_unfinished_row_of_a_score_sheet_is_named(app: Front) -> None:
    """A fixed fault: of ten rows, the one without its second player had to be looked for."""
    desk = Desk(app)
    typed = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "a.2": "cy", "score.2": "1-0"}
    seen = desk.send("/desk/result", desk.get("/desk/result?sheet=true"), pool="rapid", played="2024-05-01", **typed)
    assert (seen.status_code, "Zeile 3: Ein Ergebnis braucht zwei Spieler" in seen.text) == (422, True)


def test_a_postponed_game_stays_on_its_score_sheet(app: Front, desk: Desk) -> None:
    """Fixed faults: a row without a result was refused until its names were deleted; empty rows were not counted."""
    rows = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "a.4": "cy", "score.4": "*", "b.4": "di"}
    page = desk.get(f"{RESULT}?sheet=true")
    assert "> verlegt</label>" in page
    before, seen = head(app), desk.send(RESULT, page, pool="rapid", played="2024-07-02", **rows)
    assert "Nicht gewertet wird 1 Zeile, Zeile 5: noch kein Ergebnis" in seen.text
    assert desk.send(RESULT, seen.text).status_code == 303
    assert head(app) == before + 1


def test_a_day_is_typed_as_the_language_writes_it(desk: Desk) -> None:
    """04.04.2025 was no day such as 02.03.2024, and the advice was about a file."""
    given = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "pool": "rapid", "played": "04.04.2025"}
    seen = desk.send("/desk/result", desk.get("/desk/result"), **given)
    assert 'name="played" value="2025-04-04"' in seen.text
    assert desk.send("/desk/result", seen.text).status_code == 303
    seen = desk.send("/desk/result", desk.get("/desk/result"), **given | {"played": "31.02.2025"})
    assert "ist kein Tag des Kalenders" in seen.text


def test_points_that_name_another_winner_than_the_score_are_noted(app: Front, desk: Desk, club: str) -> None:
    """A correction of the score alone, and a file that amended it, were taken without a word."""
    said = "Die Punkte von 1 Spiel nennen einen anderen Sieger als sein Ergebnis, das zählt."
    points = {"points_a": 0, "points_b": 1}
    with rc.open(club) as engine:
        engine.record(
            rc.GamePlayed(uid="x-1", pool="rapid", played="2024-06-01", a="ann", b="bo", score=0.0, data=points)
        )
    page = desk.get(f"{AMEND}?uid={head(app)}")
    seen = desk.send(AMEND, page, why="Zettel", **{"set.score": "1"})
    assert said in seen.text
    assert said not in desk.send(AMEND, page, why="Zettel", **{"set.score": "1", "set.points_a": "2"}).text
    text = "id,played,a,b,score\nx-1,2024-06-01,ann,bo,1\n"
    assert said in desk.get(desk.bring("juni.csv", text, pool="rapid", amend="yes").headers["location"])


def test_points_beside_a_result_are_written_as_people_write_them(app: Front, desk: Desk, club: str) -> None:
    """A player's page had points of 0.5, later of 0,5, beside a draw."""
    points = {"points_a": 0.5, "points_b": 0.5}
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-06-01", a="ann", b="bo", score=0.5, data=points))
        number = engine.core.player_id("ann")
    assert ">½\N{EN DASH}½<" in desk.get(f"/rapid/players/{number}")


def test_a_typed_result_without_a_day_is_refused_as_such(desk: Desk) -> None:
    """A fixed fault: the answer was about the columns of a table."""
    given = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "pool": "rapid", "played": ""}
    refused = desk.send("/desk/result", desk.get("/desk/result"), **given)
    assert refused.status_code == 422
    assert "Zu einem Ergebnis gehört der Tag, an dem gespielt wurde" in refused.text

"""Results typed at the desk: one, or a score sheet; seen, recorded, and undone by the button beside."""

import re
from html import unescape

from ratingcore_service.front import Front

import ratingcore as rc
from tests.service.desk import Desk

FORM = "/desk/result"


def games(club: str, after: int) -> list[rc.GamePlayed]:
    with rc.open(club) as engine:
        return [event for _, event in engine.events(after) if isinstance(event, rc.GamePlayed)]


def typed(*rows: tuple[str, str, str]) -> dict[str, str]:
    return {
        f"{name}.{n}": text for n, row in enumerate(rows) for name, text in zip(("a", "score", "b"), row, strict=True)
    }


def test_a_result_is_seen_recorded_and_undone_and_the_next_one_keeps_its_day(app: Front, desk: Desk, club: str) -> None:
    head = app.service.desk.engine.log.head.position
    common = {"pool": "rapid", "played": "2024-05-01", "event": "May Open", "round": "2"}
    seen = desk.send(FORM, desk.get(FORM), **typed(("ann", "1/2-1/2", "bo")), **common)
    assert seen.status_code == 200, seen.text
    assert "Ratings that would change in rapid" in seen.text
    assert games(club, head) == []
    onward = desk.send(FORM, seen.text)
    assert onward.status_code == 303, onward.text
    (game,) = games(club, head)
    assert (game.a, game.b, game.score, dict(game.data)) == ("ann", "bo", 0.5, {"event": "May Open", "round": 2})
    page = desk.get(onward.headers["location"])
    assert 'name="played" type="date" required value="2024-05-01"' in page
    assert 'value="May Open"' in page
    assert 'name="a.0" maxlength="200" autocomplete="off" list="players" value=""' in page
    undo = desk.send("/desk/correct/void_all", page)
    assert undo.status_code == 200, undo.text
    assert desk.send("/desk/correct/void_all", undo.text).status_code == 303
    with rc.open(club) as engine:
        assert not engine.rating_list("rapid").diff(engine.rating_list("rapid", known_at=head))


def test_a_score_sheet_comes_at_once_and_forfeits_are_not_rated(app: Front, desk: Desk, club: str) -> None:
    head = app.service.desk.engine.log.head.position
    page = desk.get(f"{FORM}?sheet=true&pool=rapid")
    assert page.count("<fieldset") == 10
    rows = typed(("ann", "1-0", "bo"), ("cy", "+/-", "di"), ("cy", "0-1", "eve"))
    seen = desk.send(FORM, page, **rows, pool="rapid", played="2024-05-02")
    assert "Not rated is 1 row, line 2: forfeit" in seen.text
    desk.send(FORM, seen.text)
    assert [(game.a, game.b, game.score) for game in games(club, head)] == [("ann", "bo", 1.0), ("cy", "eve", 0.0)]


def test_a_name_that_is_nearly_another_is_told_and_a_row_that_lacks_something_is_refused(desk: Desk) -> None:
    page = desk.get(FORM)
    given = {"pool": "rapid", "played": "2024-05-02"}
    refused = desk.send(FORM, page, **typed(("ann", "1-0", "")), **given)
    assert (refused.status_code, "Row 1: a result needs two players" in refused.text) == (422, True)
    refused = desk.send(FORM, page, **typed(("ann", "1-0", "ann")), **given)
    assert "A player cannot meet themselves: ann" in unescape(refused.text)
    assert "Record it" not in refused.text
    with rc.open(desk.app.service.desk.address) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a="Katharina Muster", b="bo", score=1.0))
    seen = desk.send(FORM, page, **typed(("Katarina Muster", "1-0", "bo")), **given)
    assert "Katarina Muster is new, and spelt much like Katharina Muster" in unescape(seen.text)


def test_the_same_result_again_is_said_to_be_there(desk: Desk) -> None:
    given = {**typed(("ann", "1-0", "bo")), "pool": "rapid", "played": "2024-05-02"}
    desk.send(FORM, desk.send(FORM, desk.get(FORM), **given).text)
    again = desk.send(FORM, desk.get(FORM), **given)
    assert (again.status_code, "The log already has this result" in again.text) == (422, True)


def test_a_file_that_is_in_the_log_leads_to_undo_another_and_the_list(desk: Desk, club: str) -> None:
    """A fixed dead end: taking a file back asked for its positions and a reason, and the list was not linked."""
    text = "played,a,b,score\n2024-05-01,ann,bo,1\n"
    address = desk.bring("mai.csv", text, pool="rapid").headers["location"]
    desk.send(f"{address}/accept", desk.get(address))
    page = desk.get(address)
    assert 'href="/desk/file"' in page
    assert 'href="/rapid/"' in page
    undo = desk.send("/desk/correct/void_all", page)
    assert re.search("<button>Take this back</button>", undo.text), undo.text
    assert desk.send("/desk/correct/void_all", undo.text).status_code == 303
    again = desk.get(desk.bring("mai.csv", text, pool="rapid").headers["location"])
    assert "Accept 1 result<" in again


def test_the_first_lines_are_beside_the_fields_and_the_next_file_has_its_columns_chosen(desk: Desk) -> None:
    """The officer chose columns of a file that she could not see, every month anew."""
    text = "wann,wer,gegen wen,wie\n2024-05-01,ann,bo,1-0\n"
    address = desk.bring("mai.csv", text, pool="rapid").headers["location"]
    page = desk.get(address)
    assert "<td>2024-05-01</td><td>ann</td><td>bo</td><td>1-0</td>" in page
    columns = {"map.a": "wer", "map.b": "gegen wen", "map.score": "wie", "map.played": "wann", "pool": "rapid"}
    desk.send(f"{address}/map", page, **columns)
    desk.send(f"{address}/accept", desk.get(address))
    page = desk.get(desk.bring("juni.csv", text.replace("05-01", "06-01"), pool="rapid").headers["location"])
    assert "Accept 1 result<" in page
    assert re.findall(r"<option selected>([^<]*)", page) == ["wer", "gegen wen", "wie", "wann"]


def test_columns_of_a_file_that_was_taken_back_are_not_chosen_again(desk: Desk) -> None:
    """A fixed bug: the wrong columns came back as those that the headings suggest."""
    text = "wann,wer,gegen wen,wie\n2024-05-01,ann,bo,1-0\n"
    address = desk.bring("mai.csv", text, pool="rapid").headers["location"]
    wrong = {"map.a": "gegen wen", "map.b": "wer", "map.score": "wie", "map.played": "wann", "pool": "rapid"}
    desk.send(f"{address}/map", desk.get(address), **wrong)
    desk.send(f"{address}/accept", desk.get(address))
    undo = desk.send("/desk/correct/void_all", desk.get(address))
    desk.send("/desk/correct/void_all", undo.text)
    page = desk.get(desk.bring("mai.csv", text, pool="rapid").headers["location"])
    assert "gegen wen" not in re.findall(r"<option selected>([^<]*)", page)
    assert "Accept" not in page

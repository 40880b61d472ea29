"""Two officers at one desk: neither undoes what the other one has decided meanwhile."""

import re
from pathlib import Path

import pytest
from ratingcore_service.front import Front

import ratingcore as rc
from tests.service.asking import Applied
from tests.service.desk import Desk, head
from tests.service.serving import PATIENCE


@pytest.fixture
def app(applied: Applied, tmp_path: Path) -> Front:
    """The application of a league of one game, a draw at position 1."""
    path = str(tmp_path / "two.db")
    with rc.open(path) as engine:
        played = {"pool": "p", "played": "2024-03-01", "uid": "table-7f92"}
        engine.record(rc.GamePlayed(**played, a="Weiß, Lukas", b="Ömer", score=0.5))
    return applied(path, seconds=PATIENCE, rate=1000.0, burst=10_000.0)


def form_fields(page: str) -> dict[str, str]:
    """The fields of a result as its form shows them, all of which a browser sends."""
    found = re.findall(r'name="(set\.[^"]*)"[^>]*value="([^"]*)"([^>]*)', page)
    radios = {*re.findall(r'type="radio" name="([^"]*)"', page)}
    return {name: text for name, text, more in found if name not in radios or "checked" in more}


AMEND = "/desk/correct/amend"


def test_a_correction_made_since_the_form_was_opened_is_not_undone(app: Front, desk: Desk) -> None:
    """A fixed bug: the form sent every field as it was when it was opened, and so took the other one's score back."""
    page = desk.get(f"{AMEND}?uid=1")
    app.service.desk.engine.amend("table-7f92", {"score": 1.0}, why="Zettel", by="joerg")
    seen = desk.send(AMEND, page, why="Runde fehlt", **form_fields(page) | {"set.played": "2024-03-08"})
    assert seen.status_code == 412
    alert = re.findall(r'role="alert">([^<]*)', seen.text)[0]
    assert alert == (
        "Another decision was recorded meanwhile: Weiß, Lukas and Ömer drew on 2024-03-01 (#1) now reads Result of the "
        "first player 1; why: Zettel; by: joerg"
    )
    assert "table-7f92" not in re.sub(r"<form.*?</form>", "", seen.text, flags=re.DOTALL)
    assert 'href="/log/2"' in seen.text
    assert "Record it" not in seen.text
    now = form_fields(seen.text)
    assert (now["set.score"], now["set.played"]) == ("1", "2024-03-08")  # theirs, and what was typed
    seen = desk.send(AMEND, seen.text, why="Runde fehlt", **now)
    assert seen.status_code == 200, seen.text
    assert desk.send(AMEND, seen.text).status_code == 303
    event = next(iter(app.service.desk.engine.events(head(app) - 1)))[1]
    assert isinstance(event, rc.ResultAmended)
    assert [*event.changes] == ["played"]


def test_a_correction_made_since_the_preview_stays_in_fields_that_were_not_changed(app: Front, desk: Desk) -> None:
    page = desk.get(f"{AMEND}?uid=1")
    seen = desk.send(AMEND, page, why="x", **form_fields(page) | {"set.played": "2024-03-08"})
    assert "set.score" not in seen.text.partition("Change it")[0]
    app.service.desk.engine.amend("table-7f92", {"score": 1.0}, why="Zettel", by="joerg")
    again = desk.send(AMEND, seen.text)
    assert (again.status_code, 'href="/log/2"' in again.text) == (412, True)
    assert desk.send(AMEND, again.text).status_code == 303
    event = next(iter(app.service.desk.engine.events(head(app) - 1)))[1]
    assert isinstance(event, rc.ResultAmended)
    assert [*event.changes] == ["played"]


def test_what_was_decided_about_another_result_does_not_matter(app: Front, desk: Desk) -> None:
    engine, page = app.service.desk.engine, desk.get(f"{AMEND}?uid=1")
    engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="Ömer", b="cy", score=1.0, uid="g-2"))
    engine.amend("g-2", {"score": 0.0}, why="Zettel", by="joerg")
    seen = desk.send(AMEND, page, why="x", **form_fields(page) | {"set.score": "0"})
    assert seen.status_code == 200, seen.text


def test_a_result_that_would_count_twice_is_named_before_it_is_counted_again(app: Front, desk: Desk) -> None:
    """A fixed bug: a file that came again while its first version was taken back counted twice, without a word."""
    engine = app.service.desk.engine
    engine.void("table-7f92", why="wrong columns")
    engine.record(rc.GamePlayed(pool="p", played="2024-03-01", a="Ömer", b="Weiß, Lukas", score=0.5))
    for what, fields in (("revive", {"uid": "1"}), ("void", {"uid": "2"}), ("void_all", {"positions": "2-2"})):
        page = desk.get(f"/desk/correct/{what}")
        seen = desk.send(f"/desk/correct/{what}", page, why="it was played", **fields)
        assert "1 result would count twice" in seen.text, what
        assert re.search(r'href="/log/1".*href="/log/3"', seen.text), what
        assert '<a href="/desk/">Leave everything as it is</a>' in seen.text
    assert desk.send("/desk/correct/void_all", seen.text).status_code == 303  # it may be meant
    again = desk.send("/desk/correct/void", desk.get("/desk/correct/void"), uid="3", why="the same")
    assert (again.status_code, "count twice" in again.text) == (200, False)


def test_games_that_would_count_twice_are_named_before_names_are_joined(app: Front, desk: Desk) -> None:
    """A fixed bug: joining two spellings made the games of both count, without a word."""
    engine = app.service.desk.engine
    engine.record(rc.GamePlayed(pool="p", played="2024-03-01", a="Oemer", b="Weiß, Lukas", score=0.5))
    page = desk.get("/desk/correct/merge")
    seen = desk.send("/desk/correct/merge", page, why="one person", keep="Ömer", other="Oemer")
    assert "1 game would count twice, with the same players and score: number 2 is like number 1." in seen.text
    assert 'href="/desk/correct/void_all?positions=2">Take this back: 2</a>' in seen.text

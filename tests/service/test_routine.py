"""Lists that are due are published together at the desk; a backup is taken away, and an anchor kept."""

import re
from html import unescape
from pathlib import Path

from ratingcore_service.front import Front

import ratingcore as rc
from tests.service.asking import Applied, ask
from tests.service.desk import Desk

FORM = "/desk/calendar"
MONTHLY = {"pool": "rapid", "calendar": "monthly", "since": "2024-01"}


def published(club: str) -> list[str]:
    with rc.open(club) as engine:
        return [one.name for one in engine.published("rapid")]


def test_all_lists_that_are_due_are_seen_and_published_at_once(desk: Desk, club: str) -> None:
    before = published(club)
    seen = desk.send(FORM, desk.get(FORM), **MONTHLY)
    due = re.findall(r'<th scope="row">([0-9-]+)</th>', seen.text)
    assert len(due) > 1, seen.text
    assert f"Publish all {len(due)}" in seen.text
    assert published(club) == before
    assert desk.send(FORM, seen.text).headers["location"] == "/log"
    assert published(club) == before + due
    again = desk.send(FORM, desk.get(FORM), **MONTHLY)
    assert (again.status_code, "No list is due" in again.text) == (422, True)


def test_the_first_day_of_a_calendar_is_typed_as_the_language_writes_it(applied: Applied) -> None:
    """A fixed fault: browsers without a field for months sent `März 2024`, which was refused."""
    desk = Desk(applied(language="de", rate=1000.0, burst=10_000.0))
    seen = desk.send(FORM, desk.get(FORM), **MONTHLY | {"since": "1.3.2024"})
    assert re.findall(r'<th scope="row">([0-9-]+)</th>', seen.text)[:1] == ["2024-03"]
    assert 'name="since" type="date" required value="2024-03-01"' in seen.text


def test_lists_are_not_published_unseen_once_the_log_has_gone_on(desk: Desk, club: str) -> None:
    before = published(club)
    seen = desk.send(FORM, desk.get(FORM), **MONTHLY)
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-01-03", a="ann", b="bo", score=0.0))
    assert desk.send(FORM, seen.text).status_code == 412
    assert published(club) == before


def test_a_pattern_that_gives_two_lists_one_name_is_refused(desk: Desk) -> None:
    refused = desk.send(FORM, desk.get(FORM), **MONTHLY, name="%Y")
    assert refused.status_code == 422
    assert "gives two lists the same name" in unescape(refused.text)


def test_an_anchor_of_the_desk_holds_and_its_backup_is_the_log(
    desk: Desk, app: Front, club: str, tmp_path: Path
) -> None:
    page = desk.get("/desk/backup")
    restore, anchor = re.findall(r"<pre>([^<]*)</pre>", page)
    (link,) = re.findall(r'<p><a href="([^"]*)"', page)
    copy, download = tmp_path / "copy.db", ask(app, "GET", link, desk.headers)
    (name,) = re.findall('filename="([^"]*)"', download.headers["content-disposition"])
    assert restore == f"ratingcore restore {name} club.db", "a fixed gap: the file that was downloaded has another name"
    copy.write_bytes(download.content)
    for log in (club, str(copy)):
        with rc.open(log) as engine:
            assert engine.verify([unescape(anchor).partition(" ")[0]]).anchors == 1

"""The feed of published lists and the days for a calendar, by RFC 4287 and RFC 5545, with hostile names."""

import re
from xml.etree import ElementTree

from ratingcore_pages import Look, Pages, atom, calendar

import ratingcore as rc
from tests.plugins.ratingcore_pages.leagues import HOSTILE, league

ATOM = "{http://www.w3.org/2005/Atom}"


def published(pool: str, *lists: tuple[str, str]) -> rc.Engine:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(pool=pool, played="2024-01-10", a="ann", b="bo", score=1.0))
    for name, through in lists:
        engine.publish(engine.rating_list(pool, "elo", through=through), name)
    return engine


def test_a_feed_has_what_atom_demands_and_ids_that_are_no_addresses() -> None:
    pages = Pages(league(), Look(title=HOSTILE))
    texts = [atom(pages, lambda path, base=base: f"{base}{path}") for base in ("https://one.example/", "/other/")]
    one, other = (ElementTree.fromstring(text) for text in texts)
    assert [child.tag.removeprefix(ATOM) for child in one] == ["title", "id", "updated", "author", "link", "entry"]
    (entry,) = one.findall(f"{ATOM}entry")
    assert one.findtext(f"{ATOM}title") == HOSTILE
    assert entry.findtext(f"{ATOM}title") == "rapid: March"
    assert [link.get("href") for link in entry.findall(f"{ATOM}link")] == ["https://one.example/rapid/published/March"]
    ids = [[node.text or "" for node in root.iter(f"{ATOM}id")] for root in (one, other)]
    assert ids[0] == ids[1]
    assert len({*ids[0]}) == 2
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text) for text in ids[0])
    for node in one.iter(f"{ATOM}updated"):
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z", node.text or "")


def test_days_of_lists_are_escaped_and_folded_without_cutting_a_letter() -> None:
    """By RFC 5545: backslash, semicolon and comma are escaped (3.3.11), lines have 75 octets at most (3.1)."""
    pool = "Männer; A, B\\C " + "ř" * 60
    text = calendar(Pages(published(pool, ("2024-01", "2024-01-31"))), pool)
    lines = text.split("\r\n")
    assert lines.pop() == ""
    assert "\n" not in "".join(lines)
    assert max(len(line.encode()) for line in lines) <= 75
    whole = text.replace("\r\n ", "").split("\r\n")
    assert whole[0] == "BEGIN:VCALENDAR"
    assert "SUMMARY:Männer\\; A\\, B\\\\C " + "ř" * 60 + ": 2024-01" in whole
    assert "DTSTART;VALUE=DATE:20240131" in whole
    assert any(re.fullmatch(r"DTSTAMP:\d{8}T\d{6}Z", line) for line in whole)
    assert whole.count("BEGIN:VEVENT") == whole.count("END:VEVENT") == 1


def test_lists_to_come_are_due_from_the_newest_one_on() -> None:
    """After 31 January 2024: 29 February, a leap year's; 31 March; 30 June; 31 December."""
    pages = Pages(published("rapid", ("2023-12", "2023-12-31"), ("2024-01", "2024-01-31")))
    for every, first, rule in (
        ("monthly", "20240229", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("quarterly", "20240331", "FREQ=YEARLY;BYMONTH=3,6,9,12;BYMONTHDAY=-1"),
        ("half-yearly", "20240630", "FREQ=YEARLY;BYMONTH=6,12;BYMONTHDAY=-1"),
        ("yearly", "20241231", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=-1"),
    ):
        text = calendar(pages, "rapid", every)
        assert f"DTSTART;VALUE=DATE:{first}\r\nRRULE:{rule}\r\n" in text
        uids = re.findall("UID:(.*)\r\n", text)
        assert len(uids) == len({*uids}) == 3


def test_an_empty_pool_has_a_calendar() -> None:
    engine = rc.open(":memory:")
    engine.declare("empty")
    assert "DTSTART;VALUE=DATE:20000131" in calendar(Pages(engine), "empty", "monthly")

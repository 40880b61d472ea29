"""A site leads from page to page, is written again only where answers changed, and forgets who was erased."""

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from ratingcore_pages import Look, write_site
from ratingcore_pages.site import LEDGER

import ratingcore as rc
from ratingcore.cli.main import cli
from ratingcore.errors import BadFile
from tests.plugins.ratingcore_pages.leagues import HOSTILE, league

BASE = "https://club.example/ratings/"


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder but the ledger, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != LEDGER
    }


def test_every_link_leads_to_a_page(tmp_path: Path) -> None:
    write_site(league(), tmp_path, base_url=BASE)
    for path in tmp_path.rglob("*.html"):
        for address in re.findall(r"(?:href|src|data-index)=\"([^\"#]+)\"", path.read_text("utf-8")):
            assert (path.parent / address).is_file(), (path, address)


def test_the_pages_of_a_pool_and_its_boards_lead_to_each_other_without_a_script(tmp_path: Path) -> None:
    engine = league()
    engine.declare("open", of="rapid", results="event='Spring Open'", method="elo")
    write_site(engine, tmp_path / "again")
    one = (tmp_path / "again/rapid/index.html").read_text("utf-8")
    engine.declare("first round", of="rapid", results="event!=x", method="elo")
    write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "new")
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "new")
    other = f"../~{engine.log.book.number('pool', 'first round')}/index.html"
    assert _tabs(one) == [("", "rapid"), ("../open/index.html", "open")]
    of_pool, board = ((tmp_path / "new" / pool / "index.html").read_text("utf-8") for pool in ("rapid", "open"))
    assert _tabs(of_pool) == [("", "rapid"), ("../open/index.html", "open"), (other, "first round")]
    assert _tabs(board) == [("../rapid/index.html", "rapid"), ("", "open"), (other, "first round")]
    assert "· event=&#39;Spring Open&#39;</p>" in board
    index = (tmp_path / "new/index.html").read_text("utf-8")
    assert index.count("<section>") == 1  # the boards are beneath their pool
    assert index.index(">rapid<") < index.index(">open<") < index.index(">first round<")


def _tabs(page: str) -> list[tuple[str, str]]:
    """Addresses and texts of the tabs of a page; the one of the page itself has no address."""
    tabs = re.search(r'<nav class="pages tabs".*?</nav>', page, re.DOTALL)
    return [] if tabs is None else re.findall(r'<(?:a href="([^"]*)"|b aria-current="page")>([^<]*)<', tabs[0])


def test_written_again_it_is_what_a_new_one_is(tmp_path: Path) -> None:
    engine = league()
    for step in range(4):
        if step == 1:
            engine.record(rc.GamePlayed(pool="rapid", played="2024-04-01", a="ann", b="bo", score=0.0))
        if step == 2:
            engine.void("g-2-1", why="not played")
        if step == 3:
            engine.rename("ann", called="Ann Lee")
        write_site(engine, tmp_path / "again")
        write_site(engine, tmp_path / f"new-{step}")
        assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / f"new-{step}"), step


def test_who_else_was_in_a_session_changes_the_page_of_a_player(tmp_path: Path) -> None:
    """The order of the others is corrected: bo is still second of three, and has lost to another one."""
    engine = rc.open(":memory:")

    def raced(uid: str, *names: str) -> rc.SessionPlayed:
        sides = [rc.Side((name,), score) for name, score in zip(names, (3.0, 2.0, 1.0), strict=True)]
        return rc.SessionPlayed(pool="race", played="2024-03-02", sides=sides, uid=uid)

    engine.declare("race", method="weng-lin")
    engine.record(raced("s-1", "ann", "bo", "cy"))
    write_site(engine, tmp_path / "again")
    engine.void("s-1", why="read wrongly")
    engine.record(raced("s-2", "cy", "bo", "ann"))
    write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "new")
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "new")


def test_nothing_new_writes_nothing_and_a_result_little(tmp_path: Path) -> None:
    engine = league()
    first = write_site(engine, tmp_path)
    assert write_site(engine, tmp_path).written == 0
    engine.record(rc.GamePlayed(pool="blitz", played="2024-04-01", a="eve", b="flo", score=0.0))
    again = write_site(engine, tmp_path)
    assert again.kept == first.written - 2  # the index has one pool more, and the list names the new head


def test_a_result_rewrites_the_places_that_it_changes_and_no_others(tmp_path: Path) -> None:
    engine = rc.open(":memory:")
    engine.declare("p", method="elo", digits=0)
    games = [(f"p{2 * n:04d}", f"p{2 * n + 1:04d}", 1.0 if n < 300 else 0.5) for n in range(600)]
    engine.record(*(rc.GamePlayed(pool="p", played="2024-03-02", a=a, b=b, score=score) for a, b, score in games))
    write_site(engine, tmp_path / "again")
    before = bytes_of(tmp_path / "again")
    engine.record(rc.GamePlayed(pool="p", played="2024-03-09", a="p0000", b="p0599", score=1.0))
    write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "new")
    after = bytes_of(tmp_path / "again")
    assert after == bytes_of(tmp_path / "new")
    changed = {name for name in after if name.startswith("p/") and name.count("/") == 1 and after[name] != before[name]}
    sheets = {"p/index.html", "p/places-2.html", "p/places-6.html"}  # of the 300 winners, and of the last
    assert changed == {*sheets, "p/search.json", "p/health.html", "p/compare.html"}
    assert "p/places-2.html" in after


@pytest.mark.parametrize(("method", "touched"), [("elo", "ann eve"), ("glicko2:period=month", "ann eve bo")])
def test_a_result_of_others_rewrites_no_page_that_shows_the_same(tmp_path: Path, method: str, touched: str) -> None:
    """Months without a result, a new player on the list, and a deviation of 264.5 that is 265.2 now are no news.

    By glicko2 the new player is placed before bo.
    """
    engine = rc.open(":memory:")
    engine.declare("p", method=method, digits=0)
    days = ("2022-03-02", "2023-03-09", "2024-03-16")
    engine.record(*(rc.GamePlayed(pool="p", played=day, a="ann", b="bo", score=1.0) for day in days))
    engine.record(*(rc.GamePlayed(pool="p", played=day, a="cy", b="di", score=1.0) for day in days[:2]))
    write_site(engine, tmp_path / "again")
    before = json.loads((tmp_path / "again" / LEDGER).read_text())["keys"]
    news = [rc.GamePlayed(pool="p", played=f"2024-06-{day}", a="ann", b="eve", score=1.0) for day in range(10, 20)]
    engine.record(*news)
    write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "new")
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "new")
    after = json.loads((tmp_path / "again" / LEDGER).read_text())["keys"]
    written = {name for name, key in after.items() if "/players/" in name and before.get(name) != key}
    assert written == {f"p/players/{engine.log.book.number('player', key)}.html" for key in touched.split()}


def test_a_result_rewrites_the_tournaments_of_its_period_and_no_earlier_ones(tmp_path: Path) -> None:
    engine, written = rc.open(":memory:"), []
    engine.declare("p", method="glicko2:period=month", digits=1)
    for day, a, of in (
        ("03-02", "cy", "Open"),
        ("03-09", "di", "Cup"),
        ("04-02", "eve", "Cup"),
        ("05-02", "ann", "Cup"),
    ):
        engine.record(rc.GamePlayed(pool="p", played=f"2024-{day}", a=a, b="bo", score=1.0, data={"event": of}))
        write_site(engine, tmp_path / "again")
        keys = json.loads((tmp_path / "again" / LEDGER).read_text())["keys"]
        written.append(keys["p/tournaments/Open.html"])
    write_site(engine, tmp_path / "new")
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "new")
    assert written[0] != written[1] == written[2] == written[3]


def test_a_result_read_otherwise_changes_the_pages_of_both(tmp_path: Path) -> None:
    """Its tournament and its points are on them, though no rating moves with either."""
    engine = rc.open(":memory:")
    played = {"pool": "p", "played": "2024-03-02", "a": "ann", "score": 1.0}
    engine.record(rc.GamePlayed(**played, b="bo", uid="g-1", data={"event": "Open", "points_a": 3, "points_b": 1}))
    write_site(engine, tmp_path / "again")
    for changes in ({"event": "Cup"}, {"points_a": 4}):
        engine.amend("g-1", changes, why="read wrongly")
        write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "new")
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "new")


def test_a_result_that_gives_ratings_decimals_changes_the_pages_of_all(tmp_path: Path) -> None:
    engine = rc.open(":memory:")
    for a, b, score in (("ann", "bo", 0.5), ("cy", "di", 0.5), ("cy", "ann", 1.0), ("cy", "bo", 1.0)):
        of = {"event": "Open"} if a == "ann" else {}
        engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a=a, b=b, score=score, data=of))
        write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "new")
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "new")


def test_a_new_name_is_on_every_page_but_the_lists_that_were_published_before(tmp_path: Path) -> None:
    engine = league()
    engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=0.0))
    write_site(engine, tmp_path)
    named = {name for name, content in bytes_of(tmp_path).items() if b">ann<" in content}
    engine.rename("ann", called="Ann Lee")
    engine.publish(engine.rating_list("rapid"), "April")
    write_site(engine, tmp_path)
    pages, march = bytes_of(tmp_path), "rapid/published/March.html"
    assert {name for name, content in pages.items() if b">ann<" in content} == {march}
    assert pages[march].count(b">ann<") == 2  # on the list, and among those who would have another rating today
    assert {name for name, content in pages.items() if b">Ann Lee<" in content} > named - {march}
    assert b">Ann Lee<" in pages["rapid/published/April.html"]


def test_a_changed_look_is_seen_everywhere(tmp_path: Path) -> None:
    engine = league()
    write_site(engine, tmp_path)
    pages = sum(name.endswith(".html") for name in bytes_of(tmp_path))
    assert write_site(engine, tmp_path, Look(title="Club")).written == pages


def test_an_erased_name_is_in_no_byte(tmp_path: Path) -> None:
    engine = league()
    engine.rename("ann", called="Ann Archer")
    write_site(engine, tmp_path, base_url=BASE)
    engine.erase("ann", by="secretary")
    write_site(engine, tmp_path, base_url=BASE)
    for name, content in bytes_of(tmp_path).items():
        assert not re.search(rb"\bann\b|Archer", content), name


def test_a_foreign_folder_is_refused_and_a_forged_ledger_takes_nothing_away(tmp_path: Path) -> None:
    engine, folder, letter = league(), tmp_path / "public", tmp_path / "letter.txt"
    letter.write_text("keep")
    with pytest.raises(BadFile, match="its files are not those of a site"):
        write_site(engine, tmp_path)
    write_site(engine, folder)
    (folder / "robots.txt").write_text("mine")
    ledger = json.loads((folder / LEDGER).read_text())
    ledger["keys"] |= {"../letter.txt": "x", str(letter): "x", "rapid/players/99.html": "x"}
    (folder / LEDGER).write_text(json.dumps(ledger))
    write_site(engine, folder)
    assert letter.read_text() == "keep"
    assert (folder / "robots.txt").read_text() == "mine"
    (folder / LEDGER).write_text("{")
    assert write_site(engine, folder).kept == 0


def test_the_map_and_the_feed_name_pages(tmp_path: Path) -> None:
    write_site(league(), tmp_path, base_url=BASE)
    named = [node.text or "" for node in ElementTree.parse(tmp_path / "sitemap.xml").iter() if node.tag.endswith("loc")]
    assert {BASE + name for name in bytes_of(tmp_path) if name.endswith(".html")} == set(named)
    feed = ElementTree.parse(tmp_path / "feed.xml")
    assert [node.text for node in feed.iter() if node.tag.endswith("title")] == ["Ratings", "rapid: March"]


def test_pools_of_any_name_have_addresses_of_their_own(tmp_path: Path) -> None:
    engine = rc.open(":memory:")
    pools = ("rapid", "Rapid", "events", "../up", "Männer 2024/25", HOSTILE)
    for pool in pools:
        engine.record(rc.GamePlayed(pool=pool, played="2024-03-02", a="ann", b="bo", score=1.0))
    write_site(engine, tmp_path / "public")
    lists = [name for name in bytes_of(tmp_path / "public") if name.count("/") == 1 and name.endswith("/index.html")]
    assert len({name.lower() for name in lists}) == len(pools)
    assert [path.name for path in tmp_path.iterdir()] == ["public"]


def test_the_command_writes_a_site(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    league(str(path)).close()
    arguments = ["site", str(path), str(tmp_path / "public"), "--language", "cs", "--base-url", BASE]
    ran = CliRunner().invoke(cli, arguments)
    assert ran.exit_code == 0, ran.output
    assert "files written" in ran.output
    index = (tmp_path / "public" / "index.html").read_text("utf-8")
    assert 'lang="cs"' in index
    assert "<title>club</title>" in index  # no title was given, and the log is club.db
    refused = CliRunner().invoke(cli, [*arguments[:-1], "club.example"])
    assert refused.exit_code != 0


def test_a_newcomer_rewrites_no_page_of_others_who_are_left_off(tmp_path: Path) -> None:
    """Their pages had the number of all who are left off; and the reason was in English in every language."""
    engine = rc.open(":memory:")
    engine.declare("p", method="elo", min_games=2, digits=0)
    for day, a, b in ((1, "ann", "bo"), (2, "ann", "bo"), (3, "ann", "cy")):
        engine.record(rc.GamePlayed(pool="p", played=f"2024-03-{day:02d}", a=a, b=b, score=0.5))
    number, look = engine.log.book.number("player", "cy"), Look(language="de")
    write_site(engine, tmp_path, look)
    before = (tmp_path / LEDGER).read_text("utf-8"), (tmp_path / f"p/players/{number}.html").read_text("utf-8")
    assert "weniger als 2" in before[1]
    engine.record(rc.GamePlayed(pool="p", played="2024-03-04", a="ann", b="eve", score=0.5))
    write_site(engine, tmp_path, look)
    keys = [json.loads(text)["keys"] for text in (before[0], (tmp_path / LEDGER).read_text("utf-8"))]
    assert keys[0][f"p/players/{number}.html"] == keys[1][f"p/players/{number}.html"]


def test_all_results_are_on_pages_by_year_and_only_the_year_of_a_new_one_is_written(tmp_path: Path) -> None:
    engine = rc.open(":memory:")
    engine.declare("p", method="elo", digits=0)
    games = [
        f"{year}-{month:02d}-{day:02d}" for year in (2022, 2023) for month in range(1, 13) for day in (5, 12, 19, 26)
    ]
    engine.record(*(rc.GamePlayed(pool="p", played=day, a="ann", b="bo", score=n % 2) for n, day in enumerate(games)))
    write_site(engine, tmp_path / "again")
    before = bytes_of(tmp_path / "again")
    ann = f"p/players/{engine.log.book.number('player', 'ann')}"
    assert {f"{ann}-2022.html", f"{ann}-2023.html"} < before.keys()
    assert sum(before[f"{ann}-{year}.html"].count(b"<tr id=") for year in (2022, 2023)) == len(games) == 96
    for page, html in ((name, html.decode()) for name, html in before.items() if name.startswith(ann)):
        for address, row in re.findall(r'href="([^"]*)#(r[0-9]+)"', html):
            target = os.path.normpath(f"{page}/../{address}") if address else page
            assert f'id="{row}"'.encode() in before[target]
    engine.record(rc.GamePlayed(pool="p", played="2023-12-30", a="ann", b="bo", score=1.0))
    write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "new")
    after = bytes_of(tmp_path / "again")
    assert after == bytes_of(tmp_path / "new")
    assert after[f"{ann}-2022.html"] == before[f"{ann}-2022.html"]
    assert after[f"{ann}-2023.html"] != before[f"{ann}-2023.html"]
    engine.record(rc.GamePlayed(pool="p", played="2024-01-05", a="ann", b="bo", score=1.0))
    write_site(engine, tmp_path / "again")
    write_site(engine, tmp_path / "newer")
    newer = bytes_of(tmp_path / "again")
    assert newer == bytes_of(tmp_path / "newer")
    assert newer[f"{ann}-2022.html"] == before[f"{ann}-2022.html"], "a new year changed the pages of all years"
    assert f'href="{ann.rpartition("/")[2]}-2024.html"'.encode() in newer[f"{ann}-2023.html"]
    engine.record(rc.GamePlayed(pool="p", played="2025-01-05", a="ann", b="bo", score=1.0))
    write_site(engine, tmp_path / "again")
    last = bytes_of(tmp_path / "again")
    assert last[f"{ann}-2024.html"].count(b"<tr id=") == 2, "years with few results have a page in common"
    assert ">2024\N{EN DASH}2025<" in last[f"{ann}.html"].decode()

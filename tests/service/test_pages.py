"""Pages that are served: the numbers of the engine, a question and a permalink on each, and names that do no harm."""

import re
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from ratingcore_pages import Pages
from ratingcore_service import pages, service
from ratingcore_service.front import Front

import ratingcore as rc
from ratingcore.columns.slices import Condition, Slice
from tests.plugins.ratingcore_pages.leagues import HOSTILE
from tests.service.asking import Applied, Bearer, get
from tests.service.serving import PATIENCE

PAGES = (
    "/rapid/", "/rapid/?q=script", "/rapid/?known_at=20", "/rapid/published/", "/rapid/published/March",
    "/rapid/tournaments/", "/rapid/methods", "/rapid/health", "/rapid/compare?a=ann&b=bo", "/log", "/log/3", "/about",
    "/embed/rapid/list", "/embed/rapid/list?q=a", "/embed/rapid/list?q=nobody",
)  # fmt: skip


def players_of(app: Front) -> dict[str, str]:
    """Addresses of players by name, as the list links to them."""
    return {
        name: address for address, name in re.findall(r'href="([^"]*/players/\d+)">([^<]*)<', get(app, "/rapid/").text)
    }


@pytest.mark.parametrize("url", PAGES)
def test_every_page_is_there_and_names_on_it_are_texts(app: Front, url: str) -> None:
    page = get(app, url)
    assert page.status_code == 200, page.text
    assert "<h1>" in page.text
    assert HOSTILE not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_links_of_pages_lead_to_pages(app: Front) -> None:
    seen, waiting = set(), ["/rapid/"]
    while waiting and len(seen) < 40:
        url = waiting.pop()
        if url in seen or "/desk" in url:
            continue
        seen.add(url)
        page = get(app, url)
        assert page.status_code in (200, 302), url
        if len(seen) < 30:  # more would be too often
            waiting += [address.replace("&amp;", "&") for address in re.findall(r'(?:href|src)="(/[^"]*)"', page.text)]
    assert {"/about", "/live.js", "/log", "/style.css"} < seen


def test_a_served_page_has_the_numbers_of_the_one_in_a_folder(app: Front, club: str) -> None:
    address = players_of(app)["ann"]
    with rc.open(club) as engine:
        alone = Pages(engine).player("rapid", "ann").html()
    cells = [
        [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<(?:td|dd)[^>]*>(.*?)</(?:td|dd)>", html)]
        for html in (alone, get(app, address).text)
    ]
    assert cells[0] == cells[1]


def test_a_page_names_the_address_that_shows_it_for_ever(app: Front, club: str) -> None:
    page = get(app, "/rapid/?q=an")
    permalink = page.headers["content-location"]
    assert permalink.replace("&", "&amp;") in page.text
    before = re.findall(r"<td.*", get(app, permalink).text)
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a="ann", b="bo", score=0.0))
    assert re.findall(r"<td.*", get(app, permalink).text) == before
    assert re.findall(r"<td.*", get(app, "/rapid/?q=an").text) != before


def test_tabs_lead_to_boards_with_the_question_and_tokens_see_their_own(
    applied: Applied, club: str, bearer: Bearer
) -> None:
    with rc.open(club) as engine:
        engine.declare("open", of="rapid", results="event='Spring Open'", method="elo")
    assert get(applied(), "/").headers["location"] == "/rapid/"  # a log with one pool shows its list
    page = get(applied(), "/rapid/?through=2024-03-31").text
    assert '<a href="/open/?through=2024-03-31">open</a>' in page
    assert '<b aria-current="page">open</b>' in get(applied(), "/open/").text
    before = get(applied(), "/rapid/?known_at=10").text
    assert 'class="pages tabs"' not in before
    private = applied(private=True)
    for pools, shown in ((("rapid",), False), (("rapid", "open"), True)):
        assert (">open</a>" in get(private, "/rapid/", bearer(pools=pools)).text) is shown


@pytest.mark.parametrize("value", ["a/b", "%2F", "%3F", "a?b#c", "шахматы \U0001f642", "z]\n\\'\"&=!", ""])
def test_a_slice_has_an_address_whatever_its_value(applied: Applied, club: str, value: str) -> None:
    """A slash was the end of the pool, and a text of other letters an error of the server."""
    with rc.open(club) as engine:
        for judge, a in ((value, "ann"), ("other", "cy")):
            played = rc.GamePlayed(pool="arena", played="2024-03-02", a=a, b="bo", score=1.0, data={"judge": judge})
            engine.record(played)
    part = str(Slice("arena", (Condition("judge", "=", value),)))
    app = applied(seconds=PATIENCE, **({"short_events": 1} if value == "%3F" else {}))  # a process answers that one
    page = get(app, f"/{quote(part, safe='')}/?method=elo")
    answer = get(app, f"/api/v1/pools/{quote(part, safe='')}/list?method=elo")
    for shown in (page, answer, get(app, page.headers["content-location"]), get(app, answer.json()["permalink"])):
        assert shown.status_code == 200, shown.text
        assert ("ann" in shown.text, ">cy<" in shown.text or '"cy"' in shown.text) == (True, False)
    further = re.search(r'href="([^"]*/tournaments/[^"]*)"', page.text)
    assert further is not None
    assert get(app, further[1].replace("&amp;", "&")).status_code == 200


def test_a_question_stays_asked_behind_links(app: Front) -> None:
    page = get(app, "/rapid/?through=2024-03-31&method=glicko2")
    addresses = re.findall(r'href="([^"]*/players/\d+[^"]*)"', page.text)
    assert addresses
    assert all("through=2024-03-31" in address and "method=glicko2" in address for address in addresses)


def test_the_history_of_the_question_is_shown(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        engine.declare("rapid", method="glicko2", starting="2024-03-08")
    text = get(app, "/rapid/").text
    assert "since 2024-03-08 by Glicko-2" in text
    assert "by Elo with K = 24" in text


def test_rules_are_told_in_words(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        engine.declare("rapid", method="glicko2:period=month", starting="2024-03-08")
    for url in ("/rapid/methods", "/about"):
        assert "Glicko-2, month by month, from 2024-03-08</li>" in get(app, url).text


def test_questions_that_a_later_declaration_replaced_are_not_shown(app: Front, club: str) -> None:
    """A fixed bug: they were shown as if they answered still."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="glicko2", starting="2024-03-08")
        before = str(engine.log.head)
        engine.declare("rapid", method="elo:k=16", starting="2024-03-02")
    text = get(app, "/rapid/").text
    assert "since 2024-03-02 by Elo with K = 16" in text
    assert "since 2024-03-08" not in text
    assert "since 2024-03-08 by Glicko-2" in get(app, f"/rapid/?known_at={before}").text


def test_an_empty_log_says_what_to_do(tmp_path: Path, applied: Applied) -> None:
    path = str(tmp_path / "new.db")
    rc.open(path).close()
    app = applied(path)
    for url in ("/", "/log"):
        page = get(app, url)
        assert page.status_code == 200
        assert "Upload a file of results" in page.text


def test_the_only_pool_is_the_first_page(app: Front, club: str) -> None:
    assert get(app, "/").headers["location"] == "/rapid/"
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="Männer / 1", played="2024-04-02", a="eve", b="flo", score=0.0))
    page = get(app, "/")
    address = re.search(r'href="(/~\d+/)"', page.text)
    assert address is not None
    assert get(app, address[1]).status_code == 200


@pytest.mark.parametrize(
    "url",
    [
        "/nothing/", "/rapid/players/99", "/log/0", "/log/9999", "/rapid/places-7", "/rapid/places-0",
        f"/rapid/places-{10**30}", "/a/b/c/d",
    ],
)  # fmt: skip
def test_what_is_not_there_has_a_page(app: Front, url: str) -> None:
    page = get(app, url)
    assert page.status_code == 404
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert 'href="/log"' in page.text


def test_a_script_comes_from_here_alone_and_is_small(app: Front) -> None:
    assert len(get(app, "/live.js").content) < 2048
    assert len(get(app, "/style.css").content) <= 10 << 10
    assert len(get(app, "/rapid/").content) < 25_000


def test_only_the_sites_that_are_named_show_pages_in_frames(applied: Applied) -> None:
    app = applied(embed_in=("https://club.example",))
    assert "frame-ancestors https://club.example" in get(app, "/embed/rapid/list").headers["content-security-policy"]
    assert "frame-ancestors 'none'" in get(app, "/rapid/").headers["content-security-policy"]


@pytest.mark.parametrize("held", [0, service.HELD])
def test_pages_of_another_question_are_kept_while_their_answers_are_small(
    app: Front, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "HELD", held)
    engine = app.service.desk.engine
    first = app.service.pages(engine, "elo", None, str(engine.log.head))
    first.player("rapid", "ann")
    assert first.held == 20 * 2 * len(first.answers("rapid").replay.results)
    app.service.pages(engine, "glicko2", None, str(engine.log.head))
    assert (app.service.pages(engine, "elo", None, str(engine.log.head)) is first) == (held > 0)


@pytest.mark.parametrize(("method", "status"), [("elo", 200), ("bradley-terry", 422)])
def test_activity_that_takes_long_is_left_to_a_study(
    app: Front, method: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "WATCHED", 100)
    answer = get(app, f"/rapid/health?method={method}")
    assert answer.status_code == status
    assert ("the study compare" in answer.text) == (status == 422)


def test_a_list_is_sorted_and_narrowed_by_its_address(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        for player, federation in (("ann", "CZE"), ("bo", "GER"), ("cy", "CZE")):
            facts = {"federation": federation}
            engine.record(rc.PlayerDescribed(pool="rapid", player=player, played="2024-01-01", data=facts))
    page = get(app, "/rapid/?federation=CZE&sort=-player").text
    assert re.findall(r'/players/\d+">([^<]*)<', page) == ["cy", "ann"]
    assert '?federation=CZE&amp;sort=player"' in page
    assert "2 of 5 players" in page
    assert get(app, "/rapid/?sort=shoe").status_code == 422


def test_pairs_are_led_to_from_results_and_cross_tables(app: Front) -> None:
    found = get(app, "/rapid/tournaments/").text
    tournament = re.search(r'href="(/rapid/tournaments/[^"]+)"', found)
    assert tournament is not None
    for url in (players_of(app)["ann"], tournament[1]):
        pair = re.search(r'<td[^>]*><a href="(/rapid/versus/\d+-\d+)">', get(app, url).text)
        assert pair is not None, url
        assert get(app, pair[1]).status_code == 200


def test_results_of_a_player_are_narrowed_by_the_address(app: Front, club: str) -> None:
    address = players_of(app)["ann"]
    bo = players_of(app)["bo"].rpartition("/")[2]
    text = get(app, f"{address}?opponent={bo}&event=Spring+Open").text
    shown = re.findall(r'<td class="who"><bdi><a[^>]*>([^<]*)<', text)
    assert shown
    assert set(shown) == {"bo"}
    assert "No result matches." in get(app, f"{address}?year=1999").text
    assert get(app, f"{address}?year=x").status_code == 422


def test_an_edition_of_a_tournament_has_an_address(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        data = {"event": "Spring Open"}
        engine.record(rc.GamePlayed(pool="rapid", played="2025-03-05", a="ann", b="bo", score=1.0, data=data))
    url, editions = "/rapid/tournaments/", re.compile(r'href="(/rapid/tournaments/[^"]+~[0-9-]+)"')
    (newest,) = re.findall(r'href="(/rapid/tournaments/~[0-9a-f]+)"', get(app, url).text)
    (older,) = editions.findall(get(app, newest).text)
    (newer,) = editions.findall(get(app, older).text)
    assert newer == f"{newest}~2025-03-05"
    assert get(app, newer).status_code == 200
    assert get(app, f"{older[:-1]}9").status_code == 404


def test_published_lists_have_a_feed_and_a_calendar(app: Front) -> None:
    feed, days = get(app, "/feed.xml"), get(app, "/rapid/calendar.ics?every=monthly")
    assert (feed.status_code, feed.headers["content-type"]) == (200, "application/atom+xml; charset=utf-8")
    assert '<link href="/rapid/published/March"/>' in feed.text
    assert '<link rel="self" href="/feed.xml"/>' in feed.text
    assert (days.status_code, days.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1\r\n" in days.text
    assert get(app, "/rapid/calendar.ics?every=daily").status_code == 422
    page = get(app, "/rapid/published/").text
    assert 'href="/rapid/calendar.ics"' in page
    assert '<link rel="alternate" type="application/atom+xml" title="Published lists" href="/feed.xml">' in page


def test_a_shared_page_has_its_title_without_markup(app: Front) -> None:
    page = get(app, "/rapid/").text
    assert re.search('<meta property="og:title" content="rapid, 2024-03-09 [^<>"]* Ratings">', page)
    assert '<meta property="og:site_name" content="Ratings">' in page


def test_a_card_is_a_picture_that_the_page_names_where_the_host_is_known(applied: Applied) -> None:
    app, there = applied(allowed_host=("club.example",)), {"Host": "club.example"}
    player = re.findall(r"/rapid/players/[0-9]+", get(app, "/rapid/", there).text)[0]
    for path in ("/rapid/", player):
        card = f"{path.rstrip('/')}/card"
        assert f'<meta property="og:image" content="https://club.example{card}.png">' in get(app, path, there).text
        drawn = get(app, f"{card}.svg", there)
        assert drawn.headers["content-type"] == "image/svg+xml"
        tree = ElementTree.fromstring(drawn.text)
        assert "ann" in "".join(tree.itertext())
        picture = get(app, f"{card}.png", there).content
        assert picture.startswith(b"\x89PNG")
        assert len(picture) < 100_000
    assert "og:image" not in get(applied(), "/rapid/").text

"""The API that reads: its numbers are those of the command line, and its addresses give them for ever."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from ratingcore_pages import event_part
from ratingcore_service.front import Front
from ratingcore_service.lists import Document

import ratingcore as rc
from ratingcore.cli.main import cli
from tests.service.asking import Applied, Bearer, ask, get

POOL = "/api/v1/pools/rapid"


def printed(*words: str) -> Any:
    """What a command prints as JSON."""
    made = CliRunner().invoke(cli, [*words, "--format", "json"])
    assert made.exit_code == 0, made.output
    return json.loads(made.stdout)


def number(app: Front, name: str) -> int:
    """The id of a player."""
    return int(next(row["id"] for row in get(app, f"{POOL}/players").json()["rows"] if row["player"] == name))


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", []),
        ("?through=2024-03-05&method=elo:k=40", ["--through", "2024-03-05", "--method", "elo:k=40"]),
        ("?known_at=20&method=glicko", ["--known-at", "20", "--method", "glicko"]),
        ("?policy=min_games=3,digits=2&method=elo", ["--min-games", "3", "--digits", "2", "--method", "elo"]),
        ("?since=March&worth=3,1,0&show=peak", ["--since", "March", "--worth", "3,1,0", "--show", "peak"]),
        ("?top=3", ["--top", "3"]),
    ],
)
def test_a_list_has_the_rows_that_the_command_prints(app: Front, club: str, query: str, options: list[str]) -> None:
    listed = get(app, f"{POOL}/list{query}").json()
    rows = [{name: cell for name, cell in row.items() if name != "id"} for row in listed["rows"]]
    expected = printed("list", club, "-p", "rapid", *options)
    assert [sorted(row.items()) for row in rows] == [sorted(row.items()) for row in expected]


def test_a_list_comes_in_parts(app: Front) -> None:
    first = get(app, f"{POOL}/list?top=2").json()
    assert (len(first["rows"]), first["players"]) == (2, 5)
    second = get(app, first["next"]).json()
    assert second["rows"][0]["rank"] == 3
    assert get(app, get(app, second["next"]).json()["permalink"]).json()["next"] is None


def test_players_are_found_by_a_part_of_their_name(app: Front) -> None:
    assert [row["player"] for row in get(app, f"{POOL}/list?q=AN").json()["rows"]] == ["ann"]
    assert [row["player"] for row in get(app, f"{POOL}/players?q=b").json()["rows"]] == ["bo"]


def test_a_list_comes_as_a_document(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        listed = engine.rating_list("rapid")
    assert get(app, f"{POOL}/list?format=csv-spreadsheet").text == listed.document("csv-spreadsheet")
    answer = get(app, f"{POOL}/list/document")
    assert answer.text == listed.document("json")
    assert msgspec.json.decode(answer.content, type=Document).columns == list(listed.columns)
    assert get(app, answer.headers["content-location"]).text == answer.text


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", []),
        ("&method=glicko2&known_at=20", ["--method", "glicko2", "--known-at", "20"]),
        ("&show=peak,won&policy=min_games=3,digits=1", ["--show", "peak,won", "--min-games", "3"]),
    ],
)
def test_a_list_as_csv_is_the_one_that_the_command_prints(
    app: Front, club: str, query: str, options: list[str]
) -> None:
    answer = get(app, f"{POOL}/list?format=csv{query}")
    assert answer.text == CliRunner().invoke(cli, ["list", club, "--pool", "rapid", "--format", "csv", *options]).stdout
    assert answer.headers["ratingcore-pool"] == "rapid"
    assert answer.headers["ratingcore-as-of"] == get(app, f"{POOL}/list?top=9{query}").json()["day"]


def test_what_a_csv_is_of_is_in_headers_whatever_it_is_called(applied: Applied, tmp_path: Path) -> None:
    with rc.open(path := str(tmp_path / "log.db")) as engine:
        engine.record(rc.GamePlayed(pool="Šachy 100%", played="2024-03-07", a="=1+1", b="bo", score=1.0))
    address = "/api/v1/pools/%C5%A0achy%20100%25/list?format="
    answer = get(applied(path), f"{address}csv")
    assert answer.headers["ratingcore-pool"] == "%C5%A0achy 100%25"
    assert answer.text.splitlines()[:2] == ["rank,player,rating,games", "1,=1+1,1510.0,1"]


def test_a_list_comes_as_arrow(app: Front) -> None:
    pa = pytest.importorskip("pyarrow")
    answer = get(app, f"{POOL}/list?format=arrow")
    assert pa.ipc.open_stream(answer.content).read_all().column("player").to_pylist()[1] == "cy"


@pytest.mark.parametrize(
    "path",
    [
        "/list?top=2", "/list/diff?against=20", "/list/order?method=glicko", "/players?q=b", "/players/{ann}",
        "/players/{ann}/history?top=3", "/players/{ann}/explanation", "/versus?a={ann}&b={bo}",
        "/tournaments/Spring%20Open", "/list?known_at=2030-01-01",
    ],
)  # fmt: skip
def test_an_answer_names_the_address_that_gives_it_for_ever(app: Front, club: str, path: str) -> None:
    ids = {name: number(app, name) for name in ("ann", "bo")}
    answer = get(app, POOL + path.format(**ids))
    assert answer.status_code == 200, answer.text
    before = answer.json()
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-07", a="ann", b="bo", score=1.0))
    again = get(app, answer.headers["content-location"])
    assert again.content == answer.content
    assert again.headers["ratingcore-head"] == before["head"]
    assert again.headers["cache-control"] == "public, no-cache"


def test_a_history_has_the_lines_that_the_command_prints(app: Front, club: str) -> None:
    found = get(app, f"{POOL}/players/{number(app, 'ann')}/history?top=1000").json()
    rows = [{name: cell for name, cell in row.items() if name != "position"} for row in found["rows"]]
    assert rows == printed("player", club, "ann", "-p", "rapid")


@pytest.mark.parametrize(
    ("query", "options"),
    [("", []), ("?since=2024-03-05", ["--since", "2024-03-05"]), ("?against=20", ["--against", "20"])],
)
def test_an_explanation_has_the_lines_that_the_command_prints(
    app: Front, club: str, query: str, options: list[str]
) -> None:
    found = get(app, f"{POOL}/players/{number(app, 'bo')}/explanation{query}").json()
    assert found["rows"] == printed("explain", club, "bo", "-p", "rapid", *options)


def test_what_is_expected_of_a_game_is_what_the_command_prints(app: Front, club: str) -> None:
    a, b = number(app, "ann"), number(app, "bo")
    found = get(app, f"{POOL}/versus?a={a}&b={b}").json()
    assert found["rows"] == printed("predict", club, "ann", "bo", "-p", "rapid")
    met = printed("versus", club, "ann", "bo", "-p", "rapid")
    assert [row["uid"] for row in found["games"]] == [row["uid"] for row in met]
    sent = {"games": [{"a": "ann", "b": "bo"}, {"a": "cy", "b": "di", "data": {"home": "a"}}]}
    rows = ask(app, "POST", f"{POOL}/forecasts", json=sent).json()["rows"]
    assert (rows[0]["expected"], rows[1]["a"]) == (found["expected"], "cy")


def test_a_card_shows_the_row_of_the_list_the_peak_and_why_there_is_none(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        peak = engine.peaks("rapid")["ann"].rating
    ann = number(app, "ann")
    found = get(app, f"{POOL}/players/{ann}").json()
    listed = get(app, f"{POOL}/list").json()
    assert found["row"] == next(row for row in listed["rows"] if row["player"] == "ann")
    assert (found["peak"]["rating"], found["of"], found["why"]) == (peak, 5, "")
    off = get(app, f"{POOL}/players/{ann}?known_at=list:March").json()
    assert off["head"].startswith("41:")


def test_somebody_who_is_left_off_is_told_why(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=24", min_games=17)
    found = get(app, f"{POOL}/players/{number(app, 'ann')}").json()
    assert (found["row"], found["why"]) == (None, "left off: 5 (fewer than 17 games)")


def test_a_record_that_was_merged_leads_to_the_player(app: Front, club: str) -> None:
    di = number(app, "di")
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-05-01", a="dinah", b="bo", score=1.0))
        engine.merge("di", "dinah", why="one person")
        dinah = engine.log.book.number("player", "dinah")
    found = get(app, f"{POOL}/players/{dinah}").json()
    assert (found["id"], found["player"], found["known_as"]) == (di, "di", ["dinah"])


def test_a_published_list_is_shown_proved_and_held_against_today(app: Front, club: str) -> None:
    path = f"{POOL}/published"
    assert [row["name"] for row in get(app, path).json()["rows"]] == ["March"]
    shown = get(app, f"{path}/March")
    document = get(app, f"{path}/March/document")
    assert [row["player"] for row in shown.json()["rows"]] == [row[1] for row in document.json()["rows"]]
    assert document.headers["cache-control"] == "public, no-cache"
    with rc.open(club) as engine:
        assert engine.prove(document.content)
        position = engine.published("rapid")[0].position
        engine.void("g-1-1", why="not played")
    assert get(app, f"{path}/~{position}").json()["name"] == "March"
    proof = get(app, f"{path}/March/proof").json()
    assert proof["holds"]
    assert get(app, f"{path}/March/restated").json()["rows"] == printed("diff", club, "March")


def test_a_tournament_has_its_entrants_by_points(app: Front) -> None:
    found = get(app, f"{POOL}/tournaments/Spring%20Open").json()
    points = [one["points"] for one in found["entrants"]]
    assert (found["event"], len(points), points) == ("Spring Open", 5, sorted(points, reverse=True))


def test_events_are_what_the_command_prints(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        engine.void("g-1-1", why="not played", by="cy")
    found = get(app, "/api/v1/events?top=1000").json()["events"]
    expected = printed("log", club)
    names = ("position", "recorded", "kind", "pool", "played", "uid")
    assert [{name: one[name] for name in names} for one in found] == [
        {name: row[name] for name in names} for row in expected
    ]
    assert [one["what"] for one in found] == [row["text"] for row in expected]


@pytest.mark.parametrize(
    ("query", "positions"),
    [
        ("?top=2", [42, 43]), ("?after=0&top=2", [1, 2]), ("?after=1&before=4", [2, 3]), ("?before=3", [1, 2]),
        ("?uid=g-1-1", [2]), ("?kinds=void,list", [42, 43]), ("?after=43", []),
    ],
)  # fmt: skip
def test_events_are_asked_for_by_place_uid_and_kind(app: Front, club: str, query: str, positions: list[int]) -> None:
    with rc.open(club) as engine:
        uid = next(iter(engine.events(1)))[0].uid
        engine.void(uid)
    found = get(app, "/api/v1/events" + query.replace("g-1-1", uid)).json()
    assert [one["position"] for one in found["events"]] == positions
    if found["next"]:
        assert get(app, found["next"]).json()["events"][0]["position"] == positions[-1] + 1


def test_events_after_a_point_that_a_restored_log_lacks_are_refused(app: Front) -> None:
    """Fixed: the answer was empty, so a program that polled waited silently for positions that the log had again."""
    head = get(app, "/api/v1/events").json()["head"]
    assert get(app, f"/api/v1/events?after={head}").json()["events"] == []
    for after in ("43", f"42:{'0' * 64}", f"43:{head[3:]}"):
        beyond = get(app, f"/api/v1/events?after={after}")
        assert (beyond.status_code, beyond.json()["position"]) == (409, 42)
        assert "from the beginning" in beyond.json()["hint"]


def test_an_answer_of_another_history_is_not_confirmed(applied: Applied, tmp_path: Path) -> None:
    """Fixed: what a browser had of position 1, or of a list, was confirmed by a log with other events there."""
    apps = list[Front]()
    for score in (1.0, 0.0):
        path = str(tmp_path / f"{score}.db")
        with rc.open(path) as engine:
            engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=score))
            engine.publish(engine.rating_list("rapid", "elo"), "March")
        apps.append(applied(path))
    for url in ("list?known_at=1", "list?known_at=list:March", "published/March", "published/March/document"):
        has = {"if-none-match": get(apps[0], f"{POOL}/{url}").headers["etag"]}
        assert [get(app, f"{POOL}/{url}", has).status_code for app in apps] == [304, 200]


def test_events_of_a_player_and_of_a_pool(app: Front) -> None:
    found = get(app, f"/api/v1/events?player={number(app, 'ann')}&pool=rapid").json()["events"]
    assert len(found) == 16
    assert all("ann" in one["what"] for one in found)


@pytest.mark.parametrize(
    ("asked", "options"), [("player={ann}", ("--player", "ann")), ("pool=rapid", ("--pool", "rapid"))]
)
def test_events_come_with_their_corrections_as_the_command_lists_them(
    app: Front, club: str, asked: str, options: tuple[str, str]
) -> None:
    with rc.open(club) as engine:
        row, _ = next(iter(engine.events(1)))
        engine.void(row.uid, why="not played")
    found = get(app, f"/api/v1/events?{asked.format(ann=number(app, 'ann'))}&after=0").json()["events"]
    assert [one["position"] for one in found] == [one["position"] for one in printed("log", club, *options)]
    assert found[-1]["kind"] == "void"


def test_an_event_shows_its_corrections_and_how_it_reads_now(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        row, _ = next(iter(engine.events(1)))
        engine.amend(row.uid, {"score": 0.5}, why="typed wrongly")
    found = get(app, "/api/v1/events/2").json()
    assert [one["kind"] for one in found["corrections"]] == ["amend"]
    assert (found["reads"]["score"], found["void"]) == (0.5, False)
    impact = get(app, "/api/v1/events/2/impact").json()
    assert impact["rows"] == printed("impact", club, row.uid)
    assert get(app, "/api/v1/events/999").status_code == 404


def test_what_is_installed_is_what_the_commands_print(app: Front) -> None:
    methods = get(app, "/api/v1/methods").json()["methods"]
    assert [(one["name"], one["formula"], one["cadence"], one["reads"]) for one in methods] == [
        (row["name"], row["formula"], row["cadence"], row["reads"]) for row in printed("methods")
    ]
    parameters = get(app, "/api/v1/methods/elo").json()["method"]["parameters"]
    printed_elo = next(row["parameters"] for row in printed("methods") if row["name"] == "elo")
    text = ",".join(f"{name}={value}" for name, value in parameters.items())
    assert text == printed_elo, "a fixed bug: a default was False, which no text of a method may have"
    assert get(app, "/api/v1/methods/eloo").status_code == 404
    names = {one["reader"] for one in get(app, "/api/v1/readers").json()["readers"]}
    assert "trf" in names
    assert get(app, "/api/v1/policies").json()["pools"] == {"rapid": "digits=1"}


def test_the_start_leads_to_every_pool(app: Front) -> None:
    start = get(app, "/api/v1/").json()
    assert start["pools"] == ["rapid"]
    pool = get(app, start["links"]["pools"]).json()["pools"][0]
    assert (pool["players"], pool["results"], pool["first"], pool["last"]) == (5, 40, "2024-03-01", "2024-03-09")
    assert (pool["method"], pool["published"]) == ("elo:k=24", 1)
    assert get(app, pool["links"]["list"]).json()["players"] == 5


def test_a_pool_of_any_name_has_an_address(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        for pool in ("Männer 2024/25", "api", "~1", "..", "."):
            engine.record(rc.GamePlayed(pool=pool, played="2024-03-02", a="ann", b="bo", score=1.0))
    for pool in get(app, "/api/v1/pools").json()["pools"]:
        listed = get(app, pool["links"]["list"])
        assert listed.json()["pool"] == pool["pool"]
        assert get(app, listed.headers["content-location"]).json()["pool"] == pool["pool"]


def test_names_of_dots_are_numbers_in_addresses(app: Front, club: str, bearer: Bearer) -> None:
    """Fixed: clients read `..` as the path above, so that the address of a list with this name was another one."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-10", a="..", b=".", score=1.0, data={"event": ".."}))
        head, event = str(engine.log.head), event_part("..")
    headers = bearer(if_match=head)
    published = [ask(app, "POST", f"{POOL}/published", headers, json={"name": name}).json() for name in ("..", "a b")]
    with rc.open(club) as engine:
        first, second = (one.position for one in engine.published("rapid")[-2:])
        third = engine.publish(engine.rating_list("rapid", "elo"), name=f"~{second}").position
    addresses = [f"{POOL}/published/~{first}", f"{POOL}/published/a%20b"]
    assert [one["address"] for one in published] == addresses
    for part in (f"published/~{first}", f"published/~{first}/proof", "players/~../history", f"tournaments/{event}"):
        answer = get(app, f"/api/v1/pools/rapid/{part}")
        assert answer.status_code == 200, answer.text
        assert "/.." not in answer.json().get("permalink", "")
    for position, name in ((first, ".."), (second, "a b"), (third, f"~{second}")):  # positions come before names
        assert get(app, f"{POOL}/published/~{position}").json()["name"] == name
        assert f"<h1>{name}</h1>" in get(app, f"/rapid/published/~{position}").text


def test_a_slash_within_a_name_is_sent_as_an_encoded_one(
    applied: Applied, app: Front, club: str, bearer: Bearer
) -> None:
    """Fixed: lists, tournaments and keys with a slash were not found, and the message had a NUL in its place."""
    with rc.open(club) as engine:
        game = {"pool": "A/B", "played": "2024-03-02", "b": "bo", "score": 1.0}
        engine.record(*(rc.GamePlayed(a=a, data={"event": "Cup 24/25"}, **game) for a in ("P/1", "ann")))
        head = str(engine.log.head)
    answer = ask(app, "POST", "/api/v1/pools/A%2FB/published", bearer(if_match=head), json={"name": "Season 24/25"})
    of_api = ("/tournaments/Cup%2024%2F25", "/players/~P%2F1/history", "/published/Season%2024%2F25/proof")
    of_pages = ("/tournaments/Cup%2024%2F25", "/published/Season%2024%2F25")
    for site in (app, applied(rate=1000.0, short_events=1)):  # a process answers the second one
        assert get(site, answer.json()["address"]).json()["name"] == "Season 24/25"
        for url in (*(f"/api/v1/pools/A%2fB{part}" for part in of_api), *(f"/A%2FB{part}" for part in of_pages)):
            shown = get(site, url)
            assert shown.status_code == 200, shown.text
            assert get(site, shown.headers.get("content-location", url)).status_code == 200
    for url in ("/players/~Q%2F1", "/published/Summer%2F25", "/nothing/at%2Fall"):
        assert "\\u0000" not in get(app, f"/api/v1/pools/A%2FB{url}").text


def test_a_page_of_the_site_is_served(app: Front) -> None:
    page = get(app, "/rapid/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert '<link rel="stylesheet" href="/style.css">' in page.text
    assert "&lt;script&gt;" in page.text
    assert "<script>alert" not in page.text


def test_a_list_is_made_with_events_that_are_only_supposed(app: Front, club: str) -> None:
    game = rc.GamePlayed(pool="rapid", played="2024-04-01", a="ann", b="bo", score=1.0)
    with rc.open(club) as engine:
        expected = [row["rating"] for row in engine.what_if([game]).rating_list("rapid")]
        before = engine.log.head
    sent = {"kind": "game", "pool": "rapid", "played": "2024-04-01", "a": "ann", "b": "bo", "score": 1.0}
    answer = ask(app, "POST", "/api/v1/what-if", json={"events": [sent], "pool": "rapid"})
    assert [row["rating"] for row in answer.json()["rows"]] == expected
    assert answer.json()["head"].startswith("43:what-if:")
    with rc.open(club) as engine:
        assert engine.log.head == before


def test_what_is_compared_with_a_published_list_is_asked_as_the_list_was(app: Front, club: str) -> None:
    """Against a list of another method, policy or day, the differences were not those of the list."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=24", digits=0)
        listed = engine.rating_list("rapid", "elo:k=40", "2024-03-05", policy="digits=1")
        engine.publish(listed, "Early")
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-04", a="bo", b="ann", score=1.0))
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-04", a="bo", b="ann", score=1.0))
        expected = list(listed.diff(engine.restated("Early")))
        exact = engine.explain("rapid", "bo", "elo:k=40", through="2024-03-05").closing
    found = get(app, f"{POOL}/list/diff?against=Early").json()
    assert (found["rows"], found["questions"]) == (expected, "")
    lines = get(app, f"{POOL}/players/{number(app, 'bo')}/explanation?against=list:Early").json()
    assert lines["rows"] == printed("explain", club, "bo", "-p", "rapid", "--against", "Early")
    assert lines["rows"][-1]["new_contribution"] == exact
    refused = get(app, f"{POOL}/list/diff?against=Early&method=elo")
    assert (refused.status_code, refused.json()["type"]) == (422, "urn:ratingcore:OtherQuestion")
    unrounded = get(app, f"{POOL}/list/diff?against=20").json()
    assert unrounded["questions"] == ""


def test_a_field_that_a_query_gives_twice_is_refused_by_name(app: Front) -> None:
    for query in ("top=2&top=3", "through=2024-03-05&top=1&through=2024-03-06", "q=a&q=a"):
        refused = get(app, f"{POOL}/list?{query}")
        name = query.partition("=")[0]
        assert refused.status_code == 422
        assert refused.json()["detail"] == f"the field '{name}' is in the query string twice: give it once"


@pytest.mark.parametrize("query", ["before=NULL", "after=7&before=Null"])
def test_a_number_that_is_null_in_a_query_is_not_taken_for_one_that_was_left_out(app: Front, query: str) -> None:
    """A fixed bug: all events were answered."""
    refused = get(app, f"/api/v1/events?{query}")
    name, _, value = query.rpartition("&")[2].partition("=")
    assert refused.status_code == 422
    assert refused.json()["detail"] == f"the field {name} has no value: {value}"
    assert refused.json()["hint"] == f"leave {name} out, or give it a value"


def test_the_order_that_is_supported_is_that_of_the_command(app: Front, club: str) -> None:
    found = get(app, f"{POOL}/list/order?method=glicko&level=0.5").json()
    rows = printed("order", club, "-p", "rapid", "-m", "glicko", "--level", "0.5")
    shown = ("rank", "player", "first", "last", "tier", "ahead")
    assert [[row[name] for name in shown] for row in found["rows"]] == [[row[name] for name in shown] for row in rows]
    assert found["notes"][0].endswith("(at 50% confidence for all pairs at once)")
    refused = get(app, f"{POOL}/list/order?method=elo")
    assert (refused.status_code, refused.json()["type"]) == (422, "urn:ratingcore:CannotSay")


def test_a_slice_is_a_pool_of_the_api_and_of_pages(app: Front, club: str) -> None:
    with rc.open(club) as engine:
        for n, table in enumerate("aab"):
            facts = {"table": table}
            engine.record(
                rc.GamePlayed(pool="rapid", played=f"2024-05-0{n + 1}", a="ann", b="bo", score=1.0, data=facts)
            )
    slice_ = f"{POOL}%5Btable%3Da%5D"
    found = get(app, f"{slice_}/list").json()
    assert (found["pool"], [row["games"] for row in found["rows"]]) == ("rapid[table=a]", [2, 2])
    assert found["rows"] == get(app, found["permalink"]).json()["rows"]
    assert get(app, slice_).json()["pool"] == "rapid[table=a]"
    page = get(app, f"/{slice_.rpartition('/')[2]}/")
    assert page.status_code == 200
    assert "rapid[table=a]" in page.text
    assert get(app, f"/{slice_.rpartition('/')[2]}/players/{found['rows'][0]['id']}").status_code == 200


def test_a_player_is_found_by_their_own_key_wherever_one_is_named(app: Front) -> None:
    """Programs know their users by keys of their own, and had to look up the id of each first."""
    for key in ("user:17", "ann/2", "7"):
        game = rc.GamePlayed(pool="rapid", played="2024-04-01", a=key, b="bo", score=1.0)
        app.service.desk.engine.record(game)
    one = get(app, f"{POOL}/players?key=user:17").json()
    assert [row["player"] for row in one["rows"]] == ["user:17"]
    at = one["rows"][0]["id"]
    for rest in ("", "/history", "/explanation"):
        by_key, by_id = (get(app, f"{POOL}/players/{who}{rest}") for who in ("~user:17", at))
        assert by_key.json() == by_id.json()
        assert "user" not in by_key.headers["content-location"]
    both = [get(app, f"{POOL}/versus?a={a}&b=~bo").json() for a in ("~user:17", at)]
    assert both[0] == both[1]
    assert both[0]["a"]["player"] == "user:17"
    found = [get(app, f"/api/v1/events?player={who}").json() for who in ("~user:17", at)]
    assert found[0] == found[1]
    assert len(found[0]["events"]) == 1
    assert get(app, f"{POOL}/players/~7").json()["player"] == "7"
    assert get(app, f"{POOL}/players?key=ann/2").json()["players"] == 1
    for url in ("/players?key=nobody", "/players/~nobody", "/players/ann", "/players/99999", "/versus?a=~no&b=~bo"):
        missing = get(app, f"{POOL}{url}")
        assert missing.status_code == 404, url
        assert "near" not in missing.json()


def test_a_pool_whose_method_is_not_installed_hides_no_other(club: str, applied: Applied) -> None:
    """Such a pool, whose plugin was removed, took the first page and every list off."""
    with rc.open(club) as engine:
        engine.log.append([rc.PoolDeclared(pool="gone", method="gone:k=1", policy="digits=0")])
    app = applied(offered="declared", methods={"rapid": "elo"})
    for url in ("/", "/rapid/", "/log", "/rapid/methods", "/api/v1/policies", "/api/v1/pools/rapid/list?method=elo"):
        assert get(app, url).status_code == 200, url
    pools = {one["pool"]: one for one in get(app, "/api/v1/pools").json()["pools"]}
    assert (pools["gone"]["method"], pools["gone"]["policy"]) == ("gone:k=1", "digits=0")
    assert get(app, "/gone/").status_code == 422

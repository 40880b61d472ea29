"""The desk: what an officer does in steps is what the API and the commands do, and is seen before it is done."""

import re
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from ratingcore_service.front import Front

import ratingcore as rc
from ratingcore.log.lookup import event_of, uid_at
from tests.service.asking import Applied, Bearer, ask, get
from tests.service.desk import OURS, Desk, head


def test_the_desk_asks_who_one_is(app: Front, desk: Desk) -> None:
    assert 'name="token"' in ask(app, "GET", "/desk/").text
    assert ask(app, "GET", "/desk/file").status_code == 401
    assert "secretary" in desk.get("/desk/")


def test_a_file_with_other_headings_is_mapped_seen_and_accepted(app: Front, desk: Desk, club: str) -> None:
    before = head(app)
    answer = desk.bring("Runde 7.csv", "Datum;Weiß;Schwarz;Ergebnis\n2024-04-01;ann;bo;1-0\n2024-04-01;cy;di;x\n")
    assert answer.status_code == 303
    address = answer.headers["location"]
    page = desk.get(address)
    assert re.findall(r"<option selected>([^<]*)", page) == ["Weiß", "Schwarz", "Ergebnis", "Datum"]
    chosen = {"map.a": "Weiß", "map.b": "Schwarz", "map.score": "Ergebnis", "map.played": "Datum", "pool": "rapid"}
    assert desk.send(f"{address}/map", page, **chosen).status_code == 303
    page = desk.get(address)
    assert "Accept 1 result<" in page
    assert '<td class="n">3</td>' in page  # the line that is refused
    row = '<td class="said">ann</td><td class="said">bo</td><td class="n">1</td><td class="day">2024-04-01</td>'
    assert row in page
    assert "Ratings that would change in rapid" in page
    assert head(app) == before
    assert desk.send(f"{address}/accept", page).headers["location"] == address
    assert "1 result is in the log" in desk.get(address)
    with rc.open(club) as engine:
        assert engine.log.head.position == before + 1


def test_a_file_that_comes_again_takes_back_what_it_no_longer_has(desk: Desk, club: str) -> None:
    """A fixed bug: a name that the file corrected left its game in the log twice."""
    text = "played,a,b,score\n2024-05-01,ann,bo,1\n2024-05-01,cy,Müler,0\n2024-05-01,di,eve,*\n"
    address = desk.bring("may.csv", text, pool="rapid").headers["location"]
    page = desk.get(address)
    assert "<dt>Not rated</dt><dd>1</dd>" in page
    desk.send(f"{address}/accept", page)
    address = desk.bring("may.csv", text.replace("Müler", "Müller"), pool="rapid", reissue="yes").headers["location"]
    page = desk.get(address)
    assert "<dt>Taken back</dt><dd>1</dd>" in page
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        played = engine.rating_list("rapid", "elo").player
    assert "Müller" in played
    assert "Müler" not in played


def test_columns_that_were_chosen_wrong_are_chosen_again(desk: Desk, club: str) -> None:
    """A fixed bug: the selects were gone, and the file had to be brought once more."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="blitz", played="2024-04-01", a="ann", b="bo", score=1.0))
    text = "Datum;Weiß;Schwarz;Ergebnis\n2024-04-01;ann;bo;1-0\n"
    address = desk.bring("Runde 7.csv", text).headers["location"]
    chosen = {"map.a": "Weiß", "map.b": "Weiß", "map.score": "Ergebnis", "map.played": "Datum"}
    desk.send(f"{address}/map", desk.get(address), **chosen)
    page = desk.get(address)
    assert "No pool is named" in page
    assert "--map" not in page
    desk.send(f"{address}/map", page, **chosen, pool="rapid")
    page = desk.get(address)
    assert re.findall(r"<option selected>([^<]*)", page) == ["Weiß", "Weiß", "Ergebnis", "Datum"]
    assert "Accept" not in page
    desk.send(f"{address}/map", page, **chosen | {"map.b": "Schwarz"}, pool="rapid")
    assert "Accept 1 result<" in desk.get(address)


def test_a_whole_file_is_taken_back(app: Front, desk: Desk, club: str) -> None:
    """The desk accepted a file of the wrong club, and only the command line could take it back."""
    before = head(app)
    rows = "".join(f"2024-04-0{day},ann,bo,1\n" for day in range(1, 6))
    address = desk.bring("other.csv", f"played,a,b,score\n{rows}", pool="rapid").headers["location"]
    desk.send(f"{address}/accept", desk.get(address))
    positions = f"{before + 1}-{before + 5}"
    page = desk.get(address)
    assert f'name="positions" value="{positions}"' in page
    form = f"/desk/correct/void_all?positions={positions}"
    assert "other.csv · 5 events count" in desk.get("/desk/correct/void_all")
    neither = desk.send("/desk/correct/void_all", desk.get(form), why="another club")
    assert (neither.status_code, "either a source nor positions" in neither.text) == (422, True)
    for fields, status in (({"positions": "x"}, 422), ({"source": "nothing.csv"}, 422), ({"source": "other*"}, 200)):
        answer = desk.send("/desk/correct/void_all", desk.get(form), why="another club", **fields)
        assert answer.status_code == status, answer.text
    seen = desk.send("/desk/correct/void_all", desk.get(form), why="another club", positions=positions)
    assert "5 corrections would be recorded" in seen.text
    assert "Ratings that would change in rapid" in seen.text
    assert head(app) == before + 5
    assert (
        desk.send("/desk/correct/void_all", seen.text).headers["location"]
        == f"/desk/?recorded={before + 6}-{before + 10}"
    )
    with rc.open(club) as engine:
        void = [event for _, event in engine.events(before + 5)]
        assert [one.of for one in void if isinstance(one, rc.ResultVoided)] == [
            uid_at(engine.log, before + n) for n in range(1, 6)
        ]
    assert "other.csv ·" not in desk.get("/desk/correct/void_all")
    again = desk.send("/desk/correct/void_all", desk.get(form), why="another club", positions=positions)
    assert (again.status_code, "nothing would be recorded" in again.text) == (422, True)


def test_an_accepted_file_that_was_seen_on_another_head_is_shown_again(app: Front, desk: Desk, club: str) -> None:
    address = desk.bring("a.csv", "played,a,b,score\n2024-04-01,ann,bo,1\n", pool="rapid").headers["location"]
    page = desk.get(address)
    with rc.open(club) as engine:
        row = {"played": "2024-04-01", "a": "ann", "b": "bo", "score": "1"}
        engine.import_file([row], "rapid")  # the file would add nothing now
    answer = desk.send(f"{address}/accept", page)
    assert answer.status_code == 412
    assert "1 further event was recorded meanwhile" in answer.text
    assert "<dt>Known already</dt><dd>1</dd>" in answer.text


def test_a_form_of_another_site_does_nothing(app: Front, desk: Desk) -> None:
    before = head(app)
    page = desk.get("/desk/correct/void")
    crossing = {**desk.headers, "sec-fetch-site": "cross-site"}
    assert ask(app, "POST", "/desk/correct/void", crossing, data={"uid": "3", "why": "x"}).status_code == 403
    assert desk.send("/desk/correct/void", page, form="guessed", uid="3", why="x").status_code == 403
    files = {"file": ("a.csv", "played,a,b,score\n")}
    assert ask(app, "POST", "/desk/file", desk.headers, data={"form": "guessed"}, files=files).status_code == 403
    assert head(app) == before


def test_days_of_a_tournament_that_may_mean_several_are_chosen_in_the_form(app: Front, desk: Desk) -> None:
    """The sentence was in English, and named nothing on the page."""
    rows = [
        f"001    {n}      {who:66} 1.0       {game}" for n, who, game in ((1, "ann", "   2 w 1"), (2, "bo", "   1 b 0"))
    ]
    trf = "\n".join(["012 Cup", "042 05/09/2024", "052 06/09/2024", *rows, ""])
    page = desk.get(desk.bring("cup.trf", trf, pool="rapid").headers["location"])
    assert "Line 2: 05/09/2024 may mean more than one day. Choose how the file writes days." in page
    assert "give the format of the dates" not in page


def test_a_field_that_a_form_gives_twice_is_refused_by_name(app: Front, desk: Desk) -> None:
    """The last value counted: another result was taken back than the officer saw first in the form."""
    before = head(app)
    form = re.findall(r'name="form" value="([^"]*)"', desk.get("/desk/correct/void"))[0]
    sent = {"form": form, "why": "not played", "uid": ["3", "4"]}
    refused = ask(app, "POST", "/desk/correct/void", desk.headers, data=sent)
    assert refused.status_code == 422, refused.text
    assert "the field &#39;uid&#39; is in the form twice" in refused.text
    sent = {"form": form, "pool": ["rapid", "blitz"]}
    files = {"file": ("a.csv", "played,a,b,score\n")}
    refused = ask(app, "POST", "/desk/file", desk.headers, data=sent, files=files)
    assert "the field &#39;pool&#39; is in the form twice" in refused.text
    assert head(app) == before


def test_a_result_is_taken_back_after_seeing_who_moves(app: Front, desk: Desk, club: str) -> None:
    before = head(app)
    seen = desk.send("/desk/correct/void", desk.get("/desk/correct/void"), uid="3", why="not played")
    assert seen.status_code == 200, seen.text
    assert "Ratings that would change in rapid" in seen.text
    assert head(app) == before
    assert desk.send("/desk/correct/void", seen.text).headers["location"] == f"/desk/?recorded={before + 1}"
    with rc.open(club) as engine:
        event = next(iter(engine.events(before)))[1]
        assert isinstance(event, rc.ResultVoided)
        assert (event.why, event.by, event.of) == ("not played", "secretary", uid_at(engine.log, 3))


def test_who_would_move_is_called_as_on_the_list(app: Front, desk: Desk) -> None:
    """Under a file players had their shown names, under a correction their keys."""
    named = desk.send("/desk/correct/rename", desk.get("/desk/correct/rename"), player="ann", called="Ann of Cork")
    desk.send("/desk/correct/rename", named.text)
    seen = desk.send("/desk/correct/void", desk.get("/desk/correct/void"), uid="3", why="not played")
    assert '<th scope="row">Ann of Cork</th>' in seen.text


def test_a_result_is_not_taken_back_twice(app: Front, desk: Desk) -> None:
    """The desk recorded a second void, and its preview said who would move in a pool without a name."""
    seen = desk.send("/desk/correct/void", desk.get("/desk/correct/void?uid=3"), uid="3", why="not played")
    desk.send("/desk/correct/void", seen.text)
    void = head(app)
    refused = desk.send("/desk/correct/void", desk.get("/desk/correct/void"), uid="3", why="again")
    assert refused.status_code == 422
    assert "It was taken back already" in refused.text
    assert f'<a href="/log/{void}">Event {void}</a>' in refused.text
    assert 'href="/desk/correct/revive?uid=3"' in refused.text
    assert "Record it" not in refused.text
    assert head(app) == void


def test_the_log_shows_what_was_taken_back_and_leads_to_the_desk(app: Front, desk: Desk) -> None:
    """A voided result looked like any other in the log, and an event said twice why it was voided, and by whom."""
    assert 'href="/desk/correct/void?uid=3"' in desk.get("/log/3")
    assert 'value="3"' in desk.get("/desk/correct/void?uid=3")
    seen = desk.send("/desk/correct/void", desk.get("/desk/correct/void?uid=3"), uid="3", why="not played")
    desk.send("/desk/correct/void", seen.text)
    assert f"taken back by event {head(app)}" in desk.get("/log")
    page = desk.get("/log/3")
    assert page.count("not played") == page.count("secretary") == 1
    assert "/desk/correct/void" not in page
    assert 'href="/desk/correct/revive?uid=3"' in page


def test_a_result_is_corrected_in_the_fields_that_were_changed(app: Front, desk: Desk, club: str) -> None:
    """The desk could take a result back, and not correct it."""
    assert 'href="/desk/correct/amend?uid=3"' in desk.get("/log/3")
    assert 'method="get"' in desk.get("/desk/correct/amend")
    page = desk.get("/desk/correct/amend?uid=3")
    shown = dict(re.findall(r'name="set\.([^"]*)"[^>]*value="([^"]*)"', page))
    (shown["score"],) = re.findall(r'name="set.score" value="([^"]*)" checked', page)
    assert shown["played"] == "2024-03-01"
    new = "0" if shown["score"] != "0" else "1"
    same = desk.send("/desk/correct/amend", page, why="x", **{f"set.{name}": text for name, text in shown.items()})
    empty = desk.send("/desk/correct/amend", page, why="x", **{"set.score": ""})
    assert (empty.status_code, "score" in empty.text) == (422, True)
    assert (same.status_code, "Nothing was changed" in same.text) == (422, True)
    seen = desk.send("/desk/correct/amend", page, why="sheet misread", **{"set.score": new, "set.a": shown["a"]})
    assert seen.status_code == 200, seen.text
    assert "Ratings that would change in rapid" in seen.text
    assert desk.send("/desk/correct/amend", seen.text).headers["location"] == f"/desk/?recorded={head(app)}"
    with rc.open(club) as engine:
        made = event_of(engine.log, uid_at(engine.log, engine.log.head.position))
        assert isinstance(made, rc.ResultAmended)
        assert (dict(made.changes), made.why, made.by) == ({"score": float(new)}, "sheet misread", "secretary")
    for uid, words in (("1", "this is the rule of a pool"), ("9999", "9999"), (str(head(app)), "this is a correction")):
        refused = ask(app, "GET", f"/desk/correct/amend?uid={uid}", desk.headers)
        assert (refused.status_code, words in refused.text) == (422, True), refused.text


def test_facts_and_scores_of_sides_and_first_ratings_are_corrected(app: Front, desk: Desk) -> None:
    engine = app.service.desk.engine
    engine.record(
        rc.GamePlayed(pool="rapid", played="2024-04-02", a="ann", b="bo", score=1.0, data={"round": 3, "hall": "x"})
    )
    engine.record(rc.RatingSeeded(pool="rapid", played="2024-01-01", player="eve", values={"rating": 1500.0}))
    engine.declare("pairs", method="trueskill")
    sides = [rc.Side(("ann", "bo"), 1.0), rc.Side(("cy",), 0.0)]
    engine.record(rc.SessionPlayed(pool="pairs", played="2024-04-02", sides=sides))
    last = head(app)
    for position, fields, expected in (
        (last - 3, {"set.round": "4", "set.hall": ""}, {"round": 4, "hall": None}),
        (last - 2, {"set.rating": "1600,5"}, {"values": {"rating": 1600.5}}),
        (last, {"set.score of cy": "1"}, {"sides": (sides[0], rc.Side(("cy",), 1.0))}),
    ):
        page = desk.get(f"/desk/correct/amend?uid={position}")
        seen = desk.send("/desk/correct/amend", page, why="misread", **fields)
        assert seen.status_code == 200, seen.text
        assert desk.send("/desk/correct/amend", seen.text).status_code == 303
        made = event_of(engine.log, uid_at(engine.log, head(app)))
        assert isinstance(made, rc.ResultAmended)
        assert dict(made.changes) == expected


def test_a_number_that_the_log_does_not_have_is_answered_with_its_last_one(app: Front, desk: Desk) -> None:
    """The desk said that no event has this uid, and to ask a command."""
    for text in ("999", "0", "typo"):
        refused = desk.send("/desk/correct/void", desk.get("/desk/correct/void"), uid=text, why="not played")
        assert refused.status_code == 422
        assert f"number or uid {text}: its last number is {head(app)}" in refused.text
        assert "the log command" not in refused.text


def test_two_records_are_joined_and_divided_again(app: Front, desk: Desk, club: str) -> None:
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-02", a="anne", b="bo", score=1.0))
    for what, fields in (
        ("merge", {"keep": "ann", "other": "anne", "why": "one person"}),
        ("rename", {"player": "cy", "called": "Cyril"}),
    ):
        seen = desk.send(f"/desk/correct/{what}", desk.get(f"/desk/correct/{what}"), **fields)
        assert seen.status_code == 200, seen.text
        assert desk.send(f"/desk/correct/{what}", seen.text).status_code == 303
    with rc.open(club) as engine:
        assert "anne" not in engine.rating_list("rapid").player
        assert "Cyril" in engine.rating_list("rapid").called
    fields = {"uid": str(head(app) - 1), "why": "two persons"}
    seen = desk.send("/desk/correct/unmerge", desk.get("/desk/correct/unmerge"), **fields)
    assert desk.send("/desk/correct/unmerge", seen.text).status_code == 303
    assert "taken back by event" in desk.get("/log")
    with rc.open(club) as engine:
        assert "anne" in engine.rating_list("rapid").player
    wrong = desk.send(
        "/desk/correct/split", desk.get("/desk/correct/split?player=ann"), player="nobody", into="x", why="y"
    )
    assert wrong.status_code == 422
    assert 'role="alert"' in wrong.text


def test_a_list_is_published_as_it_was_seen(app: Front, desk: Desk, club: str) -> None:
    seen = desk.send("/desk/publish", desk.get("/desk/publish"), pool="rapid", name="2024-04")
    assert "changes since the list March" in seen.text
    assert desk.send("/desk/publish", seen.text).headers["location"] == "/rapid/published/"
    with rc.open(club) as engine:
        assert [one.name for one in engine.published("rapid")] == ["March", "2024-04"]


def test_a_name_that_a_list_has_is_refused_before_the_list_is_shown(desk: Desk) -> None:
    """It was refused on the second step, after the officer had read the whole preview."""
    fields = {"pool": "rapid", "name": "March", "through": "2024-03-06"}
    refused = desk.send("/desk/publish", desk.get("/desk/publish"), **fields)
    assert refused.status_code == 422
    assert "was published as March" in refused.text
    assert "Publish it as" not in refused.text
    unclear = desk.send("/desk/publish", desk.get("/desk/publish"), pool="rapid", name="2024-04-01")
    assert unclear.status_code == 422


def test_a_list_on_which_nothing_changed_says_so(desk: Desk, club: str) -> None:
    """The preview showed the first places with empty changes."""
    with rc.open(club) as engine:
        listed = engine.rating_list("rapid", through="2024-04-30")
        engine.publish(listed, "April")
    fields = {"pool": "rapid", "name": "May", "through": "2024-05-31"}
    seen = desk.send("/desk/publish", desk.get("/desk/publish"), **fields)
    assert "Nothing has changed since April." in seen.text
    assert "The first places" not in seen.text
    assert "Publish it as May" in seen.text


@pytest.mark.parametrize(
    ("through", "asked"),
    [("2001-01-01", "Nobody is on this list"), ("2099-12-31", "Its last day is still to come"), ("", "")],
)
def test_an_empty_list_and_one_of_a_coming_day_need_a_tick(desk: Desk, through: str, asked: str) -> None:
    """A fixed fault: a slip in the year was published without a question, for ever."""
    seen = desk.send("/desk/publish", desk.get("/desk/publish"), pool="rapid", name="slip", through=through).text
    assert ('name="sure" value="yes" required' in seen) == bool(asked)
    assert asked in seen
    assert "as of </p>" not in seen  # an empty list has no day
    assert desk.send("/desk/publish", seen, sure="yes").status_code == 303


def test_a_complaint_is_compared_with_any_list(desk: Desk, club: str) -> None:
    """A fixed fault: only with the newest list, while a player asks about an older one, by another rule."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=40", restated=True)
        engine.publish(engine.rating_list("rapid"), "May")
    page = desk.get("/desk/complaint?pool=rapid&player=ann")
    assert "Since the list <bdi>May</bdi> was published" in page
    assert "<option selected>May</option><option>March</option>" in page
    assert '<a href="/desk/">Desk</a>' in page
    assert "by Elo with K = 40" in page
    page = desk.get("/desk/complaint?pool=rapid&player=ann&against=March")
    assert "Since the list <bdi>March</bdi> was published" in page
    assert "That list is by Elo with K = 24." in page
    assert "rated by another rule</td>" in page


def test_a_complaint_is_answered_with_one_file(app: Front, desk: Desk) -> None:
    page = desk.get("/desk/complaint?pool=rapid&player=ann&since=2024-03-05")
    rows = app.service.desk.engine.explain("rapid", "ann", since="2024-03-05")
    assert page.count("<tr><td") == len(list(rows)) - 2  # the opening and the closing stand above
    file = ask(app, "GET", "/desk/complaint?pool=rapid&player=ann&file=true", desk.headers)
    assert file.headers["content-disposition"].startswith("attachment")
    assert not re.search(r"(href|src)=\"(?!#)", file.text)


@pytest.mark.parametrize("pool", ["search.js", "Jobs", "Männer 24"])
def test_an_explanation_links_to_the_pages_of_a_pool_of_any_name(app: Front, desk: Desk, pool: str) -> None:
    """Fixed: the links were made by other rules than those of the pages, so that a pool had two addresses."""
    app.service.desk.engine.record(rc.GamePlayed(pool=pool, played="2024-03-02", a="ann", b="bo", score=1.0))
    number = app.service.desk.engine.log.book.number("pool", pool)
    page = desk.get(f"/desk/complaint?pool={quote(pool)}&player=ann")
    links = {link.partition("?")[0] for link in re.findall(rf'href="(/~{number}/[^"]*)"', page)}
    assert links
    assert {get(app, link).status_code for link in links} == {200}


def test_facts_that_are_rated_by_are_erased_when_the_box_is_ticked(app: Front, desk: Desk) -> None:
    engine = app.service.desk.engine
    engine.record(
        rc.PlayerDescribed(pool="rapid", player="di", played="2024-01-01", data={"born": 1988, "club": "Rooks"})
    )
    seen = desk.send("/desk/erase", desk.get("/desk/erase"), player="di")
    assert "<li>club: Rooks</li>" in seen.text
    assert "<li>born" not in seen.text
    assert "Facts that stay, since ratings are computed from them: Born</p>" in seen.text
    seen = desk.send("/desk/erase", desk.get("/desk/erase"), player="di", rated_facts="yes")
    assert "<li>born: 1988</li>" in seen.text
    assert "The name is erased" in desk.send("/desk/erase", seen.text, again="di").text
    assert not [
        event.data for _, event in engine.events(0, ("player",)) if "club" in event.data or "born" in event.data
    ]


def test_a_name_is_erased_once_it_was_typed_again(app: Front, desk: Desk) -> None:
    app.service.desk.engine.void("g-2-1", why="di was ill")
    seen = desk.send("/desk/erase", desk.get("/desk/erase"), player="di")
    assert "Type the name di again" in seen.text
    assert "too short to be searched for in reasons and sources, where they may remain: di</p>" in seen.text
    assert "di" in app.service.desk.engine.rating_list("rapid").player
    assert desk.send("/desk/erase", seen.text, again="do").status_code == 422
    assert "The name is erased" in desk.send("/desk/erase", seen.text, again="di").text
    assert "di" not in app.service.desk.engine.rating_list("rapid").player


def test_somebody_whose_session_has_ended_signs_in_where_they_are(app: Front) -> None:
    answer = ask(app, "GET", "/desk/file")
    assert (answer.status_code, "Sign in first." in answer.text) == (401, True)
    assert 'name="token"' in answer.text
    wrong = ask(app, "POST", "/desk/session", OURS, data={"token": "rc_1_x"})
    assert (wrong.status_code, "This token is unknown" in wrong.text) == (401, True)


def test_who_signs_in_goes_on_where_they_were(app: Front, bearer: Bearer) -> None:
    """A fixed bug: they came to the first page of the desk."""
    token = bearer()["authorization"].removeprefix("Bearer ")
    event = "/desk/correct/void?uid=g-1&why=a%20slip"
    for method, path, onward in [
        ("GET", "/desk/file", "/desk/file"), ("GET", event, event), ("POST", "/desk/files/a1/map", "/desk/files/a1"),
    ]:  # fmt: skip
        asked = re.search(r'action="(/desk/session[^"]*)"', ask(app, method, path, OURS, data={}).text)
        assert asked is not None
        again = re.search(r'action="(/desk/session[^"]*)"', ask(app, "POST", asked[1], OURS, data={"token": "x"}).text)
        assert again is not None
        assert again[1] == asked[1]  # a wrong token loses nothing
        signed_in = ask(app, "POST", asked[1], OURS, data={"token": token}).headers
        mine = {**OURS, "cookie": signed_in["set-cookie"].partition(";")[0]}
        assert ask(app, "GET", signed_in["location"], mine).headers["location"] == onward


@pytest.mark.parametrize(
    "onward",
    [
        "//else.example",
        "//else.example/desk/",
        "https://else.example/",
        "/\\else.example",
        "/desk/\nSet-Cookie: x",
        "/desk/?\\n",
        "/%2e%2e/",
        "/desk/..",
        "/desk/.%2E?back=1",
        "desk/",
    ],
)
def test_nobody_is_led_to_another_site_by_signing_in(app: Front, bearer: Bearer, onward: str) -> None:
    token = bearer()["authorization"].removeprefix("Bearer ")
    answer = ask(app, "POST", f"/desk/session?{urlencode({'onward': onward})}", OURS, data={"token": token})
    assert answer.status_code == 422
    assert "set-cookie" not in answer.headers


def test_a_name_that_is_misspelt_is_offered_as_it_is(desk: Desk) -> None:
    page = desk.get("/desk/complaint")
    assert '<option value="ann">' in page
    answer = ask(desk.app, "GET", "/desk/complaint?pool=rapid&player=Ann", desk.headers)
    assert re.search(r'name="player" value="ann">.*?<button class="plain">ann is meant</button>', answer.text)


def test_a_file_is_read_again_in_another_way(app: Front, desk: Desk) -> None:
    text = "played,a,b,score\n2024-04-01,ann,bo,1\n"
    address = desk.bring("a.csv", text, pool="rapid").headers["location"]
    desk.send(f"{address}/accept", desk.get(address))
    address = desk.bring("a.csv", text.replace(",1\n", ",0\n"), pool="rapid").headers["location"]
    page = desk.get(address)
    assert "If the file is right, have it correct what is recorded." in page
    assert "--amend" not in page
    assert "refused, line" not in page  # the table says it
    page = desk.get(desk.send(f"{address}/map", page, amend="yes", pool="rapid").headers["location"])
    assert "<dt>Corrected</dt><dd>1</dd>" in page
    assert "1 result is in the log." in desk.get(desk.send(f"{address}/accept", page).headers["location"])


def test_a_file_for_an_empty_log_is_asked_its_pool_without_an_or(applied: Applied, tmp_path: Path) -> None:
    """There is no pool to choose before one was made, and the label of the new one began with "Or"."""
    page = Desk(applied(str(tmp_path / "new.db"))).get("/desk/file")
    assert "Or a new pool" not in page
    assert "Pool: the players who are rated together" in page

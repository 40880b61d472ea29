"""Who may do what: tokens, sessions, proxies, and how often."""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ratingcore_service.access import (
    ANYBODY,
    COOKIE,
    Caller,
    Tokens,
    address_of,
    check_allowed,
    check_form,
    check_same_origin,
    open_tokens,
    recognised,
)
from ratingcore_service.app import ROUTES
from ratingcore_service.front import Front
from ratingcore_service.problems import NotAllowed, NotOurForm, ReadOnly, TokenNeeded, TooOften
from ratingcore_service.rates import Rates
from ratingcore_service.routing import Route, Scope
from ratingcore_service.running import check_guarded
from ratingcore_service.service_store import ServiceStore
from ratingcore_service.settings import Settings

import ratingcore as rc
from ratingcore.cli.main import cli
from ratingcore.errors import BadValue
from ratingcore.plugin.commands import Mistake
from tests.service.asking import Applied, Bearer, ask, get

ASKED_BY_POST = ("/forecasts", "/what-if", "/desk/session", "/desk/session/end")
"""What is sent to these is a question, or a token to sign in with; nothing is recorded."""
LIST = "/api/v1/pools/rapid/list"


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(ServiceStore(tmp_path / "club.db.service"))


def test_only_the_digest_of_a_token_is_kept(tokens: Tokens, tmp_path: Path) -> None:
    text = tokens.add("secretary", Scope.OFFICER, ["rapid"])
    file = tmp_path / "club.db.service"
    assert text.split("_", 2)[2].encode() not in file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0
    caller = tokens.caller(text)
    assert caller is not None
    assert (caller.name, caller.scope, caller.pools) == ("secretary", Scope.OFFICER, ("rapid",))


def test_a_token_of_an_older_version_means_what_it_meant() -> None:
    """An officer could erase, and was kept as 3: a fixed bug read that as what may only correct its own results."""
    store = ServiceStore(None)
    tokens = Tokens(store)
    texts = [tokens.add(str(number), Scope.READ) for number in (1, 2, 3)]
    store.run("UPDATE token SET scope = CAST(name AS INTEGER)")
    found = [tokens.caller(text) for text in texts]
    assert [one and one.scope for one in found] == [Scope.READ, Scope.RECORD, Scope.ERASE]
    for scope in Scope:
        if scope:
            caller = tokens.caller(tokens.add(scope.name, scope))
            assert caller is not None
            assert caller.scope is scope


@pytest.mark.parametrize(
    "spoilt", ["", "rc", "rc_", "rc__", "rc_00000000_x", "xx_{id}_{secret}", "rc_{id}_", "rc_{id}_{secret}x"]
)
def test_a_text_that_is_no_token_is_nobodys(tokens: Tokens, spoilt: str) -> None:
    _, number, secret = tokens.add("hall", Scope.RECORD).split("_", 2)
    assert tokens.caller(spoilt.format(id=number, secret=secret)) is None


def test_a_token_ends_with_its_time(tokens: Tokens) -> None:
    assert tokens.caller(tokens.add("visitor", Scope.READ, until=time.time() - 1)) is None
    assert tokens.caller(tokens.add("guest", Scope.READ, until=time.time() + 60)) is not None


def test_a_revoked_token_ends_at_once_in_every_process_and_its_session_too(tokens: Tokens, tmp_path: Path) -> None:
    text = tokens.add("secretary", Scope.OFFICER)
    other = Tokens(ServiceStore(tmp_path / "club.db.service"))
    caller = other.caller(text)
    assert caller is not None
    session = other.sign_in(caller)
    assert other.signed_in(session) is not None
    assert tokens.revoke(caller.id)
    assert other.caller(text) is None
    assert other.signed_in(session) is None
    assert not tokens.revoke(caller.id)


def test_rows_that_were_read_before_are_not_those_of_a_file_that_changed_or_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "club.db.service"
    mine, other = Tokens(ServiceStore(path)), Tokens(ServiceStore(path))
    texts = [mine.add(name, Scope.RECORD) for name in ("ann", "bo")]
    os.utime(path, (time.time() - 60,) * 2)
    callers = [other.caller(text) for text in texts]
    assert callers == [other.caller(text) for text in texts]
    assert callers[0] is not None
    mine.revoke(callers[0].id)
    assert [other.caller(text) for text in texts] == [None, callers[1]]
    os.utime(path, (time.time() - 60,) * 2)
    assert other.caller(texts[1]) == callers[1]
    path.unlink()
    assert other.caller(texts[1]) is None


def test_a_session_is_no_token_and_counts_at_the_desk_alone(tokens: Tokens) -> None:
    text = tokens.add("secretary", Scope.OFFICER)
    caller = tokens.caller(text)
    assert caller is not None
    session = tokens.sign_in(caller)
    assert session not in text
    cookie = {"cookie": f"a=b; {COOKIE}={session}"}
    here = recognised(tokens, cookie, "/desk/publish", "", Settings())
    assert (here.name, here.ambient) == ("secretary", True)
    assert recognised(tokens, cookie, "/api/v1/events", "", Settings()) == ANYBODY
    check_form(here, here.form)
    with pytest.raises(NotOurForm):
        check_form(here, caller.form)
    tokens.sign_out(here)
    assert recognised(tokens, cookie, "/desk/publish", "", Settings()) == ANYBODY


def test_a_user_is_taken_from_the_proxy_that_is_trusted_and_from_nobody_else(tokens: Tokens) -> None:
    tokens.add("bo", Scope.OFFICER)  # is another's: whoever the proxy calls so may have chosen the name
    settings = Settings(user_header="X-Remote-User", trusted_proxy="10.0.0.1", users={"ann": "officer"})
    officer = recognised(tokens, {"x-remote-user": "ann"}, "/", "10.0.0.1", settings)
    assert (officer.scope, officer.ambient) == (Scope.OFFICER, True)
    assert recognised(tokens, {"x-remote-user": "bo"}, "/", "10.0.0.1", settings).scope == Scope.READ
    assert recognised(tokens, {"x-remote-user": "ann"}, "/", "10.0.0.2", settings) == ANYBODY
    assert recognised(tokens, {"x-remote-user": "ann"}, "/", "10.0.0.1", Settings()) == ANYBODY
    with pytest.raises(BadValue, match="must be one of"):
        Settings(users={"ann": "boss"})


def test_each_token_has_a_name_of_its_own(tokens: Tokens) -> None:
    caller = tokens.caller(tokens.add("hall", Scope.RECORD))
    tokens.add("desk", Scope.RECORD, until=time.time() - 1)
    assert caller is not None
    for _ in range(2):
        for name in ("hall", "desk"):  # a new one could correct what the one that was revoked, or ended, recorded
            with pytest.raises(BadValue, match="is the name of another token"):
                tokens.add(name, Scope.CORRECT)
        tokens.revoke(caller.id)
    assert [one.name for one in tokens.all()] == ["desk"]


def test_of_two_tokens_added_at_once_under_one_name_one_is_refused(tmp_path: Path) -> None:
    """A fixed bug: the name was looked up before the token was added, and another process could come between."""
    other = Tokens(ServiceStore(tmp_path / "tokens"))

    class Late(ServiceStore):
        def run(self, sql: str, values: Sequence[Any] = ()) -> int:
            other.add("hall", Scope.RECORD)
            return super().run(sql, values)

    with pytest.raises(BadValue, match="is the name of another token"):
        Tokens(Late(tmp_path / "tokens")).add("hall", Scope.CORRECT)
    assert [one.scope for one in other.all()] == [Scope.RECORD]


def test_who_signs_in_and_which_token_is_revoked_are_in_the_request_log(
    app: Front, caplog: pytest.LogCaptureFixture
) -> None:
    held = open_tokens(app.service.desk.engine, Settings())
    text = held.add("secretary", Scope.OFFICER)
    number = text.split("_")[1]
    with caplog.at_level("INFO", "ratingcore.requests"):
        ask(app, "POST", "/desk/session", {"sec-fetch-site": "same-origin"}, data={"token": text})
        assert get(app, "/api/v1/", {"authorization": f"Bearer {text}"}).status_code == 200
        held.revoke(number)
        for _ in range(2):
            assert get(app, "/api/v1/", {"authorization": f"Bearer {text}"}).status_code == 401
    said = [one for one in map(json.loads, caplog.messages) if "what" in one]
    assert [(one["what"], one["token"]) for one in said] == [("signed in", number), ("revoked", number)]


def test_the_address_that_counts_is_the_last_one_that_the_trusted_proxy_forwards() -> None:
    settings, forwarded = Settings(trusted_proxy="10.0.0.1"), {"x-forwarded-for": "6.6.6.6, 1.2.3.4"}
    assert address_of(forwarded, "10.0.0.1", settings) == "1.2.3.4"
    assert address_of(forwarded, "10.0.0.2", settings) == "10.0.0.2"
    assert address_of({}, "10.0.0.1", settings) == "10.0.0.1"


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://club.example"}, False),
        ({"origin": "http://club.example"}, True),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
        ({}, False),
    ],
)
def test_a_form_comes_from_our_own_pages(headers: dict[str, str], ours: bool) -> None:
    given = {"host": "club.example", **headers}
    if ours:
        check_same_origin(given)
    else:
        with pytest.raises(NotOurForm):
            check_same_origin(given)


def test_a_caller_has_a_bucket_that_fills_again() -> None:
    now = 0.0
    rates = Rates(rate=2.0, burst=10.0, clock=lambda: now, most=2)
    rates.take("ann", 10.0)
    with pytest.raises(TooOften) as refused:
        rates.take("ann", 5.0)
    assert refused.value.seconds == 2.5
    rates.take("bo", 10.0)
    now = 2.5
    rates.take("ann", 5.0)
    rates.take("cy", 100.0)  # more than a bucket holds: from a full one
    assert len(rates._full) == 2


def test_too_many_requests_are_answered_by_when_to_come_again(applied: Applied) -> None:
    app = applied(rate=0.5, burst=3.0)
    assert get(app, LIST).status_code == 200
    answer = get(app, f"{LIST}?top=1")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")


def test_who_asks_too_much_from_an_address_keeps_no_officer_there_out(applied: Applied, bearer: Bearer) -> None:
    """A fixed bug: both took from one bucket of the address, so that nobody behind it could sign in."""
    app = applied(rate=1e-6, burst=40.0)
    token, signing = bearer()["authorization"].partition(" ")[2], {"origin": "https://club.example"}
    while get(app, "/api/v1/pools/rapid/versus?a=ann&b=bo").status_code == 200:
        pass
    assert {get(app, "/desk").status_code for _ in range(10)} == {200}
    assert ask(app, "POST", "/desk/session", signing, data={"token": token}).status_code == 303
    assert ask(app, "POST", "/desk/session", signing, data={"token": token}).status_code == 429


def test_guessing_tokens_takes_from_the_rate_too(applied: Applied) -> None:
    app = applied(rate=0.1, burst=3.0)
    wrong = {"authorization": "Bearer rc_0000_guess"}
    assert [get(app, LIST, wrong).status_code for _ in range(2)] == [401, 429]


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_address_is_for_its_scope_alone(route: Route, private: bool) -> None:
    needed = route.scope if private or route.scope > Scope.READ else Scope.NONE
    for scope in Scope:
        caller = Caller("1", "somebody", scope) if scope else ANYBODY
        if scope >= needed:
            check_allowed(caller, route, Settings(private=private))
        else:
            with pytest.raises(NotAllowed if caller.id else TokenNeeded):
                check_allowed(caller, route, Settings(private=private))
    if route.scope > Scope.READ:
        with pytest.raises(ReadOnly):
            check_allowed(Caller("1", "boss", Scope.ERASE), route, Settings(read_only=True))


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_what_is_no_question_takes_a_token(route: Route) -> None:
    assert route.method == "GET" or route.scope > Scope.READ or route.path.endswith(ASKED_BY_POST)


def test_a_private_service_answers_who_has_a_token_for_the_pool(club: str, applied: Applied) -> None:
    app = applied(private=True)
    tokens = Tokens(ServiceStore(Path(f"{club}.service")))
    bearer = {name: {"authorization": f"Bearer {tokens.add(name, Scope.READ, pools)}"} for name, pools in
              [("all", ()), ("rapid", ("rapid",)), ("blitz", ("blitz",))]}  # fmt: skip
    assert get(app, LIST).status_code == 401
    assert "ratingcore-head" not in get(app, "/style.css").headers
    assert get(app, LIST, bearer["all"]).status_code == 200
    assert get(app, LIST, bearer["rapid"]).status_code == 200
    assert get(app, LIST, bearer["blitz"]).status_code == 403
    number = app.service.desk.engine.log.book.number("pool", "rapid")
    assert get(app, f"/api/v1/pools/~{number}/list", bearer["rapid"]).status_code == 200
    assert get(app, f"/api/v1/pools/~{number}/list", bearer["blitz"]).status_code == 403
    assert get(app, "/api/v1/events", bearer["rapid"]).status_code == 403  # of the whole log
    assert get(app, "/api/v1/methods", bearer["rapid"]).status_code == 200  # of no pool


def test_a_name_that_the_log_knows_is_given_only_if_that_is_said(club: str) -> None:
    """After a log was restored in a new folder, a new token of an old name could correct the results of the old one."""
    with rc.open(club) as engine:
        game = {"pool": "rapid", "played": "2024-03-02", "a": "ann", "b": "bo"}
        engine.record(rc.GamePlayed(score=1.0, **game), source="old bot: hall")  # type: ignore[arg-type]  # various types
    run = CliRunner().invoke
    refused = run(cli, ["token", "add", club, "old bot"])
    assert (refused.exit_code, "the log has events recorded as old bot" in refused.output) == (2, True)
    assert run(cli, ["token", "add", club, "old"]).exit_code == 0
    assert run(cli, ["token", "add", club, "old bot", "--known"]).exit_code == 0


def test_tokens_are_added_listed_and_revoked_by_a_command(club: str) -> None:
    run = CliRunner().invoke
    text = run(cli, ["token", "add", club, "hall", "--pool", "rapid", "--until", "2099-01-01"]).output.strip()
    assert text.startswith("rc_")
    listed = run(cli, ["token", "list", club]).output
    number = text.split("_")[1]
    assert f"{number},hall,record,rapid,2099-01-01" in listed
    assert text.split("_", 2)[2] not in listed
    assert run(cli, ["token", "revoke", club, number]).exit_code == 0
    again = run(cli, ["token", "revoke", club, number])
    assert (again.exit_code, "no token has the id" in again.output) == (2, True)
    assert run(cli, ["token", "add", club]).exit_code == 2
    early = run(cli, ["token", "add", club, "early", "--pool", "blitz"])
    assert (early.exit_code, early.stdout[:3]) == (0, "rc_"), "a pool begins with its first results"
    assert "the log has no pool named: blitz" in early.stderr


def test_other_machines_are_not_let_in_where_nobody_has_a_token(club: str, tokens: Tokens) -> None:
    with pytest.raises(Mistake, match="the log has no token"):
        check_guarded(club, "0.0.0.0", Settings())
    check_guarded(club, "127.0.0.1", Settings())
    check_guarded(club, "localhost", Settings())
    check_guarded(club, "0.0.0.0", Settings(read_only=True))
    with pytest.raises(Mistake, match="--user-header needs --trusted-proxy"):
        check_guarded(club, "127.0.0.1", Settings(user_header="X-Remote-User"))
    tokens.add("hall", Scope.RECORD)
    check_guarded(club, "0.0.0.0", Settings())


def test_a_request_without_a_token_is_told_how_to_come_with_one(app: Front) -> None:
    answer = ask(app, "GET", LIST, {"authorization": "Basic YTpi"})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="ratingcore"')


@pytest.mark.parametrize(
    ("host", "status"), [("192.0.2.2:8732", 403), ("127.0.0.1:8732", 303), ("localhost:8732", 303)]
)
def test_a_sign_in_that_a_browser_would_drop_is_refused(app: Front, bearer: Bearer, host: str, status: int) -> None:
    """Without HTTPS the sign-in page came again without a word: browsers drop secure cookies there."""
    ours = {
        "sec-fetch-site": "same-origin",
        "origin": f"http://{host}",
        "content-type": "application/x-www-form-urlencoded",
    }
    token = bearer()["authorization"].removeprefix("Bearer ")
    answer = ask(app, "POST", "/desk/session", ours, data={"token": token})
    assert answer.status_code == status
    assert ("Browsers keep a sign-in only over HTTPS" in answer.text) is (status == 403)


def test_a_browser_signs_in_once_and_is_given_a_session(app: Front, bearer: Bearer) -> None:
    ours = {"sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded"}
    token = bearer()["authorization"].removeprefix("Bearer ")
    assert ask(app, "POST", "/desk/session", {"sec-fetch-site": "cross-site"}, data={"token": token}).status_code == 403
    assert ask(app, "POST", "/desk/session", ours, data={"token": "rc_0_0"}).status_code == 401
    answer = ask(app, "POST", "/desk/session", ours, data={"token": token})
    after = "/desk/session?again=true&onward="
    assert (answer.status_code, answer.headers["location"]) == (303, after)
    cookie = answer.headers["set-cookie"]
    assert token.split("_", 2)[2] not in cookie
    assert set(cookie.split("; ")[1:]) == {"Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=43200"}
    mine = ours | {"cookie": cookie.split(";")[0]}
    assert ask(app, "GET", after, mine).headers["location"] == "/desk/"
    dropped = ask(app, "GET", after, ours)  # a fixed dead end: the form came again without a word
    assert dropped.status_code == 403
    assert "The sign-in was right, but its cookie was not kept" in dropped.text
    assert "Open the desk by https, or at 127.0.0.1" in dropped.text
    assert 'action="/desk/session"' in dropped.text
    session = cookie.split(";")[0].partition("=")[2]
    tokens = open_tokens(app.service.desk.engine, Settings())
    here = tokens.signed_in(session)
    assert here is not None
    end = "/desk/session/end"
    assert ask(app, "POST", end, mine | {"sec-fetch-site": "same-site"}, data={"form": here.form}).status_code == 403
    assert ask(app, "POST", end, mine, data={"form": "x"}).status_code == 403
    assert ask(app, "POST", end, mine, data={"form": here.form}).headers["set-cookie"].startswith(f"{COOKIE}=;")
    assert tokens.signed_in(session) is None


def test_answers_of_a_private_service_are_kept_by_nobody_else(bearer: Bearer, applied: Applied) -> None:
    app = applied(private=True)
    answer = get(app, LIST, bearer(Scope.READ))
    assert answer.headers["cache-control"].startswith("private")
    assert get(app, LIST, {"if-none-match": answer.headers["etag"]}).status_code == 401


def test_scripts_of_a_site_that_is_allowed_read_and_do_not_write(bearer: Bearer, applied: Applied) -> None:
    app = applied(allow_origin=("https://club.example",))
    for origin, allowed in (("https://club.example", "https://club.example"), ("https://evil.example", None)):
        for _ in range(2):  # the second is remembered
            answer = get(app, LIST, {"origin": origin})
            assert answer.headers.get("access-control-allow-origin") == allowed
            assert "access-control-allow-credentials" not in answer.headers
    assert "access-control-allow-origin" not in get(applied(), LIST, {"origin": "https://club.example"}).headers
    sent = ask(app, "POST", "/api/v1/events", bearer() | {"origin": "https://club.example"}, json={"events": []})
    assert "access-control-allow-origin" not in sent.headers


def test_a_token_for_a_log_that_is_not_there_says_how_to_make_it(tmp_path: Path) -> None:
    """The hint named four commands, and none of them whole."""
    log = tmp_path / "new.db"
    done = CliRunner().invoke(cli, ["token", "add", str(log), "secretary"])
    assert done.exit_code
    assert f"ratingcore serve {log} makes it; leave that running" in done.output
    assert not log.exists()

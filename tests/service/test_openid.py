"""Signing in by OpenID Connect: who is on the officer's list has a session, and nobody else by any token."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from joserfc.jwk import ECKey
from ratingcore_service.access import COOKIE
from ratingcore_service.front import Front
from ratingcore_service.openid import Person, Provider
from ratingcore_service.routing import Scope
from ratingcore_service.running import check_guarded
from ratingcore_service.settings import Settings

from ratingcore.errors import BadFile
from tests.service.asking import Applied, ask, get
from tests.service.issuer import CLIENT, SECRET, Issuer

SITE = "https://ratings.club.example"
LIST = """
[claims.email]
"ann@club.example" = "officer"
"cy@club.example" = "read"

[claims.groups]
"secretaries" = "officer"
"""
Signed = Callable[[Front], httpx.Response]


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with Issuer() as made:
        yield made


@pytest.fixture
def file(issuer: Issuer, tmp_path: Path) -> Path:
    """The file that describes the provider."""
    path = tmp_path / "openid.toml"
    facts = {"issuer": issuer.url, "client_id": CLIENT, "client_secret": SECRET, "site": SITE}
    path.write_text("".join(f'{name} = "{value}"\n' for name, value in facts.items()) + LIST)
    return path


@pytest.fixture
def app(applied: Applied, file: Path) -> Front:
    return applied(openid=file, rate=1000.0, burst=10_000.0)


def left(app: Front, onward: str = "") -> tuple[str, dict[str, str]]:
    """Where somebody is led who signs in, and the cookie of their browser."""
    answer = get(app, f"/desk/openid?{urlencode({'onward': onward})}")
    assert answer.status_code == 303, answer.text
    cookie = answer.headers["set-cookie"].split("; ")
    assert set(cookie[1:]) == {"Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=600"}
    return answer.headers["location"], {"cookie": cookie[0]}


def back(app: Front, query: str, browser: dict[str, str]) -> httpx.Response:
    return get(app, f"/desk/openid/back?{query}", browser)


def signed_in(app: Front, issuer: Issuer, onward: str = "") -> httpx.Response:
    address, browser = left(app, onward)
    return back(app, issuer.authorize(address), browser)


def session(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code == 200, answer.text
    cookie = answer.headers["set-cookie"].split("; ")
    assert set(cookie[1:]) == {"Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=43200"}
    return {"cookie": cookie[0]}


def refused(answer: httpx.Response, words: str, status: int = 403) -> None:
    """A page in words, with the way to sign in, and no session."""
    assert answer.status_code == status
    assert words in answer.text
    assert "/desk/openid" in answer.text
    assert COOKIE not in answer.headers.get("set-cookie", "")


def test_an_officer_of_the_list_signs_in_and_works_at_the_desk(app: Front, issuer: Issuer) -> None:
    page = get(app, "/desk/publish").text
    assert re.search(r'href="/desk/openid\?onward=%2Fdesk%2Fpublish">Sign in with 127\.0\.0\.1', page)
    answer = signed_in(app, issuer, "/desk/publish")
    mine = session(answer)
    assert answer.headers["refresh"] == "0; url=/desk/publish"
    assert 'href="/desk/publish"' in answer.text
    desk = get(app, "/desk/", mine)
    assert (desk.status_code, "signed in as ann@club.example" in desk.text) == (200, True)
    form = re.search(r'name="form" value="([^"]+)"', desk.text)
    assert form is not None
    sent = {**mine, "sec-fetch-site": "same-origin"}
    assert ask(app, "POST", "/desk/session/end", sent, data={"form": "x"}).status_code == 403
    assert ask(app, "POST", "/desk/session/end", sent, data={"form": form[1]}).status_code == 303
    assert get(app, "/desk/publish", mine).status_code == 401


def test_what_an_officer_records_has_their_name_and_no_api_takes_their_cookie(app: Front, issuer: Issuer) -> None:
    mine = session(signed_in(app, issuer)) | {"sec-fetch-site": "same-origin"}
    form = re.search(r'name="form" value="([^"]+)"', get(app, "/desk/correct/rename", mine).text)
    assert form is not None
    fields = {"form": form[1], "player": "ann", "called": "Anna"}
    seen = re.search(r'name="seen" value="([^"]+)"', ask(app, "POST", "/desk/correct/rename", mine, data=fields).text)
    assert seen is not None
    done = ask(app, "POST", "/desk/correct/rename", mine, data={**fields, "seen": seen[1]})
    assert done.status_code == 303, done.text
    position = app.service.desk.engine.log.head.position
    recorded = get(app, f"/api/v1/events/{position}").json()
    assert (recorded["event"]["kind"], recorded["event"]["source"]) == ("player", "ann@club.example")
    event = {"kind": "game", "pool": "rapid", "played": "2024-05-01", "a": "ann", "b": "bo", "score": 1}
    assert ask(app, "POST", "/api/v1/events", mine, json={"events": [event]}).status_code == 401


def test_a_group_is_a_way_onto_the_list_and_the_highest_scope_counts(app: Front, issuer: Issuer) -> None:
    issuer.said = {"email": "cy@club.example", "email_verified": True, "groups": ["players", "secretaries"]}
    assert "signed in as cy@club.example" in get(app, "/desk/", session(signed_in(app, issuer))).text


def test_readers_read_a_private_service_in_their_browser(applied: Applied, file: Path, issuer: Issuer) -> None:
    app = applied(openid=file, private=True, rate=1000.0, burst=10_000.0)
    closed = get(app, "/rapid/?q=ann")
    assert (closed.status_code, "Sign in with" in closed.text) == (401, True)
    assert get(app, "/style.css").status_code == 200
    issuer.said["email"] = "cy@club.example"
    answer = signed_in(app, issuer, "/rapid/?q=ann")
    assert answer.headers["refresh"] == "0; url=/rapid/?q=ann"
    mine = session(answer)
    page = get(app, "/rapid/", mine)
    assert (page.status_code, page.headers["cache-control"]) == (200, "private, no-cache")
    assert get(app, "/api/v1/pools/rapid/list", mine).status_code == 200
    assert get(app, "/desk/publish", mine).status_code == 403
    assert get(app, "/rapid/").status_code == 401
    event = {"kind": "game", "pool": "rapid", "played": "2024-05-01", "a": "ann", "b": "bo", "score": 1}
    ours = {**mine, "sec-fetch-site": "same-origin"}
    assert ask(app, "POST", "/api/v1/events", ours, json={"events": [event]}).status_code == 403


def test_who_is_taken_off_the_list_is_out_at_once(applied: Applied, file: Path, issuer: Issuer) -> None:
    mine = session(signed_in(applied(openid=file), issuer))
    file.write_text(file.read_text().replace('"ann@club.example" = "officer"\n', ""))
    assert get(applied(openid=file), "/desk/publish", mine).status_code == 401
    assert get(applied(), "/desk/publish", mine).status_code == 401


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"email": "bo@club.example"}, "bo@club.example is not on the list"),
        ({"email_verified": False}, "has not verified the address ann@club.example"),
        ({"email_verified": "true"}, "has not verified the address ann@club.example"),
        ({"email_verified": None}, "has not verified the address ann@club.example"),
        ({"email": "ann@club.example "}, "is not on the list"),
        ({"email": ["ann@club.example", "secretaries"], "email_verified": None}, "has not verified"),
        ({"email": None, "groups": "players"}, "17 at 127.0.0.1"),
        ({"email": None, "role": "officer", "scope": "officer", "scopes": ["erase"]}, "is not on the list"),
        ({"nonce": "another"}, "failed"),
        ({"nonce": None}, "failed"),
        ({"aud": "another"}, "failed"),
        ({"aud": ["another", "third"]}, "failed"),
        ({"aud": None}, "failed"),
        ({"iss": "https://id.example"}, "failed"),
        ({"exp": 1_000_000_000}, "failed"),
        ({"exp": None}, "failed"),
        ({"iat": 9_999_999_999}, "failed"),
        ({"azp": "another"}, "failed"),
        ({"sub": None}, "failed"),
        ({"sub": 17}, "failed"),
    ],
)
def test_a_token_that_is_not_of_the_list_or_not_valid_signs_nobody_in(
    app: Front, issuer: Issuer, said: dict[str, Any], words: str
) -> None:
    issuer.said |= said
    refused(signed_in(app, issuer), words)


def test_an_unsigned_token_or_one_of_another_key_signs_nobody_in(app: Front, issuer: Issuer) -> None:
    issuer.unsigned = True
    refused(signed_in(app, issuer), "failed")
    issuer.unsigned, issuer.key = False, ECKey.generate_key("P-256", {"kid": "1"})
    refused(signed_in(app, issuer), "failed")


def test_a_provider_that_has_new_keys_is_asked_for_them(app: Front, issuer: Issuer) -> None:
    session(signed_in(app, issuer))
    issuer.key = issuer.published = ECKey.generate_key("P-256", {"kid": "2"})
    session(signed_in(app, issuer))


def test_a_state_counts_once_and_in_its_own_browser(app: Front, issuer: Issuer) -> None:
    ended = "This sign-in has ended, or it began in another browser"
    address, browser = left(app)
    query = issuer.authorize(address)
    session(back(app, query, browser))
    refused(back(app, query, browser), ended)
    address, browser = left(app)
    query = issuer.authorize(address)
    _, other = left(app)
    refused(back(app, query, {}), ended)
    refused(back(app, query, other), ended)  # a victim who is led to sign in as the attacker
    refused(back(app, query.replace("state=", "state=x"), browser), ended)
    refused(back(app, query, browser), ended)  # a wrong state used it up
    assert "/token" in issuer.asked
    assert issuer.asked.count("/token") == 1


def test_a_code_of_another_sign_in_is_refused_by_its_verifier(app: Front, issuer: Issuer) -> None:
    victim, _ = left(app)
    stolen = parse_qs(issuer.authorize(victim))["code"][0]
    address, browser = left(app)
    state = parse_qs(urlsplit(address).query)["state"][0]
    refused(back(app, urlencode({"code": stolen, "state": state}), browser), "invalid_grant")


def test_nobody_is_led_to_another_site_or_to_a_host_that_a_request_names(app: Front, issuer: Issuer) -> None:
    for onward in ("//else.example", "https://else.example/", "/\\else.example", "/%5celse.example\n"):
        assert get(app, f"/desk/openid?{urlencode({'onward': onward})}").status_code == 422
    answer = get(app, "/desk/openid", {"host": "else.example", "x-forwarded-host": "else.example"})
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    assert asked["redirect_uri"] == [f"{SITE}/desk/openid/back"]
    assert answer.headers["location"].startswith(f"{issuer.url}/authorize?")


def test_a_provider_that_refuses_or_is_away_or_another_is_told_in_words(app: Front, issuer: Issuer) -> None:
    address, browser = left(app)
    state = parse_qs(urlsplit(address).query)["state"][0]
    refused(back(app, urlencode({"error": "access_denied", "state": state}), browser), "failed: access_denied")
    address, browser = left(app)
    state = parse_qs(urlsplit(address).query)["state"][0]
    answer = back(app, urlencode({"error": "<script>alert(1)</script>", "state": state}), browser)
    refused(answer, "failed: no code")
    assert "alert(1)" not in answer.text
    address, browser = left(app)
    query = issuer.authorize(address)
    issuer.close()
    refused(back(app, query, browser), "127.0.0.1", 503)


def test_a_provider_that_calls_itself_otherwise_is_not_asked(app: Front, issuer: Issuer) -> None:
    issuer.meta = {"issuer": "https://id.example"}
    refused(get(app, "/desk/openid"), "failed")


def test_without_a_provider_there_is_no_such_page(applied: Applied) -> None:
    app = applied()
    assert get(app, "/desk/openid").status_code == 404
    assert get(app, "/desk/openid/back?state=x&code=y").status_code == 404
    assert "openid" not in get(app, "/desk/").text


def test_a_person_of_the_provider_is_no_token(app: Front, issuer: Issuer) -> None:
    """The number of a person may be the name of a token, which may correct what it recorded."""
    provider = app.settings.openid
    assert provider is not None
    person = provider.person({"sub": "hall", "groups": ["secretaries"]})
    assert person == Person(f"hall at {provider.host}", {"groups": ["secretaries"]})
    assert provider.scope_of(person) is Scope.OFFICER


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("http://127.0.0.1", "http://id.example"), "issuer"),
        (("https://ratings", "http://ratings"), "site"),
        (('= "read"', '= "boss"'), "boss"),
        (("client_id", "client"), "client"),
        (("[claims.email]", "[claims.email"), "line"),
    ],
)
def test_a_file_that_describes_no_provider_is_refused_at_the_start(
    file: Path, change: tuple[str, str], words: str
) -> None:
    file.write_text(file.read_text().replace(*change))
    with pytest.raises(BadFile, match="describes no provider") as found:
        Settings(openid=file)
    assert words in str(found.value)
    assert SECRET not in str(found.value)


def test_the_secret_is_in_no_text_of_the_settings(file: Path, club: str) -> None:
    settings = Settings(openid=file)
    assert SECRET not in repr(settings)
    assert isinstance(settings.openid, Provider)
    check_guarded(club, "0.0.0.0", settings)  # reached by others without a token: people sign in

"""Errors over HTTP: every class has its status, and nothing of the server is shown."""

import errno
from pathlib import Path

import pytest
from click.testing import CliRunner
from ratingcore_service import problems
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope
from ratingcore_service.service_store import ServiceStore

from ratingcore import errors
from ratingcore.cli.main import cli
from ratingcore.plugin.readers import sqlite3
from tests.service.asking import Bearer, ask, get


def test_no_class_of_errors_has_two_statuses_in_the_table() -> None:
    listed = [kind for kinds in problems.STATUS.values() for kind in kinds]
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(
    ("url", "status", "kind"),
    [
        ("/api/v1/pools/blitz/list", 404, "UnknownName"),
        ("/api/v1/pools/~99/list", 404, "UnknownName"),
        ("/api/v1/nothing", 404, "NotFound"),
        ("/api/v1/pools/rapid/players/ann", 404, "NotFound"),
        ("/api/v1/pools/rapid/players/~nobody", 404, "UnknownName"),
        ("/api/v1/pools/rapid/list?top=many", 422, "BadQuery"),
        ("/api/v1/pools/rapid/list?topp=5", 422, "BadQuery"),
        ("/api/v1/pools/rapid/list?top=5&top=6", 422, "BadQuery"),
        ("/api/v1/pools/rapid/list?through=yesterday", 422, "BadQuery"),
        ("/api/v1/pools/rapid/list?method=eloo", 422, "MethodNotFound"),
        ("/api/v1/pools/rapid/list?known_at=9999", 422, "BadCut"),
        (f"/api/v1/pools/rapid/list?method={'k' * 20_000}", 413, "TooLarge"),
    ],
)
def test_an_error_is_a_problem_with_its_status_and_its_facts(app: Front, url: str, status: int, kind: str) -> None:
    answer = get(app, url)
    said = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, said["status"], said["type"]) == (status, status, f"urn:ratingcore:{kind}")
    assert said["detail"]
    assert answer.headers["x-content-type-options"] == "nosniff"


FULL = (OSError(errno.ENOSPC, "No space left on device"), sqlite3.OperationalError("database or disk is full"))


@pytest.mark.parametrize("full", FULL, ids=["file", "database"])
def test_on_a_full_disk_one_is_asked_to_come_again(
    app: Front, bearer: Bearer, monkeypatch: pytest.MonkeyPatch, full: Exception
) -> None:
    """A fixed bug: signing in and bringing a file were faults of the server that nobody had foreseen."""
    hall = bearer(Scope.OFFICER)

    def fails(*given: object, **more: object) -> int:
        raise full

    monkeypatch.setattr(ServiceStore, "run", fails)
    monkeypatch.setattr(Path, "mkdir", fails)
    signing = {"origin": "https://club.example", "content-type": "application/x-www-form-urlencoded"}
    word = hall["authorization"].partition(" ")[2]
    signed_in = ask(app, "POST", "/desk/session", signing, content=f"token={word}")
    brought = ask(app, "POST", "/api/v1/uploads?name=a.csv&pool=rapid", hall, content=b"played,a,b,score")
    for answer in (signed_in, brought):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1"), answer.text
    assert brought.json()["type"] == "urn:ratingcore:LogUnavailable"


def test_a_wrong_verb_is_a_problem_too(app: Front) -> None:
    answer = ask(app, "DELETE", "/api/v1/pools/rapid/list")
    assert (answer.status_code, answer.json()["type"]) == (405, "urn:ratingcore:BadVerb")
    assert (answer.headers["allow"], ask(app, "POST", "/rapid/").headers["allow"]) == ("GET, HEAD", "GET, HEAD")
    assert ask(app, "OPTIONS", "/desk/publish").headers["allow"] == "GET, POST, HEAD"


def test_a_text_of_another_form_is_answered_with_one_that_is_taken(app: Front, bearer: Bearer) -> None:
    """A fixed bug: the answer was a regular expression."""
    game = {"kind": "game", "pool": "rapid", "played": "1.6.2026", "a": "ann", "b": "bo", "score": 1}
    bad = ask(app, "POST", "/api/v1/events", bearer(), json={"events": [game]}).json()
    day = "a day such as 2024-03-31, or a time such as 2024-03-31T18:30, of the years 1400 to 2199"
    assert bad["detail"] == f'events/0/played must be {day}: "1.6.2026"'
    for url in ("pools/rapid/list?through=1.6.2026", "players/x/history", "pools/rapid/tournament?worth=3"):
        assert "regex" not in get(app, f"/api/v1/{url}").text
    assert "such as void,amend" in get(app, "/api/v1/events?kinds=x").json()["detail"]


def test_a_correction_without_the_head_is_told_where_to_find_it(app: Front, bearer: Bearer) -> None:
    body = {"what": "void", "uid": "x", "why": "y"}
    bad = ask(app, "POST", "/api/v1/corrections", bearer(), json=body)
    assert bad.status_code == 428
    assert "Ratingcore-Head" in bad.json()["hint"]
    for given, status, detail in (
        ("1:00", 422, "the header If-Match is not a head of the log: 1:00"),
        ("7:000000000000", 412, "the history of the log up to position 7 is not the one expected"),
    ):
        body = {"what": "void", "uid": "g-1-0", "why": "y"}
        bad = ask(app, "POST", "/api/v1/corrections", bearer(if_match=given), json=body)
        assert (bad.status_code, bad.json()["detail"]) == (status, detail)


def test_what_is_the_servers_fault_has_an_id_and_no_words(caplog: pytest.LogCaptureFixture) -> None:
    made, facts = problems.problem(errors.NotALog("/srv/secret/club.db", "a picture"))
    assert (made.status, facts) == (500, {})
    assert "secret" not in made.detail
    assert made.detail.split()[1] in caplog.text
    assert "/srv/secret/club.db is a picture" in caplog.text
    assert "Traceback" not in caplog.text, "each request would write one"


def test_a_path_of_the_server_is_not_shown() -> None:
    made, facts = problems.problem(errors.NoSuchLog("/srv/secret/club.db"), ["/srv/secret/club.db"])
    assert made.status == 404
    assert "secret" not in f"{made.detail} {made.hint} {facts}"


def test_names_that_are_spelt_alike_are_shown_to_nobody_who_asks_for_a_player() -> None:
    _, facts = problems.problem(errors.UnknownName("player", "an", ("ann",)))
    assert facts == {"kind": "player", "key": "an", "newcomer": False}


def test_advice_is_in_the_notation_of_the_api(app: Front) -> None:
    """Fixed: it was in Python, such as fields={'a': 'Weiß'} and newcomers=True."""
    columns = errors.ColumnNotFound("x.csv", "a", "a", ("Weiß", "Schwarz"), readings=({"a": "Weiß"},))
    made, _ = problems.problem(columns)
    assert made.hint == "if these are the columns: map.a=Wei%C3%9F"
    games = {"games": [{"a": "ann", "b": "nobody"}]}
    assert '"newcomers": true' in ask(app, "POST", "/api/v1/pools/rapid/forecasts", json=games).json()["hint"]


def test_a_field_that_an_address_does_not_take_is_answered_with_those_it_takes(app: Front, bearer: Bearer) -> None:
    said = ask(app, "POST", "/api/v1/uploads?map=a", bearer(), content=b"played,a,b,score\n").json()
    assert (said["status"], said["detail"]) == (422, "map is not a field here")
    assert "map.a, map.b" in said["hint"]


@pytest.mark.parametrize(
    ("words", "query"),
    [
        (["list", "--method", "eloo"], "list?method=eloo"),
        (["list", "--method", "elo:kk=3"], "list?method=elo:kk=3"),
        (["list", "--known-at", "9999"], "list?known_at=9999"),
        (["list", "--known-at", "list:Marsh"], "list?known_at=list:Marsh"),
        (["versus", "ann", "nobody"], "versus?a=~ann&b=~nobody"),
    ],
)
def test_a_problem_has_the_words_of_the_command_line(app: Front, club: str, words: list[str], query: str) -> None:
    name, *options = words
    players = [word for word in options if name == "versus"]
    options = [*players, "--pool", "rapid", *options[len(players) :]]
    done = CliRunner().invoke(cli, [name, club, *options])
    error, _, hint = done.stderr.strip().partition("\n\n")
    said = get(app, f"/api/v1/pools/rapid/{query}").json()
    assert f"error: {said['detail']}" == error
    assert said["hint"] in hint

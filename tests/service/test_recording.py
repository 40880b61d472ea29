"""The API that writes: events, corrections and published lists, each once, in the order in which they came."""

import asyncio
import json
import threading
from functools import partial
from typing import Any

import httpx
import pytest
from ratingcore_service import recording, writing
from ratingcore_service.access import open_tokens
from ratingcore_service.front import Front
from ratingcore_service.problems import Busy, TooSlow
from ratingcore_service.routing import Scope, decoded
from ratingcore_service.settings import Settings

import ratingcore as rc
from ratingcore.log.lookup import as_read, uid_at
from tests.service.asking import Applied, Bearer, ask, get

EVENTS, CORRECTIONS, PUBLISHED = "/api/v1/events", "/api/v1/corrections", "/api/v1/pools/rapid/published"
GAME = {"kind": "game", "pool": "rapid", "played": "2024-04-01", "a": "ann", "b": "bo", "score": 1.0}
SIDES = [{"players": ["ann"], "score": 60.0}, {"players": ["bo"], "score": 40.0}]
EVERY_KIND: list[dict[str, Any]] = [
    GAME,
    {"kind": "session", "pool": "club", "played": "2024-04-01T19:30Z", "sides": SIDES, "data": {"unit": "percent"}},
    {"kind": "seed", "pool": "rapid", "played": "2024-01-01", "player": "ann", "values": {"rating": 1900.0}},
    {"kind": "player", "pool": "rapid", "played": "2024-04-01", "player": "ann", "called": "Ann Lee"},
    {"kind": "period", "pool": "rapid", "played": "2024-04-01"},
    {"kind": "pool", "pool": "blitz", "method": "elo:k=16"},
]


def head(app: Front) -> str:
    return f'"{app.service.desk.engine.log.head}"'


def post(app: Front, url: str, headers: dict[str, str], body: object) -> httpx.Response:
    return ask(app, "POST", url, headers, json=body)


def test_a_result_that_the_declared_method_leaves_out_is_told(app: Front, bearer: Bearer) -> None:
    """The answer was the same as for a game that is in every list."""
    app.service.desk.engine.declare("margins", method="elo-margin")
    games = [GAME | {"pool": "margins"}, GAME | {"pool": "margins", "played": "2024-04-03"}]
    made = post(app, EVENTS, bearer(Scope.RECORD), {"events": games}).json()
    assert made["notes"] == ["elo-margin, the method of pool margins, leaves out of its lists: 2 results (no points)"]
    assert post(app, EVENTS, bearer(Scope.RECORD), {"events": [GAME]}).json()["notes"] == []


def test_results_that_may_be_mistakes_are_recorded_with_notes(app: Front, bearer: Bearer) -> None:
    """The answer had no notes for a day in 2062, a game against BYE, and points that contradict the score."""
    doubtful = GAME | {"played": "2062-12-24", "b": "BYE", "score": 1.0, "data": {"points_a": 0, "points_b": 5}}
    answer = post(app, EVENTS, bearer(Scope.RECORD), {"events": [doubtful]})
    assert answer.status_code == 201
    found = " ".join(answer.json()["notes"])
    assert all(words in found for words in ("points 0-5, score 1", "2062-12-24", "BYE"))


@pytest.mark.parametrize(
    "sent",
    [
        {"played": "9999-01-01"}, {"played": "0001-01-01"}, {"played": "2200-01-01"}, {"data": {"x": 1e308}},
        {"data": {"points_a": 10**40}},
        {"kind": "seed", "player": "ann", "values": {"rating": 1e308}},
        {"kind": "session", "sides": [{"players": ["a"], "score": 1e10}, {"players": ["b"], "score": 0}]},
    ],
)  # fmt: skip
def test_days_and_numbers_are_bounded_as_those_of_files_are(app: Front, bearer: Bearer, sent: dict[str, Any]) -> None:
    usual = GAME if "kind" not in sent else {"pool": "rapid", "played": "2024-03-09"}
    assert post(app, EVENTS, bearer(), {"events": [usual | sent]}).status_code == 422


@pytest.mark.parametrize("url", [EVENTS, f"{EVENTS}/lines"])
def test_a_session_of_very_many_sides_is_refused(app: Front, bearer: Bearer, url: str) -> None:
    """One of 8,000 sides kept each forecast of a method that compares pairs of sides for 13 s of CPU."""

    def sent(n: int) -> httpx.Response:
        sides = [{"players": [f"runner {i}"], "score": i} for i in range(n)]
        event = {"kind": "session", "pool": "run", "played": "2024-04-01", "sides": sides}
        if url == EVENTS:
            return post(app, url, bearer(), {"events": [event]})
        headers = bearer() | {"content-type": "application/octet-stream"}
        return ask(app, "POST", url, headers, content=json.dumps(event).encode())

    before, refused = head(app), sent(2_001)
    assert refused.status_code == 422
    assert "sides has more than 2000 items" in refused.json()["detail"]
    assert refused.json()["hint"] == "import a session of more sides from a file"
    assert head(app) == before
    assert sent(2_000).status_code == 201


def test_events_of_many_sides_are_made_in_a_thread(app: Front, bearer: Bearer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed bug: only events were counted, so 40 sessions of 700 sides kept all others waiting for 160 ms."""
    threads, made = list[str](), recording.event_of
    monkeypatch.setattr(
        recording, "event_of", lambda *given: (threads.append(threading.current_thread().name), made(*given))[1]
    )
    for n in (2, recording.MANY):
        sides = [{"players": [f"runner {i}"], "score": i} for i in range(n)]
        event = {"kind": "session", "pool": "run", "played": "2024-04-01", "sides": sides}
        assert post(app, EVENTS, bearer(), {"events": [event]}).status_code == 201
    assert [name.startswith("desk") for name in threads] == [False, True]


def test_many_events_cost_more_than_one(applied: Applied, bearer: Bearer) -> None:
    app, hall = applied(rate=0.001, burst=5.0), bearer()
    many = {"events": [GAME] * 200}
    assert post(app, EVENTS, hall, {"events": [GAME]}).status_code == 201
    refused = post(app, EVENTS, hall, many)
    assert refused.status_code == 429


def test_a_large_body_is_decoded_beside_the_event_loop(
    app: Front, bearer: Bearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = list[threading.Thread]()

    def watched(body: bytes, kind: Any) -> Any:
        threads.append(threading.current_thread())
        return decoded(body, kind)

    monkeypatch.setattr("ratingcore_service.app.decoded", watched)
    for count in (1, 300):
        assert post(app, EVENTS, bearer(), {"events": [GAME] * count}).json()["accepted"] == count
    assert [thread is threading.main_thread() for thread in threads] == [True, False]


def test_an_amendment_takes_a_day_that_an_event_may_have(app: Front, bearer: Bearer) -> None:
    assert post(app, EVENTS, bearer(), {"events": [GAME | {"uid": "mine"}]}).status_code == 201
    amend = {"what": "amend", "uid": "mine", "why": "slip"}
    for changes in ({"played": "9999-01-01"}, {"score": 1e308}):
        refused = post(app, CORRECTIONS, bearer(if_match=head(app)), amend | {"changes": changes})
        assert refused.status_code == 422, refused.text


def test_events_of_every_kind_are_recorded_under_the_name_of_the_token(app: Front, bearer: Bearer) -> None:
    before = app.service.desk.engine.log.head.position
    answer = post(app, EVENTS, bearer(Scope.OFFICER), {"events": EVERY_KIND, "source": "round 7"})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert (made["accepted"], made["duplicates"]) == (6, 0)
    assert made["positions"] == list(range(before + 1, before + 7))
    engine = app.service.desk.engine
    assert [event.uid for _, event in engine.events(before)] == made["uids"]
    assert [row.kind for row, _ in engine.events(before)] == [one["kind"] for one in EVERY_KIND]
    assert "hall: round 7" in engine.log.book.keys_of("source")
    assert answer.headers["ratingcore-head"] == made["head"] == str(engine.log.head)


def test_a_request_sent_again_under_its_key_is_recorded_once(app: Front, bearer: Bearer) -> None:
    headers = bearer(Scope.RECORD, idempotency_key="round-7", if_match=head(app))
    first = post(app, EVENTS, headers, {"events": [GAME, GAME]})
    again = post(app, EVENTS, headers, {"events": [GAME, GAME]})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["uids"] == again.json()["uids"]
    assert len(set(first.json()["uids"])) == 2
    assert (again.json()["accepted"], again.json()["duplicates"]) == (0, 2)
    other = post(app, EVENTS, headers, {"events": [GAME | {"score": 0.0}, GAME]})
    assert (other.status_code, other.json()["type"]) == (409, "urn:ratingcore:Conflict")
    somebody = bearer(Scope.RECORD, "else", idempotency_key="round-7")
    assert post(app, EVENTS, somebody, {"events": [GAME]}).status_code == 201


def test_an_empty_key_is_refused_since_no_attempt_can_be_told_from_another(app: Front, bearer: Bearer) -> None:
    answer = post(app, EVENTS, bearer(Scope.RECORD, idempotency_key=""), {"events": [GAME]})
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:ratingcore:BadQuery")


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"events": []}, 422, "BadQuery"),
        ({"events": [GAME | {"scor": 1}]}, 422, "BadQuery"),
        ({"events": [GAME | {"kind": "void"}]}, 422, "BadQuery"),
        ({"events": [GAME | {"score": 2}]}, 422, "BadQuery"),
        ({"events": [GAME | {"b": "ann"}]}, 422, "PlayedThemselves"),
        ({"events": [GAME | {"played": "2024-02-31"}]}, 422, "BadValue"),
        ({"events": [GAME] * 1001}, 422, "BadValue"),
        ({"events": [GAME | {"data": {"note": "x" * (1 << 20)}}]}, 413, "TooLarge"),
    ],
)
def test_what_is_no_event_is_refused_whole(app: Front, bearer: Bearer, body: object, status: int, kind: str) -> None:
    before = head(app)
    answer = post(app, EVENTS, bearer(Scope.RECORD), body)
    assert (answer.status_code, answer.json()["type"]) == (status, f"urn:ratingcore:{kind}")
    assert head(app) == before


@pytest.mark.parametrize(
    ("event", "detail", "pointer"),
    [
        ({"b": "Anna "}, "events/1: player begins or ends with white space: 'Anna '", "/b"),
        ({"played": "2025-02-30"}, "events/1: played is not a day or a time of the calendar: '2025-02-30'", "/played"),
        ({"data": {"boards": -1}}, "events/1: boards must not be negative: -1", "/data/boards"),
        ({"b": "ann"}, "events/1: a player cannot meet themselves: ann", ""),
        ({"round": 7}, "events/1/round is not a field here", "/round"),
        ({"uid": "g-1-0"}, "events/1: uid g-1-0 is already at position 2 with another played", ""),
    ],
)
def test_an_event_that_is_refused_is_named(
    app: Front, bearer: Bearer, event: dict[str, Any], detail: str, pointer: str
) -> None:
    """Fixed: a program that sent many could not find out which one it was, nor where further facts belong."""
    answer = post(app, EVENTS, bearer(Scope.RECORD), {"events": [GAME, GAME | event]}).json()
    assert (answer["detail"], answer["pointer"]) == (detail, f"#/events/1{pointer}")
    assert "advice" not in answer
    assert ('"data": {"round": ...}' in answer["hint"]) == (pointer == "/round")


def test_a_new_name_that_is_nearly_another_is_noted(app: Front, bearer: Bearer) -> None:
    """Fixed: a program was not shown that Anna is new beside ann, as an import shows it."""
    for pools, name, notes in (
        ((), "Ann", ["new name Ann is spelt nearly like ann"]),
        (("rapid",), "ANN", []),  # a token of one pool may not know the names of others
    ):
        answer = post(app, EVENTS, bearer(Scope.RECORD, pools=pools), {"events": [GAME | {"a": name}]})
        assert answer.json()["notes"] == notes
    assert post(app, EVENTS, bearer(Scope.RECORD), {"events": [GAME | {"a": "Ann"}]}).json()["notes"] == []


@pytest.mark.parametrize("body", [[GAME], GAME])
def test_a_body_of_another_form_is_refused_with_the_fields_that_it_has(
    app: Front, bearer: Bearer, body: object
) -> None:
    """The hint was empty, and an array or a lone event is what programs send first."""
    answer = post(app, EVENTS, bearer(Scope.RECORD), body).json()
    assert "the body is an object with events, " in answer["hint"]


@pytest.mark.parametrize(
    ("once", "again", "key"),
    [
        ('"score": 1.0', '"score": 1.0, "score": 0.0', "score"),
        ('"data": {"round": 7}', '"data": {"round": 7, "round": 8}', "round"),
        ('"source": "x"', '"source": "x", "source": "y"', "source"),
    ],
)
def test_a_body_that_gives_a_key_twice_is_refused(app: Front, bearer: Bearer, once: str, again: str, key: str) -> None:
    """The last value counted, and nobody was told."""
    before = head(app)
    text = json.dumps({"events": [GAME | {"data": {"round": 7}}], "source": "x"})
    assert once in text
    answer = ask(app, "POST", EVENTS, bearer(Scope.RECORD), content=text.replace(once, again))
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:ratingcore:NotJson")
    assert answer.json()["detail"] == f"the body is not JSON: the key '{key}' occurs twice in one object"
    assert head(app) == before
    assert ask(app, "POST", EVENTS, bearer(Scope.RECORD), content=text).status_code == 201


def test_a_refused_request_touches_no_other_of_its_transaction(app: Front, bearer: Bearer) -> None:
    headers = bearer(Scope.RECORD)
    bodies: list[Any] = [{"events": [GAME | {"uid": f"n-{n}", "b": "bo" if n % 3 else "ann"}]} for n in range(12)]
    bodies[4] = {"events": [GAME | {"uid": "g-1-0"}]}  # in the log with another score

    async def together() -> list[int]:
        door = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=door, base_url="http://club.example") as client:
            answers = await asyncio.gather(*(client.post(EVENTS, json=one, headers=headers) for one in bodies))
            return [answer.status_code for answer in answers]

    statuses = asyncio.run(together())
    assert statuses == [422 if n % 3 == 0 else 409 if n == 4 else 201 for n in range(12)]
    log = app.service.desk.engine.log
    assert sorted(log.find([f"n-{n}" for n in range(12)])) == sorted(f"n-{n}" for n in (1, 2, 5, 7, 8, 10, 11))


def test_what_was_written_is_read_at_once(app: Front, bearer: Bearer) -> None:
    headers, url = bearer(Scope.RECORD), "/api/v1/pools/rapid/list?top=1"
    for _ in range(3):
        seen = get(app, url)
        made = post(app, EVENTS, headers, {"events": [GAME]}).json()
        now = get(app, url)
        assert now.json()["head"] == made["head"] != seen.json()["head"]


def test_of_two_who_decided_on_one_head_one_wins(app: Front, bearer: Bearer) -> None:
    headers = bearer(Scope.OFFICER, if_match=head(app))
    bodies = [{"what": "amend", "uid": "g-1-0", "changes": {"score": score}, "why": "slip"} for score in (0, 0.5, 1)]

    async def together() -> list[httpx.Response]:
        door = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=door, base_url="http://club.example") as client:
            return list(await asyncio.gather(*(client.post(CORRECTIONS, json=one, headers=headers) for one in bodies)))

    answers = asyncio.run(together())
    assert sorted(answer.status_code for answer in answers) == [201, 412, 412]
    lost = next(answer.json() for answer in answers if answer.status_code == 412)
    assert (lost["type"], lost["position"]) == ("urn:ratingcore:PlanOutdated", lost["since"] + 1)
    assert (lost["kind"], lost["about"], lost["why"]) == ("amend", "g-1-0", "slip")


def test_forty_corrections_pass_beside_the_results_of_others(app: Front, bearer: Bearer) -> None:
    """A fixed fault: a correction named the head of the whole log, and was refused as soon as anything came."""
    officer, results, kinds = bearer(), bearer(Scope.RECORD), ("void", "revive", "amend", "rename")
    for n in range(40):
        seen = head(app)
        for _ in range(5):
            assert post(app, EVENTS, results, {"events": [GAME]}).status_code == 201
        body = {"what": kinds[n % 4], "uid": "g-1-0", "why": f"decision {n}"}
        if body["what"] == "amend":
            body |= {"changes": {"score": n % 3 / 2}}  # type: ignore[dict-item]  # a body holds anything
        elif body["what"] == "rename":
            body = {"what": "rename", "player": "ann", "called": f"Ann {n}"}
        answer = post(app, CORRECTIONS, officer | {"if-match": seen}, body)
        assert answer.status_code == 201, answer.text


def test_a_correction_upon_another_of_the_same_request_rests_on_the_log_alone(app: Front, bearer: Bearer) -> None:
    seen = head(app)
    assert post(app, EVENTS, bearer(Scope.RECORD), {"events": [GAME]}).status_code == 201
    both = [
        {"what": "amend", "uid": "g-1-0", "changes": {"b": "somebody new"}, "why": "misread", "own_uid": "one"},
        {"what": "void", "uid": "one", "why": "after all"},
    ]
    assert post(app, CORRECTIONS, bearer(if_match=seen), both).status_code == 201


def test_an_empty_if_match_is_not_taken_for_none(app: Front, bearer: Bearer) -> None:
    """A fixed bug: results were recorded on whatever head there was; and `W/`, which may come first, was refused."""
    before = head(app)
    assert post(app, EVENTS, bearer(Scope.RECORD, "one", if_match=""), {"events": [GAME]}).status_code == 422
    assert head(app) == before
    weak = bearer(Scope.RECORD, "two", if_match=f"W/{before}")
    assert post(app, EVENTS, weak, {"events": [GAME]}).status_code == 201


def test_an_officer_says_which_head_was_seen(app: Front, bearer: Bearer) -> None:
    body = {"what": "void", "uid": "g-1-0", "why": "not played"}
    assert post(app, CORRECTIONS, bearer(), body).status_code == 428
    assert post(app, CORRECTIONS, bearer(if_match="*"), body).status_code == 422
    assert post(app, CORRECTIONS, bearer(if_match='"1:0123456789abcdef"'), body).status_code == 412
    assert post(app, PUBLISHED, bearer(), {"name": "April"}).status_code == 428


def test_every_correction_is_previewed_and_recorded(app: Front, bearer: Bearer) -> None:
    corrections: list[dict[str, Any]] = [
        {"what": "void", "uid": "g-1-0", "why": "not played"},
        {"what": "revive", "uid": "g-1-0", "why": "it was"},
        {"what": "amend", "uid": "g-1-0", "changes": {"score": 0.5, "b": "eve"}, "why": "slip"},
        {"what": "rename", "player": "eve", "called": "Eve Lee"},
        {"what": "merge", "keep": "cy", "other": "eve", "why": "one person", "own_uid": "m-1"},
        {"what": "unmerge", "uid": "m-1", "why": "two"},
        {"what": "void_all", "source": "hall*", "why": "of another club"},
        {"what": "void_all", "positions": [[3, 4], [7, 7]], "why": "of another club"},
        {"what": "split", "player": "cy", "into": "cyd", "since": "2024-03-05", "why": "a namesake"},
        {"what": "declare", "pool": "rapid", "method": "elo:k=40", "starting": "2024-03-05"},
    ]
    officer = bearer(name="officer")
    post(app, EVENTS, bearer(Scope.RECORD), {"events": [GAME | {"uid": "h-1"}]})
    for one in corrections:
        before = head(app)
        looked = post(app, f"{CORRECTIONS}/preview?pool=rapid&method=elo:k=24", officer, one)
        assert looked.status_code == 200, looked.text
        assert head(app) == before
        made = post(app, CORRECTIONS, officer | {"if-match": before}, one)
        assert made.status_code == 201, made.text
        assert made.headers["ratingcore-head"] != before
    engine = app.service.desk.engine
    assert {getattr(event, "by", "officer") for _, event in engine.events(kinds=("void", "amend", "merge"))} == {
        "officer"
    }
    assert engine.log.book.keys_of("called") == ["Eve Lee"]
    assert as_read(engine.log, "h-1") is None
    assert all(as_read(engine.log, uid_at(engine.log, position)) is None for position in (3, 4, 7))


def test_a_rule_from_a_day_on_means_over_http_what_it_means_by_command(app: Front, bearer: Bearer, club: str) -> None:
    """There was no other way than a bare event, by which lists from that day on rate everything by the new rule."""
    engine = app.service.desk.engine
    told = engine.core.declared("rapid")
    rules = ((told.method if told else None) or "elo", "elo:k=40 from 2024-03-05", "elo:k=10 from 2031-01-01")
    expected = engine.rating_list("rapid", " then ".join(rules))
    for day, k in (("2024-03-05", 40), ("2031-01-01", 10)):
        one = {"what": "declare", "pool": "rapid", "method": f"elo:k={k}", "starting": day}
        assert post(app, CORRECTIONS, bearer(pools=("blitz",)) | {"if-match": head(app)}, one).status_code == 403
        looked = post(app, f"{CORRECTIONS}/preview?pool=rapid", bearer(), one).json()
        assert (looked["moved"] > 0) == (k == 40)
        made = post(app, CORRECTIONS, bearer(pools=("rapid",)) | {"if-match": head(app)}, one)
        assert made.status_code == 201, made.text
    listed = engine.rating_list("rapid")
    assert {row["player"]: row["rating"] for row in listed} == pytest.approx(
        {row["player"]: row["rating"] for row in expected}, abs=0.051
    )
    assert listed.provenance.method == expected.provenance.method


def test_a_file_is_taken_back_by_those_whose_pools_it_is_of(app: Front, bearer: Bearer) -> None:
    one = {"what": "void_all", "positions": [[3, 4]], "why": "of another club"}
    assert post(app, f"{CORRECTIONS}/preview?pool=rapid", bearer(pools=("rapid",)), one).status_code == 200
    assert post(app, f"{CORRECTIONS}/preview?pool=rapid", bearer(pools=("blitz",)), one).status_code == 403
    neither = {"what": "void_all", "why": "?"}
    assert post(app, f"{CORRECTIONS}/preview", bearer(), neither).status_code == 422


def test_a_preview_says_who_would_move(app: Front, bearer: Bearer) -> None:
    one = {"what": "void", "uid": "g-9-0", "why": "not played"}
    looked = post(app, f"{CORRECTIONS}/preview?pool=rapid&method=elo:k=24", bearer(), one).json()
    engine = app.service.desk.engine
    impact = engine.impact(engine.plan.void("g-9-0"), "rapid", "elo:k=24")
    assert looked["moved"] == len(impact) > 0
    assert looked["rows"] == [dict(row) for row in impact]


def test_a_preview_says_which_games_would_count_twice(app: Front, bearer: Bearer) -> None:
    """Only the command line and the desk said so."""
    record, day = bearer(Scope.RECORD), {"played": "2024-05-11T12:00:00Z"}
    games = [GAME | day | {"uid": f"twice-{name}", "a": name, "b": "zoe"} for name in ("uma", "ума")]
    assert post(app, EVENTS, record, {"events": games}).status_code == 201
    one = {"what": "merge", "keep": "uma", "other": "ума", "why": "one person"}
    (note,) = post(app, f"{CORRECTIONS}/preview?pool=rapid", bearer(), one).json()["notes"]
    assert (note["kind"], note["facts"]["results"]) == ("MergedTwice", 1)


def test_corrections_are_recorded_together_each_upon_those_before_and_once(app: Front, bearer: Bearer) -> None:
    both = [
        {"what": "merge", "keep": "ann", "other": "zoe", "why": "one person"},
        {"what": "rename", "player": "zoe", "called": "Zoe Lee"},
    ]
    record = bearer(Scope.RECORD)
    post(app, EVENTS, record, {"events": [GAME | {"a": "zoe"}]})
    officer = bearer(idempotency_key="zoe", if_match=head(app))
    first = post(app, CORRECTIONS, officer, both)
    again = post(app, CORRECTIONS, officer, both)
    assert (first.status_code, again.status_code) == (201, 200), first.text + again.text
    assert first.json()["uids"] == again.json()["uids"]
    batches = list(app.service.desk.engine.log.batches())
    assert batches[-1].last - batches[-1].first == 1
    refused = [both[0] | {"other": "bo"}, {"what": "void", "uid": "nothing", "why": "?"}]
    assert post(app, CORRECTIONS, bearer(if_match=head(app)), refused).status_code in (404, 422)


def test_the_list_that_was_seen_is_the_one_that_is_published(app: Front, bearer: Bearer) -> None:
    seen = head(app)
    officer = bearer(if_match=seen)
    made = post(app, PUBLISHED, officer, {"name": "April", "method": "elo:k=24"})
    assert made.status_code == 201, made.text
    published = app.service.desk.engine.published_list("April", "rapid")
    assert made.json()["seal"] == published.seal
    assert seen == f'"{published.provenance.known_at}:{published.provenance.digest}"'
    assert post(app, PUBLISHED, officer, {"name": "April", "method": "elo:k=24"}).status_code == 201  # it is there
    assert post(app, EVENTS, bearer(Scope.RECORD), {"events": [GAME]}).status_code == 201
    assert post(app, PUBLISHED, officer, {"name": "May", "method": "elo:k=24"}).status_code == 201  # as it was seen
    assert app.service.desk.engine.published_list("May", "rapid").provenance.known_at == published.provenance.known_at
    now = bearer(if_match=head(app))
    assert post(app, PUBLISHED, now, {"name": "April", "method": "elo:k=30"}).status_code == 409
    assert post(app, PUBLISHED.replace("rapid", "chess"), now, {"name": "April"}).status_code == 404
    named = post(app, PUBLISHED, now, {"name": "апрель", "method": "elo:k=24"})
    assert (named.status_code, get(app, named.headers["location"]).json()["name"]) == (201, "апрель")
    for other in ('"42:000000000000"', '"99:000000000000"'):  # heads of another log
        refused = post(app, PUBLISHED, bearer(if_match=other), {"name": "June", "known_at": "42"})
        assert (refused.status_code, refused.json()["type"]) == (412, "urn:ratingcore:HeadMoved")


def test_a_token_of_one_pool_writes_to_no_other(app: Front, bearer: Bearer) -> None:
    blitz = bearer(Scope.OFFICER, "blitz", ("blitz",))
    assert post(app, EVENTS, blitz, {"events": [GAME]}).status_code == 403
    made = post(app, EVENTS, blitz, {"events": [GAME | {"pool": "blitz", "uid": "b-1"}]})
    assert made.status_code == 201
    blitz["if-match"] = head(app)
    void = {"what": "void", "uid": "g-1-0", "why": "not played"}
    assert post(app, CORRECTIONS, blitz, void).status_code == 403
    away = {"what": "amend", "uid": "b-1", "changes": {"pool": "rapid"}, "why": "slip"}
    assert post(app, CORRECTIONS, blitz, away).status_code == 403
    everywhere = {"what": "merge", "keep": "cy", "other": "di", "why": "one person"}
    assert post(app, f"{CORRECTIONS}/preview", blitz, everywhere).status_code == 403
    assert post(app, PUBLISHED, blitz, {"name": "April"}).status_code == 403
    assert post(app, "/api/v1/verification", blitz, None).status_code == 403
    assert post(app, CORRECTIONS, blitz, void | {"uid": "b-1"}).status_code == 201


def test_a_service_that_takes_nothing_in_takes_nothing_in(applied: Applied) -> None:
    app = applied(read_only=True)
    tokens = open_tokens(app.service.desk.engine, Settings())
    answer = post(app, EVENTS, {"authorization": f"Bearer {tokens.add('hall', Scope.OFFICER)}"}, {"events": [GAME]})
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:ratingcore:ReadOnly")


def test_what_a_program_sends_is_what_the_engine_records(app: Front, bearer: Bearer) -> None:
    post(app, EVENTS, bearer(Scope.RECORD), {"events": [GAME | {"uid": "same", "order": 3, "data": {"round": 7}}]})
    event = rc.GamePlayed(
        uid="same", pool="rapid", played="2024-04-01", a="ann", b="bo", score=1.0, order=3, data={"round": 7}
    )
    assert app.service.desk.engine.record(event).duplicates == 1


def test_a_failure_of_one_request_is_no_failure_of_those_recorded_with_it(app: Front) -> None:
    writer = app.service.writer
    game = rc.GamePlayed(uid="n-1", pool="rapid", played="2024-04-01", a="ann", b="bo", score=1.0)

    def fails(engine: rc.Engine) -> None:
        engine.record(rc.GamePlayed(uid="n-2", pool="rapid", played="2024-04-01", a="ann", b="bo", score=1.0))
        raise ZeroDivisionError

    async def together() -> list[Any]:
        works = (writer.record(lambda engine: engine.record(game).accepted), writer.record(fails))
        return list(await asyncio.gather(*works, return_exceptions=True))

    accepted, error = asyncio.run(together())
    assert (accepted, type(error)) == (1, ZeroDivisionError)
    assert "n-1" in app.service.desk.engine.log.find(["n-1"])


@pytest.mark.parametrize(
    ("length", "message", "status"),
    [
        (b"", {"type": "http.disconnect"}, 400),
        (b"", {"type": "http.request", "body": b"{", "more_body": True}, 413),
        (b"9" * 30, None, 413),
        (b"1048577", None, 413),
    ],
)
def test_a_body_that_is_not_whole_or_says_that_it_is_too_large_is_refused_and_no_fault(
    app: Front,
    bearer: Bearer,
    length: bytes,
    message: dict[str, Any] | None,
    status: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A client who left was a fault with a traceback; a gigabyte was awaited though its length was said."""
    answers: list[Any] = []

    async def receive() -> Any:
        assert message is not None, "nothing of it is read"
        return message if message["type"] != "http.request" else message | {"body": b"[" * 400_000}

    async def send(answer: Any) -> None:
        answers.append(answer)

    headers = [(b"authorization", bearer()["authorization"].encode())]
    headers += [(b"content-length", length)] if length else []
    scope = {"type": "http", "method": "POST", "path": "/api/v1/events", "query_string": b"", "headers": headers}
    asyncio.run(app(scope, receive, send))
    assert answers[0]["status"] == status
    assert not caplog.records


def test_a_client_who_hangs_up_holds_up_nobody(app: Front) -> None:
    writer, began = app.service.writer, threading.Event()

    async def play() -> int:
        first = asyncio.create_task(writer.alone(lambda engine: began.wait(20)))
        gone = asyncio.create_task(writer.record(lambda engine: 1))
        stays = asyncio.create_task(writer.record(lambda engine: 2))
        await asyncio.sleep(0.05)
        gone.cancel()
        began.set()
        await first
        return await stays

    assert asyncio.run(play()) == 2


def test_requests_that_come_before_the_commit_share_the_transaction(app: Front, club: str) -> None:
    writer, began, more = app.service.writer, threading.Event(), threading.Event()
    game = rc.GamePlayed(uid="n-1", pool="rapid", played="2024-04-01", a="ann", b="bo", score=1.0)

    def first(engine: rc.Engine) -> int:
        began.set()
        assert more.wait(20)
        return engine.record(game).head.position

    async def play(elsewhere: rc.Engine) -> list[int]:
        works = [asyncio.create_task(writer.record(first))]
        await asyncio.to_thread(began.wait)
        works += [asyncio.create_task(writer.record(lambda engine: elsewhere.log.head.position)) for _ in range(3)]
        await asyncio.sleep(0)
        more.set()
        return await asyncio.gather(*works)

    with rc.open(club) as elsewhere:
        before = elsewhere.log.head.position
        assert asyncio.run(play(elsewhere)) == [before + 1, before, before, before]


def test_requests_beyond_one_transaction_are_recorded_before_the_end(
    app: Front, club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "TOGETHER", 1)
    writer, began, more = app.service.writer, threading.Event(), threading.Event()

    def recorded(number: int, engine: rc.Engine) -> int:
        began.set()
        assert more.wait(20)
        game = rc.GamePlayed(uid=f"n-{number}", pool="rapid", played="2024-04-01", a="ann", b="bo", score=1.0)
        return engine.record(game).accepted

    async def play() -> list[int]:
        works = [asyncio.create_task(writer.record(partial(recorded, number))) for number in range(4)]
        await asyncio.to_thread(began.wait)
        closing = asyncio.create_task(asyncio.to_thread(writer.close))
        await asyncio.sleep(0.05)
        more.set()
        await closing
        return await asyncio.gather(*works)

    assert asyncio.run(play()) == [1, 1, 1, 1]


def test_more_requests_than_may_wait_are_asked_to_come_again(applied: Applied) -> None:
    app, began = applied(waiting=1, seconds=0.05), threading.Event()
    writer = app.service.writer

    async def play() -> None:
        with pytest.raises(TooSlow):
            await writer.alone(lambda engine: began.wait(20))
        with pytest.raises(TooSlow):
            await writer.record(lambda engine: engine.log.head)
        with pytest.raises(Busy):
            await writer.record(lambda engine: engine.log.head)
        began.set()

    asyncio.run(play())


def test_a_pool_without_a_method_is_declared_by_an_empty_one(app: Front, bearer: Bearer) -> None:
    pool = {"kind": "pool", "pool": "blitz", "method": "", "policy": ""}
    assert ask(app, "POST", "/api/v1/events", bearer(), json={"events": [pool]}).status_code == 201


@pytest.mark.parametrize(
    ("field", "text", "kind"),
    [
        ("zone", "../..", "UnknownZone"),
        ("method", "gone", "MethodNotFound"),
        ("fits", "elo:k=x", "BadParameter"),
        ("policy", "x", "BadValue"),
    ],
)
def test_a_declaration_of_what_nobody_can_read_is_refused(
    app: Front, bearer: Bearer, field: str, text: str, kind: str
) -> None:
    """It was recorded, and then the first page and all lists were refused to everybody."""
    pool = {"kind": "pool", "pool": "blitz", "method": "elo", field: text}
    refused = ask(app, "POST", EVENTS, bearer(), json={"events": [pool]})
    assert (refused.status_code, refused.json()["type"]) == (422, f"urn:ratingcore:{kind}")
    assert get(app, "/api/v1/pools").status_code == 200


def test_a_whole_number_has_no_decimal_point_as_the_contract_says(app: Front, bearer: Bearer) -> None:
    game = {"kind": "game", "pool": "rapid", "played": "2024-04-01", "a": "ann", "b": "bo", "score": 1}
    refused = ask(app, "POST", "/api/v1/events", bearer(), json={"events": [{**game, "order": 1.0}]})
    assert (refused.status_code, refused.json()["type"]) == (422, "urn:ratingcore:BadQuery")
    assert ask(app, "POST", "/api/v1/events", bearer(), json={"events": [{**game, "order": 1}]}).status_code == 201
    assert "1, not 1.0" in get(app, "/api/v1/openapi.json").json()["info"]["description"]


def upsert(app: Front, headers: dict[str, str], *events: dict[str, Any]) -> httpx.Response:
    return post(app, EVENTS, headers, {"events": events, "amend": True})


def test_an_event_that_is_sent_with_amend_reads_as_it_was_sent_last(app: Front, bearer: Bearer) -> None:
    headers, engine = bearer(Scope.CORRECT), app.service.desk.engine
    mine, new = GAME | {"uid": "mine"}, GAME | {"uid": "new", "played": "2024-04-02"}
    assert upsert(app, headers, mine).json()["accepted"] == 1
    drawn = upsert(app, headers, mine | {"score": 0.5}, new)
    assert (drawn.status_code, drawn.json()["accepted"], drawn.json()["uids"]) == (201, 2, ["mine", "new"])
    assert [engine.log.find([uid])[uid].position for uid in ("mine", "new")] == drawn.json()["positions"]
    read = as_read(engine.log, "mine")
    assert read is not None
    assert read.score == 0.5
    (_, amendment), *_ = list(engine.events(drawn.json()["positions"][0], ["amend"]))
    assert (amendment.of, amendment.by) == ("mine", "hall")
    twice = upsert(app, headers, mine, mine | {"score": 0.0})
    assert (twice.status_code, twice.json()["hint"]) == (409, "give each event its own uid")
    again = upsert(app, headers, mine | {"score": 0.5}, new)
    assert (again.status_code, again.json()["accepted"], again.json()["duplicates"]) == (200, 0, 2)
    other = {"events": [mine | {"score": 0.0}]}
    assert post(app, EVENTS, headers, other).status_code == 409, "without amend as before"


def test_a_table_that_is_sent_again_leaves_what_an_officer_decided(app: Front, bearer: Bearer) -> None:
    """Fixed: one correction by an officer refused the whole table of a program, which is what files do not do."""
    hall, officer, engine = bearer(Scope.CORRECT), bearer(name="boss"), app.service.desk.engine
    table = [GAME | {"uid": f"t-{n}", "played": f"2024-04-0{n}"} for n in (1, 2)]
    upsert(app, hall, *table)
    for one in ({"what": "amend", "uid": "t-1", "changes": {"score": 0.5}}, {"what": "void", "uid": "t-2"}):
        assert (
            post(app, CORRECTIONS, {**officer, "if-match": head(app)}, one | {"why": "typed wrong"}).status_code == 201
        )
    table[1]["score"] = 0.0
    made = upsert(app, hall, *table, GAME | {"uid": "t-3"}).json()
    assert (made["accepted"], made["duplicates"]) == (1, 2)
    assert [note.partition(" at position ")[0] for note in made["notes"]] == [
        "t-2 was taken back", "an officer corrected t-1"
    ]  # fmt: skip
    read = as_read(engine.log, "t-1")
    assert read is not None
    assert read.score == 0.5
    assert as_read(engine.log, "t-2") is None
    assert upsert(app, hall, *table).json()["duplicates"] == 2


def test_amending_by_events_needs_what_a_correction_needs(app: Front, bearer: Bearer) -> None:
    """Scopes: record never, correct its own results, an officer those of their pools."""
    mine = GAME | {"uid": "mine"}
    hall, officer = bearer(Scope.RECORD), bearer(Scope.OFFICER, "boss")
    assert upsert(app, hall, mine).status_code == 201
    assert upsert(app, hall, mine).status_code == 200
    drawn = mine | {"score": 0.5}
    assert upsert(app, hall, drawn).status_code == 403
    assert upsert(app, bearer(Scope.CORRECT, "other"), drawn).status_code == 403
    moved = mine | {"pool": "elsewhere"}
    assert upsert(app, bearer(Scope.OFFICER, "there", pools=("elsewhere",)), moved).status_code == 403
    assert upsert(app, officer, drawn).status_code == 201
    called = {"kind": "player", "pool": "rapid", "played": "2024-04-01", "player": "zed", "uid": "z"}
    assert upsert(app, hall, called).status_code == 201
    assert upsert(app, hall, called | {"called": "Zed"}).status_code == 403


def test_an_amendment_by_events_is_refused_only_for_what_it_rests_on(app: Front, bearer: Bearer) -> None:
    mine, officer = GAME | {"uid": "mine"}, bearer()
    upsert(app, officer, mine)
    seen = head(app)
    post(app, EVENTS, officer, {"events": [GAME]})
    mine["score"] = 0.5
    assert upsert(app, {**officer, "if-match": seen}, mine).status_code == 201
    lost = upsert(app, {**officer, "if-match": seen}, mine | {"score": 0.0})
    assert (lost.status_code, lost.json()["type"], lost.json()["about"]) == (412, "urn:ratingcore:PlanOutdated", "mine")
    assert upsert(app, {**officer, "if-match": seen}, mine).status_code == 200, "it reads so"


def lines(app: Front, headers: dict[str, str], events: list[dict[str, Any]], query: str = "") -> httpx.Response:
    text = "\n".join(map(json.dumps, events))
    return ask(app, "POST", f"{EVENTS}/lines{query}", headers, content=text)


def test_ten_thousand_events_come_as_lines_and_come_again_corrected(app: Front, bearer: Bearer) -> None:
    games = [GAME | {"pool": "arena", "uid": f"l-{n}", "a": f"p{n % 97}", "b": f"q{n % 89}"} for n in range(10_000)]
    headers = bearer(Scope.CORRECT)
    made = lines(app, headers, games, "?source=march")
    assert (made.status_code, made.json()["accepted"]) == (201, 10_000), made.text
    for game in games[::1000]:
        game["score"] = 0.0
    assert lines(app, headers, games).status_code == 409
    again = lines(app, headers, games, "?amend=true").json()
    assert (again["accepted"], again["duplicates"], len(again["positions"])) == (10, 9990, 10_000)
    assert "hall: march" in app.service.desk.engine.log.book.keys_of("source")


@pytest.mark.parametrize(
    ("text", "status", "detail"),
    [
        ('{"kind": "game"}', 422, "line 2: pool is missing"),
        ('{"kind": ', 400, "line 2: the body is not JSON: "),
        (json.dumps(GAME)[:-1] + ', "a": "cy"}', 400, "line 2: the body is not JSON: the key 'a' occurs twice"),
        (json.dumps(GAME | {"a": "Anna "}), 422, "line 2: player begins or ends with white space"),
        (json.dumps(GAME | {"uid": "g-1-0"}), 409, "line 2: uid g-1-0 is already at position"),
    ],
)
def test_a_line_that_is_no_event_is_named(app: Front, bearer: Bearer, text: str, status: int, detail: str) -> None:
    before = head(app)
    body = f"{json.dumps(GAME)}\n{text}\n"
    refused = ask(app, "POST", f"{EVENTS}/lines", bearer(), content=body)
    assert (refused.status_code, refused.json()["detail"][: len(detail)], refused.json()["line"]) == (status, detail, 2)
    assert ask(app, "POST", f"{EVENTS}/lines", bearer(), content="\n").status_code == 422
    assert head(app) == before

"""A token does what its page says, and no more: by scope, and by pool in the turn of whoever writes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from ratingcore_service.access import COOKIE, Caller, open_tokens
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope
from ratingcore_service.service_store import ServiceStore
from ratingcore_service.settings import Settings

from ratingcore import Engine, GamePlayed
from ratingcore.errors import BadValue
from tests.service.asking import Applied, Bearer, ask, get
from tests.service.desk import Desk

GAME = {"kind": "game", "pool": "rapid", "played": "2024-03-09", "a": "ann", "b": "zed", "score": 1.0}
SENT: dict[str, dict[str, Any]] = {
    "a game": GAME,
    "a session": {"kind": "session", "pool": "rapid", "played": "2024-03-09",
                  "sides": [{"players": ["x"], "score": 1}, {"players": ["y"], "score": 0}]},
    "a new player": {"kind": "player", "pool": "rapid", "played": "2024-03-09", "player": "new", "called": "Nell"},
    "another name": {"kind": "player", "pool": "rapid", "played": "2024-03-09", "player": "ann", "called": "Anna"},
    "a seed": {"kind": "seed", "pool": "rapid", "played": "2024-03-09", "player": "ann", "values": {"rating": 2800}},
    "a declaration": {"kind": "pool", "pool": "rapid", "method": "elo:k=1"},
    "a period": {"kind": "period", "pool": "rapid", "played": "2024-03-09"},
}  # fmt: skip


@pytest.mark.parametrize("what", SENT)
def test_who_records_sends_games_sessions_and_new_players(app: Front, bearer: Bearer, what: str) -> None:
    body = {"events": [SENT[what]]}
    fine = what in ("a game", "a session", "a new player")
    hall = bearer(Scope.RECORD, idempotency_key="once")
    assert ask(app, "POST", "/api/v1/events", hall, json=body).status_code == (201 if fine else 403)
    assert ask(app, "POST", "/api/v1/events", bearer(Scope.OFFICER), json=body).status_code != 403
    if fine:
        assert ask(app, "POST", "/api/v1/events", hall, json=body).status_code == 200, "sent again"


def corrected(app: Front, headers: dict[str, str], **body: Any) -> int:
    """The status of a correction that is decided on the head as it is now."""
    head = get(app, "/api/v1/").headers["ratingcore-head"]
    return ask(app, "POST", "/api/v1/corrections", {**headers, "if-match": head}, json=body).status_code


def test_who_corrects_amends_and_takes_back_what_they_recorded_themselves(app: Front, bearer: Bearer) -> None:
    own, other = bearer(Scope.CORRECT, "hall"), bearer(Scope.CORRECT, "hallway")
    for uid, headers in (("mine", own), ("yours", other)):
        sent = {"events": [GAME | {"uid": uid}], "source": "round 1"}
        assert ask(app, "POST", "/api/v1/events", headers, json=sent).status_code == 201
    changes = {"what": "amend", "changes": {"score": 0.5}, "why": "slip"}
    assert corrected(app, own, **changes, uid="yours") == 403
    assert corrected(app, own, **changes, uid="mine") == 201
    assert corrected(app, own, what="void", uid="yours", why="slip") == 403
    assert corrected(app, own, what="void", uid="mine", why="slip") == 201
    assert corrected(app, own, what="revive", uid="mine", why="slip") == 403
    assert corrected(app, own, what="merge", keep="ann", other="zed", why="one") == 403
    assert corrected(app, bearer(Scope.RECORD, "desk"), what="void", uid="mine", why="slip") == 403
    assert corrected(app, bearer(Scope.OFFICER, "boss"), what="void", uid="yours", why="slip") == 201


def test_who_corrects_their_own_results_leaves_what_an_officer_decided(app: Front, bearer: Bearer) -> None:
    """A fixed bug: the token amended again what an officer had corrected, and took back what an officer had amended."""
    own, boss, engine = bearer(Scope.CORRECT, "hall"), bearer(Scope.OFFICER, "boss"), app.service.desk.engine
    sent = {"events": [GAME | {"uid": uid} for uid in ("amended", "void", "revived", "undone", "free")]}
    assert ask(app, "POST", "/api/v1/events", own, json=sent).status_code == 201
    half = {"what": "amend", "changes": {"score": 0.5}, "why": "slip"}
    for uid in ("amended", "undone", "free"):
        assert corrected(app, own, **half, uid=uid, own_uid=f"half {uid}") == 201
    assert corrected(app, own, what="void", uid="revived", why="slip") == 201
    for uid, what in (
        ("amended", half | {"changes": {"score": 0.0}}), ("void", {"what": "void", "why": "forfeit"}),
        ("revived", {"what": "revive", "why": "played"}),
        ("undone", {"what": "void", "uid": "half undone", "why": "no"}),
    ):  # fmt: skip
        assert corrected(app, boss, **{"uid": uid, **what}) == 201
        decided = engine.log.head.position
        for path, body in (
            ("corrections", {"what": "amend", "uid": uid, "changes": {"score": 1.0}, "why": "I insist"}),
            ("corrections", {"what": "void", "uid": uid, "why": "I insist"}),
            ("events", {"events": [GAME | {"uid": uid, "b": "bo"}], "amend": True}),
        ):
            answer = ask(app, "POST", f"/api/v1/{path}", {**own, "if-match": str(engine.log.head)}, json=body)
            # a table that is sent again may have other rows
            assert answer.status_code == (200 if path == "events" else 403), answer.text
            assert f"at position {decided}," in answer.text
            assert engine.log.head.position == decided
    assert corrected(app, own, **half, uid="amended", own_uid="half amended") == 200, "sent again"
    assert corrected(app, own, **half | {"changes": {"score": 1.0}}, uid="amended", own_uid="half amended") == 409
    assert corrected(app, own, **half | {"changes": {"score": 0.0}}, uid="free") == 201


def test_a_result_that_was_moved_is_corrected_by_who_may_write_to_both_pools(app: Front, bearer: Bearer) -> None:
    """A fixed bug: the pool in which it was recorded counted alone, so that its officers changed another pool."""
    boss, keys = bearer(), {name: bearer(Scope.OFFICER, f"of {name}", (name,)) for name in ("rapid", "blitz")}
    sent = {"events": [GAME | {"uid": "moved"}, GAME | {"uid": "blitz", "pool": "blitz"}]}
    assert ask(app, "POST", "/api/v1/events", boss, json=sent).status_code == 201
    move = {"what": "amend", "uid": "moved", "changes": {"pool": "blitz"}, "why": "blitz", "own_uid": "move"}
    assert corrected(app, keys["rapid"], **move) == 403
    assert corrected(app, boss, **move) == 201
    for key in keys.values():
        assert corrected(app, key, what="void", uid="moved", why="slip") == 403
        assert corrected(app, key, what="void", uid="move", why="slip") == 403
        again = {"events": [GAME | {"uid": "moved", "pool": "blitz", "score": 0.5}], "amend": True}
        assert ask(app, "POST", "/api/v1/events", key, json=again).status_code == 403
    assert corrected(app, boss, what="void", uid="moved", why="slip") == 201
    assert corrected(app, keys["rapid"], what="revive", uid="moved", why="slip") == 403
    assert corrected(app, boss, what="revive", uid="moved", why="slip", own_uid="back") == 201


def test_nobody_corrects_what_a_token_of_a_longer_name_recorded(app: Front, bearer: Bearer) -> None:
    hall, desk = bearer(Scope.CORRECT, "hall"), bearer(Scope.CORRECT, "table")
    tokens = open_tokens(app.service.desk.engine, Settings())
    with pytest.raises(BadValue, match="colon"):
        tokens.add("hall:desk", Scope.RECORD)
    ServiceStore.of(app.service.desk.engine).run(
        "UPDATE token SET name = 'hall:desk' WHERE name = 'table'"
    )  # of before
    for uid, said in (("d-1", ""), ("d-2", "round 1")):
        body = {"events": [GAME | {"uid": uid}], "source": said}
        assert ask(app, "POST", "/api/v1/events", desk, json=body).status_code == 201
        other = {"events": [GAME | {"uid": uid, "score": 0.0}], "amend": True}
        assert ask(app, "POST", "/api/v1/events", hall, json=other).status_code == 403
        assert corrected(app, hall, what="void", uid=uid, why="slip") == 403
        assert corrected(app, desk, what="void", uid=uid, why="slip") == 201


def test_no_user_of_a_proxy_passes_for_a_token(applied: Applied, bearer: Bearer) -> None:
    """A fixed bug: with `hall: ` before it, the name of a user made their results those of the token `hall`."""
    names = {"hall: desk": "correct", "hall%3A desk": "correct"}
    app = applied(user_header="X-User", trusted_proxy="127.0.0.1", users={**names, "0123abcd": "record"})
    hall = bearer(Scope.CORRECT, "hall")
    site = {"origin": "http://club.example"}
    for uid, user in zip(("d-1", "d-2"), names, strict=True):
        body = {"events": [GAME | {"uid": uid}], "source": "round 1"}
        assert ask(app, "POST", "/api/v1/events", {"X-User": user, **site}, json=body).status_code == 201
    for uid, (own, other) in (("d-1", tuple(names)), ("d-2", tuple(names)[::-1])):
        assert corrected(app, hall, what="void", uid=uid, why="slip") == 403
        assert corrected(app, {"X-User": other, **site}, what="void", uid=uid, why="slip") == 403
        assert corrected(app, {"X-User": own, **site}, what="void", uid=uid, why="slip") == 201
    assert Caller(id="0123abcd").account != Caller.user("0123abcd", Scope.RECORD).account


READS = ("elo:entry=from(blitz)", "elo then elo from 2024-01-02 once=lifted(from(blitz),1)")
"""Methods that read another pool."""


@pytest.fixture
def private(app: Front, applied: Applied) -> Front:
    """The application, private, with a second pool and a board of the first."""
    engine = app.service.desk.engine
    engine.record(GamePlayed(pool="blitz", played="2024-01-01", a="ann", b="bo", score=1.0))
    engine.declare("first", of="rapid", results="event=Spring Open", method="elo")
    return applied(private=True, rate=1000.0, burst=10_000.0, cpu_rate=1000.0)


@pytest.mark.parametrize("method", READS)
def test_a_reader_of_one_pool_asks_by_no_method_that_reads_another(private: Front, bearer: Bearer, method: str) -> None:
    one, both = (bearer(Scope.READ, "reader", pools) for pools in (("rapid",), ("rapid", "blitz")))
    asked = [("/api/v1/pools/rapid/list", 200), ("/api/v1/pools/rapid/players/~ann/explanation", 200), ("/rapid/", 200)]
    for address, fine in asked:
        url = f"{address}?{urlencode({'method': method})}"
        assert get(private, url, one).status_code == 403
        assert get(private, url, both).status_code == fine
    private.service.desk.engine.declare("rapid", method=method)
    assert get(private, f"{asked[0][0]}?{urlencode({'method': method})}", one).status_code == 200, "its own rule"


def test_a_reader_of_one_pool_is_told_the_policy_of_no_other(private: Front, bearer: Bearer) -> None:
    """Fixed: the answer named all pools of the log."""
    for pools in (("rapid",), ()):
        answer = get(private, "/api/v1/policies", bearer(Scope.READ, pools=pools)).json()
        assert [*answer["pools"]] == (list(pools) or private.service.desk.engine.pools())


def test_an_officer_of_one_pool_declares_nothing_that_reads_another(private: Front, bearer: Bearer) -> None:
    officer = bearer(Scope.OFFICER, "officer", ("rapid", "first"))
    rules = [{"pool": "rapid", "method": method} for method in READS]
    for rule in [*rules, {"pool": "first", "of": "blitz", "results": "event=Q", "method": "elo"}]:
        body = {"events": [{"kind": "pool", **rule}]}
        assert ask(private, "POST", "/api/v1/events", officer, json=body).status_code == 403
    head = get(private, "/api/v1/pools/rapid/list", officer).headers["ratingcore-head"]
    for rule in rules:
        body = {"what": "declare", **rule}
        for path in ("corrections", "corrections/preview"):
            sent = ask(private, "POST", f"/api/v1/{path}", {**officer, "if-match": head}, json=body)
            assert sent.status_code == 403, sent.text
    body = {"what": "declare", "pool": "rapid", "method": "elo:k=5"}
    preview = f"/api/v1/corrections/preview?{urlencode({'pool': 'rapid', 'method': READS[0]})}"
    assert ask(private, "POST", preview, officer, json=body).status_code == 403
    april = {"name": "April", "method": READS[0]}
    published = ask(private, "POST", "/api/v1/pools/rapid/published", {**officer, "if-match": head}, json=april)
    assert published.status_code == 403
    desk, tokens = Desk(private), open_tokens(private.service.desk.engine, Settings())
    caller = tokens.caller(officer["authorization"].removeprefix("Bearer "))
    assert caller is not None
    desk.headers["cookie"] = f"{COOKIE}={tokens.sign_in(caller)}"
    page = desk.get("/desk/rule?pool=rapid")
    answer = desk.send("/desk/rule", page, **{"pool": "rapid", "method": "elo", "p.entry": "from(blitz)"})
    assert answer.status_code == 422
    assert "pool blitz" in answer.text
    assert desk.send("/desk/rule", page, **{"pool": "rapid", "method": "elo", "p.k": "7"}).status_code == 200
    board = {"kind": "pool", "pool": "first", "of": "rapid", "results": "event=Autumn", "method": "elo"}
    assert ask(private, "POST", "/api/v1/events", officer, json={"events": [board]}).status_code == 201


def test_an_officer_erases_nobody(app: Front, bearer: Bearer) -> None:
    body = {"player": "ann", "again": "ann", "dry_run": True}
    asked = {scope: ask(app, "POST", "/api/v1/erasures", bearer(scope), json=body) for scope in Scope if scope}
    assert {scope: answer.status_code for scope, answer in asked.items()} == {
        Scope.READ: 403, Scope.RECORD: 403, Scope.CORRECT: 403, Scope.OFFICER: 403, Scope.ERASE: 200,
    }  # fmt: skip


def test_a_preview_shows_an_officer_of_one_pool_no_other(app: Front, bearer: Bearer) -> None:
    sent = {"events": [GAME | {"uid": "mine"}]}
    assert ask(app, "POST", "/api/v1/events", bearer(), json=sent).status_code == 201
    headers, body = bearer(Scope.OFFICER, "hall", ("rapid",)), {"what": "void", "uid": "mine", "why": "slip"}
    preview = "/api/v1/corrections/preview"
    assert ask(app, "POST", f"{preview}?pool=rapid", headers, json=body).status_code == 200
    assert ask(app, "POST", f"{preview}?pool=blitz", headers, json=body).status_code == 403


def test_an_upload_is_recorded_only_into_the_pools_it_has_when_it_is(
    app: Front, bearer: Bearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    officer, rows = bearer(Scope.OFFICER, "hall", ("rapid",)), "played,a,b,score\n2024-04-02,ann,bo,1\n"
    made = ask(app, "POST", "/api/v1/uploads?name=x.csv&pool=rapid", officer, content=rows).json()
    address, uploads = made["address"], app.service.uploads
    alone = app.service.writer.alone
    blitz = bearer(Scope.OFFICER, "blitz", ("blitz",))
    for method, path in (("GET", address), ("DELETE", address), ("POST", f"{address}/accept")):
        assert ask(app, method, path, {**blitz, "if-match": made["head"]}).status_code == 403

    async def later(append: Callable[[Engine], Any]) -> Any:
        """Somebody maps the file anew while it waits for its turn."""
        report = msgspec.structs.replace(uploads.report(made["id"]), pools=["blitz"])
        Path(uploads._folder, made["id"], "report").write_bytes(msgspec.json.encode(report))
        return await alone(append)

    monkeypatch.setattr(app.service.writer, "alone", later)
    head = app.service.desk.engine.log.head
    assert ask(app, "POST", f"{address}/accept", {**officer, "if-match": made["head"]}).status_code == 403
    assert app.service.desk.engine.log.head == head

"""A token does what its page says, and no more: by scope, and by pool in the turn of whoever writes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope

from ratingcore import Engine
from tests.service.asking import Bearer, ask, get

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

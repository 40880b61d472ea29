"""Sends requests that the contract allows, and some that it does not, and checks the answers by the contract.

One by one, and in walks on which an answer gives the next request its ids and names. By hand, many of each, by somebody
of each scope: `python -m tests.service.allowed 500`, of a log in PostgreSQL with its address as second word.
"""

import copy
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from ratingcore_service import application
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from tests.plugins.ratingcore_pages.leagues import league
from tests.service.contract import CONTRACT

Operation = Annotated[Any, "schemathesis.schemas.APIOperation"]
"""Its parameters differ between releases."""
EXCLUDED = [not_a_server_error, positive_data_acceptance, ignored_auth]
"""Checks that are made otherwise here; the last one asks no application."""
GAME = {"kind": "game", "pool": "rapid", "played": "2024-03-01", "a": "ann", "b": "bo", "score": 1.0}
FEW = 3
"""Examples of each operation that are always tried, and always the same."""
ELSEWHERE = ("/api/v1/changes", "/api/v1/uploads", "/api/v1/jobs")
"""Streams, and what begins processes, have tests of their own."""
SITE = "http://club.example"
UID, POSITION, ID = "$response.body#/uids/0", "$response.body#/positions/0", "$response.body#/id"
PLAYER = {"pool": "$request.path.pool", "player": "$response.body#/rows/0/id"}
LINKS: dict[str, dict[str, dict[str, Any]]] = {
    "post_events": {
        "get_events_position": {"parameters": {"position": POSITION}},
        "get_events_position_impact": {"parameters": {"position": POSITION}},
        "post_corrections": {"requestBody": {"what": "void", "uid": UID, "why": "slip"}},
        "post_corrections_preview": {"requestBody": {"what": "void", "uid": UID, "why": "slip"}},
    },
    "get_pools_pool_list": {
        "get_pools_pool_players_player": {"parameters": PLAYER},
        "get_pools_pool_players_player_history": {"parameters": PLAYER},
        "get_pools_pool_players_player_explanation": {"parameters": PLAYER},
        "get_pools_pool_versus": {
            "parameters": {
                "pool": PLAYER["pool"],
                "a": "$response.body#/rows/0/id",
                "b": "$response.body#/rows/1/id",
            }
        },
    },
    "post_corrections": {"post_corrections": {"requestBody": {"what": "revive", "uid": UID, "why": "none"}}},
    "post_uploads": {
        name: {"parameters": {"id": ID}} for name in ("get_uploads_id", "post_uploads_id_accept", "delete_uploads_id")
    },
    "post_jobs": {
        name: {"parameters": {"id": ID}}
        for name in ("get_jobs_id", "get_jobs_id_result", "get_jobs_id_report", "delete_jobs_id")
    },
}
"""By operation, those that go on with what it answers, beyond what names of fields show."""


def _linked(contract: dict[str, Any]) -> dict[str, Any]:
    """A contract with the links."""
    made = copy.deepcopy(contract)
    for operation in (one for methods in made["paths"].values() for one in methods.values()):
        for name, link in LINKS.get(operation["operationId"], {}).items():
            for status in {"200", "201", "202"} & operation["responses"].keys():
                whole = {"operationId": name, "x-schemathesis": {"merge_body": False}, **link}
                operation["responses"][status].setdefault("links", {})[name] = whole
    return made


SCHEMA = schemathesis.openapi.from_dict(_linked(CONTRACT))
SCHEMA.config.generation.update(with_security_parameters=False)  # each call has a token that is valid
OPERATIONS: list[Operation] = [
    one.ok() for one in SCHEMA.get_all_operations() if not one.ok().path.startswith(ELSEWHERE)
]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def check(
    log: str, operation: Operation, mode: GenerationMode, examples: int = FEW, scope: Scope = Scope.ERASE
) -> None:
    """Asks an operation of a log so many times, with a token where it needs one."""
    needed = operation.definition.raw["security"][0] != {}
    cases = operation.as_strategy(generation_mode=mode)

    with _asking(log, scope if needed else Scope.NONE) as call:

        @_settings(examples)
        @given(case=cases, known=st.booleans())
        def asked(case: schemathesis.Case, known: bool) -> None:
            if known and "pool" in case.path_parameters:
                case.path_parameters["pool"] = "rapid"
            _judge(case.call_and_validate(**call, excluded_checks=EXCLUDED), mode)

        asked()


def walk(log: str, scope: Scope, walks: int = FEW, *, elsewhere: bool = False) -> None:
    """Asks operations of a log one after the other, each with what answers before it said; of streams never."""
    paths = ELSEWHERE[:1] if elsewhere else ELSEWHERE
    schema = SCHEMA.exclude(lambda context: context.operation.path.startswith(paths))
    schema.config.generation.update(modes=[GenerationMode.POSITIVE])

    with _asking(log, scope) as call:

        class Walk(schema.as_state_machine()):  # type: ignore[misc]  # the class is made of the contract
            def before_call(self, case: schemathesis.Case) -> None:
                log = call["app"].service.desk.engine.log
                if case.path_parameters.get("pool", "rapid") not in log.book.keys_of("pool"):
                    case.path_parameters["pool"] = "rapid"
                if "If-Match" in case.headers and len(case.headers["If-Match"]) % 2:
                    case.headers["If-Match"] = f'"{log.head}"'
                case.query.pop("at_least", None)  # nobody else writes
                if case.method == "POST" and case.path == "/api/v1/events" and len(str(case.body)) % 3:
                    case.body = {"events": [GAME]}  # few of those that are made up are results

            def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, Any]:
                return call

            def validate_response(self, response: Any, case: schemathesis.Case, **more: Any) -> None:
                case.validate_response(response, excluded_checks=EXCLUDED)
                _judge(response, GenerationMode.POSITIVE)

        Walk.run(settings=_settings(walks, stateful_step_count=12))


@contextmanager
def _asking(log: str, scope: Scope) -> Iterator[dict[str, Any]]:
    """How a case is called: the application of a log, as somebody with a token of a scope, or without."""
    with tempfile.TemporaryDirectory() as place:
        own = Path(place) / "tokens"
        app = application(
            log, rate=1e6, burst=1e9, cpu_rate=1e9, offered="any", at_least_seconds=0.001, query_bytes=1 << 20,
            tokens=own,
        )  # fmt: skip
        token = open_tokens(app.service.desk.engine, Settings(tokens=own)).add("walker", scope) if scope else ""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            yield {"app": app, "base_url": SITE, "headers": headers}
        finally:
            app.service.close()


def _settings(examples: int, **more: Any) -> settings:
    return settings(
        max_examples=examples, deadline=None, phases=[Phase.generate], database=None, derandomize=examples == FEW,
        suppress_health_check=list(HealthCheck), **more,
    )  # fmt: skip


def _judge(answer: Any, mode: GenerationMode) -> None:
    """Fails at what the checks of schemathesis cannot know."""
    said = answer.json() if answer.status_code >= 400 else {"type": ""}
    assert answer.status_code < 500 or said["type"] == "urn:ratingcore:NotYet"
    # no pattern says which methods, days and lists there are, and what jobs are asked; what a pattern can say is never
    # refused, but for 1.0 as a whole number: JSON Schema takes it, and the contract says in words that it is refused
    refused = said["type"] == "urn:ratingcore:BadQuery" and "must be a whole number" not in said["detail"]
    refused = refused and not str(answer.request.url).endswith("/api/v1/jobs")
    assert mode is GenerationMode.NEGATIVE or not refused, said


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        count, path = int(sys.argv[1]), (*sys.argv, str(Path(place) / "club.db"))[2]
        league(path).close()
        for scope in (Scope.READ, Scope.RECORD, Scope.CORRECT, Scope.ERASE):
            print(f"walks, {scope.name.lower()}", flush=True)
            walk(path, scope, count, elsewhere=True)
            for one in OPERATIONS:
                for mode in MODES:
                    print(one.method.upper(), one.path, mode.value, flush=True)
                    check(path, one, mode, count, scope)

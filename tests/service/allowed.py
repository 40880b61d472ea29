"""Sends requests that the contract allows, and some that it does not, and checks the answers by the contract.

By hand, many of each, of programs that read and of an officer: `python -m tests.service.allowed 500`
"""

import sys
import tempfile
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
FEW = 3
"""Examples of each operation that are always tried, and always the same."""
ELSEWHERE = ("/api/v1/changes", "/api/v1/uploads", "/api/v1/jobs")
"""Streams, and what begins processes, have tests of their own."""
SITE = "http://club.example"
SCHEMA = schemathesis.openapi.from_dict(CONTRACT)
OPERATIONS: list[Operation] = [
    one.ok() for one in SCHEMA.get_all_operations() if not one.ok().path.startswith(ELSEWHERE)
]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def check(log: str, operation: Operation, mode: GenerationMode, examples: int = FEW) -> None:
    """Asks an operation of a log so many times, as an officer where it needs somebody."""
    app = application(log, rate=1e6, burst=1e9, at_least_seconds=0.001, query_bytes=1 << 20)
    needed = operation.definition.raw["security"][0] != {}
    token = open_tokens(app.service.desk.engine, Settings()).add("officer", Scope.OFFICER) if needed else ""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    cases = operation.as_strategy(generation_mode=mode)

    @settings(
        max_examples=examples, deadline=None, phases=[Phase.generate], database=None, derandomize=examples == FEW,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=cases, known=st.booleans())
    def asked(case: schemathesis.Case, known: bool) -> None:
        if known and "pool" in case.path_parameters:
            case.path_parameters["pool"] = "rapid"
        excluded = [not_a_server_error, positive_data_acceptance, ignored_auth]  # the last asks no application
        answer = case.call_and_validate(app=app, base_url=SITE, headers=headers, excluded_checks=excluded)
        said = answer.json() if answer.status_code >= 400 else {"type": ""}
        assert answer.status_code < 500 or said["type"] == "urn:ratingcore:NotYet"
        # no pattern says which methods, days and lists there are; what a pattern can say is never refused, but for
        # 1.0 as a whole number: JSON Schema takes it, and the contract says in words that it is refused
        refused = said["type"] == "urn:ratingcore:BadQuery" and "`int`, got `float`" not in said["detail"]
        assert mode is GenerationMode.NEGATIVE or not refused, said

    try:
        asked()
    finally:
        app.service.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        path = str(Path(place) / "club.db")
        league(path).close()
        for one in OPERATIONS:
            for mode in MODES:
                print(one.method.upper(), one.path, mode.value, flush=True)
                check(path, one, mode, int(sys.argv[1]))

"""Requests that the contract allows are answered as it says, and never by a fault of the server.

`EXAMPLES=100 pytest tests/service/test_allowed_requests.py` tries more of them.
"""

import os
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from ratingcore_service import application
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.plugins.ratingcore_pages.leagues import league
from tests.service.contract import CONTRACT

EXAMPLES = int(os.environ.get("EXAMPLES", "3"))
SCHEMA = schemathesis.openapi.from_dict(CONTRACT)
READING = [
    one.ok()
    for one in SCHEMA.get_all_operations()
    if one.ok().method == "get" and "changes" not in one.ok().path and one.ok().definition.raw["security"][0] == {}
]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The log of a small league."""
    path: Path = tmp_path_factory.mktemp("allowed") / "club.db"
    league(str(path)).close()
    return str(path)


@pytest.mark.parametrize("operation", READING, ids=lambda one: one.path)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_a_request_is_answered_as_the_contract_says(
    address: str, operation: "APIOperation[object]", mode: GenerationMode
) -> None:
    app = application(address, rate=1e6, burst=1e9, at_least_seconds=0.001, query_bytes=1 << 20)
    cases = operation.as_strategy(generation_mode=mode)

    @settings(
        max_examples=EXAMPLES, deadline=None, phases=[Phase.generate], database=None, derandomize=EXAMPLES == 3,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=cases, known=st.booleans())
    def asked(case: schemathesis.Case, known: bool) -> None:
        if known and "pool" in case.path_parameters:
            case.path_parameters["pool"] = "rapid"
        answer = case.call_and_validate(app=app, excluded_checks=[not_a_server_error, positive_data_acceptance])
        said = answer.json() if answer.status_code >= 400 else {"type": ""}
        assert answer.status_code < 500 or said["type"] == "urn:ratingcore:NotYet"
        # no pattern says which methods, days and lists there are; what a pattern can say is never refused
        assert mode is GenerationMode.NEGATIVE or said["type"] != "urn:ratingcore:BadQuery", said

    try:
        asked()
    finally:
        app.service.close()

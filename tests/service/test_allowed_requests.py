"""Requests that the contract allows are answered as it says, and never by a fault of the server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ratingcore_service.routing import Scope
from schemathesis.generation import GenerationMode

from tests.log import conftest
from tests.plugins.ratingcore_pages.leagues import league
from tests.service.allowed import MODES, OPERATIONS, Operation, check, walk

address, places = conftest.address, conftest.places


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The log of a small league."""
    path: Path = tmp_path_factory.mktemp("allowed") / "club.db"
    league(str(path)).close()
    return str(path)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: f"{one.method}-{one.path}")
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_a_request_is_answered_as_the_contract_says(club: str, operation: Operation, mode: GenerationMode) -> None:
    check(club, operation, mode)


@pytest.mark.parametrize("scope", [Scope.READ, Scope.CORRECT, Scope.ERASE], ids=lambda scope: scope.name.lower())
def test_requests_that_go_on_with_answers_are_answered_as_the_contract_says(
    address: Callable[[str], str], scope: Scope
) -> None:
    log = address("walked")
    league(log).close()
    walk(log, scope)

"""The contract is what is checked in, every route is in it, and no request that it allows is a fault of the server."""

import json
from collections import Counter

from ratingcore_service.app import ROUTES
from ratingcore_service.contract import document
from ratingcore_service.front import Front

from tests.service.asking import get
from tests.service.contract import CONTRACT


def test_the_contract_is_that_of_the_table() -> None:
    assert json.loads(document(ROUTES)) == CONTRACT, "python -m tests.service.contract, and a line in CHANGELOG.md"


def test_the_contract_is_served(app: Front) -> None:
    assert get(app, "/api/v1/openapi.json").json() == CONTRACT


def test_every_route_of_the_api_is_in_the_contract_under_a_name_of_its_own() -> None:
    operations = [one for path in CONTRACT["paths"].values() for one in path.values()]
    assert len(operations) == sum(route.api for route in ROUTES)
    assert [name for name, count in Counter(one["operationId"] for one in operations).items() if count > 1] == []
    assert all(one["summary"] for one in operations)


def test_a_head_that_is_needed_and_a_key_are_declared() -> None:
    given = {one["name"]: one["required"] for one in CONTRACT["paths"]["/api/v1/corrections"]["post"]["parameters"]}
    assert (given["If-Match"], given["Idempotency-Key"]) == (True, False)
    assert CONTRACT["paths"]["/api/v1/corrections"]["post"]["security"] == [{"token": []}]


def test_every_type_of_the_contract_has_a_name_of_its_own() -> None:
    """A fixed bug: of two types called Order, one was named after its module, and generated clients left it out."""
    assert [name for name in CONTRACT["components"]["schemas"] if "." in name] == []


def test_every_required_field_has_a_type() -> None:
    """A fixed bug: the default of a field of a policy was left out, since it is called `default`."""
    for name, schema in CONTRACT["components"]["schemas"].items():
        assert {*schema.get("required", ())} <= schema.get("properties", {}).keys(), name


def test_an_operation_answers_with_one_type_of_json() -> None:
    """A list had two, so that generated clients knew no type of its rows."""
    for path, operations in CONTRACT["paths"].items():
        for verb, operation in operations.items():
            schemas = [
                answer["content"]["application/json"]["schema"]
                for status, answer in operation["responses"].items()
                if status.startswith("2") and "application/json" in answer.get("content", {})
            ]
            assert all("anyOf" not in schema and "oneOf" not in schema for schema in schemas), (verb, path)
            assert len({str(schema) for schema in schemas}) <= 1, (verb, path)

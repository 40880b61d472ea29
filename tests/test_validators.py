"""Rules for the parameters of methods: what each allows, and that a refusal names method, parameter and value."""

from typing import Any

import pytest
from attrs import field, frozen

from ratingcore.errors import BadParameter
from ratingcore.validators import Validator, between, finite, instance_of, not_negative, one_of, optional, positive

INF, NAN = float("inf"), float("nan")


def refusal(rule: Validator, value: Any) -> str:
    """What a method says that is made with this value, or nothing."""

    @frozen
    class Toy:
        name = "toy"
        k: Any = field(validator=rule)

    try:
        Toy(value)
    except BadParameter as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("rule", "allowed", "refused", "why"),
    [
        (finite, (0, -1.5, 3), (INF, NAN, "3", True, None), "must be a finite number"),
        (positive, (1, 1e-300), (0, -1, "3", True), "must be a positive number"),
        (positive, (), (INF, NAN), "must be a finite number"),
        (not_negative, (), (INF,), "must be a finite number"),
        (not_negative, (0, 0.0, 2), (-1e-9, None), "must be zero or more"),
        (between(0, 1), (0, 0.5, 1), (-0.1, 1.1, NAN, False), "must be from 0 to 1"),
        (one_of("normal", "logistic"), ("normal",), ("Normal", "", 3), "must be one of normal, logistic"),
        (instance_of(str), ("", "x"), (3, None), "must be a str"),
        (optional(positive), (None, 2.0), (0, "x"), "must be a positive number"),
    ],
)
def test_a_rule_allows_what_it_says_and_names_what_it_refuses(
    rule: Validator, allowed: tuple[Any, ...], refused: tuple[Any, ...], why: str
) -> None:
    assert [refusal(rule, value) for value in allowed] == [""] * len(allowed)
    for value in refused:
        message = refusal(rule, value)
        assert f"{why}: {value!r}" in message
        assert "toy" in message
        assert "k" in message

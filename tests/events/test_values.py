"""Values: one spelling for one thing, and nothing that cannot be written down."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given

from ratingcore.errors import BadValue
from ratingcore.events import canonical
from ratingcore.events.values import checked_facts, name, new_uid, number, score, text
from tests.events.strategies import names, pinned


@pinned
@given(names)
def test_a_name_is_kept_in_unicode_form_nfc(given_name: str) -> None:
    kept = name(given_name)
    assert kept == unicodedata.normalize("NFC", given_name) == name(unicodedata.normalize("NFD", given_name))


def test_uids_are_new_every_time() -> None:
    assert len({new_uid() for _ in range(100)}) == 100


@pytest.mark.parametrize("given_score", [0, 1, 0.0, 1.0, -0.0, 0.25, np.float64(0.25), np.float64(-0.0)])
def test_a_score_has_one_spelling(given_score: float) -> None:
    kept = score(given_score)
    assert type(kept) is float
    assert kept == given_score
    assert not canonical(kept).startswith("-")


def test_facts_are_read_only_and_leave_out_what_is_absent() -> None:
    source: dict[str, object] = {"a": 1, "b": None, "c": "x", "d": True, "e": 2.5}
    kept = checked_facts(source)  # type: ignore[arg-type]  # None stands for absent
    source["a"] = 2
    assert dict(kept) == {"a": 1, "c": "x", "d": True, "e": 2.5}
    with pytest.raises(TypeError):
        kept["a"] = 2  # type: ignore[index]  # read-only on purpose
    assert dict(checked_facts(None)) == dict(checked_facts({})) == {}


@pytest.mark.parametrize(
    ("given_facts", "why"),
    [
        ({"x": float("nan")}, "x must be a finite number: nan"),
        ({"x": float("inf")}, "x must be a finite number: inf"),
        ({"x": 2**63}, "x does not fit into 64 bits"),
        ({"x": -(2**63) - 1}, "x does not fit into 64 bits"),
        ({"x": 10**400}, "x does not fit into 64 bits"),
        ({"x": [1]}, "x must be text, a number, true or false"),
        ({"x": {"y": 1}}, "x must be text, a number, true or false"),
        ({"x": b"y"}, "x must be text, a number, true or false"),
        ({"x": np.int64(1)}, "x must be text, a number, true or false"),
        ({"x": "\ud800"}, "x holds a character that cannot be stored"),
        ({"x": "a\0b"}, "x holds a character that cannot be stored"),
        ({"\udfff": 1}, "field holds a character that cannot be stored"),
        ({"\0": 1}, "field holds a character that cannot be stored"),
        ({"": 1}, "field has no name"),
        ({5: 1}, "field has no name"),
        ("x", "data must be a mapping of names to facts"),
        ([], "data must be a mapping of names to facts"),
        (0, "data must be a mapping of names to facts"),
    ],
)
def test_facts_that_cannot_be_kept_are_refused(given_facts: object, why: str) -> None:
    with pytest.raises(BadValue) as caught:
        checked_facts(given_facts)  # type: ignore[arg-type]  # wrong on purpose
    assert str(caught.value).startswith(why)


@pytest.mark.parametrize("value", ["1", None, True, float("nan"), float("inf"), 10**400, 1j])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(BadValue, match="rating must be a finite number"):
        number(value, "rating")


@pytest.mark.parametrize(
    ("value", "why"), [(5, "must be text"), (None, "must be text"), ("a\udc00", "cannot be stored")]
)
def test_text_that_cannot_be_stored_is_refused(value: object, why: str) -> None:
    with pytest.raises(BadValue, match=why):
        text(value, "why")

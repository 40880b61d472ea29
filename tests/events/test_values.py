"""Values: one spelling for one thing, and nothing that cannot be written down."""

import json
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.errors import BadValue
from ratingcore.events import canonical, timed
from ratingcore.events import values as module
from ratingcore.events.values import canonical_bytes, checked_facts, json_of, name, new_uid, number, score, text
from tests.events.strategies import facts as some_facts
from tests.events.strategies import names, pinned, values

json_values = st.recursive(
    values | st.none(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner)
).filter(lambda value: "\\ud" not in json.dumps(value))


@pinned
@given(json_values)
def test_canonical_json_reads_back_and_is_written_the_same_again(value: object) -> None:
    written = canonical(value)
    assert json.loads(written) == value
    assert canonical(json.loads(written)) == written
    assert written.encode().decode() == written


@pinned
@given(some_facts)
def test_the_order_in_which_facts_are_given_is_not_kept(given_facts: dict[str, object]) -> None:
    backwards = dict(reversed(given_facts.items()))
    assert canonical(given_facts) == canonical(backwards)


def test_canonical_json_has_one_spelling() -> None:
    assert canonical({"b": [1, 1.0, 0.1, 1e22, True, None], "a": 'ö"\n'}) == (
        '{"a":"ö\\"\\n","b":[1,1.0,0.1,1e+22,true,null]}'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_canonical_json_has_no_word_for_what_is_no_number(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical([value])


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


# the quick spelling of canonical JSON gives the same bytes as the plain one, so that no digest depends on it

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), TEXTS)
TREES = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=20)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(TREES)
def test_texts_numbers_and_structures_are_spelt_alike(tree: object) -> None:
    assert canonical_bytes(tree, ()) == canonical(tree).encode()


@given(st.lists(st.one_of(FLOATS, st.floats(0.0, 1.0))))
def test_floats_are_spelt_alike(numbers: list[float]) -> None:
    assert canonical_bytes(numbers, numbers) == canonical(numbers).encode()


@given(st.dictionaries(TEXTS, st.one_of(TEXTS, FLOATS, st.booleans(), st.integers(-(2**63), 2**63 - 1)), min_size=1))
def test_facts_are_spelt_alike(facts: dict[str, str | float | bool | int]) -> None:
    assert json_of(facts) == canonical(facts)


@pytest.mark.parametrize("when", ["2024-05-01T09:00", "2024-05-01T09:00Z"])
def test_a_time_that_knows_how_it_was_written_is_spelt_as_the_number_it_is(when: str) -> None:
    assert canonical_bytes({"at": timed(when)}, ()) == canonical({"at": int(timed(when))}).encode()
    with pytest.raises(TypeError):
        canonical_bytes({"at": object()}, ())


def test_without_the_quick_library_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = canonical_bytes([0.5, {"b": "ö", "a": None}], [0.5])
    monkeypatch.setattr(module, "_quick", lambda: None)
    assert canonical_bytes([0.5, {"b": "ö", "a": None}], [0.5]) == quick

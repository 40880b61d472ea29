"""Canonical JSON: equal values have one spelling, whichever encoder writes it, so that digests agree."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.events import canonical, timed
from ratingcore.events import canonical_json as module
from ratingcore.events.canonical_json import canonical_bytes, json_of
from tests.events.strategies import facts as some_facts
from tests.events.strategies import pinned, values

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

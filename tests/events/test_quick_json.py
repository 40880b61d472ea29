"""The quick spelling of canonical JSON gives the same bytes as the plain one, so that no digest depends on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.events import canonical, values
from ratingcore.events.values import canonical_bytes, json_of

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


def test_without_the_quick_library_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = canonical_bytes([0.5, {"b": "ö", "a": None}], [0.5])
    monkeypatch.setattr(values, "_quick", None)
    assert canonical_bytes([0.5, {"b": "ö", "a": None}], [0.5]) == quick

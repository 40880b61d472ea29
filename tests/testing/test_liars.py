"""The kit catches whoever breaks a promise, names the law, and shows a small example."""

import pytest

from ratingcore.plugin import Method
from ratingcore.testing import LAWS, LawBroken, check_method
from tests.testing.liars import LIARS, Explosive, Fragile, Honest, Lumping, Silent, Sure

BY_NAME = {law.name: law for law in LAWS}


def test_the_honest_base_of_all_liars_keeps_every_law() -> None:
    report = check_method(Honest())
    assert report.passed, "\n".join(report.lines())


@pytest.mark.parametrize(("law", "liar"), LIARS, ids=[f"{type(liar).__name__}-{law}" for law, liar in LIARS])
def test_the_law_that_is_broken_is_named(law: str, liar: Method) -> None:
    with pytest.raises(LawBroken, match=f"^{liar.name} breaks the law {law}: "):
        BY_NAME[law](liar)


def test_every_law_has_caught_somebody() -> None:
    assert {law for law, _ in LIARS} == set(BY_NAME)


@pytest.mark.parametrize(
    ("law", "liar", "events"),
    [("slicing", Lumping(), 2), ("sums", Silent(), 1), ("expected", Sure(), 2), ("foresight", Sure(), None)],
)
def test_the_example_is_the_smallest(law: str, liar: Method, events: int | None) -> None:
    """Two games for who lumps them together, one for who gives a silent bonus."""
    if events is None:
        BY_NAME[law](liar)
        return
    with pytest.raises(LawBroken) as found:
        BY_NAME[law](liar)
    assert found.value.example.startswith(f"{events} event{'s' * (events > 1)}: ")


def test_an_overflow_is_shown_with_the_results_that_caused_it() -> None:
    with pytest.raises(LawBroken) as found:
        BY_NAME["finite"](Explosive())
    assert found.value.what == "huge gaps: overflow encountered in scalar power"
    assert found.value.example.startswith("3 events: 2023-01-09 seed p")
    assert found.value.example.count(" seed ") == 2
    with pytest.raises(LawBroken) as found:
        BY_NAME["finite"](Fragile())
    assert "without a number for a rating" in found.value.what
    assert "p1 - p2 1" in found.value.example


def test_what_is_said_has_the_numbers() -> None:
    with pytest.raises(LawBroken) as found:
        BY_NAME["sums"](Silent())
    assert found.value.law == "sums"
    assert "rating, and start with all that moved it, of p" in found.value.what

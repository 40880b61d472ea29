"""Identities of methods: what stands in a provenance builds the same method again."""

from typing import Any

import pytest
from attrs import field, frozen

from ratingcore.errors import BadValue
from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Entering, Entry
from ratingcore.methods.text import QUIET, build, identity, of_identity, parameters, text_of
from ratingcore.registry import Registry

REGISTRY = Registry.installed()
TEXTS = [
    *REGISTRY.methods,
    *(
        f"{name}:preset={preset}" + (",k=0.004" if preset == "imp" else "")  # no source has a k for that unit
        for name, kind in REGISTRY.methods.items()
        for preset in kind.presets
    ),
    "elo:period=cuts(2020-01-01;2021-01-01)", "elo:entry=pooled(5,26,fide2024),k=15", "elo:k=0.1,scale=1e-7",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_an_identity_builds_the_method_it_names(text: str) -> None:
    method = REGISTRY.method(text)
    name, formula, texts = of_identity(identity(method))
    assert (name, formula) == (method.name, method.formula)
    again = build(REGISTRY.formula(name, formula), texts)
    assert again == method
    assert identity(again) == identity(method)


def test_a_method_without_parameters_has_an_identity() -> None:
    assert of_identity("plain@3()") == ("plain", 3, {})


@pytest.mark.parametrize("text", ["", "elo", "elo:k=24", "elo@1", "elo@(k=1)", "elo@1(k)", "elo@1(k=1, k=2)", "@1()"])
def test_a_text_that_is_no_identity_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="identity of a method must be written"):
        of_identity(text)


@frozen
class _Grown(Method):
    """A method that got a parameter after lists of it were published."""

    name = "grown"
    cadence = None  # type: ignore[assignment]  # it rates nothing here
    k: float = 20.0
    bonus: float = field(default=0.0, metadata=QUIET)

    def columns(self) -> Any:
        raise NotImplementedError

    def rate(self, state: Any, games: Any) -> Any:
        raise NotImplementedError

    def expected(self, state: Any, games: Any) -> Any:
        raise NotImplementedError


def test_an_identity_leaves_out_what_it_did_not_know_once_while_it_has_its_default() -> None:
    old, new = _Grown(k=10.0), _Grown(bonus=3.0)
    assert (identity(old), text_of(old)) == ("grown@1(k=10.0)", "grown:k=10.0")
    assert (identity(new), text_of(new)) == ("grown@1(k=20.0, bonus=3.0)", "grown:k=20.0,bonus=3.0")
    assert identity(Entering(old, Entry("trial", 5))) == "grown@1(k=10.0, entry=trial(5,periodic))"
    assert parameters(old) == {"k": "10.0", "bonus": "0.0"}
    for method in (old, new):
        assert build(_Grown, of_identity(identity(method))[2]) == method

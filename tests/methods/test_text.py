"""Identities of methods: what stands in a provenance builds the same method again."""

import pytest

from ratingcore.errors import BadValue
from ratingcore.methods.text import build, identity, of_identity
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
    again = build(REGISTRY.methods[name], texts)
    assert again == method
    assert identity(again) == identity(method)


def test_a_method_without_parameters_has_an_identity() -> None:
    assert of_identity("plain@3()") == ("plain", 3, {})


@pytest.mark.parametrize("text", ["", "elo", "elo:k=24", "elo@1", "elo@(k=1)", "elo@1(k)", "elo@1(k=1, k=2)", "@1()"])
def test_a_text_that_is_no_identity_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="identity of a method is not spelt"):
        of_identity(text)

"""Every public method of the engine says what it takes, returns and raises, and shows an example that runs."""

import inspect
from doctest import DocTestFinder

import pytest

import ratingcore as rc
from ratingcore import engine

METHODS = {name: value for name, value in inspect.getmembers(rc.Engine, inspect.isfunction) if not name.startswith("_")}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_the_engine_is_documented(name: str) -> None:
    doc = inspect.getdoc(METHODS[name]) or ""
    summary = doc.partition("\n")[0]
    assert summary.endswith(".")
    assert len(summary) < 120, summary
    takes = len(inspect.signature(METHODS[name]).parameters) > 1
    sections = ["Parameters"] * takes + ["Returns", "Raises", "Examples"]
    assert [section for section in sections if f"\n{section}\n{'-' * len(section)}\n" not in doc] == []


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_of_the_engine_is_named_in_its_docstring(name: str) -> None:
    doc = inspect.getdoc(METHODS[name]) or ""
    described = doc.partition("Parameters\n")[2].partition("Returns\n")[0]
    names = list(inspect.signature(METHODS[name]).parameters)[1:]
    packed = {"options"}  # described by the names it may hold
    assert [one for one in names if one not in packed and one not in described] == []


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_the_engine_has_an_example_that_pytest_runs(name: str) -> None:
    """Examples run in the module that a method comes from: a method handed on by the engine has its own elsewhere."""
    home = inspect.getmodule(inspect.unwrap(METHODS[name]))
    assert home is not None
    assert home.__name__.startswith(engine.__name__)
    runs = {test.name for test in DocTestFinder(exclude_empty=True).find(home) if test.examples}
    assert f"{home.__name__}.{inspect.unwrap(METHODS[name]).__qualname__}" in runs


def test_the_engine_is_no_heir_of_its_parts() -> None:
    assert rc.Engine.__mro__ == (rc.Engine, object)

"""The doors through which plugins import what ratingcore offers them."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

from ratingcore import plugin
from tests.pins.surface import doors_of_plugins

DOORS = doors_of_plugins()


@pytest.mark.parametrize("door", DOORS)
def test_every_name_of_a_door_is_there_and_documented(door: str) -> None:
    values = {name: getattr(import_module(door), name) for name in DOORS[door]}
    kinds = {name: value for name, value in values.items() if inspect.isclass(value) or inspect.isfunction(value)}
    assert [name for name, value in kinds.items() if not value.__doc__] == []
    assert len(import_module(door).__doc__ or "") > 20


def test_the_contract_of_a_method_is_of_a_size_that_can_be_learnt() -> None:
    assert 30 <= len(DOORS["ratingcore.plugin"]) + len(["hookimpl"]) <= 45
    assert set(DOORS["ratingcore.plugin"]) < set(dir(plugin))


def test_a_name_that_no_door_has_is_an_error_that_names_it() -> None:
    with pytest.raises(ImportError, match="Methd"):
        exec("from ratingcore.plugin import Methd")


def test_a_plugin_that_only_registers_something_imports_no_numpy() -> None:
    shown = subprocess.run(
        [sys.executable, "-c", "from ratingcore.plugin import hookimpl; import sys; print('numpy' in sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert shown.stdout == "False\n"

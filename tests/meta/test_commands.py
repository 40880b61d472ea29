"""A command lives in the module of its name, and its test in the module beside it."""

from importlib import import_module
from pathlib import Path

import click
import pytest

from ratingcore import cli as folder
from ratingcore.cli import main

MODULES = Path(folder.__path__[0])
TESTS = Path(__file__).parents[1] / "cli"


@pytest.mark.parametrize("command", main.COMMANDS)
def test_a_command_is_found_in_the_module_of_its_name_with_a_test_beside_it(command: str) -> None:
    name = main.module_name(command)
    assert name.rstrip("_").replace("_", "-") == command
    assert getattr(import_module(f"ratingcore.cli.{name}"), name).name == command
    assert (TESTS / f"test_{name}.py").is_file()


def test_no_other_module_holds_a_command() -> None:
    shared = {path.stem for path in MODULES.glob("*.py")} - {main.module_name(command) for command in main.COMMANDS}
    for name in shared - {"__init__", "main"}:
        module = import_module(f"ratingcore.cli.{name}")
        assert not [value for value in vars(module).values() if isinstance(value, click.Command)], name


def test_former_names_lead_to_commands_and_are_no_names_of_others() -> None:
    assert set(main.FORMER.values()) <= set(main.COMMANDS)
    assert not main.FORMER.keys() & set(main.COMMANDS)

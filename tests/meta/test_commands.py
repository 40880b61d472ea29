"""A command lives in the module of its name or of its family, and its test in the module beside it."""

from importlib import import_module
from pathlib import Path

import click
import pytest

from ratingcore import cli as folder
from ratingcore.cli import main

MODULES = Path(folder.__path__[0])
TESTS = Path(__file__).parents[1] / "cli"


@pytest.mark.parametrize("command", main.COMMANDS)
def test_a_command_is_found_in_its_module_with_a_test_beside_it(command: str) -> None:
    module, function = main.module_name(command), main.function_name(command)
    assert function.rstrip("_").replace("_", "-") == command
    assert getattr(import_module(f"ratingcore.cli.{module}"), function).name == command
    assert (TESTS / f"test_{module}.py").is_file()


@pytest.mark.parametrize("command", main.COMMANDS)
def test_the_list_of_commands_has_the_first_sentence_of_the_help_of_each(command: str) -> None:
    found = main.cli.get_command(click.Context(main.cli), command)
    assert found is not None
    assert main.SUMMARIES[command] == found.get_short_help_str(90)


def test_every_command_in_a_module_is_listed() -> None:
    for path in MODULES.glob("*.py"):
        if path.stem in ("__init__", "main"):
            continue
        module = import_module(f"ratingcore.cli.{path.stem}")
        for name, value in vars(module).items():
            if isinstance(value, click.Command) and value.callback.__module__ == module.__name__:
                assert main.module_name(str(value.name)) == path.stem, name

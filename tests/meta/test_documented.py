"""What the project offers is documented where it is declared: errors, hooks, commands, methods, public names."""

import inspect
from pathlib import Path

import attrs
import click
import pytest

import ratingcore as rc
from ratingcore import errors, hooks, testing
from ratingcore.cli.main import cli
from ratingcore.methods import Method
from ratingcore.registry import Registry

ROOT = Path(__file__).parents[2]
ERRORS = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, Exception)]
METHODS = [kind for kind in Registry.installed().methods.values() if not kind.superseded]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_every_error_says_what_it_is_and_has_the_one_root(error: type[Exception]) -> None:
    assert error.__doc__
    assert issubclass(error, errors.RatingCoreError)


def test_every_hook_is_documented() -> None:
    specified = [value for name, value in vars(hooks).items() if name.startswith("ratingcore_")]
    assert len(specified) >= 3
    assert all("Called " in (hook.__doc__ or "") for hook in specified)


def test_every_command_has_help_and_examples() -> None:
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        assert command.help, name
        assert "Examples" in command.get_help(click.Context(command, info_name=name)), name


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_parameter_of_a_method_is_in_its_docstring(method: type[Method]) -> None:
    doc = inspect.getdoc(method) or ""
    assert [
        field.name for field in attrs.fields(method) if f"{field.name} :" not in doc and f"{field.name}," not in doc
    ] == []


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_has_a_readme_that_names_its_parameters(method: type[Method]) -> None:
    package = method.__module__.partition(".")[0]
    readme = (ROOT / "plugins" / "methods" / package / "README.md").read_text(encoding="utf-8")
    assert [field.name for field in attrs.fields(method) if f"`{field.name.removesuffix('_')}`" not in readme] == []


@pytest.mark.parametrize("door", [rc, testing], ids=lambda door: door.__name__)
def test_every_public_name_is_there_sorted_and_documented(door: object) -> None:
    names: list[str] = door.__all__  # type: ignore[attr-defined]  # the doors have one
    assert sorted(names) == sorted(set(names))
    for name in names:
        value = getattr(door, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name


def test_the_changelog_knows_the_version() -> None:
    assert f"## {rc.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_archive_in_fixtures_names_its_origin_and_licence() -> None:
    for folder in (ROOT / "fixtures" / "archives").iterdir():
        told = (folder / "README.md").read_text(encoding="utf-8").lower()
        assert "licence" in told or "license" in told, folder

"""Commands of plugins: announced by an entry point, loaded only when asked for, named when they fail."""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from .conftest import Run

_NUMBER = count()

GREET = """\
import sys

import click

from ratingcore.plugin.commands import Mistake, command, options, reading, write


@command("NAME", "ratingcore NAME club.db")
@options.log
@options.form
def NAME(log, form):
    \"\"\"Greet the players of a log.\"\"\"
    with reading(log) as engine:
        players = sorted({row["player"] for row in engine.rating_list(engine.core.one_pool(None), "elo")})
    if log.startswith("empty"):
        raise Mistake("nobody to greet", "import some games first")
    write([{"greeting": f"hello {player}"} for player in players], ("greeting",), form)
"""

Announce = Callable[..., str]


@pytest.fixture
def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Announce]:
    """Installs a plugin that announces a command of this code; gives the name of the command."""
    monkeypatch.syspath_prepend(tmp_path / "modules")

    def install(code: str = GREET, name: str = "", distribution: str = "") -> str:
        module = f"guest{next(_NUMBER)}"
        name = name or module
        folder = tmp_path / "modules"
        folder.mkdir(exist_ok=True)
        (folder / f"{module}.py").write_text(code.replace("NAME", name))
        info = folder / f"{distribution or module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution or module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[ratingcore.commands]\n{name} = {module}:{name}\n")
        return name

    yield install
    for module in [module for module in sys.modules if module.startswith("guest")]:
        del sys.modules[module]


def loaded() -> list[str]:
    return [module for module in sys.modules if module.startswith("guest")]


def broken(run: Run, name: str) -> str:
    rows = {row["name"]: row for row in json.loads(run("plugins", "--format", "json").out)}
    return str(rows[name]["broken"])


def test_a_command_of_a_plugin_is_in_the_house_style(run: Run, club: Path, announce: Announce) -> None:
    name = announce()
    ran = run(name, "club.db", "--format", "jsonl")
    assert (ran.code, ran.out.splitlines()[0], ran.err) == (0, '{"greeting": "hello ann"}', "")
    assert run(name, "--help").out.endswith(f"Examples:\n  ratingcore {name} club.db\n")
    assert run(name, "nowhere.db").code == 2
    assert run(f"{name}s").err.endswith(f"hint: did you mean {name}?\n")
    assert broken(run, name) == "None"


def test_a_command_is_loaded_only_when_it_is_asked_for(run: Run, club: Path, announce: Announce) -> None:
    name = announce()
    assert f"From plugins:\n  {name}  Of {name} 1.0." in run("--help").out
    assert run("list", "club.db").code == run("list", "--help").code == 0
    assert loaded() == []
    run(name, "--help")
    assert loaded() == [name]


def test_a_command_with_the_name_of_ours_is_named_and_not_taken(run: Run, club: Path, announce: Announce) -> None:
    announce(name="verify", distribution="league")
    assert run("verify", "club.db").code == 0
    assert "the command verify (league 1.0) cannot be used: the name verify is taken by ratingcore" in run("--help").err


def test_of_two_commands_of_one_name_the_first_distribution_s_is_taken(run: Run, announce: Announce) -> None:
    announce(name="greet", distribution="anna")
    announce(name="greet", distribution="bert")
    assert "the command greet (bert 1.0) cannot be used: the name greet is taken by greet (anna 1.0)" in run().err
    assert run("greet", "--help").code == 0


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise SystemExit('bye')", "SystemExit: bye"),
        ("NAME = 3", "TypeError: NAME is a int, not a click command"),
        ("import click\nNAME = click.Command('other')", "ValueError: the command 'other' is announced as NAME"),
        (
            "import click\nNAME = click.Command('NAME', params=[click.Option(['--a\\u202e', 'a'])])",
            "ValueError: an option of NAME cannot be typed: '--a\\u202e'",
        ),
    ],
)
def test_a_command_that_does_not_load_is_named_and_stops_nothing(
    run: Run, club: Path, announce: Announce, code: str, why: str
) -> None:
    name = announce(code)
    assert broken(run, name) == why.replace("NAME", name)
    ran = run(name)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: the plugin {name} ({name} 1.0) fails: {why.replace('NAME', name)}")
    assert run("--help").code == run("list", "club.db").code == 0


@pytest.mark.parametrize(("body", "why"), [("1 / 0", "ZeroDivisionError"), ("sys.exit(0)", "SystemExit: 0")])
def test_a_command_that_fails_is_named(run: Run, announce: Announce, body: str, why: str) -> None:
    name = announce(f"import click, sys\n@click.command('NAME')\ndef NAME():\n    {body}\n")
    ran = run(name)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: the plugin {name} ({name} 1.0) fails: {why}")

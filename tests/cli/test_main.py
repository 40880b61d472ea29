"""The group: help that is there at once, and errors that are told in one way."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import ratingcore
from ratingcore.cli import main
from ratingcore.cli.options import Command
from ratingcore.errors import LogUnavailable

from .conftest import Run

COMMANDS = {name: main.cli.get_command(click.Context(main.cli), name) for name in main.COMMANDS}

HEAVY = ("numba", "scipy", "altair", "numpy", "sqlite3", "ratingcore.engine")


def script(code: str, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=False)


def test_the_commands_of_the_design_are_there() -> None:
    wanted = """demo import seed record void revive amend merge unmerge split name players declare pools list player
        explain forecasts predict season versus superiority order performance category impact connect plot log names
        compare tune fit backdate simulate expect performance-of publish calendar lists show diff against prove catch-up
        report site
        serve token webhook datasette anchor verify backup restore export load
        erase convert methods check plugins readers"""
    assert " ".join(main.SUMMARIES) == " ".join(wanted.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_ends_with_examples(run: Run, name: str) -> None:
    code, out, err = run(name, "--help")
    command = COMMANDS[name]
    assert isinstance(command, Command)
    assert (code, err) == (0, "")
    assert out.rstrip().splitlines()[-1].strip() == command.examples[-1]
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_the_group_tells_every_command_in_one_line(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert run().out == out
    for name, command in COMMANDS.items():
        assert f"  {name} " in out
        assert command is not None
        assert command.get_short_help_str(200).endswith(".")
    assert "..." not in out.replace("[ARGS]...", "")


def test_help_imports_nothing_heavy() -> None:
    code = f"""
import sys
from ratingcore.cli.main import cli
cli(["--help"], standalone_mode=False)
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    ran = script(code)
    assert ran.stdout.splitlines()[-1] == "[]", ran.stderr


def test_a_first_list_imports_neither_numba_nor_statistics_nor_what_imports_and_explains(club: Path) -> None:
    code = """
import sys
from ratingcore.cli.main import cli
cli(["list", sys.argv[1]], standalone_mode=False)
unused = ["numba", "scipy.stats", "scipy.special", "altair", "psycopg"]
unused += ["ratingcore.importer", "ratingcore.explain.impact"]
print([name for name in unused if name in sys.modules])
"""
    ran = script(code, str(club))
    assert ran.stdout.splitlines()[-1] == "[]", ran.stderr


def test_the_package_hands_out_every_public_name() -> None:
    for name in ratingcore.__all__:
        assert getattr(ratingcore, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        _ = ratingcore.opne


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").out == f"ratingcore {ratingcore.__version__}\n"


def test_python_m_runs_the_same_command_line() -> None:
    ran = subprocess.run([sys.executable, "-m", "ratingcore", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout == f"ratingcore {ratingcore.__version__}\n"


def test_an_unknown_command_is_a_mistake_with_a_hint(run: Run) -> None:
    assert run("lst") == (2, "", "error: no command named lst\n\nhint: did you mean list or lists?\n")
    assert run("xyzzy") == (2, "", "error: no command named xyzzy\n\nhint: ratingcore --help lists the commands\n")


def test_an_unknown_option_is_a_mistake_with_a_hint(run: Run) -> None:
    code, out, err = run("list", "club.db", "--mehtod", "elo")
    assert (code, out) == (2, "")
    assert err.startswith("error: no such option")
    assert "hint: did you mean --method" in err


def test_a_missing_argument_names_the_help(run: Run) -> None:
    code, _, err = run("list")
    assert code == 2
    assert err == "error: missing argument 'LOG'\n\nhint: ratingcore list --help\n"


def broken(error: Exception) -> object:
    def command(*args: object, **options: object) -> None:
        raise error

    return command


def test_an_unexpected_error_is_ours_and_shows_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(COMMANDS["readers"], "callback", broken(RuntimeError("boom")))
    code, out, err = run("readers")
    assert (code, out) == (1, "")
    assert err.startswith("error: RuntimeError: boom\n\nhint: ")
    assert "--debug" in err


def test_debug_shows_the_traceback(club: Path) -> None:
    ran = script("from ratingcore.cli.main import main; main()", "--debug", "list", str(club), "--method", "eloo")
    assert ran.returncode == 2
    assert "Traceback" in ran.stderr
    assert "error: no method named eloo" in ran.stderr


def test_a_full_disk_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    full = LogUnavailable("club.db", "the disk is full", "the log is as it was before; make room and try again")
    monkeypatch.setattr(COMMANDS["readers"], "callback", broken(full))
    assert run("readers") == (
        1, "", "error: cannot use club.db: the disk is full\n\n"
        "hint: the log is as it was before; make room and try again\n",
    )  # fmt: skip
    monkeypatch.setattr(COMMANDS["readers"], "callback", broken(OSError(28, "No space left on device", "x.jsonl")))
    assert run("readers") == (1, "", "error: no space left on device: x.jsonl\n")


def test_an_interruption_says_how_to_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def command(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(COMMANDS["readers"], "callback", command)
    code, _, err = run("readers")
    assert code == 1
    assert "error: interrupted\n\nhint: " in err


@pytest.mark.skipif(os.name == "nt", reason="the pipe of another system")
def test_a_reader_that_has_seen_enough_is_no_error(club: Path) -> None:
    line = f"set -o pipefail; {sys.executable} -m ratingcore log {club} --format jsonl | true"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of another system")
def test_a_terminal_sees_a_table_and_a_pipe_gets_csv(club: Path) -> None:
    import pty

    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "ratingcore", "list", str(club), "--top", "1"]
    subprocess.run(command, stdout=terminal, stderr=subprocess.DEVNULL, check=True)
    os.close(terminal)
    assert os.read(reader, 10_000).decode().splitlines()[0] == "rank  player     rating  games"
    os.close(reader)
    piped = subprocess.run(command, capture_output=True, text=True, check=True)
    assert piped.stdout.splitlines()[0] == "rank,player,rating,games"


def test_names_of_all_letters_reach_a_pipe_in_any_locale(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with ratingcore.open(path) as engine:
        engine.record(ratingcore.GamePlayed(pool="go", played="2024-01-01", a="王", b="Ørsted", score=1.0))
    environment = os.environ | {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    command = [sys.executable, "-m", "ratingcore", "list", str(path)]
    ran = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert ran.stdout.decode().splitlines()[1:] == ["1,王,1510.0,1", "2,Ørsted,1490.0,1"]

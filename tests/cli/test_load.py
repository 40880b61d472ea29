"""`ratingcore load`: a log made from an export, equal to the last digest."""

import gzip
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from ratingcore.cli.load import LONGEST
from ratingcore.errors import BadTransfer, BrokenChain
from ratingcore.log import MemoryLog, export_lines, load_lines, verify
from tests.log.forging import reforged, spoil
from tests.log.making import Clock, Salts, fill, games

from .conftest import Run


def test_an_export_loads_into_an_equal_log(run: Run, club: Path) -> None:
    plain = run("export", "club.db")
    assert plain.err.startswith("stdout: head 5:")
    assert run("export", "club.db", "club.jsonl").out == ""
    assert run("export", "club.db", "club.jsonl.gz").out == ""
    assert Path("club.jsonl").read_text() == plain.out == gzip.decompress(Path("club.jsonl.gz").read_bytes()).decode()
    loads = [
        run("load", "a.db", "club.jsonl"),
        run("load", "b.db", "club.jsonl.gz"),
        run("load", "c.db", "-", stdin=plain.out),
    ]
    assert [ran.code for ran in loads] == [0, 0, 0]
    for name in ("a.db", "b.db", "c.db"):
        assert run("verify", name).out == run("verify", "club.db").out
        assert run("list", name) == run("list", "club.db")
        assert not Path(f"{name}.part").exists()


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", 1, "the export: it is empty"),
        ("hello\n", 1, "line 1 of the export: this is no line of an export"),
        ("changed", 1, "the chain breaks at position "),
        ("cut", 1, "line "),
    ],
)
def test_a_bad_export_makes_no_log(run: Run, club: Path, tmp_path: Path, text: str, code: int, told: str) -> None:
    lines = run("export", "club.db").out
    bad = {"changed": lines.replace("1600.0", "1700.0"), "cut": "".join(lines.splitlines(keepends=True)[:-3])}
    Path("bad.jsonl").write_text(bad.get(text, text))
    ran = run("load", "new.db", "bad.jsonl")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(f"error: {told}")
    assert not list(tmp_path.glob("new.db*"))


def test_a_stream_without_lines_ends_with_an_error(tmp_path: Path) -> None:
    """A fixed bug: the end of a line that is too long was looked for, and `load` from /dev/zero never ended."""
    call = [sys.executable, "-m", "ratingcore", "load", "new.db", "-"]
    with open("/dev/zero", "rb") as endless:
        done = subprocess.run(call, stdin=endless, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"error: line 1 of the export: it is no line of an export, being longer than {LONGEST:,}"
    )
    assert not list(tmp_path.iterdir())


def test_load_replaces_nothing(run: Run, club: Path) -> None:
    run("export", "club.db", "club.jsonl")
    assert run("load", "club.db", "club.jsonl").code == 2
    assert run("load", "new.db", "none.jsonl") == (2, "", "error: cannot read none.jsonl: there is no such file\n")


def test_whatever_is_forged_is_refused_or_can_be_used(run: Run) -> None:
    """A fuzz: a good export is spoilt somewhere, every digest made anew; what is loaded must serve every command."""
    log = fill(MemoryLog(Clock(), Salts()))
    log.append(games(20, 24, played="2024-05-01"))
    whole, random, refused, used = list(export_lines(log)), Random(1912), 0, 0
    for number in range(400):
        lines = reforged(whole, lambda given: spoil(given, random))
        copy = MemoryLog(Clock(), Salts())
        try:
            load_lines(copy, lines)
        except (BadTransfer, BrokenChain):
            refused += 1
            continue
        verify(copy)
        if lines == whole or number % 5:
            continue
        used += 1
        Path("new.db").unlink(missing_ok=True)
        Path("new.jsonl").write_text("\n".join(lines))
        assert run("load", "new.db", "new.jsonl").code == 0
        pools, players = copy.keys_of("pool"), copy.keys_of("player")
        pool = "rapid" if "rapid" in pools else pools[0]
        commands = [
            ("verify", "new.db"), ("log", "new.db"), ("list", "new.db", "--pool", pool, "--method", "elo"),
            ("player", "new.db", players[0], "--pool", pool, "--method", "elo"),
            ("explain", "new.db", players[-1], "--pool", pool, "--method", "elo"),
        ]  # fmt: skip
        for command in commands:
            ran = run(*command)
            # a game may have gone to another pool, or a player to nobody: then this is told
            assert ran.code == 0 or (ran.code < 3 and ran.err.startswith("error: ")), (command, ran)
            assert "should not happen" not in ran.err, (command, ran)
            assert ran.code == 0 or command[0] not in ("verify", "log"), ran
    assert refused > 200
    assert used > 10, used


def test_what_is_said_of_a_load_is_true_of_a_log_made_anew_too(run: Run, club: Path) -> None:
    run("export", "club.db", "same.jsonl")
    run("export", "club.db", "fresh.jsonl", "--new-uids", "uids.csv")
    for file, log in (("same.jsonl", "same.db"), ("fresh.jsonl", "fresh.db")):
        assert "every digest as the export has it" in run("load", log, file).err


def test_a_line_on_stdin_is_bounded_as_in_a_file(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ratingcore.cli import load

    monkeypatch.setattr(load, "LONGEST", 100)
    ran = run("load", "new.db", "-", stdin=run("export", "club.db").out)
    assert (ran.code, ran.out) == (1, "")
    assert "line 1 of the export: it is no line of an export, being longer than 100 characters" in ran.err

"""The store of `docs/writing/store.md` keeps its promises, loaded as it is written there."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.errors import CursorMoved, LogUnavailable, NoSuchLog
from ratingcore.log import export_lines, verify
from ratingcore.registry import Registry
from ratingcore.testing import LawBroken, check_store
from tests.plugins.test_guide_methods import module_of
from tests.plugins.test_ten_minutes import files_of_guides

MOST = 150
"""Lines of a store that is written by somebody else."""


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the guide."""
    return module_of("ratingcore_lines", tmp_path, monkeypatch)


def _game(day: int, a: str = "ann") -> rc.GamePlayed:
    return rc.GamePlayed(uid=f"g-{day}", pool="rapid", played=f"2024-03-{day:02d}", a=a, b="bo", score=1.0)


def test_a_store_takes_few_lines() -> None:
    assert len(files_of_guides()["ratingcore_lines.py"].splitlines()) <= MOST


def test_it_keeps_the_promises_of_a_store(lines: Any, tmp_path: Path) -> None:
    numbers = count()
    check_store(lambda: lines.LinesLog(f"lines://{tmp_path / f'{next(numbers)}.jsonl'}"))


def _stale(log: Any, subscriber: str, expected: int, position: int) -> None:
    with log.writing():
        log._add("cursor", [subscriber, position])


@contextmanager
def _undoing_all(log: Any) -> Iterator[None]:
    with log._lock:
        log._depth += 1
        try:
            yield
            if log._depth == 1 and log._new:
                log._commit()
        except BaseException:
            log._new.clear()
            log._read()
            raise
        finally:
            log._depth -= 1


def _leaving_bytes(log: Any) -> None:
    with log._file.open("ab") as file:
        file.write("".join(f"{line}\n" for line in log._new).encode() + b'{"end":true}\n')
    log._new.clear()
    log._seen = log._file.stat()[1:7]


def _last_known(log: Any) -> Any:
    return log._batches[-1] if log._batches else None


@pytest.mark.parametrize(
    ("member", "does", "promise"),
    [
        ("move_cursor", _stale, "CursorMoved is raised"),
        ("writing", _undoing_all, "undoes the inner one only"),
        ("_commit", _leaving_bytes, "no file contains an erased name"),
        ("last_batch", _last_known, "reads what others have written"),
    ],
)
def test_a_store_that_breaks_one_promise_is_caught(
    lines: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, member: str, does: Any, promise: str
) -> None:
    monkeypatch.setattr(lines.LinesLog, member, does)
    numbers = count()
    with pytest.raises(LawBroken, match=promise):
        check_store(lambda: lines.LinesLog(f"lines://{tmp_path / f'{next(numbers)}.jsonl'}"))


WITHOUT_EXTRAS = """\
import re, sys, tomllib
from importlib.metadata import packages_distributions
extras = tomllib.load(open(sys.argv.pop(1), "rb"))["project"]["optional-dependencies"]
brought = {re.split(r"[^\\w.-]", one)[0].lower() for name, more in extras.items() if name != "dev" for one in more}
for module, of in packages_distributions().items():
    if brought & {name.lower() for name in of}:
        sys.modules[module] = None
from ratingcore.cli.main import main
main()
"""


@pytest.mark.usefixtures("lines")
def test_commands_take_its_address_in_the_default_install(tmp_path: Path) -> None:
    """They asked for platformdirs, which only the extra `postgres` brought."""
    info = tmp_path / "ratingcore_lines-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ratingcore-lines\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ratingcore]\nlines = ratingcore_lines\n")
    (tmp_path / "games.csv").write_text("a,b,score,played\nann,bo,1,2024-03-02\n")
    address = f"lines://{tmp_path / 'club.jsonl'}"

    def run(*given: str) -> str:
        project = Path(__file__).parents[2] / "pyproject.toml"
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_EXTRAS, project, *given],
            cwd=tmp_path, env={"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("import", address, "games.csv", "--pool", "rapid")
    assert "ann" in run("list", address)


def test_it_is_opened_by_its_address_and_opens_again(lines: Any, tmp_path: Path) -> None:
    registry = Registry.installed()
    registry.register(lines, "lines")
    address = f"lines://{tmp_path / 'club.jsonl'}"
    with rc.open(address, registry=registry, columns=tmp_path / "columns") as engine:
        engine.record(_game(2))
        head, listed = engine.log.head, engine.rating_list("rapid", "elo")
    with rc.open(address, registry=registry, columns=tmp_path / "columns") as engine:
        assert engine.log.head == head
        assert engine.rating_list("rapid", "elo").digest == listed.digest
    only_read = rc.open(address, registry=registry, columns=tmp_path / "columns", read_only=True)
    with only_read as engine, pytest.raises(LogUnavailable, match="read-only"):
        engine.record(_game(3))
    with pytest.raises(NoSuchLog):
        rc.open(f"lines://{tmp_path / 'none.jsonl'}", registry=registry, read_only=True)


def test_what_another_process_wrote_is_there_and_goes_on(lines: Any, tmp_path: Path) -> None:
    address = f"lines://{tmp_path / 'club.jsonl'}"
    one, other = lines.LinesLog(address), lines.LinesLog(address)
    one.append([_game(2)])
    other.append([_game(3)])
    assert one.head == other.head
    assert verify(one).batches == 2
    with one.writing():
        one.erase([one.book.number("player", "ann")])
    assert other.look().book.erased == {2}
    other.append([_game(4, "cy")])
    assert list(export_lines(one)) == list(export_lines(other))
    assert b'"ann"' not in (tmp_path / "club.jsonl").read_bytes()


def test_a_transaction_that_a_power_cut_ended_was_never_there(lines: Any, tmp_path: Path) -> None:
    path = tmp_path / "club.jsonl"
    log = lines.LinesLog(f"lines://{path}")
    log.append([_game(2)])
    head, whole = log.head, path.read_bytes()
    log.append([_game(3)])
    half = path.read_bytes()[: len(whole) + 40]
    path.write_bytes(half)
    again = lines.LinesLog(f"lines://{path}")
    assert again.head == head
    again.append([_game(4)])
    assert lines.LinesLog(f"lines://{path}").head == again.head
    assert verify(again).batches == 2


def _failing(log: Any) -> float:
    with log.writing():
        log.append([_game(3, "cy")])
        return 1 / 0


def test_an_inner_block_is_undone_alone(lines: Any, tmp_path: Path) -> None:
    address = f"lines://{tmp_path / 'club.jsonl'}"
    log = lines.LinesLog(address)
    with log.writing():
        log.append([_game(2)])
        with pytest.raises(ZeroDivisionError):
            _failing(log)
        log.append([_game(4, "di")])
    assert [row.uid for row in lines.LinesLog(address).rows()] == ["g-2", "g-4"]
    assert log.book.keys_of("player") == ["ann", "bo", "di"]
    assert verify(log).batches == 2


def test_a_cursor_moves_from_where_its_reader_left_it(lines: Any, tmp_path: Path) -> None:
    address = f"lines://{tmp_path / 'club.jsonl'}"
    log = lines.LinesLog(address)
    log.append([_game(2)])
    log.move_cursor("mailer", 0, 1)
    assert lines.LinesLog(address).cursor("mailer") == 1
    with pytest.raises(CursorMoved):
        log.move_cursor("mailer", 0, 1)

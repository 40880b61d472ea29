"""Programs that strict type checkers read need no cast and no ignore to read answers."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SITE = """
import ratingcore as rc


def page(engine: rc.Engine) -> list[str]:
    lines: list[str] = []
    for row in engine.rating_list("club", "glicko2"):
        rating: float | None = row["rating"]
        player: str = row["player"]
        lines.append(f"{row['rank']} {player} {rating} {row['games']} {row.get('deviation')}")
    for forecast in engine.forecasts("club", "elo"):
        share: float = forecast["expected"]
        lines.append(f"{forecast['played']} {share:.2f}")
    for line in engine.history("club", "ann"):
        change: float = line.change
        lines.append(f"{line.time} {line['opponent']} {change:+.1f} {dict(line)}")
    for logged in engine.events():
        event = logged.event
        if isinstance(event, rc.GamePlayed):
            lines.append(f"{event.a} {event.score} {event.b}")
        elif event.kind == "void":
            lines.append(f"{logged['position']} {event.why}")
    return lines


def kind(event: rc.AnyEvent) -> str:
    match event:
        case rc.GamePlayed() | rc.SessionPlayed() | rc.RatingSeeded():
            return event.pool
        case rc.ResultVoided() | rc.ResultAmended():
            return event.of
    return event.kind
"""
ROOT = Path(__file__).parents[2]


PROGRAM = ROOT / "tests" / "hosts" / "league_program.py"


def test_a_site_needs_no_cast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = pytest.importorskip("mypy.api")
    monkeypatch.chdir(ROOT)  # its cache serves
    site = tmp_path / "site.py"
    site.write_text(SITE)
    said, complaints, code = api.run(["--strict", str(site), str(PROGRAM)])
    assert (code, said, complaints) == (0, "Success: no issues found in 2 source files\n", "")


def test_a_program_needs_no_ignore_for_pyright() -> None:
    """`if event.kind == "game"` told it nothing, so it found twenty mistakes in a program without any."""
    assert "ignore" not in PROGRAM.read_text()
    if find_spec("pyright") is None:
        pytest.skip("pyright is not installed")
    command = [sys.executable, "-m", "pyright"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=False)
    if version.returncode:
        pytest.skip(f"pyright cannot be had without a network: {version.stderr[-200:]}")
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable, str(PROGRAM)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["0 errors, 0 warnings, 0 informations"]), (
        done.stdout
    )


def test_the_program_runs(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, PROGRAM, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "['1 ann - bo 1 ', '2 bo - cy 0.5 ', '3 cy - ann 0 ', '5 r-1 reads score']" in done.stdout

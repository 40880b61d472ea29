"""The time to start: of `--help`, and to the first list of a small log, with compiled bytecode."""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measure import Results, wall
from bench.worlds import log_of, world

HEAVY = ("numba", "scipy.stats", "altair")

_CLASSES = "eighty attrs classes are built, in half a millisecond each, which is a fifth of the time"

_MAIN = "from ratingcore.cli.main import main; sys.argv = ['ratingcore', *sys.argv[1:]]"


def _stranger(folder: Path) -> str:
    """Writes a plugin whose import is slow; returns the folder for the path."""
    info = folder / "stranger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    points = "[ratingcore]\nstranger = stranger\n[ratingcore.commands]\nstranger = stranger:stranger\n"
    (info / "entry_points.txt").write_text(points)
    (folder / "stranger.py").write_text("import scipy.stats\n")
    return str(folder)


def run(results: Results, games: int) -> None:
    """Print the times of starting a command."""
    cache = tempfile.mkdtemp(prefix="ratingcore-bench-")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = cache
    path = log_of(world(1000, players=100))

    def command(*words: str) -> float:
        call = [sys.executable, "-m", "ratingcore", *words]
        return wall(lambda: subprocess.run(call, capture_output=True, check=True, env=environment))

    def cpu(*words: str, **also: str) -> float:
        """Returns the CPU seconds of a process, the median of nine."""
        taken = []
        for _ in range(9):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *words], capture_output=True, check=True, env=environment | also)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return statistics.median(taken)

    command("--help")
    results.row("ratingcore --help", command("--help"), "s", 0.5)
    stranger = _stranger(Path(cache))
    ratio = cpu("-m", "ratingcore", "--help", PYTHONPATH=stranger) / cpu("-m", "ratingcore", "--help")
    results.row("  with a stranger's plugin installed", ratio, "x without", 1.1)
    ask = f"import ratingcore as rc; rc.open({str(path)!r}).rating_list('world', 'elo')"
    cpu("-c", ask)
    value = cpu("-c", ask) / cpu("-c", "import numpy, attrs, click, pluggy, sqlite3")
    results.row("first list in Python, CPU", value, "x imports", 1.9, note=_CLASSES)
    listing = ("list", str(path), "--pool", "world", "--method", "elo")
    command(*listing)
    results.row("first list of a log of 1000 games", command(*listing), "s", 0.5)

    def listed(before: str) -> float:
        call = [sys.executable, "-c", f"import sys; {before}; {_MAIN}; main()", *listing]
        return wall(lambda: subprocess.run(call, capture_output=True, check=True, env=environment), 1)

    ratios = [listed("pass") / listed("sys.modules['pandas'] = None") for _ in range(7)]
    results.row("  with pandas installed", statistics.median(ratios), "x without", 1.2)
    code = (
        f"import sys; {_MAIN}\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print(sum(name in sys.modules for name in {HEAVY!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *listing], capture_output=True, text=True, check=True)
    results.row(f"  of {', '.join(HEAVY)} imported by it", float(done.stdout.split()[-1]), "", 0.0)
    shutil.rmtree(cache)
    shutil.rmtree(path.parent)

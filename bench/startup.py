"""Start-up: the help, and the first list of a small log, with bytecode present."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from bench.measure import Results, wall
from bench.worlds import log_of, world

HEAVY = ("numba", "scipy.stats", "altair")

_MAIN = "from ratingcore.cli.main import main; sys.argv = ['ratingcore', *sys.argv[1:]]"


def run(results: Results, games: int) -> None:
    """Print the times of starting a command."""
    cache = tempfile.mkdtemp(prefix="ratingcore-bench-")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = cache
    path = log_of(world(1000, players=100))

    def command(*words: str) -> float:
        call = [sys.executable, "-m", "ratingcore", *words]
        return wall(lambda: subprocess.run(call, capture_output=True, check=True, env=environment))

    command("--help")
    results.row("ratingcore --help", command("--help"), "s", 0.5)
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

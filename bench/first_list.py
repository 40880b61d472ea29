"""The time to the first list without columns, without compiled loops, and in a new process."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measure import Results
from bench.worlds import log_of, world

_ASK = """
import sys, time
began = time.perf_counter()
import ratingcore as rc
times = [time.perf_counter() - began]
with rc.open(sys.argv[1]) as engine:
    for _ in range(2):
        began = time.perf_counter()
        engine.rating_list("world", "elo", top=3)
        times.append(time.perf_counter() - began)
print(*times)
"""


def run(results: Results, games: int) -> None:
    """Print the costs paid once on a machine, once for a log, and once in a process."""
    path, compiled = log_of(world(games)), Path(tempfile.mkdtemp(prefix="ratingcore-bench-"))
    columns = path.with_name(f"{path.name}.columns")

    def asked(*without: Path) -> list[float]:
        """Returns seconds of the import, of the first list and of a second one, medians of three processes."""
        taken = []
        for _ in range(3):
            for folder in without:
                shutil.rmtree(folder, ignore_errors=True)
            call = [sys.executable, "-c", _ASK, str(path)]
            environment = os.environ | {"NUMBA_CACHE_DIR": str(compiled)}
            done = subprocess.run(call, capture_output=True, text=True, check=True, env=environment)
            taken.append([float(word) for word in done.stdout.split()])
        return [statistics.median(each) for each in zip(*taken, strict=True)]

    nothing, loops = asked(columns, compiled), asked(columns)
    imported, cached, again = asked()
    print(f"first list of {games:,} games in a process, with columns and checkpoints: 1; no bounds:")
    for what, taken in (
        ("without columns and compiled loops", nothing[1]),
        ("with compiled loops, without columns", loops[1]),
        ("the import of ratingcore", imported),
        ("the same list again in the process", again),
    ):
        print(f"  {what}: {taken / cached:.3f} x")
    shutil.rmtree(path.parent)
    shutil.rmtree(compiled, ignore_errors=True)

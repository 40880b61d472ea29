"""Tools that measure time and memory, and print each figure with its bound."""

import os
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from attrs import define, field

REPEATS = 5


def seconds(*works: Callable[[], object], repeats: int = REPEATS) -> list[float]:
    """Returns the median CPU seconds of each piece of work; they alternate, so that changes in the load affect all."""
    times: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(repeats):
        for number, work in enumerate(works):
            began = time.process_time()
            work()
            times[number].append(time.process_time() - began)
    return [statistics.median(taken) for taken in times]


def wall(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Returns the median wall-clock seconds of a piece of work."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def cpu_of(process: int) -> Callable[[], float]:
    """Returns a function that reads how many seconds of CPU a process has taken."""
    tick = os.sysconf("SC_CLK_TCK")

    def taken() -> float:
        times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / tick

    return taken


def peak_bytes() -> int:
    """Returns the peak memory of this process."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024  # of this process alone: ru_maxrss remembers its parent


@define
class Results:
    """The figures of a run, and the number of those that missed their bound."""

    missed: int = 0
    lines: list[str] = field(factory=list)

    def row(self, work: str, value: float, unit: str, bound: float, at_most: bool = True, note: str = "") -> None:
        """Print a figure and its bound; also the note, if the bound is missed."""
        held = value <= bound if at_most else value >= bound
        self.missed += not held
        sign = "<=" if at_most else ">="
        verdict = "held" if held else "MISSED"
        line = f"{work:58s} {value:9.3f} {unit:10s} {sign} {bound:g}  {verdict}"
        if note and not held:
            line += f"\n    because {note}"
        self.lines.append(line)
        print(line, flush=True)

"""Separate processes with limits on memory, CPU and file sizes."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

NICE = 10
"""Niceness of such a process."""
PATIENCE = 5.0
"""Seconds between asking a process to end and killing it."""


@frozen
class Bounds:
    """Limits of a process.

    Parameters
    ----------
    memory : int, bytes
        Address space.
    seconds : float
        Of CPU.
    file : int, bytes
        Largest file that it writes.
    """

    memory: int
    seconds: float
    file: int


def main() -> None:
    """Limits this process by its first arguments, then runs Python with the rest: `PARENT MEMORY SECONDS FILE ...`."""
    parent, memory, seconds, file, *words = sys.argv[1:]
    os.nice(NICE)
    end_with(int(parent))
    try:
        import resource
    except ImportError:  # Windows has no such limits
        pass
    else:
        for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, file)):
            resource.setrlimit(kind, (int(most), int(most)))
    os.execv(sys.executable, [sys.executable, *words])


def end_with(parent: int) -> None:
    """Makes Linux end this process when its parent ends, for whatever reason; at once if it has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, which survives `exec`
        if os.getppid() != parent:
            os._exit(1)


def resident() -> int:
    """Returns the current memory of this process in bytes; 0 if the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def spent(process: int) -> float:
    """Returns the CPU seconds of a process so far, even if it has just ended; the time if the system reports none."""
    try:
        user, system = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return time.monotonic()


def give_back() -> None:
    """Returns freed memory to the system, since glibc keeps free blocks that lie between used ones."""
    with suppress(OSError, AttributeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)


def command(words: Sequence[str], bounds: Bounds) -> list[str]:
    """Returns the command line that runs Python with some arguments within limits."""
    limits = (str(round(bound)) for bound in (bounds.memory, bounds.seconds, bounds.file))
    return [sys.executable, "-m", __name__, str(os.getpid()), *limits, *words]


def start(words: Sequence[str], bounds: Bounds, **options: Any) -> "subprocess.Popen[bytes]":
    """Starts Python with some arguments within limits; `options` are further ones of `Popen`."""
    return subprocess.Popen(command(words, bounds), stdin=subprocess.PIPE, start_new_session=True, **options)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process with all that it started, politely first, then by force; closes its pipes."""
    kill = getattr(os, "killpg", os.kill)  # Windows has no groups, and no name for the signal 9
    for sign in (signal.SIGTERM, 9):
        if process.poll() is None:
            with suppress(subprocess.TimeoutExpired, ProcessLookupError):
                kill(process.pid, sign)
                process.wait(PATIENCE)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


if __name__ == "__main__":
    main()

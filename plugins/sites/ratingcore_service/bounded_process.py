"""Runs command lines in separate processes with limits on memory, CPU and file sizes."""

import asyncio
import ctypes
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

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


async def run(words: Sequence[str], bounds: Bounds, folder: Path, given: bytes = b"") -> int:
    """Runs Python with some arguments in a folder; its stdout and stderr go to the files `out` and `err` there.

    If this call is cancelled, the process is ended with all that it started.

    Returns
    -------
    int
        Its exit code.
    """
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = await asyncio.create_subprocess_exec(
            *command(words, bounds), stdin=asyncio.subprocess.PIPE, stdout=out, stderr=err, cwd=folder,
            start_new_session=True,
        )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(given)
    process.stdin.close()
    try:
        return await process.wait()
    finally:
        await asyncio.shield(_end(process))


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ends a process with all that it started: politely first, then by force; by force at once if this is cancelled."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            return
        with suppress(TimeoutError, asyncio.CancelledError):  # the event loop may be closed
            await asyncio.wait_for(process.wait(), PATIENCE)


if __name__ == "__main__":
    main()

"""Runs command lines in processes of their own, with bounds on memory, CPU and the size of files."""

import asyncio
import ctypes
import os
import signal
import sys
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
    """Bounds this process by its arguments, then becomes Python with the others: `MEMORY SECONDS FILE ARGS ...`."""
    memory, seconds, file, *words = sys.argv[1:]
    os.nice(NICE)
    _end_with_parent()
    try:
        import resource
    except ImportError:  # no such bounds on Windows
        pass
    else:
        for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, file)):
            resource.setrlimit(kind, (int(most), int(most)))
    os.execv(sys.executable, [sys.executable, *words])


def _end_with_parent() -> None:
    """Makes Linux end this process when its parent ends, for whatever reason."""
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, which stays over `exec`
        if os.getppid() != parent:  # it has ended before
            os._exit(1)


def resident() -> int:
    """Bytes of memory of this process now; 0 if the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def give_back() -> None:
    """Returns freed memory to the system, which glibc does not do for blocks between ones in use."""
    with suppress(OSError, AttributeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)


def command(words: Sequence[str], bounds: Bounds) -> list[str]:
    """The command line that runs Python with some arguments within bounds."""
    limits = (str(round(bound)) for bound in (bounds.memory, bounds.seconds, bounds.file))
    return [sys.executable, "-m", __name__, *limits, *words]


async def run(words: Sequence[str], bounds: Bounds, folder: Path, given: bytes = b"") -> int:
    """Runs Python with some arguments in a folder; stdout and stderr go to files `out` and `err` there.

    If nobody waits for it any more, it ends with all that it started.

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
    """Ends a process with all that it started: by request first, then by force, at once if this is cancelled."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            return
        with suppress(TimeoutError, asyncio.CancelledError):  # the latter from an event loop that is closed
            await asyncio.wait_for(process.wait(), PATIENCE)


if __name__ == "__main__":
    main()

"""Reads uploads in forks of one process that has loaded what they need, since a new Python loads for half a second."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path

from ratingcore_service import upload_process
from ratingcore_service.background_work import LOOK, Work
from ratingcore_service.bounded_process import Bounds

import ratingcore.engine.events
import ratingcore.engine.explanations
import ratingcore.engine.imports
import ratingcore.engine.plans
import ratingcore.importer.table_preview
import ratingcore.replay.newcomers
from ratingcore.registry import Registry

Run = Callable[[Work, Sequence[str], Bounds, bytes | None], int]
UPLOAD = ["-m", "ratingcore_service.upload_process"]

LOADED = (ratingcore, Registry.installed().methods, Registry.installed().readers)
"""Packages and plugins that a fork need not load."""


def forking(run: Run) -> Run:
    """Returns a `Work.run` that forks to read uploads, without their bounds; for all else it is the given one."""
    forks = get_context("forkserver")
    forks.set_forkserver_preload(["pytest", __name__])

    def forked(work: Work, words: Sequence[str], bounds: Bounds, given: bytes | None = None) -> int:
        if list(words) != UPLOAD:
            return run(work, words, bounds, given)
        process = forks.Process(target=_read, args=(work.folder, given))
        process.start()
        try:
            while process.exitcode is None:
                work.check()
                process.join(LOOK)
            return process.exitcode
        finally:
            process.kill()
            process.join()

    return forked


def _read(folder: Path, given: bytes) -> None:
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    with open("out", "w") as sys.stdout, open("err", "w") as sys.stderr:
        upload_process.main()

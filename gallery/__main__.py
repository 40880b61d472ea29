"""Compares rating methods on real archives and writes the pages: `python -m gallery --to FOLDER`."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from gallery.archives import ARCHIVES, Archive
from gallery.comparing import compared
from gallery.pages import Shown, kept, write

HERE = Path(__file__).parent


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def shown(archive: Archive, files: Path, results: Path, *, fetch: bool) -> Shown:
    """An archive compared, its numbers kept; one that cannot be is shown with the reason and never stops the others."""
    start = time.perf_counter()
    _say(archive.title)
    try:
        made = compared(archive, files, fetch=fetch, say=_say)
    except Exception as problem:  # of whatever kind: the other archives are still to come
        hint = (
            getattr(problem, "hint", None) or f"run `python -m gallery --only {archive.key}` and read what went wrong"
        )
        _say(f"  not shown: {type(problem).__name__}: {problem}\n  {hint}")
        return Shown(archive, None, str(problem), str(hint))
    made.write(results)
    _say(f"  {time.perf_counter() - start:.0f} s")
    return Shown(archive, made)


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command; exit code 1 if one of the archives asked for is not shown."""
    keys = [archive.key for archive in ARCHIVES]
    parser = argparse.ArgumentParser(prog="python -m gallery", description=__doc__)
    parser.add_argument(
        "--to", type=Path, default=HERE / "pages", help="folder of the pages; gallery/pages if not given"
    )
    parser.add_argument(
        "--only", action="append", choices=keys, help="compare this archive; others as their numbers were kept"
    )
    parser.add_argument(
        "--kept", action="store_true", help="compare nothing: draw the pages of the numbers that were kept"
    )
    parser.add_argument(
        "--files", type=Path, default=HERE / "downloads", help="folder of the files that you downloaded"
    )
    parser.add_argument(
        "--fetch", action="store_true", help="download missing files; without it the network is not touched"
    )
    parser.add_argument(
        "--results", type=Path, default=HERE / "results", help="folder in which numbers are kept, as JSON"
    )
    asked = parser.parse_args(words)
    again = [] if asked.kept else asked.only or keys
    before = {each.key: each for each in kept(asked.results)}
    every = [
        shown(archive, asked.files, asked.results, fetch=asked.fetch) if archive.key in again else before[archive.key]
        for archive in ARCHIVES
    ]
    write(asked.to, every)
    _say(f"pages: {asked.to / 'index.html'}")
    return 1 if any(each.result is None for each in every if each.key in again) else 0


if __name__ == "__main__":
    sys.exit(main())

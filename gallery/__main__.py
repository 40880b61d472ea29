"""Compare rating methods on real archives and write the pages: `python -m gallery --to FOLDER`."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from gallery.archives import ARCHIVES, Archive
from gallery.comparing import compared
from gallery.pages import Shown, kept, write

HERE = Path(__file__).parent


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def shown(archive: Archive, files: Path, results: Path, *, fetch: bool) -> Shown:
    """Compares an archive and stores its numbers; an error is shown on its page and does not stop other archives."""
    start = time.perf_counter()
    _report(archive.title)
    try:
        made = compared(archive, files, fetch=fetch, say=_report)
    except Exception as problem:  # any error: the other archives still have to be compared
        hint = (
            getattr(problem, "hint", None) or f"run `python -m gallery --only {archive.key}` and read what went wrong"
        )
        _report(f"  not shown: {type(problem).__name__}: {problem}\n  {hint}")
        return Shown(archive, None, str(problem), str(hint))
    made.write(results)
    _report(f"  {time.perf_counter() - start:.0f} s")
    return Shown(archive, made)


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command; exit code 1 if a chosen archive could not be compared."""
    keys = [archive.key for archive in ARCHIVES]
    parser = argparse.ArgumentParser(prog="python -m gallery", description=__doc__)
    parser.add_argument("--to", type=Path, default=HERE / "pages", help="folder of the pages; gallery/pages by default")
    parser.add_argument(
        "--only",
        action="append",
        choices=keys,
        help="compare only this archive; stored numbers are shown for the others",
    )
    parser.add_argument("--kept", action="store_true", help="compare nothing; write the pages from stored numbers")
    parser.add_argument("--files", type=Path, default=HERE / "downloads", help="folder of downloaded files")
    parser.add_argument(
        "--fetch", action="store_true", help="download missing files; without this option the network is not used"
    )
    parser.add_argument(
        "--results", type=Path, default=HERE / "results", help="folder in which numbers are stored, as JSON"
    )
    asked = parser.parse_args(words)
    again = [] if asked.kept else asked.only or keys
    before = {each.key: each for each in kept(asked.results)}
    every = [
        shown(archive, asked.files, asked.results, fetch=asked.fetch) if archive.key in again else before[archive.key]
        for archive in ARCHIVES
    ]
    write(asked.to, every)
    _report(f"pages: {asked.to / 'index.html'}")
    return 1 if any(each.result is None for each in every if each.key in again) else 0


if __name__ == "__main__":
    sys.exit(main())

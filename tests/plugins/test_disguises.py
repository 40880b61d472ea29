"""Files that editors, mailers and old systems have touched say the same: line ends, marks, blanks, encodings."""

from collections.abc import Callable
from pathlib import Path

import pytest

import ratingcore as rc

FORMATS = Path(__file__).parents[2] / "fixtures" / "formats"
FILES = [
    path for path in sorted(FORMATS.glob("*/*"))
    if path.suffix not in (".md", ".gz", ".py") and path.parent.name != "tables" and path.stat().st_size < 120_000
    and path.name not in ("round-1349-641-div1-data.json", "startgg-games.json")  # rows of third parties, of no format
]  # fmt: skip
MARK = b"\xef\xbb\xbf"


def plain(content: bytes) -> bytes:
    return content.removeprefix(MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n")


DISGUISES: dict[str, Callable[[bytes], bytes]] = {
    "lines end with CRLF": lambda content: plain(content).replace(b"\n", b"\r\n"),
    "lines end with CR": lambda content: plain(content).replace(b"\n", b"\r"),
    "marked as UTF-8": lambda content: MARK + content.removeprefix(MARK),
    "no end of the last line": lambda content: content.rstrip(),
    "blank lines at the end": lambda content: plain(content) + b"\n\n  \n\n",
    "blank lines at the beginning": lambda content: b"\n\n" + plain(content),
    "ended as DOS did": lambda content: content.rstrip() + b"\r\n\x1a",
    "blanks at the ends of lines": lambda content: plain(content).replace(b"\n", b"  \n"),
}


def test_a_key_that_stands_twice_is_told_by_every_reader_of_json(tmp_path: Path) -> None:
    """The last value was taken, and nobody told."""
    objects = [path for path in FILES if path.suffix in (".json", ".ndjson")]
    assert {path.parent.name for path in objects} >= {"challonge", "lichess", "startgg"}
    for file in objects:
        reader = file.parent.name if file.parent.name != "tables" else None
        twice = tmp_path / file.name
        twice.write_bytes(file.read_bytes().replace(b"{", b'{"zz": 1, "zz": 2, ', 1))
        with rc.open(":memory:") as engine:
            report = engine.import_file(twice, "p", reader=reader, played="2024-01-01")
        line = 1 + twice.read_bytes().partition(b"zz")[0].count(b"\n")
        assert (line, "the key 'zz' occurs twice in one object") in [row[:2] for row in report.refused], file


def counts(engine: rc.Engine, content: bytes, name: str) -> tuple[object, ...]:
    """What an import of bytes into a log would give."""
    path = Path(name)
    path.write_bytes(content)
    report = engine.import_file(path, pool="p", played="2024-01-01", seeds="all", dry_run=True)
    assert report.adds_up
    unrated = {reason: len(lines) for reason, lines in sorted(report.unrated.items())}
    return report.reader, report.accepted, unrated, len(report.refused), report.facts, report.seeds


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_file_that_was_touched_says_the_same(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = path.read_bytes()
    with rc.open(":memory:") as engine:
        plainly = counts(engine, content, path.name)
        for name, disguise in DISGUISES.items():
            if name != "marked as UTF-8" or _decodes(content):
                assert counts(engine, disguise(content), path.name) == plainly, name


def _decodes(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True

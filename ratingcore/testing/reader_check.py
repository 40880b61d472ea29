"""Checks a reader against every law for readers, on files of its format and on damaged copies of them."""

import random
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import attrs

from ratingcore.errors import BadFile, PluginFails, RatingCoreError, in_words
from ratingcore.events import instant
from ratingcore.importer.file_choice import choose
from ratingcore.importer.files import import_files
from ratingcore.importer.reader_choice import SURE
from ratingcore.importer.report import ImportReport
from ratingcore.importer.settings import Settings
from ratingcore.log import Log, SqliteLog
from ratingcore.readers import Options, Reader, Sample
from ratingcore.registry import Registry
from ratingcore.testing.check import CheckReport, Verdict

MUTATIONS = 300
"""Number of damaged copies of a file that are tried."""
HOSTILE = (
    b"", b"x", b"\0", b"\xef\xbb\xbf", b"x" * 2**21, b"\xff\xfe<\0a\0", b"[" * 100_000, b"<a>" * 100_000,
    b'<!DOCTYPE a [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><a>&c;</a>', random.Random(7).randbytes(2**16),
)  # fmt: skip
"""Files without a format, or unsafe ones."""
_TOKENS = (b"\xff", b"\0", b"\r", b"\n", b'"', b"<", b"{", b"]", b",", b"999999", b"-", b"0", b"\xe2\x80\xae")
_DAY = instant("2024-01-01")


def check_reader(reader: Reader, paths: Sequence[str | Path], mutations: int = MUTATIONS) -> CheckReport:
    """Checks a reader against every law for readers.

    Parameters
    ----------
    reader : Reader
    paths : sequence of path
        Files in the format of the reader.
    mutations : int
        Number of damaged copies of each file.

    Returns
    -------
    CheckReport
    """
    results = []
    for path in paths:
        for name, (law, sentence) in _LAWS.items():
            try:
                why = law(reader, Path(path), mutations)
            except RatingCoreError as error:
                why = str(error)
            except Exception as error:  # a reader may raise anything
                why = in_words(error)
            results.append(Verdict(name, str(path), "FAILED" if why else "ok", why or sentence))
    return CheckReport(reader.name, tuple(results), {name: sentence for name, (_, sentence) in _LAWS.items()})


def _imported(reader: Reader, given: Any, log: Log, dry_run: bool = False, options: Any = None) -> list[ImportReport]:
    """Imports a file with this reader, even if the reader does not recognise it."""
    choice = choose([given], {reader.name: reader}, reader=reader.name, options=options)
    settings = Settings(pool="check", played=_DAY, seeds="all", dry_run=dry_run)
    return list(import_files(log, Registry().method, choice, settings))


def _sniffs(reader: Reader, path: Path, mutations: int) -> str:
    content = path.read_bytes()
    sure = reader.sniff(Sample(path.name, content[: 2**16], len(content)))
    if sure < SURE:
        return f"it recognises {path.name} with certainty {sure}, and is chosen only from {SURE} of 100 on"
    for other in HOSTILE:
        sure = reader.sniff(Sample("file", other[: 2**16], len(other)))
        if not 0 <= sure <= 100:
            return f"its certainty for {other[:20]!r} is {sure}, not from 0 to 100"
    return ""


def _adds_up(reader: Reader, path: Path, mutations: int) -> str:
    for report in _imported(reader, path, SqliteLog(":memory:")):
        if report.error is not None:
            return f"the file is refused: {report.error}"
        if not report.adds_up:
            return f"{report.read} rows are read, but the parts of the report do not add up to that: {report}"
        if not report.read + report.facts + report.seeds:
            return "the file holds nothing"
    return ""


def _again(reader: Reader, path: Path, mutations: int) -> str:
    log = SqliteLog(":memory:")
    _imported(reader, path, log)
    head = log.head
    _imported(reader, path, log)
    return "" if log.head == head else f"the same file again appends {log.head.position - head.position} events"


def _options(reader: Reader, path: Path, mutations: int) -> str:
    for option in attrs.fields(reader.options):
        values = getattr(option.validator, "options", None) or (option.default,)
        for value in values:
            if not isinstance(value, str | int | bool):
                continue
            text = str(value).lower() if isinstance(value, bool) else str(value)
            configured: Options = reader.configured({option.name: text})
            if getattr(configured, option.name) != value:
                return f"the option {option.name}={text} is read as {getattr(configured, option.name)!r}"
            for report in _imported(reader, path, SqliteLog(":memory:"), options={option.name: text}):
                if not report.adds_up or isinstance(report.error, PluginFails):
                    return f"with {option.name}={text}: {report.error or 'the report does not add up'}"
    return ""


def _damaged(reader: Reader, path: Path, mutations: int) -> str:
    for number, content in enumerate((*HOSTILE, *_copies(path.read_bytes(), mutations))):
        log = SqliteLog(":memory:")
        try:
            reports = _imported(reader, BytesIO(content), log)
        except BadFile:
            continue
        for report in reports:
            if isinstance(report.error, PluginFails):
                return f"damaged copy {number}: {report.error}"
            if not report.adds_up:
                return f"damaged copy {number}: the report does not add up"
            if report.error is not None and reader.unit == "document" and log.head.position:
                return f"damaged copy {number}: a part of a document is recorded, though the file is refused"
    return ""


def _copies(content: bytes, count: int) -> Iterator[bytes]:
    """Yields damaged copies of a file, with bytes changed, cut, repeated and inserted."""
    chance = random.Random(1)
    for _ in range(count):
        changed = bytearray(content)
        for _ in range(chance.choice((1, 1, 2, 5))):
            place, length = chance.randrange(len(changed) + 1), chance.choice((1, 2, 8, 64, 512))
            kind = chance.randrange(4)
            if kind == 0:
                del changed[place : place + length]
            elif kind == 1:
                changed[place:place] = changed[place : place + length]
            elif kind == 2:
                changed[place:place] = chance.choice(_TOKENS)
            else:
                changed[place : place + 1] = chance.randbytes(1)
        yield bytes(changed)


_Law = Callable[[Reader, Path, int], str]
_LAWS: dict[str, tuple[_Law, str]] = {
    "sniffs": (_sniffs, "Its files are recognised by what is in them"),
    "adds-up": (_adds_up, "Every row is accepted, amended, a duplicate, unrated or refused"),
    "again": (_again, "Importing the same file again records nothing"),
    "options": (_options, "Options are read as they are written, and none makes it fail"),
    "damaged": (_damaged, "A damaged file is refused as a whole, with a reason and without a traceback"),
}

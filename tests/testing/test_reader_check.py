"""The kit for readers: bundled readers pass on files of their own, and each liar is found by the law it breaks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ratingcore.importer.reader_choice import InstalledReaders
from ratingcore.plugin.readers import Game, Reader, Sample, Source, Who, at, day_of
from ratingcore.registry import Registry
from ratingcore.testing import check_reader
from tests.guests import needs_tables

ROOT = Path(__file__).parents[2]
FORMATS = ROOT / "fixtures" / "formats"
READERS = InstalledReaders(Registry.installed())


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("trf", "trf/dutch_2025_c9.trf"),
        ("ffg-tou", "ffg-tou/tilleuls.tou"),
        ("opengotha", "opengotha/tilleuls.xml"),
        ("csv", "tables/games.csv"),
        ("parquet", "tables/games.parquet"),
        ("parquet", "tables/games.arrow"),
        ("sheet", "tables/games.xlsx"),
        ("sheet", "tables/games.xls"),
        ("sheet", "tables/games.ods"),
    ],
)
@needs_tables
def test_bundled_readers_keep_the_laws(name: str, file: str) -> None:
    report = check_reader(READERS[name], [FORMATS / file], mutations=40)
    assert report.passed, report.lines()
    assert [line.split()[1] for line in report.lines()] == ["sniffs", "adds-up", "again", "options", "damaged"]


def _read(source: Source, options: Any) -> Iterator[Game]:
    for number, line in source.lines():
        one, other, day = line.split()
        yield Game(number, (), Who(None, one), Who(None, other), 1.0, at(day_of(day)))


def _sniff(sample: Sample) -> int:
    return 60 if re.match(r"\w+ \w+ [0-9-]+\n", sample.text) else 0


PAIRS = Reader("pairs", "winner, loser, day", sniff=_sniff, read=_read)


def broken(reader: Reader, tmp_path: Path, text: str = "ann bo 2024-03-02\nbo cy 2024-03-09\n") -> set[str]:
    """The laws that a reader breaks on a file."""
    file = tmp_path / "file.pairs"
    file.write_text(text)
    return {result.law for result in check_reader(reader, [file], mutations=60).results if result.verdict == "FAILED"}


def test_each_liar_is_found(tmp_path: Path) -> None:
    assert broken(PAIRS, tmp_path) == {"damaged"}  # its unpacking fails on a line of other words

    def twice(source: Source, options: Any) -> Iterator[Game]:
        calls.append(source.name)
        for game in _careful(source, options):
            yield game._replace(key=(f"pairs:{len(calls)}.{game.line}",))

    def _careful(source: Source, options: Any) -> Iterator[Game]:
        for number, line in source.lines():
            words = line.split()
            if len(words) == 3 and words[2].startswith("2024-0"):
                yield Game(number, (), Who(None, words[0]), Who(None, words[1]), 1.0, at(day_of("2024-03-02")))

    calls: list[str] = []
    assert broken(evolve(PAIRS, read=_careful), tmp_path) == set()
    assert broken(evolve(PAIRS, read=twice), tmp_path) == {"again"}
    assert broken(evolve(PAIRS, read=_careful, sniff=lambda sample: 10), tmp_path) == {"sniffs"}
    assert broken(evolve(PAIRS, read=lambda source, options: iter(())), tmp_path) == {"adds-up"}

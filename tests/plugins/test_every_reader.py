"""Readers of every format, whatever the bytes are: results that can be, or one sentence, never a traceback."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from ratingcore.importer.reader_choice import InstalledReaders
from ratingcore.readers import Game, Session
from ratingcore.registry import Registry
from tests.plugins.reader_laws import HOSTILE, ROUNDS, json_mutations, mutations, survives, xml_mutations

FORMATS = Path(__file__).parents[2] / "fixtures" / "formats"
READERS = InstalledReaders(Registry.installed())
SAMPLES = {
    "aga": "aga/*.txt", "challonge": "challonge/*.json", "chess-results": "chess_results/*.xml",
    "chesscom": "chesscom/*.json",
    "codeforces": "codeforces/*-data.json", "crosstable": "crosstable/*.txt", "egf-h9": "egf-h9/*.h9",
    "ffg-tou": "ffg-tou/*.tou", "fide-list": "fide_list/*.txt", "lichess": "lichess/game*", "lin": "lin/*.lin",
    "opengotha": "opengotha/[lt]*.xml", "pbn": "pbn/[!2]*.pbn", "pgn": "pgn/*.pgn", "sgf": "sgf/*.sgf",
    "startgg": "startgg/*-sets.json", "trf": "trf/*.trf", "usebio": "usebio/*.xml",
}  # fmt: skip
"""Files of each format."""
OPTIONS = {
    "lichess": {"casual": "true", "variants": "all"},
    "pgn": {"variants": "all", "partial": "first", "casual": "true"},
    "trf": {"dates": "spread", "partial": "last"},
}
"""Options with which more of a file is read."""
CHESS = {"chess-results", "crosstable", "fide-list", "pgn", "trf"}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", SAMPLES)
def test_files_of_no_format_or_unsafe_ones_hold_no_result(name: str, content: bytes) -> None:
    assert not [item for item in survives(READERS[name], content) if isinstance(item, Game | Session)]


def damaged(content: bytes, ending: str, rounds: int) -> Iterator[bytes]:
    """Copies of a file in which bytes, or values or elements, are others."""
    typed = {".json": json_mutations, ".ndjson": json_mutations, ".xml": xml_mutations}
    return chain(mutations(content, 1, rounds), typed[ending](content, 1, rounds) if ending in typed else ())


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_read_of_a_damaged_file_can_be(name: str) -> None:
    files = sorted(FORMATS.glob(SAMPLES[name]))
    assert files
    for file in files:
        content = file.read_bytes()
        rounds = max(ROUNDS // len(files) // (1 + len(content) // 20_000), 10)
        for changed in damaged(content, file.suffix, rounds):
            found = survives(READERS[name], changed, **OPTIONS.get(name, {}))
            assert name not in CHESS or {item.score for item in found if isinstance(item, Game)} <= {0.0, 0.5, 1.0}

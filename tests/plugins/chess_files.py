"""Files of chess for tests, and what readers say about them."""

from collections import Counter
from pathlib import Path
from typing import Any

import ratingcore_chess

from ratingcore.readers import Game, Item, Reader, Refused, Sample, Seed, Source, Unrated

FORMATS = Path(__file__).parents[2] / "fixtures" / "formats"
READERS: dict[str, Reader] = ratingcore_chess.ratingcore_readers()
LONG = 2**21


def said(name: str, content: bytes, zone: Any = None, **options: str) -> list[Item]:
    """What a reader says about bytes."""
    reader = READERS[name]
    return list(reader.read(Source.of_bytes("file", content, zone=zone), reader.configured(options)))


def of(name: str, path: str, **options: str) -> list[Item]:
    """What a reader says about a fixture."""
    return said(name, (FORMATS / path).read_bytes(), **options)


def counts(items: list[Item]) -> dict[str, int]:
    """How many items there are of each kind; unrated ones by their reason."""
    found: Counter[str] = Counter()
    for item in items:
        if isinstance(item, Unrated):
            found[item.reason] += item.count
        else:
            found[type(item).__name__.lower()] += 1
    return dict(found)


def pairings(items: list[Item]) -> dict[str, int]:
    """How many games, unrated and refused pairings there are."""
    other = ("document", "facts", "seed", "warning")
    return {kind: count for kind, count in counts(items).items() if kind not in other}


def games(items: list[Item]) -> list[Game]:
    return [item for item in items if isinstance(item, Game)]


def seeds(items: list[Item]) -> list[Seed]:
    return [item for item in items if isinstance(item, Seed)]


def refusals(items: list[Item]) -> list[str]:
    return [item.reason for item in items if isinstance(item, Refused)]


def sure(name: str, content: bytes) -> int:
    """How sure a reader is of bytes."""
    return READERS[name].sniff(Sample("file", content[: 2**16], len(content)))

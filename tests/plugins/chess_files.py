"""Files of chess for tests: what readers say about them, mutations of them, and files that are hostile."""

import gzip
import os
import zipfile
from collections import Counter
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import ratingcore_chess

from ratingcore.errors import BadFile
from ratingcore.readers import REASONS, Game, Item, Reader, Refused, Sample, Seed, Source, Unrated

FORMATS = Path(__file__).parents[2] / "fixtures" / "formats"
READERS: dict[str, Reader] = ratingcore_chess.ratingcore_readers()
MUTATIONS = 10_000 if os.environ.get("RATINGCORE_FUZZ") == "full" else 250
INSERTED = b'[]{}"\\\r\n0123456789+-=<>&/;% wbWBxX?*.,'
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


def mutated(random: Random, content: bytes) -> bytes:
    """Bytes of which a few were changed, cut, moved or doubled."""
    made = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        if not made:
            break
        at, other = random.randrange(len(made)), random.randrange(len(made))
        lines = bytes(made).split(b"\n")
        match random.randrange(8):
            case 0:
                made[at] = random.randrange(256)
            case 1:
                del made[at : at + random.randrange(1, 40)]
            case 2:
                made[at:at] = bytes(random.choices(INSERTED, k=random.randrange(1, 12)))
            case 3:
                made[at:at] = made[other : other + random.randrange(1, 200)]
            case 4:
                del made[at:]
            case 5:
                made[at : at + 1] = random.choice(
                    (b"\xff", b"\xc3\x28", b"\0", b"\xef\xbb\xbf", "²٣".encode(), b"9" * 30)
                )
            case 6:
                lines.insert(random.randrange(len(lines)), random.choice(lines))
                made = bytearray(b"\n".join(lines))
            case _:
                lines.pop(random.randrange(len(lines)))
                made = bytearray(b"\n".join(lines))
    return bytes(made)


def sound(name: str, content: bytes, **options: str) -> None:
    """Reads bytes of any kind: a reader refuses them as a whole, or says what can be true."""
    assert 0 <= sure(name, content) <= 100
    try:
        items = said(name, content, **options)
    except BadFile:
        return
    for item in items:
        if isinstance(item, Unrated):
            assert item.reason in REASONS or item.reason.startswith("variant ")
        elif isinstance(item, Refused):
            assert item.reason
            assert len(item.text) <= 200
        elif isinstance(item, Game):
            assert item.score in (0.0, 0.5, 1.0)
            assert item.played is None or type(item.played) is int
            assert all(isinstance(part, str) for part in item.key)
            assert all(isinstance(fact, str | int | float | bool) for fact in item.data.values())


def hostile() -> dict[str, bytes]:
    """Files that nobody should choke on, whatever they were meant to be."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../x", "x")
    return {
        "empty": b"",
        "one byte": b"x",
        "random": Random(64).randbytes(2**16),
        "random text": bytes(Random(65).choices(range(1, 256), k=2**16)),
        "half of gzip": gzip.compress(b"x" * 1000)[:20],
        "NUL": b'[Event "a\0"]\n001    1\n',
        "wrong mark": b"\xff\xfe[Event",
        "a zip": packed.getvalue(),
        "nested": b"<chessresults>" * 100_000,
        "laughs": b'<!DOCTYPE playerslist [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><playerslist>&b;</playerslist>',
        "fetched": b'<!DOCTYPE chessresults SYSTEM "file:///etc/passwd"><chessresults>&x;</chessresults>',
    }

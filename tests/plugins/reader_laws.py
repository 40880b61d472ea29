"""What every reader of files must keep, whatever the bytes are: items or one sentence, never a traceback.

`RATINGCORE_FUZZ=full` tries 10,000 mutations of a file; without it a few hundred are tried.
"""

import gzip
import json
import math
import os
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from attrs import asdict

from ratingcore.errors import BadFile
from ratingcore.events.bounds import EARLIEST, LATEST
from ratingcore.events.values import checked_facts
from ratingcore.plugin.readers import (
    Document,
    Facts,
    Game,
    Item,
    Reader,
    Refused,
    Sample,
    Seed,
    Session,
    Source,
    Unrated,
    Warning,
    Who,
)
from ratingcore.readers import REASONS
from ratingcore.registry import Registry

ROUNDS = 10_000 if os.environ.get("RATINGCORE_FUZZ") == "full" else 300
"""Mutations of a file."""
_VALUES = (
    None, True, False, 0, -1, 1, 3, 0.5, math.inf, 10**18, 10**400, "", " ", "0", "-1", "?", "NN", "\x00", "\ud800",
    "\u202e", "x" * 10_000, "9" * 30, "2024-02-30", "1024-01-01", "9999-12-31T00:00:00Z", [], {}, [[]], [{}],
)  # fmt: skip
_TOKENS = (
    b"\xff",
    b"\x00",
    b"\r",
    b"\n",
    b'"',
    b"<",
    b">",
    b"&",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"999",
    b"-",
    b"\xef\xbb\xbf",
)

HOSTILE = {
    "empty": b"",
    "one byte": b"x",
    "random": random.Random(7).randbytes(2**16),
    "a long line": b"x" * 2**21,
    "NUL": b'{"id": "\x00"}\n',
    "UTF-16": "<USEBIO/>".encode("utf-16"),
    "deep XML": b"<a>" * 100_000,
    "deep JSON": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "entities": b'<!DOCTYPE a [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><a>&c;</a>',
    "random text": bytes(random.Random(65).choices(range(1, 256), k=2**16)),
    "half of gzip": gzip.compress(b"x" * 1000)[:20],
    "wrong mark": b"\xff\xfe[Event",
    "a zip": b"PK\x03\x04" + bytes(100),
    "deep chess results": b"<chessresults>" * 100_000,
    "deep SGF": b"(;GM[1]RE[B+]" + b"(;" * 100_000,
    "open values of SGF": b"(;GM[1]C[" * 20_000,
    "a DTD outside": b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>&x;</a>',
}
"""Files that are of no format, or unsafe."""


def offered(plugin: str) -> dict[str, Any]:
    """The readers of a bundled plugin, found by its entry point as this tree declares it."""
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    registry = Registry()
    registry.load(EntryPoint(plugin, declared["project"]["entry-points"]["ratingcore"][plugin], "ratingcore"))
    return registry.readers


def items(reader: Reader, content: bytes | str, **options: str) -> list[Item]:
    """What a reader says about bytes."""
    source = Source.of_bytes("file", content.encode() if isinstance(content, str) else content)
    return list(reader.read(source, reader.configured(options)))


def kinds(found: list[Item]) -> dict[str, int]:
    """How many items there are of each kind; unrated rows by their reasons."""
    counted: Counter[str] = Counter()
    for item in found:
        if isinstance(item, Unrated):
            counted[item.reason] += item.count
        else:
            counted[type(item).__name__] += 1
    return dict(counted)


def sniffed(reader: Reader, content: bytes | str) -> int:
    """How sure a reader is that bytes are its format."""
    whole = content.encode() if isinstance(content, str) else content
    return reader.sniff(Sample("file", whole[: 2**16], len(whole)))


def survives(reader: Reader, content: bytes, **options: str) -> list[Item]:
    """Reads bytes, and sees that every item is one that the importer can use; none where the file is refused."""
    assert 0 <= sniffed(reader, content) <= 100
    try:
        found = items(reader, content, **options)
    except BadFile:
        return []
    for item in found:
        _sees(item)
    return found


def _sees(item: Item) -> None:
    """Refuses an item that no reader may yield."""
    if isinstance(item, Game):
        assert 0.0 <= item.score <= 1.0
        _sees_result(item)
        _sees_players(item.a, item.b)
    elif isinstance(item, Session):
        assert len(item.sides) >= 2
        assert all(players and math.isfinite(score) for players, score in item.sides)
        _sees_result(item)
        _sees_players(*(who for players, _ in item.sides for who in players))
    elif isinstance(item, Seed):
        assert item.values
        assert all(isinstance(value, float) and math.isfinite(value) for value in item.values.values())
        _sees_players(item.who)
    elif isinstance(item, Facts):
        checked_facts(item.data)
        _sees_players(item.who)
    elif isinstance(item, Unrated):
        assert item.count >= 1
        assert item.reason in REASONS or item.reason.startswith("variant ")
    elif isinstance(item, Document):
        assert any(item.key)
        assert item.event
    else:
        assert isinstance(item, Refused | Warning)
        json.dumps(item if isinstance(item, Refused) else asdict(item))
        if isinstance(item, Refused):
            assert item.reason
            assert len(item.text) <= 200 or "\n" not in item.text


def _sees_result(item: Game | Session) -> None:
    assert item.line >= 1
    assert item.played is None or EARLIEST <= item.played <= LATEST
    assert all(isinstance(one, str) for one in item.key)
    assert all(isinstance(name, str) for pair in item.tables.items() for name in pair)
    checked_facts(item.data)


def _sees_players(*players: Who) -> None:
    for who in players:
        assert who.id is None or (isinstance(who.id, str) and who.id)
        assert isinstance(who.name, str)
        assert isinstance(who.number, str)


def mutations(content: bytes, seed: int = 1, rounds: int = ROUNDS) -> Iterator[bytes]:
    """Damaged copies of a file: bytes changed, cut, repeated and put in."""
    chance = random.Random(seed)
    for _ in range(rounds):
        changed = bytearray(content)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(changed) + 1)
            length = chance.choice((1, 2, 8, 64, 512))
            kind = chance.randrange(5)
            if kind == 0 and changed:
                changed[at % len(changed)] = chance.randrange(256)
            elif kind == 1:
                del changed[at : at + length]
            elif kind == 2:
                changed[at:at] = changed[at : at + length]
            elif kind == 3:
                changed[at:at] = chance.choice(_TOKENS)
            else:
                del changed[at:]
        yield bytes(changed)


def json_mutations(content: bytes, seed: int = 1, rounds: int = ROUNDS) -> Iterator[bytes]:
    """Copies of a JSON document, or of lines of JSON, in which some values are others than they should be."""
    chance = random.Random(seed)
    try:
        rows = [json.loads(content)]
    except ValueError:
        rows = [json.loads(line) for line in content.splitlines()]
    for _ in range(rounds):
        changed = json.loads(json.dumps(rows))
        for _ in range(chance.choice((1, 1, 2, 5))):
            _change(changed, chance)
        yield "\n".join(json.dumps(row).replace("Infinity", "1e999") for row in changed).encode()


def _change(value: Any, chance: random.Random) -> None:
    """Changes one value somewhere inside a list or object."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = chance.choice(keys)
        below = value[key]
        if isinstance(below, dict | list) and below and chance.random() < 0.85:
            value = below
        elif chance.random() < 0.2:
            del value[key]
            return
        else:
            value[key] = deepcopy(chance.choice(_VALUES))
            return


def xml_mutations(content: bytes, seed: int = 1, rounds: int = ROUNDS) -> Iterator[bytes]:
    """Copies of an XML document in which elements are missing, twice, renamed, or hold other texts."""
    chance = random.Random(seed)
    for _ in range(rounds):
        root = ElementTree.fromstring(content)
        for _ in range(chance.choice((1, 1, 2, 5))):
            parents = [element for element in root.iter() if len(element)]
            if not parents:
                break
            parent = chance.choice(parents)
            child = chance.choice(list(parent))
            kind = chance.randrange(5)
            if kind == 0:
                parent.remove(child)
            elif kind == 1:
                parent.insert(0, child)
            elif kind == 2:
                child.tag = chance.choice([element.tag for element in root.iter()])
            elif kind == 3 and child.attrib:
                child.set(chance.choice(list(child.attrib)), chance.choice(("", "0", "x" * 300)))
            else:
                child.text = chance.choice(
                    ("", "0", "-1", "?", "NN", "nan", "1e999", "30/02/2024", "9" * 30, "x" * 300)
                )
        yield ElementTree.tostring(root)

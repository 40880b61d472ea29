"""Exports whose digests are right whatever they say, as somebody with bad intent would write them."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ratingcore.events import Row, canonical
from ratingcore.log import EMPTY, Batch, Head, Name
from ratingcore.log.chain import commitment, digest_of


def crafted(parts: Sequence[tuple[list[Name], list[Row]]], **facts: object) -> list[str]:
    """Lines of an export: a batch a part; `facts` are those of the last batch."""
    lines, head = [], EMPTY
    for number, (names, rows) in enumerate(parts, 1):
        batch = Batch(head.position + 1, head.position + len(rows), 0, None, "")
        batch = batch._replace(**facts if number == len(parts) else {})
        batch = batch._replace(digest=digest_of(head.digest, batch, names, rows))
        lines.append(canonical({"batch": batch}))
        lines += [canonical({"name": name}) for name in names] + [canonical({"row": row}) for row in rows]
        head = Head(head.position + len(rows), batch.digest)
    return [canonical({"ratingcore": 1, "key": "k", "head": [head.position, head.digest]}), *lines]


def name(number: int, key: str, kind: str = "player", batch: int = 1) -> Name:
    """A name that matches its commitment."""
    return Name(number, kind, key, "5a17", commitment(kind, key, "5a17"), batch)


def game(position: int = 1, **other: object) -> Row:
    """A game of name 2 and name 3 in pool 1."""
    row = Row(position, f"g-{position}", "game", 1, 1_700_000_000_000_000, 0, 2, 3, 1.0, None, None)
    return row._replace(**other)  # type: ignore[arg-type]  # forged values have any type


NAMES = [name(1, "rapid", "pool"), name(2, "ann"), name(3, "bo"), name(4, "a.csv", "source"), name(5, "why", "note")]


def correction(position: int, kind: str, ref: object, data: str | None = None) -> Row:
    """A void, an amendment or an unmerge of what was recorded at a position."""
    row = Row(position, f"c-{position}", kind, None, None, 0, None, None, None, None, data)
    return row._replace(ref=ref)  # type: ignore[arg-type]  # as above


def reforged(lines: Sequence[str], forge: Callable[[list[tuple[str, list[Any]]]], None]) -> list[str]:
    """An export after `forge` has changed its lines, given as kind and value; every digest is made anew."""
    header, *rest = (json.loads(line) for line in lines)
    given = [next(iter(facts.items())) for facts in rest]
    forge(given)
    out: list[str] = []
    before, position, last = EMPTY.digest, 0, len(given)
    starts = [at for at, (kind, _) in enumerate(given) if kind == "batch"]
    for start, end in zip(starts, [*starts[1:], last], strict=True):
        batch = Batch._make(given[start][1])
        names = [Name._make(value) for kind, value in given[start:end] if kind == "name"]
        names = [_committed(name) for name in names]
        rows = [Row._make(value) for kind, value in given[start:end] if kind == "row"]
        batch = batch._replace(first=position + 1, last=position + len(rows))
        before, position = digest_of(before, batch, names, rows), batch.last
        out.append(json.dumps({"batch": batch._replace(digest=before)}))
        out += [json.dumps({"name": name}) for name in names] + [json.dumps({"row": row}) for row in rows]
    return [json.dumps(header | {"head": [position, before]}), *out]


def _committed(name: Name) -> Name:
    text = isinstance(name.kind, str) and isinstance(name.key, str) and isinstance(name.salt, str)
    return name._replace(digest=commitment(name.kind, str(name.key), str(name.salt))) if text else name


WEIRD: list[Any] = [
    None, True, False, 0, 1, 2, 3, 7, -1, 2**31, 2**62, 2**63, 10**40, 0.0, -0.0, 0.5, 1.0, 7.0, 1e300, "", " ", "a",
    "\x1b[2J", "\u202e", "x" * 5000, "game", "void", "merge", "{}", "[]", "null", '{"x":1}', '{"x":[1]}', '{"why":5}',
    '{"set":{"score":0.25}}', '{"set":{"b":1}}', '{"values":{"rating":1e300}}', '{"sides":[[[2],1.0],[[3],0.0]]}',
    '{"name":"x"}', '{"points_a":1e308}', "[" * 3000, [], {}, [1], {"a": 1},
]  # fmt: skip


def spoil(given: list[tuple[str, list[Any]]], random: Random) -> None:
    """Changes an export somewhere: a value, the digits or letters of a text, two lines, or one line less or more."""
    for _ in range(random.choice((1, 1, 2))):
        at = random.randrange(len(given))
        kind, value = given[at]
        move = random.random()
        if move < 0.55:
            value[random.randrange(len(value))] = random.choice(WEIRD)
        elif move < 0.85:
            _edit(value, random)
        elif move < 0.9 and kind != "batch":
            del given[at]
        elif kind == "row":
            other = random.choice([value for kind, value in given if kind == "row"])
            other[1:], value[1:] = value[1:], other[1:]


def _edit(value: list[Any], random: Random) -> None:
    field = random.randrange(len(value))
    old = value[field]
    if isinstance(old, str) and old:
        at = random.randrange(len(old))
        value[field] = old[:at] + random.choice('0123456789-.,{}[]":abenul \\') + old[at + 1 :]
    elif isinstance(old, int | float):
        value[field] = random.choice((old + 1, old - 1, -old, old * 1000, float(old), old / 2))

"""Facts of players, each stored as an entry in the book of names, so that it can be erased by itself."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.events.rows import Row
from ratingcore.events.values import Fact, canonical

LONGEST = 10_000
"""Largest number of characters of a fact about a player."""

_AT_ONCE = 4096
"""Number of descriptions whose facts are looked up together."""


def check_fact(field: str, value: Fact) -> Fact:
    """Returns a fact that may be recorded; `BadValue` if it is too long."""
    if isinstance(value, str) and len(value) > LONGEST:
        raise BadValue(field, value, f"has {len(value)} characters, more than {LONGEST}")
    return value


def fact_key(position: int, field: str, value: Fact) -> str:
    """Returns the key under which the book of names keeps a fact, in canonical JSON.

    The position is that of the description or amendment that states the fact, so no two players share a key.

    Examples
    --------
    >>> fact_key(7, "club", "SK Praha")
    '[7,"club","SK Praha"]'
    """
    return canonical([position, field, value])


def values_of(keys: Sequence[str]) -> list[Fact | None]:
    """Returns the values of facts for their keys, in the same order; None for keys that are not of facts."""
    values: list[Fact | None] = json.loads(f"[{','.join(map(_value, keys))}]")
    return values


def _value(key: str) -> str:
    """Returns the value of a fact as JSON text, from its key."""
    if key[:1] != "[":
        return "null"
    if "\\" in key:
        return canonical(json.loads(key)[2])
    _, _, after = key.partition('"')
    return after[after.index('"') + 2 : -1]


def fact_numbers(facts: Mapping[str, Any]) -> list[int]:
    """Returns the ids of the facts of a description, or of its amendment, in the book of names."""
    return [value[0] for name, value in facts.items() if isinstance(value, list) and name not in ("called", "sides")]


def with_facts(
    rows: Iterable[Row], values: Callable[[Sequence[int]], Sequence[Fact | None]]
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Yields descriptions of players with their facts; erased ones are left out.

    Parameters
    ----------
    rows : iterable of Row
        As they were recorded, or as corrected.
    values : callable
        Returns the values of facts for their ids, such as `Book.facts`.

    Yields
    ------
    (Row, dict)
        The row and its facts; the visible name stays an id in a list.
    """
    rows = iter(rows)
    while some := list(islice(rows, _AT_ONCE)):
        read: list[dict[str, Any]] = json.loads(f"[{','.join([row.data or '{}' for row in some])}]")
        numbers = [number for facts in read for number in fact_numbers(facts)]
        known = dict(zip(numbers, values(numbers), strict=True)) if numbers else {}
        for row, facts in zip(some, read, strict=True):
            yield row, _read(facts, known) if known else facts


def _read(facts: dict[str, Any], known: Mapping[int, Fact | None]) -> dict[str, Any]:
    read = {}
    for name, value in facts.items():
        fact = known[value[0]] if isinstance(value, list) and name != "called" else value
        if fact is not None:
            read[name] = fact
    return read

"""Facts of players, each stored as an entry in the book of names, so that it can be erased by itself."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.events.canonical_json import canonical
from ratingcore.events.rows import Row
from ratingcore.events.values import Fact

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
    """Yields descriptions of players with their facts, without erased facts.

    Parameters
    ----------
    rows : iterable of Row
        The descriptions, as recorded or as corrected.
    values : callable
        Returns the values of facts for their ids; `Book.facts` does.

    Yields
    ------
    (Row, dict)
        The row and its facts; the visible name remains a list with its id.
    """
    rows = iter(rows)
    while batch := list(islice(rows, _AT_ONCE)):
        stored: list[dict[str, Any]] = json.loads(f"[{','.join([row.data or '{}' for row in batch])}]")
        numbers = [number for facts in stored for number in fact_numbers(facts)]
        by_number = dict(zip(numbers, values(numbers), strict=True)) if numbers else {}
        for row, facts in zip(batch, stored, strict=True):
            yield row, _looked_up(facts, by_number) if by_number else facts


def _looked_up(facts: dict[str, Any], by_number: Mapping[int, Fact | None]) -> dict[str, Any]:
    """Replaces ids by facts, and leaves out erased ones."""
    read = {}
    for name, value in facts.items():
        fact = by_number[value[0]] if isinstance(value, list) and name != "called" else value
        if fact is not None:
            read[name] = fact
    return read

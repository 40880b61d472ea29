"""The `grade` cases, put to the tables of rating lists."""

from collections.abc import Callable
from typing import Any

from ratingcore.lists import grades


def grade(*, table: str, rating: float) -> dict[str, Any]:
    """What a table calls a rating."""
    return {"grade": grades.grade(table, rating)}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"grade": grade}

"""The contract of a log is small: whoever writes a store has few members to write, and none of them twice."""

import inspect
from typing import Protocol

import pytest

from ratingcore.log import Log
from ratingcore.log.append import Store

OF_A_LOG, OF_A_PART = 24, 6
"""Members at most."""


def members(part: type) -> set[str]:
    """Public members that a class itself declares."""
    return {name for name in vars(part) if not name.startswith("_")}


PARTS = [part for part in inspect.getmro(Store) if getattr(part, "_is_protocol", False) and part is not Protocol]
"""A log, its parts, and what appending needs besides."""


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_a_log_has_few_members(part: type) -> None:
    assert len(members(part)) <= OF_A_PART


def test_a_log_with_its_parts_has_few_members() -> None:
    own = [members(part) for part in PARTS if part in inspect.getmro(Log)]
    assert len(own) > 1
    assert sum(map(len, own)) == len(set().union(*own)) <= OF_A_LOG

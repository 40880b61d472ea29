"""Pins of public names and help texts; whoever changes one on purpose runs `python -m tests.pins.surface`."""

import pytest

from tests.pins.surface import HERE, PINS


@pytest.mark.parametrize("file", PINS)
def test_what_users_see_changes_only_on_purpose(file: str) -> None:
    assert PINS[file]() == (HERE / file).read_text(encoding="utf-8")

"""The alphabet of players: the keys of a file sorted as Python sorts them, in parts that fit together."""

from collections.abc import Callable
from typing import Any

import pytest

from ratingcore.log import alphabet as module
from ratingcore.log.alphabet import alphabet
from ratingcore.sqlite_library import sqlite3

KEYS = ["bo", "ann", "Zoë", "é", "李", "ann 2", "😀", "~", "an", "ñ", None]


def queries(keys: list[str | None]) -> Callable[..., list[Any]]:
    """Runs statements on the names of a pool and of players, whose ids count from 2."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE name (id INTEGER PRIMARY KEY, kind TEXT, key TEXT)")
    db.executemany(
        "INSERT INTO name VALUES (?, ?, ?)", [(1, "pool", "p"), *((n, "player", k) for n, k in enumerate(keys, 2))]
    )
    return lambda sql, values: db.execute(sql, values).fetchall()


@pytest.mark.parametrize("step", [1, 3, 100_000])
def test_keys_are_in_order_of_their_letters_with_their_ids(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEP", step)
    read = alphabet(queries(KEYS), 12)
    assert read is not None
    known = {number: key for number, key in enumerate(KEYS, 2) if key is not None}
    assert read.ids.tolist() == sorted(known, key=known.__getitem__)
    assert read.keys() == known


def test_names_that_came_later_are_left_out() -> None:
    read = alphabet(queries(KEYS), 3)
    assert read is not None
    assert read.keys() == {2: "bo", 3: "ann"}


def test_a_log_without_players_has_an_empty_alphabet() -> None:
    read = alphabet(queries([]), 1)
    assert read is not None
    assert read.keys() == {}


def test_keys_that_cannot_be_told_apart_make_no_alphabet() -> None:
    assert alphabet(queries(["ann", "b\x1fo"]), 3) is None

"""Checks and normalises the values of event fields: names, scores and facts."""

import os
import re
import unicodedata
import uuid
from collections.abc import Container, Mapping
from functools import lru_cache
from math import isfinite
from typing import Any

from attrs import Attribute

from ratingcore.errors import BadValue
from ratingcore.read_only import ReadOnly
from ratingcore.safe_text import LONGEST

Fact = str | int | float | bool
"""A value of a result field, a player field or a seed column."""

Facts = Mapping[str, Fact]

_CONTROL = r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]"
_SURROGATE = r"[\ud800-\udfff]"
_LONG = 4 * LONGEST
"""A longer text is not a name in any Unicode form, and composing its marks would take long."""
_NONE: Facts = ReadOnly({})


ERASED = "(erased {})"
"""Shown in place of an erased name."""

_LABEL = re.compile(re.escape(ERASED).replace(r"\{\}", "([0-9]{1,18})"))

NO_ID = "(no id)"
"""Uid of an event whose file gives none: an append derives one from its pool, time and players."""


def new_uid() -> str:
    """Returns a new random uid."""
    return os.urandom(16).hex()


def name(text: str) -> str:
    """Returns a name in Unicode form NFC, so that all forms of one spelling are one player."""
    if type(text) is str and text.isascii():
        return text
    if not isinstance(text, str) or len(text) > _LONG:
        return text
    return unicodedata.normalize("NFC", text)


Key = str | int | uuid.UUID
"""Key of a player as given by a caller; it is stored as text."""


def player_key(given: Key) -> str:
    """Returns the key of a player as text; a whole number or UUID, as other systems use them, becomes its text.

    Anything else is returned unchanged, so that the validator refuses it.
    """
    if type(given) is str:
        return name(given)
    whole = isinstance(given, int) and not isinstance(given, bool) and given.bit_length() < LONGEST
    if whole or isinstance(given, uuid.UUID):
        return str(given)
    return name(given)  # type: ignore[arg-type]  # also what the validator refuses


def erased_number(label: str) -> int:
    """Returns the id of the erased name that a label shows; 0 for any other text."""
    match = _LABEL.fullmatch(label)
    return int(match[1]) if match else 0


def callable_player(key: str) -> str:
    """Returns a name that a player can have; refuses the label of an erased name."""
    if key.startswith("(") and erased_number(key):
        raise BadValue("player", key, "is the label of an erased name, which no player can have")
    return key


def named(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Refuses values that cannot be a name: no text, blank text, or text with control characters."""
    if type(value) is not str or not value.isprintable() or not value or value.isspace():
        nameable(value, attribute.name)


def nameable(value: object, what: str) -> str:
    """Returns the value if it can be a name."""
    if not isinstance(value, str) or not value or value.isspace():
        raise BadValue(what, value, "must be a name")
    if not value.isprintable() and re.search(_CONTROL, value):
        raise BadValue(what, value, "holds a control character")
    return value


def text(value: object, what: str) -> str:
    """Returns the value if it is text that every store can hold unchanged."""
    if not isinstance(value, str):
        raise BadValue(what, value, "must be text")
    if not is_storable(value):
        raise BadValue(what, value, "holds a character that cannot be stored")
    return value


def is_storable(text: str) -> bool:
    """True if every store can hold a text unchanged."""
    return "\0" not in text and (text.isascii() or not re.search(_SURROGATE, text))


def written(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Refuses values that are not text, or text that a store cannot hold."""
    text(value, attribute.name)


def score(given: float) -> float:
    """Returns a number from 0 to 1 as a float without a sign, so that equal scores have equal digests.

    Anything else is returned unchanged, so that the validator refuses it.
    """
    if type(given) is float:
        return given + 0.0  # turns -0.0 into 0.0
    fits = isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1
    return float(given) + 0.0 if fits else given


def share(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Refuses a score that is not a number from 0 to 1."""
    if not isinstance(value, float) or not 0.0 <= value <= 1.0:
        raise BadValue(attribute.name, value, "must be a number from 0 to 1")


def whole(instance: object, attribute: "Attribute[Any]", value: object) -> None:
    """Refuses a value that is not a whole number of 32 bits."""
    if type(value) is int and -(2**31) <= value < 2**31:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not -(2**31) <= value < 2**31:
        raise BadValue(attribute.name, value, "must be a whole number of 32 bits")


def number(value: object, what: str) -> float:
    """Returns the value as a float; refuses anything but a finite number."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
            return float(value)
    except OverflowError:  # an integer larger than any float
        pass
    raise BadValue(what, value, "must be a finite number")


def checked_facts(given: Facts | None) -> Facts:
    """Returns checked, read-only facts, without those that are None."""
    if not given and (given is None or isinstance(given, Mapping)):
        return _NONE
    if type(given) is not dict and not isinstance(given, Mapping):
        raise BadValue("data", given, "must be a mapping of names to facts")
    checked: dict[str, Fact] = {}
    for key, value in given.items():
        kind = type(value)  # compared by type for speed, since imports check every row here
        if value is None:
            continue
        if kind is str:
            fine = value.isascii() and "\0" not in value  # type: ignore[union-attr, operator]  # a str
        elif kind is int:
            fine = -(2**63) <= value < 2**63  # type: ignore[operator]  # an int
        else:
            fine = kind is bool
        if not fine or type(key) is not str or not key.isidentifier():
            _check(key, value)
        checked[key] = value
    return ReadOnly(checked)


def _check(key: object, value: object) -> None:
    if not isinstance(key, str) or not key:
        raise BadValue("field", key, "has no name")
    text(key, "field")
    if isinstance(value, float) and not isfinite(value):
        raise BadValue(key, value, "must be a finite number")
    if not isinstance(value, str | int | float | bool):
        raise BadValue(key, value, "must be text, a number, true or false")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise BadValue(key, value, "does not fit into 64 bits")
    if isinstance(value, str):
        text(value, key)


class RepeatedKey(ValueError):
    """An object has a key twice, so the value of the key is ambiguous."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key[:60]!r} occurs twice in one object")


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a dictionary of unique keys; for the `object_pairs_hook` of `json`.

    Raises
    ------
    RepeatedKey
        If a key occurs twice; it is a ValueError.

    Examples
    --------
    >>> import json
    >>> json.loads('{"score": 1, "score": 0}', object_pairs_hook=unrepeated)
    Traceback (most recent call last):
        ...
    ratingcore.events.values.RepeatedKey: the key 'score' occurs twice in one object
    """
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKey(next(key for place, key in enumerate(keys) if key in keys[:place]))
    return unique


def exchanged(facts: Facts) -> dict[str, Fact]:
    """Returns the facts of a game as seen from the other side: facts of `a` become facts of `b`.

    Examples
    --------
    >>> exchanged({"points_a": 3, "points_b": 1, "home": "a", "event": "cup"})
    {'points_b': 3, 'points_a': 1, 'home': 'b', 'event': 'cup'}
    """
    turned = {_other_side(name): value for name, value in facts.items()}
    if (home := turned.get("home")) in ("a", "b"):
        turned["home"] = "b" if home == "a" else "a"
    return turned


@lru_cache(maxsize=1024)
def _other_side(name: str) -> str:
    """Returns the name of one side's fact, such as `points_a`, for the other side; any other name unchanged."""
    return f"{name[:-1]}{'b' if name.endswith('a') else 'a'}" if name.endswith(("_a", "_b")) else name


def is_other_side(players: tuple[object, object], others: tuple[object, object], erased: Container[object]) -> bool:
    """True if two players are those of another game, in exchanged seats; an erased player may be anybody.

    Examples
    --------
    >>> is_other_side(("ann", "bo"), ("bo", "ann"), ()), is_other_side(("ann", "bo"), ("bo", "cy"), ())
    (True, False)
    """
    (a, b), (one, other) = players, others
    there, here = a == other, b == one
    return a != one and b != other and (there or here) and (there or a in erased) and (here or b in erased)


def contrary_points(score: float | None, facts: Mapping[str, Any]) -> str:
    """Returns the points and score of a game as text if they give it different winners; else an empty text.

    Equal points contradict no score: many games are decided after a draw, by lots, tie-break games or the table.

    Examples
    --------
    >>> contrary_points(1.0, {"points_a": 1, "points_b": 3})
    'points 1-3, score 1'
    >>> contrary_points(1.0, {"points_a": 3, "points_b": 1}), contrary_points(1.0, {"points_a": 3})
    ('', '')
    """
    a, b = facts.get("points_a"), facts.get("points_b")
    if score is None or not isinstance(a, int | float) or not isinstance(b, int | float):
        return ""
    return f"points {a:g}-{b:g}, score {score:g}" if (a - b) * (score - 0.5) < 0 else ""

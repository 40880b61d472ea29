"""Rules by which two recorded games may be one: their times, their sides, rounds and events."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, Row
from ratingcore.events.corrections import rooted
from ratingcore.events.rows import GameColumns
from ratingcore.events.values import exchanged
from ratingcore.importer.meetings import mixed

_DIGITS = 9
_HOUR = DAY // 24
_ZONES, _STEP = 14 * _HOUR, _HOUR // 4
"""Largest difference of zones, and the numbers of minutes that zones differ by."""
_EPOCH = date(1970, 1, 1).toordinal()


def players(games: GameColumns, roots: Mapping[int, int]) -> tuple[Ints, Ints]:
    """The players of each game as they count now, the lower number first."""
    a, b = (rooted(column.astype(np.int64), roots) for column in (games.a, games.b))
    return np.minimum(a, b), np.maximum(a, b)


def meetings(games: GameColumns, roots: Mapping[int, int]) -> Ints:
    """A number for each game, shared by games of the same players with the same score, from either side."""
    a, b = (rooted(column.astype(np.int64), roots) for column in (games.a, games.b))
    score = np.round(np.where(a <= b, games.score, 1.0 - games.score), _DIGITS) + 0.0
    return mixed(np.minimum(a, b), np.maximum(a, b), score)


def may_be_one_time(one: int, other: int) -> bool:
    """True if two times may be those of one game, one of them without a time of day or in another zone."""
    if one == other or not one % DAY or not other % DAY:
        return True
    return abs(one - other) <= _ZONES and (one - other) % _STEP == 0


def is_local_day(one: int, other: int) -> bool:
    """True if one is a day, and the other a time of the day before or after that is of this day in some zone."""
    day, time = (one, other) if other % DAY else (other, one)
    return (
        not day % DAY and time % DAY != 0 and day - _ZONES <= time <= day + DAY + _ZONES and time // DAY != day // DAY
    )


def exchanged_days(days: Ints) -> Ints:
    """Days with day and month exchanged; those that are none stay."""
    different, which = np.unique(days, return_inverse=True)
    return np.array([_exchanged_day(day) for day in different.tolist()], np.int64)[which]


def _exchanged_day(day: int) -> int:
    try:
        said = date.fromordinal(day + _EPOCH)
        return said.replace(month=said.day, day=said.month).toordinal() - _EPOCH
    except ValueError:
        return day


def from_side_of(one: Row, other: Row, roots: Mapping[int, int]) -> Mapping[str, Any]:
    """The facts of a game as they are from the side that is the first one of another."""
    turned = roots.get(one.a or 0, one.a) != roots.get(other.a or 0, other.a)
    return exchanged(one.facts) if turned else one.facts


def event_name(row: Row) -> str:
    """The name of a game's event without the year or day of its edition; empty without an event."""
    return re.sub(r" \([\d.-]+\)\Z", "", str(row.facts.get("event", ""))).casefold()


def likeness(one: Row, other: Row, roots: Mapping[int, int], named: bool = True) -> bool | None:
    """None if rounds, points or, if `named`, events show that two games differ; else whether they are of one round."""
    said, there = from_side_of(one, other, roots), other.facts
    both = [name for name in ("round", "points_a", "points_b") if name in said and name in there]
    if any(said[name] != there[name] for name in both):
        return None
    if "round" in both:
        return str(said["round"]).isdigit()
    return None if named and "event" in said and "event" in there and said["event"] != there["event"] else False

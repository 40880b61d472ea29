"""Rules that decide whether two recorded games may be the same: by their times, sides, rounds and events."""

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
"""Largest difference of two time zones, and the unit of such differences."""
_EPOCH = date(1970, 1, 1).toordinal()


def players(games: GameColumns, roots: Mapping[int, int]) -> tuple[Ints, Ints]:
    """Returns the players of each game after all merges, the lower number first."""
    a, b = (rooted(column.astype(np.int64), roots) for column in (games.a, games.b))
    return np.minimum(a, b), np.maximum(a, b)


def meetings(games: GameColumns, roots: Mapping[int, int]) -> Ints:
    """Returns a number for each game, equal for games of the same players with the same score, from either side."""
    a, b = (rooted(column.astype(np.int64), roots) for column in (games.a, games.b))
    score = np.round(np.where(a <= b, games.score, 1.0 - games.score), _DIGITS) + 0.0
    return mixed(np.minimum(a, b), np.maximum(a, b), score)


def may_be_one_time(one: int, other: int) -> bool:
    """True if two times may be of the same game: one may lack the time of day, or be in another time zone."""
    if one == other or not one % DAY or not other % DAY:
        return True
    return abs(one - other) <= _ZONES and (one - other) % _STEP == 0


def is_local_day(one: int, other: int) -> bool:
    """True if one is a whole day, and the other a time outside this day in UTC but within it in some time zone."""
    day, time = (one, other) if other % DAY else (other, one)
    return (
        not day % DAY and time % DAY != 0 and day - _ZONES <= time <= day + DAY + _ZONES and time // DAY != day // DAY
    )


def exchanged_days(days: Ints) -> Ints:
    """Exchanges day and month of each day; leaves a day as it is if that gives no date."""
    different, which = np.unique(days, return_inverse=True)
    return np.array([_exchanged_day(day) for day in different.tolist()], np.int64)[which]


def _exchanged_day(day: int) -> int:
    try:
        one = date.fromordinal(day + _EPOCH)
        return one.replace(month=one.day, day=one.month).toordinal() - _EPOCH
    except ValueError:
        return day


def from_side_of(one: Row, other: Row, roots: Mapping[int, int]) -> Mapping[str, Any]:
    """Returns the facts of a game, with sides exchanged if its first player is not the first one of another game."""
    turned = roots.get(one.a or 0, one.a) != roots.get(other.a or 0, other.a)
    return exchanged(one.facts) if turned else one.facts


def event_name(row: Row) -> str:
    """Returns the name of a game's event without the year or day of its edition; empty if it has no event."""
    return re.sub(r" \([\d.-]+\)\Z", "", str(row.facts.get("event", ""))).casefold()


def likeness(one: Row, other: Row, roots: Mapping[int, int], named: bool = True) -> bool | None:
    """Compares rounds and points, and with `named` also events: None if two games differ; True if of the same round."""
    here, there = from_side_of(one, other, roots), other.facts
    both = [name for name in ("round", "points_a", "points_b") if name in here and name in there]
    if any(here[name] != there[name] for name in both):
        return None
    if "round" in both:
        return str(here["round"]).isdigit()
    return None if named and "event" in here and "event" in there and here["event"] != there["event"] else False

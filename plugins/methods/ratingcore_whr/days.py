"""The days on which players played, numbered player by player and day by day."""

import numpy as np

from ratingcore.plugin import DAY, Games, Ints, kernel, unsigned


@kernel
def _met(i: int, today: int, last: Ints, met: Ints) -> None:
    """Notes that a player played on a day; `last` is the latest day noted for each player, `met` the number of them."""
    if last[i] != today:
        last[i] = today
        met[i] += 1


@kernel
def _count(a: Ints, b: Ints, day: Ints, last: Ints, met: Ints) -> None:
    for g in range(len(a)):
        _met(a[g], day[g], last, met)
        _met(b[g], day[g], last, met)


@kernel
def _place(a: Ints, b: Ints, day: Ints, last: Ints, met: Ints, when: Ints, at_a: Ints, at_b: Ints) -> None:
    """Finds the days of both players of each game; `met` starts as the number of days of all earlier players."""
    for g in range(len(a)):
        i, j, today = a[g], b[g], day[g]
        _met(i, today, last, met)
        _met(j, today, last, met)
        at_a[g], at_b[g] = met[i] - 1, met[j] - 1
        when[at_a[g]] = when[at_b[g]] = today


def days(games: Games) -> tuple[Ints, Ints, Ints, Ints]:
    """Players and days since 1970 of all player-days, and the player-days of both sides of each game."""
    day = games.played // DAY
    if (day[1:] < day[:-1]).any():
        order = np.argsort(day, kind="stable")
        player, when, a, b = days(games.take(order))
        back = np.argsort(order)
        return player, when, a[back], b[back]
    a, b = unsigned(games.a), unsigned(games.b)
    players, before = int(max(a.max(), b.max())) + 1, int(day[0]) - 1
    count = np.zeros(players, dtype=np.int64)
    _count(a, b, day, np.full(players, before), count)
    at_a, at_b = np.empty(len(a), dtype=np.int32), np.empty(len(a), dtype=np.int32)
    when = np.empty(int(count.sum()), dtype=np.int64)
    _place(a, b, day, np.full(players, before), np.cumsum(count) - count, when, at_a, at_b)
    return np.repeat(np.arange(players), count), when, at_a, at_b

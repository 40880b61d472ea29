"""Messages of TrueSkill through time: from each game to each of its players, swept back and forth until they settle.

The games of a player are a chain of places. Game g has the places 2 g and 2 g + 1, so that numbers used together lie
together in memory. Each place has three messages: from earlier games, from later games and from the game itself. A
message is a precision and a weight, which is the precision times the mean. A step of time adds a variance.
"""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore_trueskill.ranking_chain import moments


@kernel
def chained_places(player: Ints, last: Ints, before: Ints, behind: Ints) -> None:
    """Finds the neighbouring places of each place; `before`, `behind` and `last`, one a player, begin with -1."""
    for k in range(len(player)):
        q = last[player[k]]
        last[player[k]] = k
        before[k] = q
        if q >= 0:
            behind[q] = k


@kernel
def drifted(precise: float, weight: float, variance: float) -> tuple[float, float]:
    """A message after a step of time that adds a variance."""
    part = 1.0 / (1.0 + variance * precise)
    return precise * part, weight * part


@kernel
def from_before(k: int, before: Ints, gap: Floats, start: float, front: Floats, game: Floats) -> None:
    """Message from the games before a place; for a player's first place the precision `start`, around 0."""
    q = before[k]
    if q < 0:
        front[2 * k], front[2 * k + 1] = start, 0.0
    else:
        front[2 * k], front[2 * k + 1] = drifted(front[2 * q] + game[2 * q], front[2 * q + 1] + game[2 * q + 1], gap[k])


@kernel
def from_behind(k: int, behind: Ints, gap: Floats, back: Floats, game: Floats) -> None:
    """Message from the games after a place; empty for a player's last place."""
    q = behind[k]
    if q < 0:
        back[2 * k], back[2 * k + 1] = 0.0, 0.0
    else:
        back[2 * k], back[2 * k + 1] = drifted(back[2 * q] + game[2 * q], back[2 * q + 1] + game[2 * q + 1], gap[q])


@kernel(passes=10)
def sweep(
    forwards: bool, before: Ints, behind: Ints, gap: Floats, score: Floats, beta2: float, eps: float, start: float,
    front: Floats, back: Floats, game: Floats,
) -> float:  # fmt: skip
    """Visits all games once, forwards or backwards; returns how far the messages of games moved.

    `before` and `behind` are the player's neighbouring places, -1 if there are none; `gap` is the variance since the
    place before. `front`, `back` and `game` hold the messages from earlier games, from later games and from the game
    itself: the precision and the weight of place k are at 2 k and 2 k + 1. `start` is the precision of a newcomer,
    whose mean counts as 0.
    """
    moved = 0.0
    games = len(score)
    for turn in range(games):
        g = turn if forwards else games - 1 - turn
        if forwards:
            from_before(2 * g, before, gap, start, front, game)
            from_before(2 * g + 1, before, gap, start, front, game)
        else:
            from_behind(2 * g, behind, gap, back, game)
            from_behind(2 * g + 1, behind, gap, back, game)
        i, j = 4 * g, 4 * g + 2
        v, w = 1.0 / (front[i] + back[i]), 1.0 / (front[j] + back[j])
        x, y = (front[i + 1] + back[i + 1]) * v, (front[j + 1] + back[j + 1]) * w
        width = v + w + 2.0 * beta2
        s = sqrt(width)
        outcome = 1.0 if score[g] > 0.5 else (-1.0 if score[g] < 0.5 else 0.0)
        pull, shrink = moments((x - y) / s, eps / s, outcome)
        left, right = 1.0 / (width - v * shrink), 1.0 / (width - w * shrink)
        a, b = shrink * left, (shrink * x + s * pull) * left
        c, d = shrink * right, (shrink * y - s * pull) * right
        moved = max(moved, abs(a - game[i]), abs(b - game[i + 1]), abs(c - game[j]), abs(d - game[j + 1]))
        game[i], game[i + 1], game[j], game[j + 1] = a, b, c, d
    return moved

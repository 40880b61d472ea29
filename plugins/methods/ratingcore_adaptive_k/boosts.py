"""Decides which games get a boost; this depends on results alone, so no rating is needed.

All rates are compared in whole numbers. With n games, w wins and l losses the half points are n + w - l, so that
success is (n + w - l) / 2n and failure (n - w + l) / 2n; with r wins less losses in the last m games, the
rate of success in these exceeds both exactly if r n > |w - l| m. Whole numbers are exact in float64.

There is no test that m games were played: with m games or fewer, the last m games are all games, so r = w - l, and
r n > |w - l| m cannot hold.
"""

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore_adaptive_k.last_games import entered, surplus


@kernel
def due(n: float, ahead: float, streak: float, unused: float, window: float, over: float, under: float) -> float:
    """Returns 1 if all conditions of a boost hold, else 0.

    Parameters
    ----------
    n : float
        Games, this one among them.
    ahead : float
        Wins less losses in all games, or losses less wins: its sign does not matter.
    streak : float
        Wins less losses in the window, or losses less wins for the loser.
    unused : float
        Losses of the winner, or wins of the loser, that have not been used up by earlier boosts.
    over, under : float
        Numerator and denominator of the least lead per game: twice the threshold, minus one.
    """
    lead = abs(ahead)
    clear = lead * under >= over * n
    better = streak * n > lead * window
    return 1.0 if clear & better & (unused > 0.0) else 0.0


@kernel
def boosts(
    games: Floats, wins: Floats, losses: Floats, won: Floats, lost: Floats, last: Floats,
    a: Ints, b: Ints, score: Floats, window: int, over: float, under: float,
    boost_a: Floats, boost_b: Floats,
) -> float:  # fmt: skip
    """Counts the games and fills in the boost of both sides; returns 0 if each was a win, a draw or a loss.

    The loop does not branch on who won: a branch that is predicted wrongly costs more than computing both answers.
    """
    size = float(window)
    other = 0.0
    for g in range(len(a)):
        i, j = a[g] & 0x7FFFFFFF, b[g] & 0x7FFFFFFF  # rows are never negative: the mask shows it to the compiler
        z = score[g]
        if z == 0.5:
            games[i] += 1.0
            games[j] += 1.0
            last[i] = float(entered(int(last[i]), 1, window))
            last[j] = float(entered(int(last[j]), 1, window))
            boost_a[g] = boost_b[g] = 0.0
            continue
        other += z * (1.0 - z)
        apart = (j - i) * int(z)
        p = (j - apart) & 0x7FFFFFFF  # the winner
        q = (i + apart) & 0x7FFFFFFF  # the loser

        w, x = wins[p] + 1.0, losses[p]
        wins[p] = w
        n, net = games[p] + 1.0, w - x
        games[p] = n
        recent = entered(int(last[p]), 2, window)
        last[p] = float(recent)
        used = won[p]
        yes = due(n, net, float(surplus(recent, window)), x - used, size, over, under)
        won[p] = used + yes
        up = yes * ((n + net) / (n + n))

        w, x = wins[q], losses[q] + 1.0
        losses[q] = x
        n, net = games[q] + 1.0, w - x
        games[q] = n
        recent = entered(int(last[q]), 0, window)
        last[q] = float(recent)
        used = lost[q]
        yes = due(n, net, float(-surplus(recent, window)), w - used, size, over, under)
        lost[q] = used + yes
        down = yes * ((n - net) / (n + n))

        boost_a[g] = up if z > 0.5 else down
        boost_b[g] = down if z > 0.5 else up
    return other

"""The loops of berkin-change over results."""

from ratingcore.plugin import Floats, Ints, kernel


@kernel
def share(x: float, y: float) -> float:
    """Expected share of `x` on the ratio scale; a half between two ratings of zero."""
    if x + y == 0.0:
        return 0.5
    return x / (x + y)


@kernel
def play_constant(
    rating: Floats, a: Ints, b: Ints, score: Floats, n0: float, per_loss: float, floor: float,
    expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates by 13.11 (`per_loss` is 1: each point lost adds 1 to the denominator) or 13.12 (0)."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        won = score[g]
        lost = 1.0 - won
        expected[g] = share(x, y)
        swing = y * won - x * lost
        new_x = max(x + swing / (n0 + per_loss * lost), floor)
        new_y = max(y - swing / (n0 + per_loss * won), floor)
        change_a[g] = new_x - x
        change_b[g] = new_y - y
        rating[i] = new_x
        rating[j] = new_y


@kernel
def exact(rating: float, lost: float, wins: float, worth: float, given: float) -> float:
    """Rating after a result by 13.10; unchanged until the first half point is lost."""
    if lost + given == 0.0:
        return rating
    if lost == 0.0:
        return (wins + worth) / given
    return max(rating + (worth - rating * given) / (lost + given), 0.0)


@kernel
def play_exact(
    rating: Floats, lost: Floats, wins: Floats, a: Ints, b: Ints, score: Floats,
    expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates by 13.10: worth of the points won over points lost; `wins` keeps that worth until a point is lost."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        won = score[g]
        given = 1.0 - won
        expected[g] = share(x, y)
        new_x = exact(x, lost[i], wins[i], y * won, given)
        new_y = exact(y, lost[j], wins[j], x * given, won)
        lost[i] += given
        lost[j] += won
        wins[i] = wins[i] + y * won if lost[i] == 0.0 else 0.0
        wins[j] = wins[j] + x * given if lost[j] == 0.0 else 0.0
        change_a[g] = new_x - x
        change_b[g] = new_y - y
        rating[i] = new_x
        rating[j] = new_y

"""Elo game by game: every game uses the ratings as the game before left them."""

from ratingcore.plugin import Floats, Ints, curved, kernel, logistic


@kernel
def play(
    rating: Floats, a: Ints, b: Ints, score: Floats, k: float, slope: float, expected: Floats, change: Floats
) -> None:
    """The plain case: logistic curve, nothing bounded, what one side wins the other loses."""
    for g in range(len(a)):
        i = a[g]
        j = b[g]
        x = rating[i]
        y = rating[j]
        expected[g] = e = logistic(slope * (x - y))
        change[g] = c = k * (score[g] - e)
        rating[i] = x + c
        rating[j] = y - c


@kernel
def play_bounded(
    rating: Floats, a: Ints, b: Ints, score: Floats, ahead: Floats,
    k: float, kind: int, slope: float, band: float, cap: float, floor: float,
    gap: Floats, expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Every case: any curve, points for the first move, a cap on the gap, a floor under the ratings."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        d = x - y + ahead[g]
        if d > cap:
            d = cap
        if d < -cap:
            d = -cap
        e = curved(kind, slope, band, d)
        c = k * (score[g] - e)
        gap[g], expected[g] = d, e
        change_a[g], rating[i] = c, x + c
        change_b[g], rating[j] = -c, y - c
        if x + c < floor:
            change_a[g], rating[i] = floor - x, floor
        if y - c < floor:
            change_b[g], rating[j] = floor - y, floor

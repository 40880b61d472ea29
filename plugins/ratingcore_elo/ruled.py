"""Elo game by game with K by a rule, two-sided caps, or players who have no rating yet."""

from ratingcore.plugin import Floats, Ints, curved, k_of, kernel


@kernel
def play_ruled(
    rating: Floats, counted: Floats, reached: Floats, a: Ints, b: Ints, score: Floats, ahead: Floats,
    born: Floats, year: Ints, regime: Ints, rules: Floats, kind: int, slope: float, band: float,
    cap: float, free_from: float, floor: float, refuse: int,
    gap: Floats, expected: Floats, change_a: Floats, change_b: Floats, k_a: Floats, k_b: Floats,
) -> int:  # fmt: skip
    """Rate the games; those of the unrated count for nobody. The index of the first that is refused, or -1."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        d = x - y + ahead[g]
        if d != d:
            if refuse > 0:
                return g
            gap[g] = expected[g] = k_a[g] = k_b[g] = d
            change_a[g] = change_b[g] = 0.0
            continue
        own = other = d
        if abs(d) > cap:
            near = cap if d > 0.0 else -cap
            if x < free_from:
                own = near
            if y < free_from:
                other = near
        k_a[g] = k_of(rules, regime[g], x, counted[i], reached[i], year[g] - born[i])
        k_b[g] = k_of(rules, regime[g], y, counted[j], reached[j], year[g] - born[j])
        gap[g] = own if abs(own) >= abs(other) else other
        expected[g] = curved(kind, slope, band, gap[g])
        new_a = x + k_a[g] * (score[g] - curved(kind, slope, band, own))
        new_b = y + k_b[g] * (curved(kind, slope, band, other) - score[g])
        if new_a < floor:
            new_a = floor
        if new_b < floor:
            new_b = floor
        change_a[g], rating[i] = new_a - x, new_a
        change_b[g], rating[j] = new_b - y, new_b
        counted[i] += 1.0
        counted[j] += 1.0
        if x >= rules[regime[g]][5] or new_a >= rules[regime[g]][5]:
            reached[i] = 1.0
        if y >= rules[regime[g]][5] or new_b >= rules[regime[g]][5]:
            reached[j] = 1.0
    return -1

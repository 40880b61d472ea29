"""Elo game by game where the plain formula is not enough: other curves and bounds, and the rules of federations."""

from ratingcore.plugin import COMPILED, Floats, Games, Ints, Rated, State, kernel, prefetch
from ratingcore.plugin.curves import curved
from ratingcore.plugin.rules import k_of
from ratingcore_elo.extra import extra_points
from ratingcore_elo.parameters import Parameters


@kernel
def play_bounded(
    rating: Floats, a: Ints, b: Ints, score: Floats, ahead: Floats, slope: Floats,
    k: float, kind: int, band: float, cap: float, floor: float, extra: float, extra_gap: float,
    gap: Floats, expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates games with any curve, points for the first move, a cap on the gap, extra points and a floor."""
    for g in range(len(a)):
        if COMPILED:
            prefetch(rating, a, g)
            prefetch(rating, b, g)
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        d = x - y + ahead[g]
        if d > cap:
            d = cap
        if d < -cap:
            d = -cap
        e = curved(kind, slope[g], band, d)
        c = k * (score[g] - e)
        gap[g], expected[g] = d, e
        gain_a, gain_b = c, -c
        if extra > 0.0:
            more = extra_points(x - y, score[g], extra, extra_gap)
            gain_a, gain_b = c + more, more - c
        change_a[g], rating[i] = gain_a, x + gain_a
        change_b[g], rating[j] = gain_b, y + gain_b
        if x + gain_a < floor:
            change_a[g], rating[i] = floor - x, floor
        if y + gain_b < floor:
            change_b[g], rating[j] = floor - y, floor


def rate_bounded(elo: Parameters, state: State, games: Games) -> Rated:
    """Rates the games by `play_bounded`."""
    rating, gap, expected, change_a, change_b = state.copy("rating"), *(games.blank() for _ in range(4))
    kind, _, band = elo.shape.packed()
    play_bounded(
        rating, games.a, games.b, games.score, elo.ahead(games), elo.slopes(games),
        elo.number, kind, band, elo.most, elo.least, elo.extra, elo.extra_gap,
        gap, expected, change_a, change_b,
    )  # fmt: skip
    return Rated(state.replace(rating=rating), expected, (change_a, change_b), elo.draw(gap, games))


@kernel
def play_ruled(
    rating: Floats, counted: Floats, reached: Floats, a: Ints, b: Ints, score: Floats, ahead: Floats, slope: Floats,
    born: Floats, year: Ints, regime: Ints, rules: Floats, kind: int, band: float,
    cap: float, free_from: float, floor: float, extra: float, extra_gap: float, refuse: int,
    gap: Floats, expected: Floats, change_a: Floats, change_b: Floats, k_a: Floats, k_b: Floats,
) -> int:  # fmt: skip
    """Rates games with K by a rule, a cap from which a side may be free, and players without a rating.

    Games with an unrated player count for nobody. With `refuse`, the first one ends the loop. Returns its index, or -1.
    """
    for g in range(len(a)):
        if COMPILED:
            prefetch(rating, a, g)
            prefetch(rating, b, g)
            prefetch(counted, a, g)
            prefetch(counted, b, g)
            prefetch(reached, a, g)
            prefetch(reached, b, g)
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        d = x - y + ahead[g]
        if d != d:  # NaN: a side is unrated
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
        expected[g] = curved(kind, slope[g], band, gap[g])
        new_a = x + k_a[g] * (score[g] - curved(kind, slope[g], band, own))
        new_b = y + k_b[g] * (curved(kind, slope[g], band, other) - score[g])
        if extra > 0.0:
            more = extra_points(x - y, score[g], extra, extra_gap)
            new_a += more
            new_b += more
        if new_a < floor:
            new_a = floor
        if new_b < floor:
            new_b = floor
        change_a[g], rating[i] = new_a - x, new_a
        change_b[g], rating[j] = new_b - y, new_b
        counted[i] += 1.0
        counted[j] += 1.0
        if x >= rules[regime[g]][5] or new_a >= rules[regime[g]][5]:  # 5: `top_from` of a packed KRegime
            reached[i] = 1.0
        if y >= rules[regime[g]][5] or new_b >= rules[regime[g]][5]:
            reached[j] = 1.0
    return -1

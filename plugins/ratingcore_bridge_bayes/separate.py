"""Strengths with a variance each: the covariances that a result creates are dropped after it."""

from math import sqrt

import numpy as np
from attrs import frozen

from ratingcore.plugin import DAY, Floats, Ints, kernel
from ratingcore_bridge_bayes.conditioning import condition
from ratingcore_bridge_bayes.outcome import Outcome
from ratingcore_bridge_bayes.reading import Reading


@kernel
def grown(variance: float, last: float, day: float, drift: float) -> float:
    """Variance after idle days; `last` is NaN where there is no last day."""
    return variance + drift * (day - last) if day > last else variance


@kernel
def play(
    rating: Floats, deviation: Floats, last: Floats, player: Ints, side: Ints, score: Floats, noise: Floats,
    share: Floats, day: Floats, s0: float, k: float, drift: float, learns: bool,
    expected: Floats, variance: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates results of two sides in order of play.

    `share` is one over the boards of a total. `last` and `day` are read if there is drift.
    """
    for r in range(len(noise)):
        low, middle, high = side[2 * r], side[2 * r + 1], side[2 * r + 2]
        a, b = score[2 * r], score[2 * r + 1]
        ahead, spread = 0.0, 0.0
        for m in range(low, high):
            i = player[m]
            own = deviation[i] * deviation[i]
            if drift > 0.0:
                own = grown(own, last[i], day[r], drift)
                last[i] = day[r]
            change[m] = own
            spread += own
            ahead += rating[i] if m < middle else -rating[i]
        d = k * ahead
        v = noise[r] + k * k * spread
        expected[2 * r], expected[2 * r + 1], variance[r] = s0 + d, s0 - d, v
        part = 1.0 / v
        step, shrunk = k * part * (0.5 * (a - b) * share[r] - d), k * k * part
        for m in range(low, high):
            i = player[m]
            own = change[m]
            if learns:
                deviation[i] = sqrt(own * (1.0 - shrunk * own))
            change[m] = step * own if m < middle else -step * own
            rating[i] += change[m]


@kernel
def play_pairs(
    rating: Floats, deviation: Floats, last: Floats, player: Ints, score: Floats, noise: Floats,
    share: Floats, day: Floats, s0: float, k: float, drift: float, learns: bool,
    expected: Floats, variance: Floats, change: Floats,
) -> None:  # fmt: skip
    """As `play`, written out for two against two, which is nearly all of bridge: takes half the time."""
    for r in range(len(noise)):
        a, b = score[2 * r], score[2 * r + 1]
        i, j, o, p = player[4 * r], player[4 * r + 1], player[4 * r + 2], player[4 * r + 3]
        v, w, x, y = deviation[i], deviation[j], deviation[o], deviation[p]
        v, w, x, y = v * v, w * w, x * x, y * y
        if drift > 0.0:
            v, w = grown(v, last[i], day[r], drift), grown(w, last[j], day[r], drift)
            x, y = grown(x, last[o], day[r], drift), grown(y, last[p], day[r], drift)
            last[i] = last[j] = last[o] = last[p] = day[r]
        e, f, g, h = rating[i], rating[j], rating[o], rating[p]
        d = k * (e + f - g - h)
        whole = noise[r] + k * k * (v + w + x + y)
        expected[2 * r], expected[2 * r + 1], variance[r] = s0 + d, s0 - d, whole
        part = 1.0 / whole
        step, shrunk = k * part * (0.5 * (a - b) * share[r] - d), k * k * part
        change[4 * r] = c = step * v
        rating[i] = e + c
        change[4 * r + 1] = c = step * w
        rating[j] = f + c
        change[4 * r + 2] = c = -step * x
        rating[o] = g + c
        change[4 * r + 3] = c = -step * y
        rating[p] = h + c
        if learns:
            deviation[i] = sqrt(v * (1.0 - shrunk * v))
            deviation[j] = sqrt(w * (1.0 - shrunk * w))
            deviation[o] = sqrt(x * (1.0 - shrunk * x))
            deviation[p] = sqrt(y * (1.0 - shrunk * y))


@frozen(eq=False)
class Separate:
    """Strengths of the players: columns to write in, one row a player.

    Parameters
    ----------
    rating, deviation : (n,) float64, rating points
    last : (n,) float64, days since 1970
        Day of the last result; empty if there is no drift.
    drift : float >= 0, rating points squared a day
    learns : bool
        Whether deviations move.
    """

    rating: Floats
    deviation: Floats
    last: Floats
    drift: float
    learns: bool

    def play(self, reading: Reading) -> Outcome:
        """Rates results in order of play: fields one by one, stretches of tables between them in one call."""
        outcome, sides = Outcome.blank(reading), reading.sides
        day = sides.played / DAY if self.drift > 0 else np.empty(0)
        share = np.broadcast_to(1.0, len(sides)) if reading.boards is None else 1.0 / reading.boards
        done = 0
        for r in [*reading.fields.tolist(), len(sides)]:
            if done < r:
                self._tables(reading, done, r, share[done:r], day[done:r], outcome)
            if r < len(sides):
                self._field(reading, r, day[r] if self.drift > 0 else 0.0, outcome)
            done = r + 1
        if reading.boards is not None:
            outcome.expected[:] *= np.repeat(reading.boards, np.diff(sides.result))
        return outcome

    def _tables(self, reading: Reading, start: int, stop: int, share: Floats, day: Floats, outcome: Outcome) -> None:
        """Rates the results of two sides from `start` to before `stop`."""
        sides = reading.sides
        first, last = (int(at) for at in sides.result[[start, stop]])
        members = slice(int(reading.start[start]), int(reading.start[stop]))
        player = sides.player[members]
        player = player.view(f"u{player.itemsize}")  # rows that cannot be negative are looked up a good deal faster
        score, noise = sides.score[first:last], reading.noise[start:stop]
        s0, k, drift, learns = reading.method.s0, reading.method.k, self.drift, self.learns
        expected, variance, change = outcome.expected[first:last], outcome.variance[start:stop], outcome.change[members]
        if reading.pairs:
            play_pairs(
                self.rating, self.deviation, self.last, player, score, noise, share, day,
                s0, k, drift, learns, expected, variance, change,
            )  # fmt: skip
        else:
            side = sides.side[first : last + 1] - members.start
            play(
                self.rating, self.deviation, self.last, player, side, score, noise, share, day,
                s0, k, drift, learns, expected, variance, change,
            )  # fmt: skip

    def _field(self, reading: Reading, result: int, day: float, outcome: Outcome) -> None:
        """Rates a session of many sides: covariances are exact inside it and dropped afterwards."""
        member, weights, lead = reading.rows(result)
        own = self.deviation[member] ** 2
        if self.drift > 0:
            own = own + self.drift * np.maximum(np.nan_to_num(day - self.last[member]), 0.0)
            self.last[member] = day
        noise = float(reading.noise[result])
        mean, covariance = self.rating[member], np.diag(own)
        gap, before = weights @ mean, noise + (weights**2 * own).sum(axis=1)
        seen = condition(mean, covariance, np.arange(len(member)), weights, lead, noise)
        outcome.change[reading.start[result] : reading.start[result + 1]] = mean - self.rating[member]
        outcome.put(result, reading.method.s0 + gap, float(before.mean()), seen.likelihood)
        self.rating[member] = mean
        if self.learns:
            self.deviation[member] = np.sqrt(np.diag(covariance))

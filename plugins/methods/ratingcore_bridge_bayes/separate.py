"""Strengths with one variance each: the covariances that a result creates are dropped after it."""

from math import sqrt

import numpy as np
from attrs import frozen

from ratingcore.plugin import DAY, Floats, Ints, kernel, unsigned
from ratingcore.plugin.tails import decay
from ratingcore_bridge_bayes.model_rows import Reading
from ratingcore_bridge_bayes.outcome import Outcome
from ratingcore_bridge_bayes.sharing import share_out


@kernel
def grown(variance: float, last: float, day: float, drift: float) -> float:
    """Variance after idle days; `last` is NaN where there is no last day."""
    return variance + drift * (day - last) if day > last else variance


@kernel
def learnt(y: float, prior: float, noise: float, weight: Floats, part: Floats) -> tuple[float, float]:
    """Gain and curb of one surprise, as `Density.learn` computes them."""
    if len(weight) == 1:
        gain = 1.0 / (noise + prior)
        return gain, gain
    half, widest = 0.5 * y * y, 0.0
    for n in range(len(part)):
        widest = max(widest, part[n])
    least = 1.0 / (prior + noise * widest)
    total, first, second = 0.0, 0.0, 0.0
    for n in range(len(part)):
        precise = 1.0 / (prior + noise * part[n])
        share = weight[n] * sqrt(precise) * decay(half * (precise - least))
        total += share
        first += share * precise
        second += share * precise * precise
    gain = first / total
    return gain, gain - y * y * (second / total - gain * gain)


@kernel
def play(
    rating: Floats, deviation: Floats, last: Floats, player: Ints, side: Ints, score: Floats, noise: Floats,
    share: Floats, day: Floats, s0: float, k: float, drift: float, learns: bool, seat: Floats, weight: Floats,
    part: Floats, worth: float, sharing: int, points: float, own: Floats,
    expected: Floats, variance: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates results of two sides in order of play.

    `share` is 1 over the number of boards if scores are totals. `last` and `day` are read if there is drift. `seat` is
    the part of the boards that each member played, `weight` and `part` are the nodes of the density, `worth` is the
    change of a side per unit of surprise (0 for Bayes' rule), `sharing` and `points` are the rule of sharing, and `own`
    is scratch space for variances.
    """
    for r in range(len(noise)):
        low, middle, high = side[2 * r], side[2 * r + 1], side[2 * r + 2]
        a, b = score[2 * r], score[2 * r + 1]
        ahead, spread = 0.0, 0.0
        for m in range(low, high):
            i = player[m]
            known = deviation[i] * deviation[i]
            if drift > 0.0:
                known = grown(known, last[i], day[r], drift)
                last[i] = day[r]
            own[m] = known
            spread += known * seat[m] * seat[m]
            ahead += rating[i] * seat[m] if m < middle else -rating[i] * seat[m]
        d, prior = k * ahead, k * k * spread
        expected[2 * r], expected[2 * r + 1], variance[r] = s0 + d, s0 - d, noise[r] + prior
        y = 0.5 * (a - b) * share[r] - d
        gain, curb = learnt(y, prior, noise[r], weight, part)
        step, shrunk = k * gain * y, k * k * curb
        for m in range(low, high):
            change[m] = step * own[m] * seat[m] if m < middle else -step * own[m] * seat[m]
        if worth > 0.0 or sharing > 0:
            total = worth * y
            if worth == 0.0:
                for m in range(low, middle):
                    total += change[m]
            share_out(change, total, low, middle, player, rating, own, seat, sharing, points)
            if worth == 0.0:
                total = 0.0
                for m in range(middle, high):
                    total -= change[m]
            share_out(change, -total, middle, high, player, rating, own, seat, sharing, points)
        for m in range(low, high):
            i = player[m]
            if learns:
                deviation[i] = sqrt(own[m] * (1.0 - shrunk * own[m] * seat[m] * seat[m]))
            rating[i] += change[m]


@kernel
def play_pairs(
    rating: Floats, deviation: Floats, last: Floats, player: Ints, score: Floats, noise: Floats,
    share: Floats, day: Floats, s0: float, k: float, drift: float, learns: bool,
    expected: Floats, variance: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates like `play` in half the time, written out for two against two, which is nearly all of bridge."""
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
    """Strengths of the players: columns to write in, one row per player.

    Parameters
    ----------
    rating, deviation : (n,) float64, rating points
    last : (n,) float64, days since 1970
        Day of the last result; empty if there is no drift.
    drift : float >= 0, rating points squared a day
    learns : bool
        Whether deviations are updated.
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
        player = unsigned(sides.player[members])
        score, noise = sides.score[first:last], reading.noise[start:stop]
        s0, k, drift, learns = reading.method.s0, reading.method.k, self.drift, self.learns
        expected, variance, change = outcome.expected[first:last], outcome.variance[start:stop], outcome.change[members]
        method = reading.method
        if reading.pairs and reading.plain:
            play_pairs(
                self.rating, self.deviation, self.last, player, score, noise, share, day,
                s0, k, drift, learns, expected, variance, change,
            )  # fmt: skip
        else:
            side = sides.side[first : last + 1] - members.start
            play(
                self.rating, self.deviation, self.last, player, side, score, noise, share, day,
                s0, k, drift, learns, reading.seats(members), *method.density.nodes,
                method.pair_k or 0.0, method.sharing.code, method.sharing.points, np.empty(len(player)),
                expected, variance, change,
            )  # fmt: skip

    def _field(self, reading: Reading, result: int, day: float, outcome: Outcome) -> None:
        """Rates a session of many sides: covariances are exact inside it and dropped afterwards."""
        member = reading.member(result)
        own = self.deviation[member] ** 2
        if self.drift > 0:
            own = own + self.drift * np.maximum(np.nan_to_num(day - self.last[member]), 0.0)
            self.last[member] = day
        noise = float(reading.noise[result])
        mean, variance, gap, before, likelihood = reading.learn_apart(result, self.rating[member], own, noise)
        outcome.spreads[result] = reading.spreads(result, own)
        seats = slice(int(reading.start[result]), int(reading.start[result + 1]))
        change = mean - self.rating[member]
        if reading.method.pair_k is not None or reading.method.sharing.code:
            change = self._shared(reading, result, change, reading.lead(result) - gap, own)
            mean = self.rating[member] + change
        outcome.change[seats] = change
        outcome.put(result, reading.method.s0 + gap, before, likelihood)
        self.rating[member] = mean
        if self.learns:
            self.deviation[member] = np.sqrt(variance)

    def _shared(self, reading: Reading, result: int, change: Floats, surprise: Floats, own: Floats) -> Floats:
        """Changes of the members after a field, if `pair_k` or a rule of sharing replaces Bayes' rule."""
        method, sides, first = reading.method, reading.sides, int(reading.start[result])
        members = slice(first, int(reading.start[result + 1]))
        player, seat = sides.player[members], reading.seats(members)
        for row, side in enumerate(range(int(sides.result[result]), int(sides.result[result + 1]))):
            low, high = int(sides.side[side]) - first, int(sides.side[side + 1]) - first
            total = float(change[low:high].sum()) if method.pair_k is None else method.pair_k * float(surprise[row])
            share_out(
                change, total, low, high, player, self.rating, own, seat, method.sharing.code, method.sharing.points
            )
        return change

"""Calibration of forecasts of games and sessions."""

from itertools import pairwise
from math import floor, sqrt

import numpy as np
import pytest

from ratingcore.compare.reliability import reliability, session_reliability, wilson
from ratingcore.methods.strengths import Curve, Strengths
from ratingcore.plugin import Floats
from tests.compare.making import made_up


@pytest.mark.parametrize("draws", [False, True])
def test_statsmodels_gives_the_same_wilson_intervals(draws: bool) -> None:
    from statsmodels.stats.proportion import proportion_confint

    table = reliability(*made_up(300, 1, draws))
    low, high = proportion_confint(table.scored * table.n, table.n, method="wilson")
    assert table.from_ == pytest.approx(low, abs=1e-12)
    assert table.to == pytest.approx(high, abs=1e-12)
    low, high = proportion_confint(3, 7, alpha=0.2, method="wilson")
    assert [bound[0] for bound in wilson(np.array([3 / 7]), np.array([7]), 0.8)] == pytest.approx([low, high])


@pytest.mark.parametrize(("p", "bin_"), [(0.0, 0), (0.1, 1), (0.3, 3), (0.7, 7), (np.nextafter(0.7, 0), 6), (1.0, 9)])
def test_bins_hold_their_lower_edge_and_the_last_both(p: float, bin_: int) -> None:
    table = reliability(np.array([p]), np.array([1.0]))
    assert table.low.tolist() == [bin_ / 10]


def test_any_number_of_bins() -> None:
    p, y = made_up(1000)
    for bins in (1, 3, 7, 20, 49):
        table = reliability(p, y, bins)
        assert table.n.sum() == 1000
        assert ((table.low <= table.expected) & (table.expected <= table.high)).all()
    assert reliability(p, y, 1).ece == pytest.approx(abs(p.mean() - y.mean()))


SIZES = (2, 3, 2, 5, 3, 8, 2, 4) * 6


def season(curve: Curve) -> tuple[Strengths, list[range], Floats]:
    random = np.random.default_rng(11)
    sides = sum(SIZES)
    field = Strengths(random.normal(0.0, 1.0, sides), random.uniform(0.3, 1.5, sides), curve)
    score = random.integers(0, 4, sides).astype(np.float64)
    return field, [range(low, high) for low, high in pairwise(np.cumsum([0, *SIZES]).tolist())], score


def by_hand(field: Strengths, sessions: list[range], score: Floats) -> dict[int, tuple[float, ...]]:
    """By bin: pairs, sessions, mean chance, mean score, and the trials that sessions of equal weight would be."""
    cells: dict[int, list[tuple[int, float, float, float]]] = {}
    for number, session in enumerate(sessions):
        for i in session:
            for j in session:
                if i != j:
                    p = float(field.ahead(np.array([i]), np.array([j]))[0])
                    y = 1.0 if score[i] > score[j] else 0.0 if score[i] < score[j] else 0.5
                    weight = 1.0 / (len(session) * (len(session) - 1))
                    cells.setdefault(floor(10 * p), []).append((number, weight, p, y))
    found = {}
    for cell, pairs in cells.items():
        total = sum(weight for _, weight, _, _ in pairs)
        of_session = {n: sum(weight for m, weight, _, _ in pairs if m == n) for n, _, _, _ in pairs}
        found[cell] = (
            float(len(pairs)), float(len(of_session)), sum(w * p for _, w, p, _ in pairs) / total,
            sum(w * y for _, w, _, y in pairs) / total, total**2 / sum(w * w for w in of_session.values()),
        )  # fmt: skip
    return found


@pytest.mark.parametrize("curve", ["normal", "logistic"])
def test_each_bin_is_what_its_pairs_give(curve: Curve) -> None:
    field, sessions, score = season(curve)
    made = session_reliability(field, np.cumsum([0, *SIZES]), score)
    expected = by_hand(field, sessions, score)
    assert (made.low * 10).round().astype(int).tolist() == sorted(expected)
    for place, cell in enumerate(sorted(expected)):
        pairs, count, chance, mean, trials = expected[cell]
        assert (made.pairs[place], made.sessions[place]) == (pairs, count)
        assert made.expected[place] == pytest.approx(chance, abs=1e-12)
        assert made.scored[place] == pytest.approx(mean, abs=1e-12)
        z = 1.959963984540054
        middle, half = mean + z * z / (2 * trials), z * sqrt(mean * (1 - mean) / trials + z * z / (4 * trials**2))
        assert made.from_[place] == pytest.approx(max((middle - half) / (1 + z * z / trials), 0.0), abs=1e-9)
        assert made.to[place] == pytest.approx(min((middle + half) / (1 + z * z / trials), 1.0), abs=1e-9)


def test_the_order_in_which_sides_are_listed_means_nothing() -> None:
    """Sides are often listed as they came in: seen from the first side alone, every pair would be won."""
    field, _, score = season("normal")
    start = np.cumsum([0, *SIZES])
    by = np.lexsort((-score, np.repeat(np.arange(len(SIZES)), SIZES)))
    one, other = session_reliability(field, start, score), session_reliability(field.take(by), start, score[by])
    for name in ("low", "pairs", "sessions", "expected", "scored", "from_", "to"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-12)
    assert one.scored[::-1] == pytest.approx(1.0 - one.scored, abs=1e-12)


def test_two_sides_each_give_the_calibration_of_games_seen_from_both() -> None:
    random = np.random.default_rng(2)
    field = Strengths(random.normal(0.0, 1.0, 400), np.full(400, 0.5), "logistic")
    score = random.integers(0, 2, 400).astype(np.float64)
    made = session_reliability(field, np.arange(0, 401, 2), score)
    a, b = np.arange(0, 400, 2), np.arange(1, 400, 2)
    p, y = field.ahead(a, b), 0.5 + 0.5 * np.sign(score[a] - score[b])
    games = reliability(np.concatenate([p, 1.0 - p]), np.concatenate([y, 1.0 - y]))
    assert made.pairs.tolist() == games.n.tolist()
    assert made.expected == pytest.approx(games.expected, abs=1e-12)
    assert made.scored == pytest.approx(games.scored, abs=1e-12)

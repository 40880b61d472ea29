"""Weng and Lin: the formulas of the paper written out another way, ties, parts of the time, and what is refused."""

from itertools import pairwise, permutations
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from ratingcore_weng_lin import EarlierWengLin, WengLin
from scipy.stats import norm

from ratingcore.compare.sweep import pass_of, sweep
from ratingcore.errors import BadField
from ratingcore.plugin import Rated, Sides, Span, State
from ratingcore.registry import Registry
from ratingcore.testing import Law, method_checks
from tests.columns.making import POOL, engine, game
from tests.golden.fields import known, session

TEAMS = [[[21.1, 7.8]], [[28.6, 2.4], [18.0, 7.5]], [[25.5, 6.9]], [[29.3, 6.0], [20.0, 3.0], [25.0, 8.0]]]
SIZES = [len(team) for team in TEAMS]
BETA2 = (25.0 / 6.0) ** 2


def sides() -> list[tuple[float, float]]:
    return [(sum(mu for mu, _ in team), sum(s * s for _, s in team)) for team in TEAMS]


def rated(method: WengLin, score: list[float], weights: list[float] | None = None) -> Rated:
    return method.rate(known(method, TEAMS), session(SIZES, score, weights))


def pair(kind: str, i: int, q: int, score: list[float], margin: float) -> tuple[float, float]:
    """Omega and delta of side i against q, over its variance: procedure 3 of the paper's algorithms 1 to 3."""
    (mu_i, v_i), (mu_q, v_q) = sides()[i], sides()[q]
    c = sqrt(v_i + v_q + 2.0 * BETA2)
    gamma = sqrt(v_i) / c
    if kind == "bt":
        p = exp(mu_i / c) / (exp(mu_i / c) + exp(mu_q / c))
        s = 1.0 if score[i] > score[q] else 0.5 if score[i] == score[q] else 0.0
        return (s - p) / c, gamma / c**2 * p * (1.0 - p)
    t, e = (mu_i - mu_q) / c, margin / c
    if score[i] == score[q]:
        z = norm.cdf(e - t) - norm.cdf(-e - t)
        v = (norm.pdf(-e - t) - norm.pdf(e - t)) / z
        w = v * v + ((e - t) * norm.pdf(e - t) + (e + t) * norm.pdf(e + t)) / z
        return v / c, gamma / c**2 * w
    sign = 1.0 if score[i] > score[q] else -1.0
    v = norm.pdf(sign * t - e) / norm.cdf(sign * t - e)
    return sign * v / c, gamma / c**2 * v * (v + sign * t - e)


def moved(pairs: dict[int, list[int]], kind: str, score: list[float], margin: float) -> tuple[list[float], list[float]]:
    """Ratings and deviations after a result in which each side meets some others."""
    rating, deviation = [], []
    for i, team in enumerate(TEAMS):
        sums = np.array([pair(kind, i, q, score, margin) for q in pairs[i]]).sum(axis=0)
        for mu, s in team:
            rating.append(mu + s * s * sums[0])
            deviation.append(s * sqrt(max(1.0 - s * s * sums[1], 1e-4)))
    return rating, deviation


@pytest.mark.parametrize("score", [[2.0, 3.0, 1.0, 4.0], [1.0, 1.0, 0.0, 2.0], [5.0, 5.0, 5.0, 5.0]])
@pytest.mark.parametrize("kind", ["bt", "tm"])
def test_full_pairs_are_those_of_the_paper(kind: str, score: list[float]) -> None:
    method = WengLin(model=f"{kind}_full", draw_margin=0.7)  # type: ignore[arg-type]  # one of the models
    everybody = {i: [q for q in range(4) if q != i] for i in range(4)}
    after = rated(method, score).state
    rating, deviation = moved(everybody, kind, score, 0.7)
    assert after["rating"] == pytest.approx(rating, rel=1e-9)
    assert after["deviation"] == pytest.approx(deviation, rel=1e-9)


@pytest.mark.parametrize("kind", ["bt", "tm"])
def test_partial_pairs_are_neighbours_in_the_ranking(kind: str) -> None:
    score = [2.0, 3.0, 1.0, 4.0]  # 3 1 0 2
    method = WengLin(model=f"{kind}_part", draw_margin=0.7)  # type: ignore[arg-type]  # one of the models
    after = rated(method, score).state
    rating, deviation = moved({3: [1], 1: [3, 0], 0: [1, 2], 2: [0]}, kind, score, 0.7)
    assert after["rating"] == pytest.approx(rating, rel=1e-9)
    assert after["deviation"] == pytest.approx(deviation, rel=1e-9)


def test_ties_of_partial_pairs_are_the_mean_over_all_orders() -> None:
    """So that it does not matter in which order tied sides are written."""
    score, method = [1.0, 2.0, 2.0, 2.0], WengLin(model="bt_part")
    sums = np.zeros((4, 2))
    orders = [order for order in permutations(range(4)) if order[3] == 0]
    for order in orders:
        for x, y in pairwise(order):
            sums[x] += pair("bt", x, y, score, 0.0)
            sums[y] += pair("bt", y, x, score, 0.0)
    sums /= len(orders)
    wanted = [mu + s * s * sums[i, 0] for i, team in enumerate(TEAMS) for mu, s in team]
    assert rated(method, score).state["rating"] == pytest.approx(wanted, rel=1e-12)


def test_plackett_luce_with_ties_is_that_of_the_paper() -> None:
    score = [1.0, 2.0, 2.0, 0.0]
    c = sqrt(sum(v + BETA2 for _, v in sides()))
    worth = [exp(mu / c) for mu, _ in sides()]
    after = rated(WengLin(), score).state
    row = 0
    for i, team in enumerate(TEAMS):
        omega = delta = 0.0
        for q in range(4):
            if score[q] >= score[i]:
                p = worth[i] / sum(worth[s] for s in range(4) if score[s] <= score[q])
                tied = score.count(score[q])
                omega += ((q == i) - p) / (c * tied)
                delta += sqrt(sides()[i][1]) / c**3 * p * (1.0 - p) / tied
        for mu, s in team:
            assert after["rating"][row] == pytest.approx(mu + s * s * omega, rel=1e-11)
            assert after["deviation"][row] == pytest.approx(s * sqrt(1.0 - s * s * delta), rel=1e-11)
            row += 1


@pytest.mark.parametrize("n", [9, 63, 64, 500])
def test_a_large_field_with_ties_is_the_formula_of_the_paper(n: int) -> None:
    """A contest of 4,000 sides took 12 seconds: the work grew with the square of the field."""
    rng, method = np.random.default_rng(n), WengLin()
    mean, deviation, score = rng.normal(25.0, 8.0, n), rng.uniform(1.0, 8.0, n), rng.integers(0, n // 3, n) * 1.0
    c = sqrt((deviation**2 + BETA2).sum())
    worth = np.exp(mean / c)
    takes_part = score <= score[:, None]  # a row for each draw, a column for each side it is made from
    p = np.where(takes_part, worth / (takes_part @ worth)[:, None], 0.0)
    tied = (score == score[:, None]).sum(axis=1)[:, None]
    omega = ((np.eye(n) - p) / tied).sum(axis=0) / c
    delta = (p * (1.0 - p) / tied).sum(axis=0) * deviation / c**3
    start = State.start(method.columns(), n).replace(rating=mean, deviation=deviation)
    made = method.rate(start, session([1] * n, score.tolist()))
    assert made.state["rating"] == pytest.approx(mean + deviation**2 * omega, rel=1e-11)
    assert made.state["deviation"] == pytest.approx(deviation * np.sqrt(1.0 - deviation**2 * delta), rel=1e-11)
    ahead = (worth[:, None] / (worth[:, None] + worth)).sum(axis=1) - 0.5
    assert made.expected == pytest.approx(ahead / (n - 1), rel=1e-11)
    assert method.expected(start, session([1] * n, score.tolist())).expected == pytest.approx(
        ahead / (n - 1), rel=1e-11
    )


@pytest.mark.parametrize("model", ["pl", "bt_full", "bt_part", "tm_full", "tm_part"])
def test_who_took_part_for_part_of_the_time_counts_in_part(model: Any) -> None:
    """In the limit of none of the time it is the game of the others; the strength of a side is the weighed sum."""
    method, score = WengLin(model=model), [1.0, 3.0, 2.0, 0.0]
    whole = rated(method, score).state
    ones = rated(method, score, [1.0] * 7).state
    assert np.array_equal(whole["rating"], ones["rating"])
    least = rated(method, score, [1.0, 1.0, 1e-9, 1.0, 1.0, 1e-9, 1e-9]).state
    alone = method.rate(known(method, [team[:1] for team in TEAMS]), session([1] * 4, score)).state
    assert least["rating"][[0, 1, 3, 4]] == pytest.approx(alone["rating"], abs=1e-6)
    assert least["rating"][[2, 5, 6]] == pytest.approx([18.0, 20.0, 25.0], abs=1e-6)


def test_drift_comes_before_the_result() -> None:
    method, score = WengLin(drift=0.5), [2.0, 3.0, 1.0, 4.0]
    still = WengLin()
    start = known(still, TEAMS)
    grown = start.replace(deviation=np.sqrt(start["deviation"] ** 2 + 0.25))
    wanted = still.rate(grown, session(SIZES, score)).state
    after = rated(method, score).state
    for name in ("rating", "deviation"):
        assert after[name] == pytest.approx(wanted[name], rel=1e-12)


def test_an_odd_weight_is_refused() -> None:
    with pytest.raises(BadField, match=r"weights must be from 0 to 1, .* at position 1: 1.5"):
        rated(WengLin(), [1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.5, 1.0, 1.0, 1.0, 1.0])


OPENSKILL = {
    "two": ([[[25.0, 25.0 / 3.0]]] * 2, [2.0, 1.0], [29.230971524, 20.769028476], [7.631294291] * 2),
    "a tie": (
        [[[27.0, 7.0]], [[24.0, 6.0]]], [1.0, 1.0], [25.772160386, 24.902132407], [6.014561283, 5.483546039],
    ),
    "three": ([[[25.0, 25.0 / 3.0]]] * 3, [3.0, 2.0, 1.0], [33.461943048, 25.0, 16.538056952], [6.857252818] * 3),
    "teams": (
        [[[29.0, 5.0], [20.0, 4.0]], [[25.0, 6.0]], [[31.0, 3.0], [22.0, 7.0], [18.0, 2.0]]], [2.0, 3.0, 1.0],
        [27.630623617, 19.123462215, 47.144510803, 25.953888015, -5.455984796, 15.755122116],
        [4.447083498, 3.723426674, 5.022386304, 2.874298877, 5.190480567, 1.964543409],
    ),
    "two of four tied": (
        [[[29.0, 5.0]], [[25.0, 6.0], [12.0, 8.0]], [[31.0, 3.0]], [[20.0, 8.0]]], [4.0, 3.0, 3.0, 2.0],
        [35.204068118, 20.50964601, 4.01782204, 30.560473117, 15.22590483],
        [4.369058847, 4.71190336, 4.514861068, 2.91449214, 6.302411636],
    ),
}  # fmt: skip
"""What the package openskill 6.2.0 makes of five results by its ThurstoneMostellerFull with its own settings."""


@pytest.mark.parametrize("case", OPENSKILL)
def test_the_preset_openskill_is_the_package_for_thurstone_mosteller_too(case: str) -> None:
    """The draw margin was 0.0001, which no edition of the package has."""
    teams, score, rating, deviation = OPENSKILL[case]
    method = Registry.installed().method("weng-lin:preset=openskill,model=tm_full")
    after = method.rate(known(method, teams), session([len(team) for team in teams], score)).state
    assert after["rating"] == pytest.approx(rating, abs=1e-9)
    assert after["deviation"] == pytest.approx(deviation, abs=1e-9)
    assert (WengLin(model="tm_full").draw_margin, EarlierWengLin(model="tm_full").draw_margin) == (0.1, 1e-4)


@method_checks(
    WengLin(), WengLin(**WengLin.presets["openskill"]), WengLin(model="bt_full"), WengLin(model="bt_part"),
    WengLin(model="tm_full", draw_margin=1.0), WengLin(model="tm_part"),
)  # fmt: skip
def test_weng_lin_keeps_the_laws(law: Law, method: WengLin) -> None:
    law(method)


@pytest.mark.parametrize("odd", [(), (0.25,)], ids=["scores of games", "shares"])
def test_settings_in_one_pass_have_the_log_losses_that_they_have_alone(odd: tuple[float, ...]) -> None:
    rng = np.random.default_rng(9)
    scores = rng.choice([0.0, 0.5, 1.0, *odd], 200).tolist()
    seats = [
        (f"p{i}", f"p{(i + j) % 12}") for i, j in zip(rng.integers(0, 12, 200), rng.integers(1, 12, 200), strict=True)
    ]
    view = engine(
        *(game(day, *who, score) for day, (who, score) in enumerate(zip(seats, scores, strict=True), 1))
    ).core.view(POOL)
    first, last = view.first_played or 0, view.last_played or 0
    spans = (Span(first, (first + last) // 2), Span((first + last) // 2, last + 1))
    settings = [
        *(WengLin(beta=beta, drift=0.1, initial=10.0 * beta) for beta in np.linspace(0.5, 9.0, 70).tolist()),
        WengLin(model="bt_part", kappa=0.9, deviation=3.0), WengLin(model="tm_full"),
    ]  # fmt: skip
    swept = pass_of(settings, view, spans)
    assert swept is not None
    assert np.isnan(swept.score[-1]).all()
    alone = np.concatenate([sweep([setting], view, spans).score for setting in settings])
    assert swept.score[:-1] == pytest.approx(alone[:-1], rel=1e-12)
    assert sweep(settings, view, spans).score == pytest.approx(alone, rel=1e-12)


def test_a_pool_in_which_somebody_took_part_for_a_while_is_not_swept() -> None:
    view = engine(game(1, "ann", "bo", data={"weights": "1 1/2"}), game(2, "bo", "ann")).core.view(POOL)
    spans = (Span(view.first_played or 0, (view.last_played or 0) + 1),)
    assert pass_of([WengLin(), WengLin(beta=2.0)], view, spans) is None


def lone(sides: int, results: int, players: int) -> Sides:
    """Rankings of players on their own, with ties."""
    rng = np.random.default_rng(sides)
    who = np.concatenate([rng.choice(players, sides, replace=False) for _ in range(results)]).astype(np.int32)
    score, at = rng.integers(0, sides, len(who)).astype(np.float64), np.arange(1, results + 1)
    seats = np.arange(0, len(who) + 1, sides)
    weights = {"weights": np.ones(len(who))}
    return Sides(seats, np.arange(len(who) + 1), who, score, at, at, Span(0, results + 1), members=weights)


@pytest.mark.parametrize("sides", [3, 4, 8])
@pytest.mark.parametrize("model", ["pl", "bt_full"])
def test_rankings_side_by_side_are_the_formulas_one_after_the_other(model: Any, sides: int) -> None:
    """A stretch of the same rankings and each of them alone, to the bit; and the formulas written out."""
    method, played = WengLin(model=model), lone(sides, 60, 90)
    start = State.start(method.columns(), 90)
    whole, state = method.rate(start, played), start
    rating, variance = [25.0] * 90, [(25.0 / 3.0) ** 2] * 90
    for r in range(60):
        one = played.part(r, r + 1)
        state = method.rate(state, one).state
        who, score = one.player.tolist(), one.score.tolist()
        mu, v = [rating[i] for i in who], [variance[i] for i in who]
        c = sqrt(sum(v) + sides * BETA2)
        for i in range(sides):
            omega = delta = 0.0
            for q in range(sides):
                if model == "pl" and score[q] >= score[i]:
                    p = exp(mu[i] / c) / sum(exp(mu[s] / c) for s in range(sides) if score[s] <= score[q])
                    omega += ((q == i) - p) / (c * score.count(score[q]))
                    delta += sqrt(v[i]) / c**3 * p * (1.0 - p) / score.count(score[q])
                elif model != "pl" and q != i:
                    d = sqrt(v[i] + v[q] + 2.0 * BETA2)
                    p, s = 1.0 / (1.0 + exp((mu[q] - mu[i]) / d)), 0.5 + 0.5 * float(np.sign(score[i] - score[q]))
                    omega, delta = omega + (s - p) / d, delta + sqrt(v[i]) / d**3 * p * (1.0 - p)
            rating[who[i]] = mu[i] + v[i] * omega
            variance[who[i]] = v[i] * (1.0 - v[i] * delta)
    assert np.array_equal(state["rating"], whole.state["rating"])
    assert np.array_equal(state["deviation"], whole.state["deviation"])
    assert whole.state["rating"] == pytest.approx(rating, rel=1e-11)
    assert whole.state["deviation"] == pytest.approx(np.sqrt(variance), rel=1e-11)


def test_a_ranking_of_players_far_apart_stands_between_others() -> None:
    """It is rated on its own, and whatever lies before and behind it as always."""
    method, played = WengLin(), lone(4, 40, 200)
    rating = np.full(200, 25.0)
    rating[played.player[80]] = 1e6
    start = State.start(method.columns(), 200).replace(rating=rating)
    state = start
    for r in range(40):
        state = method.rate(state, played.part(r, r + 1)).state
    assert np.array_equal(method.rate(start, played).state["rating"], state["rating"])
    assert np.isfinite(state["rating"]).all()

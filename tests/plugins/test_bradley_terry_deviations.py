"""Deviations of Bradley and Terry's model: draws that vary less, results that vary together, and what is left alone."""

from math import log, pi, sqrt
from typing import Any

import numpy as np
import pytest
import ratingcore_bradley_terry.bradley_terry as module
import ratingcore_bradley_terry.curvature as curvature
from ratingcore_bradley_terry import BradleyTerry, SecondBradleyTerry, superiority

import ratingcore as rc
from ratingcore.errors import BadParameter
from ratingcore.plugin import Floats, Games, Solved
from tests.golden.playing import games
from tests.plugins.test_bradley_terry import season, solve

POINTS = 400.0 / log(10.0)


def variance_of_the_gap(solved: Solved, i: int = 0, j: int = 1) -> float:
    joint = solved.covariance
    assert joint is not None
    return (joint(i, i) + joint(j, j) - 2.0 * joint(i, j)) / POINTS**2


@pytest.mark.parametrize(
    "method", [BradleyTerry(), BradleyTerry(**BradleyTerry.presets["ordo"]), BradleyTerry(ties="davidson")]
)
def test_sixty_wins_and_forty_losses_say_the_same_beside_nine_hundred_draws(method: BradleyTerry) -> None:
    """Engine testers expect Phi((W - L) / sqrt(W + L)) = .977; it was .736."""
    played = games([0] * 1000, [1] * 1000, [1.0] * 60 + [0.5] * 900 + [0.0] * 40)
    assert superiority(solve(method, played), 0, 1) == pytest.approx(0.977, abs=1e-3)


def test_deviations_without_half_points_are_those_of_the_curvature() -> None:
    played = season()
    decided = played.replaced(score=np.where(played.score == 0.5, 1.0, played.score))
    for method in (BradleyTerry(), BradleyTerry(prior_games=1.0), BradleyTerry(home=None)):
        old = SecondBradleyTerry(prior_games=method.prior_games, home=method.home)
        same = solve(method, decided).state["deviation"] == solve(old, decided).state["deviation"]
        assert same.all()
    assert (
        solve(BradleyTerry(), played).state["deviation"] < solve(SecondBradleyTerry(), played).state["deviation"]
    ).all()


def scatter(played: Games, solved: Solved, players: int) -> tuple[Floats, Floats]:
    """H and B of the formula, a row of results at a time, with a player in each row of the matrices."""
    rows = sorted({(min(a, b), max(a, b)) for a, b in zip(played.a.tolist(), played.b.tolist(), strict=True)})
    met = np.bincount(played.a, minlength=players) + np.bincount(played.b, minlength=players)
    total, freedom, found = len(played), len(played) - (players - 1), []
    for i, j in rows:
        which = ((played.a == i) & (played.b == j)) | ((played.a == j) & (played.b == i))
        score = np.where(played.a == i, played.score, 1.0 - played.score)[which]
        expected = np.where(played.a == i, solved.fitted, 1.0 - solved.fitted)[which][0]
        q = ((score - expected) ** 2).sum() * total / freedom
        x = np.zeros(players)
        x[i], x[j] = 1.0, -1.0
        found.append((x, q, len(score) * expected * (1.0 - expected), 8.0 / (8.0 + min(met[i], met[j]))))
    usual = sum(q for _, q, _, _ in found) / sum(h for _, _, h, _ in found)
    bend = sum((h * np.outer(x, x) for x, _, h, _ in found), np.zeros((players, players)))
    varied = ((((1.0 - w) * q + w * usual * h) * np.outer(x, x)) for x, q, h, w in found)
    return bend, sum(varied, np.zeros((players, players)))


def test_covariances_are_the_scatter_between_two_inverse_curvatures() -> None:
    """The formula in matrices of numpy; a gap is no matter of the level, so that any inverse serves."""
    played = season(12, 150, home=False)
    solved = solve(BradleyTerry(), played)
    bend, varied = scatter(played, solved, 12)
    inverse = np.linalg.pinv(bend)
    whole = inverse @ varied @ inverse
    joint = solved.covariance
    assert joint is not None
    assert np.array([[joint(i, j) for j in range(12)] for i in range(12)]) == pytest.approx(whole * POINTS**2, rel=1e-6)


def test_a_part_is_as_sure_as_a_pool_of_it_alone() -> None:
    one = season(6, 60, home=False)
    other = games([6, 7, 6], [7, 6, 7], [1.0, 1.0, 0.5])
    both = games([*one.a, *other.a], [*one.b, *other.b], [*one.score, *other.score])
    alone, together = (solve(BradleyTerry(parts=True), each).state["deviation"] for each in (one, both))
    assert together[:6] == pytest.approx(alone)


def test_draws_alone_are_as_uncertain_as_the_curvature_has_them() -> None:
    """They leave no residual; a deviation of 0 would be absurd."""
    assert solve(BradleyTerry(), games([0, 0], [1, 1], [0.5, 0.5])).state["deviation"] == pytest.approx(
        [POINTS * sqrt(0.5)] * 2
    )


def test_a_prior_is_as_uncertain_as_it_is() -> None:
    """Two results, and the prior's curvature of 1 / 2 about the mean: H and B by hand."""
    played = games([0, 0, 1], [1, 1, 0], [1.0, 0.5, 1.0])
    solved = solve(BradleyTerry(prior_games=1.0), played)
    p, e = solved.fitted[0], 1.0 / (1.0 + np.exp(-solved.state["rating"][0] / POINTS))
    h, prior = 3.0 * p * (1.0 - p), 2.0 * e * (1.0 - e)
    q = ((1.0 - p) ** 2 + (0.5 - p) ** 2 + p**2) * 3.0 / 1.0
    assert variance_of_the_gap(solved) == pytest.approx((4.0 * q + 2.0 * prior) / (2.0 * h + prior) ** 2)


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_results_of_a_voter_vary_together(ties: Any) -> None:
    """Two players: the variance of the gap is the sum of the squares of each voter's surprises over that of H."""
    score, voter = [1.0] * 6 + [0.0] * 4 + [1.0] * 2, [1.0] * 3 + [2.0] * 3 + [3.0] * 4 + [4.0] * 2
    solved = solve(BradleyTerry(ties=ties, clusters="voter"), games([0] * 12, [1] * 12, score, voter=voter))
    p = 8.0 / 12.0
    surprise = np.array([3.0 * (1.0 - p), 3.0 * (1.0 - p), -4.0 * p, 2.0 * (1.0 - p)])
    assert variance_of_the_gap(solved) == pytest.approx((surprise**2).sum() * 4.0 / 3.0 / (12.0 * p * (1.0 - p)) ** 2)
    assert solved.degrees == 3.0


def test_with_few_clusters_superiority_is_by_students_t() -> None:
    """One degree of freedom is Cauchy's curve, whose distribution is an arc tangent."""
    played = games([0] * 6, [1] * 6, [1.0, 1.0, 0.0, 1.0, 1.0, 1.0], voter=[1.0] * 3 + [2.0] * 3)
    solved = solve(BradleyTerry(clusters="voter"), played)
    away = log(5.0) / sqrt(variance_of_the_gap(solved))
    assert superiority(solved, 0, 1) == pytest.approx(0.5 + np.arctan(away) / pi)


def test_one_cluster_says_nothing_of_how_sure_ratings_are() -> None:
    with rc.open(":memory:") as engine:
        for day, score in (("2024-03-01", 1.0), ("2024-03-02", 0.0)):
            engine.record(rc.GamePlayed(pool="p", played=day, a="ann", b="bo", score=score, data={"voter": "u1"}))
        listed = engine.rating_list("p", "bradley-terry:clusters=voter")
        assert (listed.values["rating"] == 0.0).all()
        assert np.isnan(listed.values["deviation"]).all()
        assert listed.values["status"] == ("one cluster", "one cluster")


def test_results_without_the_field_are_each_for_themselves() -> None:
    score = [1.0, 1.0, 0.0, 1.0]
    absent = solve(BradleyTerry(clusters="voter"), games([0] * 4, [1] * 4, score, voter=[0.0, 0.0, 1.0, 2.0]))
    each = solve(BradleyTerry(clusters="voter"), games([0] * 4, [1] * 4, score, voter=[1.0, 2.0, 3.0, 4.0]))
    assert absent.state["deviation"] == pytest.approx(each.state["deviation"])


@pytest.mark.parametrize("parameter", ["clusters", "weights"])
def test_a_field_that_no_result_has_is_refused(parameter: str) -> None:
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(pool="p", played="2024-03-01", a="ann", b="bo", score=0.5))
        with pytest.raises(BadParameter, match=f"{parameter}.* names a field that no result has: 'vote'"):
            engine.rating_list("p", f"bradley-terry:{parameter}=vote")


def test_a_result_without_weight_is_left_out() -> None:
    with rc.open(":memory:") as engine:
        for weight, score in ((0.5, 1.0), (1, 0.0), (0, 1.0), ("heavy", 1.0)):
            vote = rc.GamePlayed(pool="p", played="2024-03-01", a="ann", b="bo", score=score, data={"weight": weight})
            engine.record(vote)
        listed = engine.rating_list("p", "bradley-terry:weights=weight")
    assert listed.values["rating"].tolist() == pytest.approx([POINTS * log(2.0) / 2, -POINTS * log(2.0) / 2])
    assert listed.games.tolist() == [2, 2]


@pytest.mark.parametrize("fields", [{}, {"clusters": "voter"}, {"weights": "weight"}])
def test_large_pools_are_as_sure_as_small_ones(fields: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    played = season(home=False)
    voter = np.random.default_rng(4).integers(1, 60, len(played)) * 1.0
    weight = np.array([0.5, 1.0, 2.0])[voter.astype(int) % 3]
    method, played = BradleyTerry(**fields), played.replaced(facts={"voter": voter, "weight": weight})
    small = solve(method, played)
    assert small.covariance is not None
    covariance = small.covariance(0, 3)
    monkeypatch.setattr(module, "DENSE", 4)
    monkeypatch.setattr(curvature, "DENSE", 4)
    large = solve(method, played)
    assert large.covariance is not None
    assert large.state["deviation"] == pytest.approx(small.state["deviation"], rel=0.1)
    assert large.covariance(0, 3) == pytest.approx(covariance, rel=1e-6)


def test_clusters_are_fields_or_days_of_a_log() -> None:
    with rc.open(":memory:") as engine:
        for n, (voter, score) in enumerate([("u1", 1.0), ("u1", 1.0), ("u2", 0.0), ("u2", 0.5), ("u3", 1.0)]):
            day = f"2024-03-0{1 + n // 2}"
            engine.record(rc.GamePlayed(pool="p", played=day, a="ann", b="bo", score=score, data={"voter": voter}))
        by_voter = engine.rating_list("p", "bradley-terry:clusters=voter")
        by_day = engine.rating_list("p", "bradley-terry:clusters=day")
        alone = engine.rating_list("p", "bradley-terry")
        voters, days, plain = (listed.values["deviation"].tolist() for listed in (by_voter, by_day, alone))
        assert voters == days != plain
        assert engine.with_columns(by_voter, "superiority").values["superiority"][0] is not None


def test_deviations_of_gaps_are_those_of_statsmodels() -> None:
    """statsmodels 0.15.0: `GLM(score, X, Binomial()).fit(cov_type="cluster", groups=voter)`, and `cov_type="HC0"`."""
    random, n, voters = np.random.default_rng(5), 12_000, 80
    strength = random.normal(0.0, 0.5, 10)
    a = random.integers(0, 10, n)
    b = (a + random.integers(1, 10, n)) % 10
    voter, taste = random.integers(0, voters, n), random.uniform(-0.15, 0.15, (voters, 10))
    expected = 1.0 / (1.0 + np.exp(strength[b] - strength[a])) + taste[voter, a] - taste[voter, b]
    score = np.where(random.random(n) < 0.3, 0.5, (random.random(n) < expected) * 1.0)
    played = games(a, b, score, voter=voter + 1.0)
    weighty = played.replaced(facts={**played.facts, "weight": random.choice([0.25, 0.5, 1.0, 3.0], n)})
    published = {"voter": [10.8745, 10.3631, 10.4783, 10.6545, 11.1399], None: [8.0284, 7.9392, 8.0897, 8.1010, 8.0062]}
    for clusters, wanted in published.items():
        solved = solve(BradleyTerry(clusters=clusters), played)
        found = [POINTS * sqrt(variance_of_the_gap(solved, 0, i)) for i in range(1, 6)]
        assert found == pytest.approx(wanted, rel=1e-3)
        assert solved.state["rating"][1] - solved.state["rating"][0] == pytest.approx(-27.723, abs=1e-3)
    published = {
        "voter": [13.3814, 11.7517, 12.6910, 11.8288, 13.0436],
        None: [10.7954, 10.6421, 10.9229, 10.9030, 10.8808],
    }
    for clusters, wanted in published.items():  # as above, with `var_weights=weight`
        solved = solve(BradleyTerry(clusters=clusters, weights="weight"), weighty)
        found = [POINTS * sqrt(variance_of_the_gap(solved, 0, i)) for i in range(1, 6)]
        assert found == pytest.approx(wanted, rel=1e-3)
        gaps = solved.state["rating"][1:6] - solved.state["rating"][0]
        assert gaps == pytest.approx([-33.9538, 13.1566, 74.9901, 108.9072, 56.5335], abs=1e-3)


@pytest.mark.parametrize("ties", ["half", "davidson", "rao_kupper"])
@pytest.mark.parametrize("clusters", [None, "voter"])
def test_weights_that_are_all_doubled_change_nothing(ties: Any, clusters: str | None) -> None:
    played = season(12, 150, home=False)
    voter, weight = np.random.default_rng(4).integers(1, 20, (2, 150)) * 1.0
    one, same = (
        solve(
            BradleyTerry(ties=ties, clusters=clusters, weights="weight"),
            played.replaced(facts={"voter": voter, "weight": times * weight}),
        )
        for times in (1.0, 2.0)
    )
    for name in ("rating", "deviation"):
        assert same.state[name] == pytest.approx(one.state[name], rel=1e-9)


def test_a_result_of_weight_two_is_not_two_results() -> None:
    """Three wins and a loss that weigh 2, and a win without a weight: 7 of 9, with the squares of the weights in B."""
    played = games([0] * 5, [1] * 5, [1.0, 1.0, 1.0, 0.0, 1.0], weight=[2.0] * 4 + [float("nan")])
    solved = solve(BradleyTerry(weights="weight"), played)
    p = 7.0 / 9.0
    assert solved.state["rating"][0] - solved.state["rating"][1] == pytest.approx(POINTS * log(p / (1.0 - p)))
    assert variance_of_the_gap(solved) == pytest.approx((4 * 2.0**2 + 1.0) * p * (1.0 - p) / (9.0 * p * (1.0 - p)) ** 2)

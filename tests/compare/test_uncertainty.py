"""Standard errors and intervals of means over games that are not independent."""

from itertools import product
from math import sqrt

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.compare.clusters import Clusters
from ratingcore.compare.losses import Pairings, pair_losses
from ratingcore.compare.played import PlayedSessions
from ratingcore.compare.uncertainty import MeanEstimate, bootstrap, estimate
from ratingcore.methods.strengths import Strengths
from tests.compare.making import clusters_of, random_clusters


def seated(n: int, players: int, sides: int, members: int, months: int = 12, seed: int = 0) -> PlayedSessions:
    """Sessions of random sides over so many months."""
    random = np.random.default_rng(seed)
    with rc.open(":memory:") as engine:
        for number in range(n):
            who = random.permutation(players)[: sides * members].reshape(sides, members).tolist()
            month = number * months // n
            day = f"{2020 + month // 12}-{1 + month % 12:02d}-02"
            teams = [rc.Side([f"p{i}" for i in side], float(place)) for place, side in enumerate(who)]
            engine.record(rc.SessionPlayed(uid=f"{number}", pool="p", played=day, sides=teams, order=number))
        return PlayedSessions.of(engine.core.view("p"))


def test_sessions_of_two_players_are_games() -> None:
    sat = seated(300, 14, 2, 1)
    clusters = Clusters.of_sessions(sat, Pairings.of(sat.result))
    values = np.random.default_rng(1).normal(0.1, 1.0, 300)
    a, b = sat.player[::2].tolist(), sat.player[1::2].tolist()
    assert estimate(values, clusters) == estimate(values, clusters_of(a, b, sat.block.tolist()))


def test_sides_of_sessions_that_share_a_member_are_added_up_two_by_two() -> None:
    sat = seated(60, 16, 3, 2)
    pairings = Pairings.of(sat.result)
    clusters = Clusters.of_sessions(sat, pairings)
    strength = np.add.reduceat(np.random.default_rng(2).normal(1.0, 0.3, 16)[sat.player], sat.side[:-1])
    values = (strength[pairings.i] + strength[pairings.j]) * pairings.weight
    found = estimate(values, clusters)
    off = values - values.sum() / 60 * pairings.weight
    teams = [frozenset(sat.player[sat.side[s] : sat.side[s + 1]].tolist()) for s in range(len(sat.score))]
    rest: dict[frozenset[int], float] = dict.fromkeys(teams, 0.0)
    months: dict[tuple[frozenset[int], int], float] = {}
    meetings: dict[tuple[frozenset[frozenset[int]], int], float] = {}
    games = np.zeros(16)
    rows = (column.tolist() for column in (off, pairings.weight, pairings.session, pairings.i, pairings.j))
    for value, weight, session, *sides in zip(*rows, strict=True):
        month, both = int(sat.block[session]), [teams[side] for side in sides]
        for team in both:
            rest[team] += value
            months[team, month] = months.get((team, month), 0.0) + value
            games[list(team)] += weight
        pair = frozenset(both), month
        meetings[pair] = meetings.get(pair, 0.0) + value
    in_all: dict[frozenset[frozenset[int]], float] = {}
    for (both_of, _), value in meetings.items():
        in_all[both_of] = in_all.get(both_of, 0.0) + value
    left_out = {team: value / (1.0 - games[list(team)].max() / 60) for team, value in rest.items()}
    by_players = sum(x * y for (one, x), (other, y) in product(left_out.items(), repeat=2) if one & other)
    by_players -= sum(value**2 for value in in_all.values())
    shared = sum(
        x * y for ((one, m), x), ((other, k), y) in product(months.items(), repeat=2) if m == k and one & other
    )
    shared -= sum(value**2 for value in meetings.values())
    assert found.by_players == pytest.approx(sqrt(by_players) / 60)
    assert found.by_periods is not None
    by_periods = (found.by_periods * 60) ** 2
    assert found.by_both == pytest.approx(sqrt(max(by_players + by_periods - shared, by_players, by_periods)) / 60)
    assert (found.n, found.players, found.periods) == (60, 16, 12)


@pytest.mark.parametrize(("sides", "members"), [(6, 1), (4, 2), (70, 1)])
def test_where_players_matter_intervals_of_sessions_are_wider_than_by_months_alone(sides: int, members: int) -> None:
    sat = seated(60, 2 * sides * members, sides, members, seed=1)
    pairings = Pairings.of(sat.result)
    effect = np.random.default_rng(3).normal(0.0, 1.0, sat.view.n_players)
    of_side = np.add.reduceat(effect[sat.player], sat.side[:-1])
    values = (of_side[pairings.i] + of_side[pairings.j]) * pairings.weight
    found = estimate(values, Clusters.of_sessions(sat, pairings))
    (low, high), (low_of_months, high_of_months) = found.interval or (0, 0), found.interval_by_periods or (0, 0)
    assert high - low > 1.5 * (high_of_months - low_of_months)


def test_a_session_of_many_sides_is_fewer_pairs_that_add_up_to_its_loss() -> None:
    result, random = np.array([0, 3, 203]), np.random.default_rng(1)
    field, score = Strengths(random.normal(size=203), np.ones(203), "normal"), random.normal(size=203)
    mean, _ = pair_losses(field, result, score)
    made = Pairings.of(result)
    assert np.bincount(np.concatenate([made.i, made.j]), minlength=203)[3:].tolist() == [16] * 200
    np.testing.assert_allclose(np.bincount(made.session, made.losses(field, score, mean)), mean)


def test_bootstrap_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    random, inside = np.random.default_rng(6), 0
    for _ in range(200):
        size = random.integers(5, 40, size=40).astype(float)
        total = size * random.normal(size=40) + random.normal(size=40) * np.sqrt(size)
        found = bootstrap(total, size, seed=1, rounds=400)
        assert found is not None
        inside += found.low <= 0.0 <= found.high
    assert 0.86 <= inside / 200 <= 1.0


def test_a_bootstrap_is_the_same_from_the_same_seed_and_draws_whole_blocks() -> None:
    total, size = np.array([1.0, 5.0, 3.0, 0.0]), np.array([2.0, 4.0, 3.0, 0.0])
    one = bootstrap(total, size, seed=7, rounds=3000)
    assert one == bootstrap(total, size, seed=7, rounds=3000)
    assert one != bootstrap(total, size, seed=8, rounds=3000)
    assert one is not None
    assert one.blocks == 3, "the empty one is not drawn"
    assert (one.low, one.high) == (0.5, 1.25), "three times the worst, three times the best"
    assert bootstrap(total[:1], size[:1]) is None


def test_a_bootstrap_in_pieces_is_one_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    total, size = np.arange(50.0), np.full(50, 10.0)
    whole = bootstrap(total, size, rounds=500)
    monkeypatch.setattr("ratingcore.compare.uncertainty._CELLS", 1000)
    assert bootstrap(total, size, rounds=500) == whole


def test_games_that_share_a_player_or_a_month_are_added_up_two_by_two() -> None:
    clusters, n = random_clusters(400, 30, 24), 400
    values = np.random.default_rng(1).normal(0.1, 1.0, n)
    found, off = estimate(values, clusters), values - values.mean()
    by_players = by_periods = shared = 0.0
    a, b, period = clusters.a.tolist(), clusters.b.tolist(), clusters.period.tolist()
    games_of = np.bincount(np.concatenate([clusters.a, clusters.b]))
    games_in = np.bincount(clusters.period)
    for player in range(30):
        mine = (clusters.a == player) | (clusters.b == player)
        by_players += (off[mine].sum() / (1 - games_of[player] / n)) ** 2
    by_players -= sum(off[g] * off[h] for g, h in product(range(n), repeat=2) if {a[g], b[g]} == {a[h], b[h]})
    for month in range(24):
        by_periods += (off[clusters.period == month].sum() / (1 - games_in[month] / n)) ** 2
    for g, h in product(range(n), repeat=2):
        if period[g] == period[h] and {a[g], b[g]} & {a[h], b[h]}:
            shared += off[g] * off[h]
    assert found.by_players == pytest.approx(sqrt(by_players) / n)
    assert found.by_periods == pytest.approx(sqrt(by_periods) / n)
    assert found.by_both == pytest.approx(sqrt(max(by_players + by_periods - shared, by_players, by_periods)) / n)
    assert (found.n, found.players, found.periods) == (n, 30, 24)


def test_by_periods_it_is_the_jackknife_that_leaves_out_a_month_at_a_time() -> None:
    clusters = random_clusters(400, 20, 15)
    values = np.random.default_rng(2).normal(0.0, 1.0, 15)[clusters.period] + np.random.default_rng(3).normal(size=400)
    without = np.array([values[clusters.period != month].mean() for month in range(15)])
    assert estimate(values, clusters).by_periods == pytest.approx(sqrt(np.square(without - values.mean()).sum()))


def test_with_many_clusters_of_like_size_it_is_the_two_way_formula_of_statsmodels() -> None:
    """Players on one side only, so that a game has one cluster of each kind: nearly the textbook's formula."""
    from statsmodels.regression.linear_model import OLS
    from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

    random, n = np.random.default_rng(4), 40_000
    a, b, period = random.integers(0, 200, n), 200 + np.arange(n), np.sort(random.integers(0, 200, n))
    clusters = clusters_of(a.tolist(), b.tolist(), period.tolist())
    values = random.normal(size=200)[a] + random.normal(size=200)[period] + random.normal(size=n)
    fitted = OLS(values, np.ones(n)).fit()
    both = cov_cluster_2groups(fitted, a, period, use_correction=False)[0]
    assert estimate(values, clusters).by_both == pytest.approx(sqrt(both[0, 0]), rel=0.01)


@pytest.mark.parametrize("few", ["players", "periods"])
def test_under_ten_players_or_ten_months_there_is_no_interval(few: str) -> None:
    players, periods = (9, 40) if few == "players" else (40, 9)
    found = estimate(np.random.default_rng(1).normal(size=500), random_clusters(500, players, periods))
    assert (found.standard_error, found.interval, found.p_value) == (None, None, None)
    assert found.mean is not None


def test_the_interval_is_never_narrower_than_by_players_or_by_months_alone() -> None:
    for seed in range(20):
        values = np.random.default_rng(seed).normal(size=300)
        found = estimate(values, random_clusters(300, 12, 12, seed))
        assert found.interval is not None
        for alone in (found.interval_by_players, found.interval_by_periods):
            assert alone is not None
            assert found.interval[1] >= alone[1]


def test_an_interval_of_a_loss_stays_above_zero() -> None:
    found = MeanEstimate(100, 0.02, 0.1, 0.1, 0.1, 50, 50, 50.0, 50.0)
    low, high = found.interval_above_zero or (None, None)
    assert low is not None
    assert high is not None
    assert 0.0 < low < 0.02 < high
    assert found.interval is not None
    assert found.interval[0] < 0.0


def test_a_player_of_every_game_takes_no_interval_down() -> None:
    n = 300
    others = (1 + np.arange(n) % 30).tolist()
    found = estimate(
        np.random.default_rng(1).normal(size=n), clusters_of([0] * n, others, (np.arange(n) // 20).tolist())
    )
    assert found.margin is not None
    assert np.isfinite(found.margin)


def coverage(players: int, periods: int, n: int, by_player: float, by_period: float, skew: float, rounds: int) -> float:
    """How often the interval holds the truth, which is zero, where players and months both matter."""
    random, inside = np.random.default_rng(1), 0
    who, when = (np.arange(1, size + 1) ** -skew for size in (players, periods))
    for _ in range(rounds):
        a, b = random.choice(players, (2, n), p=who / who.sum())
        apart = a != b
        a, b = a[apart], b[apart]
        period = np.sort(random.choice(periods, len(a), p=when / when.sum()))
        effect = random.normal(0.0, by_player, players)
        values = effect[a] + effect[b] + random.normal(0.0, by_period, periods)[period] + random.normal(size=len(a))
        low, high = estimate(
            values, Clusters(a, b, np.minimum(a, b) * players + np.maximum(a, b), period)
        ).interval or (1, 0)
        inside += low <= 0.0 <= high
    return inside / rounds


@pytest.mark.parametrize(
    ("players", "periods", "n", "by_player", "by_period"),
    [(40, 40, 800, 0.3, 0.3), (40, 40, 800, 1.0, 2.0), (100, 36, 2000, 0.3, 0.3), (20, 24, 600, 0.5, 0.5)],
)
def test_where_players_and_months_both_matter_intervals_hold_the_truth_as_often_as_they_say(
    players: int, periods: int, n: int, by_player: float, by_period: float
) -> None:
    assert 0.93 <= coverage(players, periods, n, by_player, by_period, 0.0, 500) <= 0.97


@pytest.mark.parametrize(("players", "periods", "n"), [(40, 40, 800), (100, 60, 2000), (30, 12, 1000)])
def test_where_few_players_and_months_have_most_games_intervals_hold_the_truth_nine_times_in_ten(
    players: int, periods: int, n: int
) -> None:
    assert coverage(players, periods, n, 0.4, 0.4, 1.0, 400) >= 0.9


def test_intervals_that_took_games_for_independent_would_not() -> None:
    random, inside = np.random.default_rng(5), 0
    for _ in range(200):
        period = np.arange(800) // 20
        values = 2 * random.normal(size=40)[period] + random.normal(size=800)
        inside += abs(values.mean()) <= 1.96 * values.std() / sqrt(800)
    assert inside / 200 < 0.6

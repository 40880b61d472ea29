"""Scores of forecasts: the worked numbers of the specification, other libraries, and what cannot be scored."""

from math import nan

import numpy as np
import pytest

from ratingcore.compare.burn_in import BurnIn
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.scores import binary, common, losses, outcome_scores, outcomes, reliability, scores, wilson
from ratingcore.errors import BadValue
from tests.compare.making import games_of, league, told
from tests.compare.test_forecasts import eng_method
from tests.tables.making import POOL, engine, game

P, Y = np.array([0.9, 0.6, 0.3, 0.55, 0.8]), np.array([1.0, 0.0, 0.0, 1.0, 1.0])


def made_up(n: int, seed: int = 0, draws: bool = False) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    p = random.uniform(0.02, 0.98, n)
    y = (random.random(n) < p).astype(float)
    if draws:
        y[random.random(n) < 0.3] = 0.5
    return p, y


def test_the_worked_numbers_of_a_share() -> None:
    found = binary(P, Y)
    assert (found.n, found.unrated, found.left_out) == (5, 0, 0)
    assert found.log_loss == pytest.approx(0.439861, abs=5e-7)
    assert found.brier == pytest.approx(0.1405, abs=1e-12)
    assert found.accuracy == pytest.approx(0.8, abs=1e-12)
    assert found.ece == pytest.approx(0.33, abs=1e-12)
    assert found.deviance == pytest.approx(0.191029, abs=5e-7)


def test_the_worked_numbers_of_three_outcomes() -> None:
    found = outcomes(np.array([0.5, 0.2]), np.array([0.3, 0.3]), np.array([0.2, 0.5]), np.array([1.0, 0.5]))
    assert found.rps == pytest.approx(0.145, abs=1e-12)
    assert found.log_loss == pytest.approx(0.948560, abs=5e-7)
    assert found.brier == pytest.approx(0.58, abs=1e-12)


def test_scikit_learn_says_the_same() -> None:
    from sklearn.calibration import calibration_curve
    from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

    p, y = made_up(2000)
    found, table = binary(p, y), reliability(p, y)
    assert found.log_loss == pytest.approx(log_loss(y, p), abs=1e-12)
    assert found.brier == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    assert found.accuracy == pytest.approx(accuracy_score(y == 1, p > 0.5), abs=1e-12)
    scored, expected = calibration_curve(y, p, n_bins=10)
    assert table.scored == pytest.approx(scored, abs=1e-12)
    assert table.expected == pytest.approx(expected, abs=1e-12)


def test_scikit_learn_says_the_same_of_three_outcomes() -> None:
    from sklearn.metrics import log_loss

    random = np.random.default_rng(3)
    chances, y = random.dirichlet([3, 2, 3], 500), random.choice([1.0, 0.5, 0.0], 500)
    found = outcomes(*chances.T, y)
    assert found.log_loss == pytest.approx(log_loss(2 - 2 * y, chances, labels=[0, 1, 2]), abs=1e-12)
    came = np.column_stack([y == 1, y == 0.5, y == 0]).astype(float)
    assert found.brier == pytest.approx(np.square(chances - came).sum(axis=1).mean(), abs=1e-12)
    steps = np.cumsum(chances - came, axis=1)[:, :2]
    assert found.rps == pytest.approx(np.square(steps).sum(axis=1).mean() / 2, abs=1e-12)


@pytest.mark.parametrize("draws", [False, True])
def test_statsmodels_gives_the_same_wilson_intervals(draws: bool) -> None:
    from statsmodels.stats.proportion import proportion_confint

    table = reliability(*made_up(300, 1, draws))
    low, high = proportion_confint(table.scored * table.n, table.n, method="wilson")
    assert table.from_ == pytest.approx(low, abs=1e-12)
    assert table.to == pytest.approx(high, abs=1e-12)
    low, high = proportion_confint(3, 7, alpha=0.2, method="wilson")
    assert [bound[0] for bound in wilson(np.array([3 / 7]), np.array([7]), 0.8)] == pytest.approx([low, high])


def test_a_half_score_loses_half_of_either_logarithm() -> None:
    assert losses(np.array([0.8]), np.array([0.5])) == pytest.approx([-(np.log(0.8) + np.log(0.2)) / 2])
    assert losses(np.array([0.8]), np.array([0.25])) == pytest.approx([-(np.log(0.8) * 0.25 + np.log(0.2) * 0.75)])


def test_certain_forecasts_are_clipped() -> None:
    loss = losses(np.array([0.0, 1.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.5]))
    worst, turned = -np.log(1e-15), -np.log(1.0 - (1.0 - 1e-15))
    assert loss == pytest.approx([worst, turned, 0.0, worst / 2], abs=1e-9)
    assert binary(np.array([0.0]), np.array([1.0])).deviance == pytest.approx(2.0)
    assert binary(np.array([1.0]), np.array([1.0])).deviance == pytest.approx(-np.log10(0.99))


def test_a_draw_and_a_forecast_of_one_half_count_one_half() -> None:
    assert binary(np.array([0.5, 0.7, 0.7, 0.3]), np.array([1.0, 0.5, 1.0, 1.0])).accuracy == pytest.approx(0.5)


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


# bad input


def test_no_games_have_no_scores() -> None:
    none = np.empty(0)
    assert binary(none, none) == (0, 0, 0, None, None, None, None, None)
    assert outcomes(none, none, none, none) == (0, 0, 0, None, None, None)
    assert len(reliability(none, none).n) == 0
    assert reliability(none, none).ece is None


def test_games_of_the_unrated_are_counted_apart() -> None:
    found = binary(np.append(P, nan), np.append(Y, 1.0))
    assert found == binary(P, Y)._replace(unrated=1)
    all_unrated = binary(np.full(3, nan), np.ones(3))
    assert (all_unrated.n, all_unrated.unrated, all_unrated.log_loss) == (0, 3, None)


def test_all_draws() -> None:
    found = binary(np.full(4, 0.5), np.full(4, 0.5))
    assert found.log_loss == pytest.approx(np.log(2))
    assert (found.brier, found.accuracy, found.ece) == (0.0, 0.5, 0.0)


@pytest.mark.parametrize("p", [1.2, -0.1, np.inf])
def test_a_forecast_out_of_range_is_refused_by_name(p: float) -> None:
    with pytest.raises(BadValue, match=f"forecast of odd of game 2 is not from 0 to 1: {p}"):
        scores(told([0.5, p], "odd"), games_of(engine(game(1, "a", "b"), game(2, "a", "b"))))


def test_a_score_out_of_range_and_columns_of_two_lengths_are_refused() -> None:
    with pytest.raises(BadValue, match="score of game 1"):
        binary(np.array([0.5]), np.array([nan]))
    with pytest.raises(BadValue, match="not one a game"):
        binary(np.array([0.5]), np.array([1.0, 0.0]))
    with pytest.raises(BadValue, match="do not add up to 1"):
        outcomes(np.array([0.5]), np.array([0.5]), np.array([0.5]), np.array([1.0]))


# methods


def test_three_outcomes_are_scored_only_for_methods_that_give_draws() -> None:
    eng = engine(game(1, "a", "b", 0.5), game(2, "a", "b"))
    played, view = games_of(eng), eng.view(POOL)
    assert outcome_scores(forecast(eng_method("elo"), view), played) is None
    found = outcome_scores(forecast(eng_method("elo:curve=normal,draw_band=50"), view), played)
    assert found is not None
    assert found.n == 2
    assert found.rps is not None


def test_only_games_that_every_method_forecasts_are_common() -> None:
    one, other = told([0.5, nan, 0.5]), told([nan, 0.5, 0.5])
    found = common([one, other])
    assert found is not None
    assert found.tolist() == [False, False, True]
    assert common([told([0.5, 0.5])]) is None
    assert common([one, other, told([nan, nan, nan])]) is not None
    assert found.tolist() == common([one, other, told([nan, nan, nan])]).tolist()  # type: ignore[union-attr]  # as above


# burn-in


@pytest.mark.parametrize(
    ("text", "scored"),
    [("none", 5), ("games(2)", 3), ("games(9)", 0), ("each(1)", 3), ("each(2)", 1), ("days(3)", 2), ("days(0)", 5)],
)
def test_burn_in_leaves_games_out_of_the_scores(text: str, scored: int) -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"), game(3, "b", "c"), game(4, "c", "a"), game(5, "a", "b"))
    played, which = games_of(eng), BurnIn.parse(text).scored(games_of(eng))
    found = scores(forecast(eng_method("elo"), eng.view(POOL)), played, which)
    assert (found.n, found.left_out, found.unrated) == (scored, 5 - scored, 0)


def test_what_burns_in_is_rated_all_the_same() -> None:
    eng = league(100)
    played, found = games_of(eng), forecast(eng_method("elo"), eng.view(POOL))
    which = BurnIn.parse("games(60)").scored(played)
    assert scores(found, played, which)._replace(left_out=0) == binary(found.expected[60:], played.score[60:])


@pytest.mark.parametrize("text", ["", "games", "games(x)", "weeks(3)", "none(1)", "days(-1)", "each(1.5)"])
def test_a_burn_in_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="burn-in"):
        BurnIn.parse(text)


@pytest.mark.parametrize("text", ["none", "games(10)", "each(3)", "days(365)"])
def test_a_burn_in_is_spelt_as_it_is_read(text: str) -> None:
    assert str(BurnIn.parse(text)) == text

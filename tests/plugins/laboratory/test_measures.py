"""How near to the truth: measures of a round, and several seeds together."""

from math import isnan, nan

import numpy as np
import pytest
from ratingcore_laboratory import MEASURES, Band, Measures

from ratingcore.errors import BadValue
from tests.plugins.laboratory.making import run


def test_largest_and_smallest_distance_name_their_players() -> None:
    found = Measures.of(np.array([3, 5, 8]), np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, -4.0]), 7)
    assert (found.mean, found.largest, found.whose_largest) == (8.0 / 3.0, 7.0, 8)
    assert (found.smallest, found.whose_smallest, found.shift, found.games) == (0.0, 5, -2.0, 7)


def test_who_is_unrated_is_active_and_not_compared() -> None:
    found = Measures.of(np.arange(3), np.array([1.0, 2.0, 3.0]), np.array([nan, 2.0, 4.0]))
    assert (found.active, found.rated, found.mean, found.whose_largest) == (3, 2, 0.5, 2)


@pytest.mark.parametrize("estimated", [[], [nan, nan]])
def test_without_rated_players_nothing_is_defined(estimated: list[float]) -> None:
    found = Measures.of(np.arange(len(estimated)), np.zeros(len(estimated)), np.array(estimated, dtype=float))
    assert (found.active, found.rated) == (len(estimated), 0)
    assert all(getattr(found, name) is None for name in MEASURES if name not in ("active", "rated", "games"))
    assert isnan(found.number("kendall"))


def test_equal_ratings_have_distances_and_no_correlation() -> None:
    found = Measures.of(np.arange(3), np.array([1.0, 2.0, 3.0]), np.full(3, 2.0))
    assert (found.mean, found.pearson, found.kendall, found.spearman, found.ppcc) == (2.0 / 3.0, None, None, None, None)


def test_a_band_holds_every_seed() -> None:
    trials = [run("elo", seed=seed) for seed in (1, 2, 3)]
    band = Band.of(trials, "elo", "mean")
    curves = [trial.series("elo", "mean") for trial in trials]
    assert band.lowest.tolist() == np.min(curves, axis=0).tolist()
    assert band.highest.tolist() == np.max(curves, axis=0).tolist()
    assert band.mean == pytest.approx(np.mean(curves, axis=0))
    assert len(Band.of([], "elo", "mean").mean) == 0


def test_unknown_measures_and_contenders_are_refused() -> None:
    trial = run("elo")
    with pytest.raises(BadValue, match="must be one of active"):
        trial.series("elo", "accuracy")
    with pytest.raises(BadValue, match="must be one of elo"):
        trial.series("glicko", "mean")

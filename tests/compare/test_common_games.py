"""The games that several methods can all forecast."""

from math import nan

from ratingcore.compare.common_games import common
from tests.compare.making import told


def test_only_games_that_every_method_forecasts_are_common() -> None:
    one, other = told([0.5, nan, 0.5]), told([nan, 0.5, 0.5])
    found = common([one, other])
    assert found is not None
    assert found.tolist() == [False, False, True]
    assert common([told([0.5, 0.5])]) is None
    assert common([one, other, told([nan, nan, nan])]) is not None
    assert found.tolist() == common([one, other, told([nan, nan, nan])]).tolist()  # type: ignore[union-attr]  # as above

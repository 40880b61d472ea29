"""Retrospective methods: one call with everything."""

from ratingcore.events import DAY
from tests.replay.leagues import league, run
from tests.replay.toys import Whole


def test_a_whole_pool_method_is_called_once_with_everything() -> None:
    method = Whole()
    replay = run(method, league(games=30), through=100 * DAY)
    assert len(method.calls) == 1
    assert method.calls[0].positions == replay.results.position.tolist()
    assert replay.moves is None
    assert replay.fitted is not None
    assert len(replay.fitted) == len(replay.results)

"""TrueSkill through time: published numbers, order, draws, what is refused."""

import numpy as np
import pytest
from ratingcore_trueskill import TrueSkillThroughTime

from ratingcore.errors import BadParameter, BadResult
from ratingcore.plugin import DAY, Games, Span, State
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games


def test_three_who_each_beat_the_next_are_equals() -> None:
    """Published: all means 0, deviation 2.395."""
    method = TrueSkillThroughTime(gamma=0.0)
    state = method.rate(State.start(method.columns(), 3), games([0, 1, 2], [1, 2, 0], [1.0] * 3)).state
    assert state["rating"] == pytest.approx([0.0] * 3, abs=1e-8)
    assert state["deviation"] == pytest.approx([2.395] * 3, abs=1e-3)


def test_without_drift_the_order_of_games_is_of_no_account() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 8, 60)
    b, score = (a + rng.integers(1, 8, 60)) % 8, rng.choice([0.0, 0.5, 1.0], 60)
    method = TrueSkillThroughTime(gamma=0.0, draw_chance=0.2)
    start = State.start(method.columns(), 8)
    one, back = method.rate(start, games(a, b, score)), method.rate(start, games(a[::-1], b[::-1], score[::-1]))
    assert one.state["rating"] == pytest.approx(back.state["rating"], abs=1e-8)
    assert one.state["deviation"] == pytest.approx(back.state["deviation"], abs=1e-8)


def test_what_later_games_tell_corrects_the_past() -> None:
    day = np.array([1, 100, 101]) * DAY
    at = np.arange(1, 4)
    results = Games(np.array([0, 1, 1]), np.array([1, 2, 2]), np.array([1.0, 1.0, 1.0]), day, at, Span(0, 200 * DAY))
    method = TrueSkillThroughTime()
    start = State.start(method.columns(), 3)
    early, late = method.rate(start, results.part(0, 1)), method.rate(start, results)
    assert late.state["rating"][0] > early.state["rating"][0]
    assert late.track is not None
    assert late.track.player.tolist() == [0, 1, 1, 1, 2, 2]


def test_nonsense_is_refused() -> None:
    with pytest.raises(BadParameter, match="draw_chance"):
        TrueSkillThroughTime(draw_chance=1.0)
    method = TrueSkillThroughTime()
    with pytest.raises(BadResult, match="it has no score"):
        method.rate(State.start(method.columns(), 2), games([0], [1], [np.nan]))


@method_checks(TrueSkillThroughTime(), TrueSkillThroughTime(gamma=0.0, draw_chance=0.3, initial=25.0))
def test_trueskill_through_time_keeps_the_laws(law: Law, method: TrueSkillThroughTime) -> None:
    law(method)

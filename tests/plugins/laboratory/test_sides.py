"""Worlds of sides: pairs whose partners change."""

import numpy as np
import pytest
from attrs import evolve
from ratingcore_laboratory import Contender, Laboratory

from ratingcore.errors import BadField
from tests.plugins.laboratory.making import SMALL, contender, method, run

BRIDGE = "bridge-bayes:initial=1100,deviation=400"


def test_partners_are_drawn_anew_each_round_and_kept_within_it() -> None:
    trial = run(BRIDGE, seats=2, keep=True)
    rounds = [part.results for part in trial.standings[0].round_results if len(part.results)]
    assert len(rounds) == SMALL.rounds
    seen = []
    for played in rounds:
        sides = {tuple(side) for side in np.concatenate([played.a, played.b]).tolist()}
        members = [who for side in sides for who in side]
        assert len(members) == len(set(members))  # nobody has two partners in one round
        seen.append({frozenset(side) for side in sides})
    assert len(seen[0] & seen[1]) < 5


def test_partners_become_known_apart() -> None:
    world = evolve(
        SMALL, seats=2, rounds=25, games_mean=20.0, noise=2.0, joining_mean=0.0, joining_sd=0.0, leaving_mean=0.0,
        leaving_sd=0.0,
    )  # fmt: skip
    bridge = Contender("bridge", method(f"{BRIDGE},sigma1=2"))
    trial = Laboratory(world, [bridge], 2).run()
    kendall = trial.series("bridge", "kendall")
    assert kendall[-1] > 0.75
    assert kendall[-1] > kendall[0] + 0.1


@pytest.mark.parametrize("seats", [3, 70])
def test_who_is_left_over_sits_out(seats: int) -> None:
    trial = run(BRIDGE, seats=seats, keep=True)
    standing = trial.standings[0]
    assert standing.games.sum() == 2 * seats * sum(m.games for m in standing.measures)
    assert (standing.games.sum() == 0) == (seats == 70)


def test_percentages_are_no_imps() -> None:
    with pytest.raises(BadField, match="unit must be one of imp"):
        run("bridge-bayes:unit=imp,k=0.01", seats=2)


def test_a_start_is_planted_for_sides_too() -> None:
    one = Contender("one", method("bridge-bayes"), start=1100.0)
    trial = Laboratory(evolve(SMALL, seats=2, games_mean=0.0), [one, contender(BRIDGE)], 1).run()
    assert set(trial["one"].estimated.tolist()) == {1100.0}

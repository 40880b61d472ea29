"""The search for settings, on scores that are made up."""

from collections.abc import Sequence
from math import isnan, nan

import pytest

from ratingcore.compare.ranges import axes
from ratingcore.compare.search import Setting, Trial, search
from ratingcore.errors import BadGrid


def trial(setting: Setting, train: float) -> Trial:
    return Trial(setting, "", train, 0.5, 100, 100)


def bowl(settings: Sequence[Setting]) -> list[Trial]:
    """Log loss with its least at k = 37 and home = 55."""
    return [trial(s, 0.5 + (float(s[0]) - 37) ** 2 / 1e4 + (float(s[1]) - 55) ** 2 / 1e5) for s in settings]


def best_of(seen: Sequence[Trial]) -> Trial:
    return min((t for t in seen if not isnan(t.train)), key=lambda t: t.train)


def test_a_grid_tries_every_combination_once() -> None:
    seen = search(bowl, axes({"k": "8:16:4", "home": (0, 50)}), "grid", "log_loss", 60, 0)
    assert [t.setting for t in seen] == [(k, home) for k in ("8", "12", "16") for home in ("0", "50")]


def test_a_grid_of_too_many_is_refused() -> None:
    with pytest.raises(BadGrid, match="it makes 4,004,001 settings, 100,000 are the most"):
        search(bowl, axes({"k": "0:2000:1", "home": "0:2000:1"}), "grid", "log_loss", 60, 0)


def test_random_settings_are_as_many_as_asked_all_different_and_the_same_for_a_seed() -> None:
    tried = axes({"k": "8:64", "home": (0, 50)})
    one, again, other = ([t.setting for t in search(bowl, tried, "random", "log_loss", 25, s)] for s in (1, 1, 2))
    assert one == again != other
    assert len(set(one)) == 25


def test_random_settings_are_fewer_where_there_are_not_so_many() -> None:
    seen = search(bowl, axes({"k": (1, 2), "home": (3, 4)}), "random", "log_loss", 25, 0)
    assert len(seen) == len({t.setting for t in seen}) == 4


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_an_optimiser_finds_the_bottom_within_its_evaluations(seed: int) -> None:
    seen = search(bowl, axes({"k": "8:64", "home": "0:120"}), "optimise", "log_loss", 90, seed)
    best = best_of(seen)
    assert len(seen) <= 90
    assert [float(value) for value in best.setting] == pytest.approx([37.0, 55.0], abs=1.0)


def test_an_optimiser_of_accuracy_goes_uphill() -> None:
    def hill(settings: Sequence[Setting]) -> list[Trial]:
        return [trial(s, 1.0 - (float(s[0]) - 20) ** 2 / 1e4) for s in settings]

    best = max(search(hill, axes({"k": "8:64"}), "optimise", "accuracy", 40, 0), key=lambda t: t.train)
    assert float(best.setting[0]) == pytest.approx(20.0, abs=0.5)


def test_an_optimiser_steps_over_settings_without_a_score() -> None:
    def holed(settings: Sequence[Setting]) -> list[Trial]:
        return [trial(s, nan if float(s[0]) > 40 else (float(s[0]) - 30) ** 2) for s in settings]

    seen = search(holed, axes({"k": "8:64"}), "optimise", "log_loss", 40, 0)
    assert float(best_of(seen).setting[0]) == pytest.approx(30.0, abs=0.5)


def test_an_optimiser_refuses_choices() -> None:
    with pytest.raises(BadGrid, match="home is a choice, an optimiser wants a range: 0,50"):
        search(bowl, axes({"k": "8:64", "home": (0, 50)}), "optimise", "log_loss", 60, 0)

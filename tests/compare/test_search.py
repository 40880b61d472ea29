"""Values to try, and the search among them."""

from collections.abc import Sequence
from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from ratingcore.compare.search import Choices, Range, Setting, Trial, axes, search, spelt
from ratingcore.errors import BadGrid


@pytest.mark.parametrize(
    ("tried", "values"),
    [
        ("8:20:4", ("8", "12", "16", "20")),
        ("8:19:4", ("8", "12", "16")),
        ("0:1:0.1", tuple(f"{n / 10:g}" for n in range(11))),
        ("-40:40:40", ("-40", "0", "40")),
        ("0, 20 ,40", ("0", "20", "40")),
        ("20,20,30", ("20", "30")),
        ("trial(5,periodic),at_start", ("trial(5,periodic)", "at_start")),
        ("cuts(2020-01-01;2021-01-01)", ("cuts(2020-01-01;2021-01-01)",)),
        ((0, 20.5, 40), ("0", "20.5", "40")),
        (np.linspace(0.0, 0.3, 4), ("0", "0.1", "0.2", "0.3")),
        ([True, None, "month"], ("true", "none", "month")),
        (24, ("24",)),
    ],
)
def test_values_of_a_grid(tried: Any, values: tuple[str, ...]) -> None:
    assert axes({"k": tried})[0].values == values


@pytest.mark.parametrize(
    ("tried", "told"),
    [
        ("64:8:4", "grid: k goes from 64 to 8"),
        ("8:8", "grid: k goes from 8 to 8"),
        ("8:64:0", "grid: k has a step that is not a positive number: 0"),
        ("8:64:nan", "grid: k has a step that is not a positive number: nan"),
        ("0:inf:1", "grid: k goes from 0 to inf"),
        ("a:b", "grid: k is not a range: 'a:b'"),
        ("1:2:3:4", "grid: k is not a range: '1:2:3:4'"),
        ("", "grid: k has an empty value"),
        ("8,,9", "grid: k has an empty value"),
        ((), "grid: k has no value to try"),
        ("0:1:1e-9", "grid: k has more than 100,000 values: 0:1:1e-09"),
    ],
)
def test_what_cannot_be_tried_is_refused(tried: Any, told: str) -> None:
    with pytest.raises(BadGrid) as refused:
        axes({"k": tried})
    assert str(refused.value) == told


def test_a_grid_of_nothing_is_refused() -> None:
    with pytest.raises(BadGrid, match=r"^grid: names no parameter$"):
        axes({})


def test_a_range_without_a_step_makes_no_grid_and_says_what_to_do() -> None:
    with pytest.raises(BadGrid, match="k has no step: 8:64") as refused:
        axes({"k": "8:64"})[0].values  # noqa: B018  # what is asked for is refused
    assert refused.value.hint == "write k=8:64:STEP, or try how=optimise"


def test_what_is_drawn_lies_in_the_range_and_on_its_steps() -> None:
    random = np.random.default_rng(1)
    free, stepped = Range("k", 8.0, 64.0), Range("k", 8.0, 64.0, 7.0)
    assert all(8.0 <= float(free.drawn(random)) <= 64.0 for _ in range(100))
    assert {stepped.drawn(random) for _ in range(200)} == set(stepped.values)
    assert {Choices("k", ("1", "2")).drawn(random) for _ in range(50)} == {"1", "2"}


def test_shares_of_a_range_are_its_numbers() -> None:
    assert [Range("k", 8.0, 64.0).at(share) for share in (-1.0, 0.0, 0.5, 1.0, 2.0)] == ["8", "8", "36", "64", "64"]
    assert [Range("k", 8.0, 64.0, 10.0).at(share) for share in (0.0, 0.5, 1.0)] == ["8", "38", "58"]


def test_negative_zero_is_zero() -> None:
    assert spelt(-0.0) == "0"


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
    with pytest.raises(BadGrid, match="it makes 4,004,001 settings; at most 100,000 can be tried"):
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
    with pytest.raises(BadGrid, match="home is a list of values, but optimise needs a range: 0,50"):
        search(bowl, axes({"k": "8:64", "home": (0, 50)}), "optimise", "log_loss", 60, 0)

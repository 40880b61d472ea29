"""European shogi ratings: the worked numbers of the README, categories and corner cases."""

from typing import Any

import numpy as np
import pytest
from ratingcore_fesa import Fesa
from ratingcore_fesa.points import CATEGORIES, category, moved

from ratingcore.engine import Engine
from ratingcore.events import RatingSeeded
from ratingcore.plugin import Period
from ratingcore.testing import Law, method_checks
from tests.columns.making import POOL, engine, game
from tests.golden.playing import games, rated


def test_every_game_is_rounded_and_not_their_sum() -> None:
    """Twice +13.715 is 28 and not 27; twice -10.285 is -20 and not -21."""
    won = rated(Fesa(), [1650.0, 1700.0], games([0, 0], [1, 1], [1.0, 1.0]))
    lost = rated(Fesa(), [1650.0, 1700.0], games([0, 0], [1, 1], [0.0, 0.0]))
    assert (won.state["rating"][0], lost.state["rating"][0]) == (1678.0, 1630.0)


def test_an_opponent_counts_as_400_at_least() -> None:
    low, at = (moved(np.array([800.0]), np.array([r]), np.array([0.0]))[0] for r in (1.0, 400.0))
    assert low == at
    first, second = rated(Fesa(), [100.0, 50.0], games([0], [1], [1.0])).change
    assert (first[0], second[0]) == (75.0, -5.0)


@pytest.mark.parametrize(("gap", "second"), [(103.0, False), (103.1, True)])
def test_the_second_formula_takes_over_above_a_gap_of_103(gap: float, second: bool) -> None:
    """At 103.06, and for wins only."""
    rating, opponent = np.array([1600.0]), np.array([1600.0 + gap])
    win = moved(rating, opponent, np.array([1.0]))[0]
    assert bool(win == 24.0 * (opponent - rating)[0] / 160.0) is second
    assert moved(rating, opponent, np.array([0.5]))[0] < 12.0


@pytest.mark.parametrize(
    ("counted", "won", "lost", "word"),
    [
        (0, 0, 0, "unrated"), (8, 4, 4, "unrated"), (9, 5, 4, "provisional"), (9, 9, 0, "unrated"),
        (40, 0, 40, "unrated"), (9, 0, 0, "provisional"), (17, 8, 9, "provisional"), (18, 9, 9, "established"),
    ],
)  # fmt: skip
def test_the_categories(counted: float, won: float, lost: float, word: str) -> None:
    """Fewer than 9 games, or only wins or only losses; fewer than 18; the rest."""
    code = category(*(np.array([float(x)]) for x in (counted, won, lost)))[0]
    assert CATEGORIES[int(code)] == word


def club() -> Engine:
    seeded = RatingSeeded(
        pool=POOL, played=0, player="bo", values={"rating": 1500.0, "counted": 10.0, "won": 5.0, "lost": 5.0}
    )
    first = [game(1 + n / 100, "ann", "bo", n % 2, data={"event": "spring"}) for n in range(8)]
    return engine(seeded, *first, game(30, "ann", "bo", 0.5, data={"event": "autumn"}))


def test_counts_include_the_tournament_that_is_rated_and_seeds_may_bring_some() -> None:
    def categories(through: str) -> dict[Any, Any]:
        return {row["player"]: row["category"] for row in club().rating_list(POOL, Fesa(), through=through)}

    assert categories("1970-01-01") == {"bo": "provisional"}
    assert categories("1970-01-10") == {"ann": "unrated", "bo": "established"}
    assert categories("1970-02-10") == {"ann": "provisional", "bo": "established"}


def test_a_tournament_uses_the_ratings_before_it() -> None:
    both = rated(Fesa(), [1200.0, 1300.0], games([0, 0], [1, 1], [1.0, 0.0]))
    assert both.expected[0] == both.expected[1] == pytest.approx(1.0 / (1.0 + 10.0**0.25))


@method_checks(Fesa(), Fesa(initial=1600.0), Fesa(initial=100.0, period=Period.parse("month")))
def test_fesa_keeps_the_laws(law: Law, method: Fesa) -> None:
    law(method)

"""The periods over which a pool is watched."""

import pytest

from ratingcore.compare.spans import chosen_period, spans
from ratingcore.errors import BadValue
from ratingcore.events import instant, iso
from ratingcore.methods.periods import Period
from tests.columns.making import POOL, engine, game, seed


@pytest.mark.parametrize(
    ("last", "period"), [("2000-02-01", "month"), ("2004-06-01", "quarter"), ("2050-01-01", "year")]
)
def test_the_length_of_the_history_chooses_the_period(last: str, period: str) -> None:
    assert str(chosen_period(instant("2000-01-01"), instant(last))) == period


def test_edges_go_from_the_first_result_to_the_last_whatever_seeds_there_are() -> None:
    view = engine(seed(0, "a"), game(40, "a", "b"), game(100, "a", "b"), seed(400, "b")).view(POOL)
    period, edges = spans(view)
    assert str(period) == "month"
    assert [iso(edge) for edge in edges.tolist()] == ["1970-02-01", "1970-03-01", "1970-04-01", "1970-05-01"]


def test_given_periods_and_cuts_are_kept() -> None:
    view = engine(game(0, "a", "b"), game(20, "a", "b")).view(POOL)
    assert len(spans(view, "days(7)")[1]) == 5
    assert [iso(edge) for edge in spans(view, Period.parse("cuts(1970-01-10)"))[1].tolist()[:2]] == [
        "1970-01-01", "1970-01-10",
    ]  # fmt: skip


def test_nothing_played_has_no_periods() -> None:
    period, edges = spans(engine(seed(0, "a")).view(POOL))
    assert (period, len(edges)) == (None, 0)


@pytest.mark.parametrize("period", ["event", "days(1)", "fortnight"])
def test_tournaments_too_many_periods_and_no_periods_are_refused(period: str) -> None:
    with pytest.raises(BadValue, match="period"):
        spans(engine(game(0, "a", "b"), game(20_000, "a", "b")).view(POOL), period)

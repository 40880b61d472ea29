"""Published lists as cuts in the log."""

import pytest

from ratingcore.engine import Engine
from ratingcore.errors import BadCut, SeveralLists, UnknownList
from ratingcore.lists import Published
from tests.columns.making import POOL, game
from tests.engine import publishing
from tests.engine.publishing import engine

eng = publishing.eng


def test_a_published_list_is_a_cut_in_the_log(eng: Engine) -> None:
    published = eng.publish(eng.rating_list(POOL, "elo", known_at=2), "2024-03")
    found = eng.published_list("2024-03")
    for cut in (published, found, "2024-03", " 2024-03 ", "list:2024-03"):
        assert eng.position(cut) == 2
        assert eng.rating_list(POOL, "elo", known_at=cut).digest == found.digest
        assert eng.history(POOL, "bo", "elo", known_at=cut)[-1].played == 19 * 86_400_000_000 + 86_400_000_000


def test_a_position_or_a_time_is_meant_before_a_name(eng: Engine) -> None:
    found = eng.rating_list(POOL, "elo", known_at=1)
    for name in ("3", "2999-01-01"):
        eng.publish(found, name)
        assert eng.position(f"list:{name}") == 1
    assert eng.position("3") == 3
    assert eng.position("2999-01-01") == eng.log.head.position


def test_of_several_pools_the_list_of_the_pool_is_meant(eng: Engine) -> None:
    eng.record(game(1, "x", "y", pool="other"), game(2, "x", "y", pool="other"))
    eng.publish(eng.rating_list(POOL, "elo", known_at=2), "list")
    eng.publish(eng.rating_list("other", "elo", known_at=6), "list")
    assert eng.rating_list(POOL, "elo", known_at="list").known_at == 2
    assert eng.rating_list("other", "elo", known_at="list").known_at == 6
    with pytest.raises(SeveralLists, match="lists of several pools were published as list: club, other"):
        eng.position("list")
    with pytest.raises(SeveralLists):
        eng.published_list("list")


@pytest.mark.parametrize(("cut", "error"), [("april", BadCut), ("list:april", UnknownList)])
def test_a_cut_that_names_nothing_is_refused(eng: Engine, cut: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="april"):
        eng.rating_list(POOL, "elo", known_at=cut)


def test_a_list_of_another_log_is_no_cut(eng: Engine) -> None:
    other = engine(game(1, "ann", "bo"))
    with pytest.raises(BadCut, match="is no head of this log"):
        eng.position(other.rating_list(POOL, "elo"))
    published: Published = other.publish(other.rating_list(POOL, "elo"), "list")
    with pytest.raises(BadCut, match="is no head of this log"):
        eng.position(published)

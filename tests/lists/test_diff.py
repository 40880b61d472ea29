"""Two lists side by side: who moved, who came, who is gone."""

from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.lists import RatingList
from ratingcore.lists.diff import ListDiff
from tests.columns.making import POOL, engine, game, seed
from tests.replay.toys import Unrated


def listed(eng: Engine, known_at: int | None = None) -> RatingList:
    return eng.rating_list(POOL, Elo(), known_at=known_at)


def test_a_list_differs_from_itself_in_nothing() -> None:
    found = listed(engine(game(1, "ann", "bo")))
    assert len(found.diff(found)) == 0
    assert str(found.diff(found)) == "no difference in 2 players"


def test_the_largest_change_comes_first_and_newcomers_before_all() -> None:
    eng = engine(seed(0, "ann", 1500.0), seed(0, "bo", 1400.0), seed(0, "cy", 1300.0), seed(0, "dee", 1200.0))
    eng.record(seed(1, "bo", 1420.0), seed(1, "cy", 1290.0), seed(1, "eve", 1000.0))
    diff = listed(eng, 4).diff(listed(eng))
    assert isinstance(diff, ListDiff)
    assert [(row["player"], row["rating"], row["new_rating"], row["change"]) for row in diff] == [
        ("eve", None, 1000.0, None), ("bo", 1400.0, 1420.0, 20.0), ("cy", 1300.0, 1290.0, -10.0),
    ]  # fmt: skip
    assert diff.same == 2
    assert str(diff).splitlines()[-1] == "2 players are the same"


def test_who_is_gone_has_no_new_rating() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"))
    before = listed(eng)
    eng.void("g")
    assert [(row["player"], row["new_rank"], row["new_rating"]) for row in before.diff(listed(eng))] == [
        ("ann", None, None), ("bo", None, None),
    ]  # fmt: skip


def test_the_change_is_the_difference_as_listed() -> None:
    eng = engine(seed(0, "ann", 1500.1), seed(1, "ann", 1500.4))
    (moved,) = listed(eng, 1).diff(listed(eng)).moved
    assert moved.change == 0.3


def test_whoever_is_unrated_in_both_is_the_same() -> None:
    eng = engine(game(1, "ann", "bo"), seed(2, "bo", 5.0))
    before, after = (eng.rating_list(POOL, Unrated(), known_at=position) for position in (1, 2))
    diff = before.diff(after)
    assert [row["player"] for row in diff] == ["bo"]
    assert diff.same == 1
    assert len(before.diff(before)) == 0

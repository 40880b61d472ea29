"""Two lists compared, on lists made of seeds so that every number is known."""

import pytest
from ratingcore_berkin import Berkin
from ratingcore_elo import Elo

from ratingcore.compare.agreement import Agreement, agreement
from ratingcore.engine import Engine
from ratingcore.methods import Method
from tests.columns.making import POOL, engine, game, seed
from tests.replay.toys import Unrated


def seeded(**ratings: float) -> Engine:
    return engine(*(seed(0, player, rating) for player, rating in ratings.items()))


ELO = Elo()


def compared(eng: Engine, old: Method = ELO, new: Method = ELO, known_at: int | None = None) -> Agreement:
    return agreement(eng.rating_list(POOL, old, known_at=known_at), eng.rating_list(POOL, new))


def test_a_list_agrees_with_itself_in_everything() -> None:
    found = compared(seeded(ann=1500.0, bo=1400.0, cy=1350.0))
    assert found.measures.pearson == pytest.approx(1.0)
    assert found.measures.kendall == pytest.approx(1.0)
    assert found.points is not None
    assert (found.points.largest, found.points.shift) == (0.0, 0.0)
    assert found.movers() == ((), ())


def test_who_moved_furthest_up_and_down_comes_first() -> None:
    eng = seeded(ann=1500.0, bo=1400.0, cy=1300.0, dee=1200.0)
    eng.record(seed(1, "dee", 1600.0), seed(1, "cy", 1310.0), seed(1, "ann", 1499.0), seed(1, "bo", 1390.0))
    found = compared(eng, known_at=4)
    up, down = found.movers()
    assert [(m.player, m.rank, m.new_rank, m.places, m.change) for m in up] == [
        ("dee", 4, 1, 3, 400.0), ("cy", 3, 4, -1, 10.0),
    ]  # fmt: skip
    assert [(m.player, m.change) for m in down] == [("bo", -10.0), ("ann", -1.0)]
    assert [m.player for m in found.movers(1)[1]] == ["bo"]
    assert found.points is not None
    assert (found.points.whose, found.points.largest, found.points.shift) == ("dee", 400.0, 99.75)
    assert (found.points.mean, found.points.median) == (105.25, 10.0)


def test_a_common_shift_moves_points_and_nobody_otherwise() -> None:
    eng = seeded(ann=1500.0, bo=1400.0, cy=1300.0)
    eng.record(*(seed(1, player, rating + 50.0) for player, rating in (("ann", 1500), ("bo", 1400), ("cy", 1300))))
    found = compared(eng, known_at=3)
    assert found.points is not None
    assert found.standardised is not None
    assert (found.points.mean, found.points.shift) == (50.0, 50.0)
    assert found.standardised.largest == pytest.approx(0.0, abs=1e-12)
    assert found.places.tolist() == [0, 0, 0]


def test_two_methods_of_other_scales_are_told_apart_by_standardised_ratings() -> None:
    eng = engine(game(1, "ann", "bo", 0.75), game(2, "bo", "cy", 0.75), game(3, "ann", "cy", 0.5))
    found = compared(eng, Elo(), Berkin())
    assert not found.same_scale
    up, down = found.movers()
    assert up
    assert down
    assert (up[0].standardised or 0.0) > 0.0 > (down[0].standardised or 0.0)
    assert sum(found.standardised_change) == pytest.approx(0.0, abs=1e-9)


def test_who_is_on_one_list_only_and_who_is_unrated_is_told_and_not_measured() -> None:
    eng = engine(seed(0, "ann"), game(1, "ann", "bo", uid="g"), seed(2, "cy"), game(3, "dee", "cy"))
    old = eng.rating_list(POOL, Unrated())
    eng.void("g")
    eng.record(game(4, "eve", "ann"))
    found = agreement(old, eng.rating_list(POOL, Unrated()))
    assert found.player == ("ann", "cy")
    assert (found.only_old, found.only_new, found.unrated) == (("bo",), ("eve",), ("dee",))


def test_nobody_in_common_leaves_everything_undefined() -> None:
    found = agreement(seeded(ann=1500.0).rating_list(POOL, Elo()), seeded(żółć=1500.0).rating_list(POOL, Elo()))
    assert len(found) == 0
    assert (found.points, found.standardised, found.measures.kendall, found.normal) == (None, None, None, None)
    assert found.facts()["largest"] is None
    assert "pearson undefined" in str(found)
    assert found.movers() == ((), ())


def test_an_empty_list_is_compared_too() -> None:
    eng = seeded(ann=1500.0)
    found = agreement(eng.rating_list(POOL, Elo(), known_at=0), eng.rating_list(POOL, Elo()))
    assert (len(found), found.only_new) == (0, ("ann",))


def test_one_player_has_differences_and_no_correlation() -> None:
    eng = seeded(ann=1500.0)
    eng.record(seed(1, "ann", 1510.0))
    found = compared(eng, known_at=1)
    assert (found.measures.pearson, found.standardised) == (None, None)
    assert found.points is not None
    assert found.points.whose == "ann"
    assert found.movers()[0][0].standardised is None


def test_facts_and_columns_tell_the_same_as_the_value() -> None:
    eng = seeded(ann=1500.0, bo=1400.0)
    found = compared(eng, Elo(), Elo(k=40.0))
    facts = found.facts()
    assert (facts["players"], facts["pearson"], facts["whose"]) == (2, 1.0, "ann")
    assert list(found.columns) == [
        "player", "rank", "new_rank", "places", "rating", "new_rating", "change", "standardised",
    ]  # fmt: skip
    assert str(found).splitlines()[2].startswith("2 players rated on both, 0 only on the old list")

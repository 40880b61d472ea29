"""Merges of players: who may be merged, who has met whom, and merges taken back."""

import pytest
from ratingcore_elo import Elo

from ratingcore.errors import BadCorrection, BadValue, Conflict, UnknownName
from ratingcore.events import PlayerDescribed, PlayersMerged, Side
from ratingcore.log.overlay import supposed_in
from tests.columns.making import POOL, engine, game, session
from tests.engine.corrected import ratings


def test_a_merge_the_other_way_round_is_another_one() -> None:
    """Rows of a game may name its sides the other way round; those of a merge may not."""
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    eng.merge("ann", "anna", own_uid="m")
    with pytest.raises(Conflict):
        eng.record(PlayersMerged(uid="m", keep="anna", other="ann"))


def test_players_who_met_cannot_be_merged() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "cy", "dee", pool="other"), session(3, ("ef", 1.0), ("g", 2.0)))
    for keep, other, pool in (
        ("ann", "bo", POOL),
        ("bo", "ann", POOL),
        ("dee", "cy", "other"),
        ("e", "f", POOL),
        ("g", "e", POOL),
    ):
        with pytest.raises(BadCorrection, match=f"cannot merge {other}: {keep} and {other} have met in pool {pool}"):
            eng.merge(keep, other)
    assert eng.log.head.position == 3


def test_players_met_those_who_were_merged_into_others_too() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "anna", "cy"), game(3, "robert", "dee"))
    eng.merge("ann", "anna")
    with pytest.raises(BadCorrection):
        eng.merge("cy", "anna")
    eng.merge("bo", "robert")
    with pytest.raises(BadCorrection):
        eng.merge("robert", "anna")


def test_a_game_that_was_voided_or_moved_is_no_meeting() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "cy", "dee"))
    eng.void("g")
    receipt = eng.merge("ann", "bo")
    assert receipt.accepted == 1
    eng.record(game(2, "bo", "cy"))
    assert eng.rating_list(POOL, Elo()).player == ("ann", "dee", "cy") or "bo" not in eng.rating_list(POOL, Elo())


def test_merging_strangers_or_oneself_is_refused() -> None:
    eng = engine(game(1, "ann", "bo"))
    with pytest.raises(UnknownName):
        eng.merge("ann", "zoe")
    with pytest.raises(BadValue):
        eng.merge("ann", "ann")
    with pytest.raises(UnknownName):
        eng.merge("zoe", "ann")


def test_players_known_by_a_description_alone_can_be_merged() -> None:
    eng = engine(game(1, "ann", "bo"), PlayerDescribed(pool=POOL, player="anna", played=0, data={"born": 1990}))
    assert eng.merge("ann", "anna").accepted == 1
    assert eng.history(POOL, "anna", Elo()) == eng.history(POOL, "ann", Elo())


def test_those_who_are_one_already_are_not_merged_again() -> None:
    eng = engine(game(1, "a", "x"), game(2, "b", "y"), game(3, "c", "z"))
    eng.merge("a", "b", own_uid="ab")
    for keep, other in (("a", "b"), ("b", "a")):
        with pytest.raises(BadCorrection, match="count as one player already"):
            eng.merge(keep, other)
    eng.merge("c", "b")  # brings a along
    assert set(ratings(eng)) == {"c", "x", "y", "z"}
    for keep, other in (("a", "c"), ("c", "a"), ("b", "c")):
        with pytest.raises(BadCorrection, match="count as one player already"):
            eng.merge(keep, other)
    eng.void("ab")  # b stays with c, a is a player of his own
    assert set(ratings(eng)) == {"a", "c", "x", "y", "z"}
    eng.merge("a", "b")
    assert set(ratings(eng)) == {"a", "x", "y", "z"}


def test_a_merge_can_be_taken_back_and_made_again_and_again() -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    apart = ratings(eng)
    eng.merge("ann", "anna", own_uid="m1")
    merged = ratings(eng)
    for number in range(2, 5):
        eng.void(f"m{number - 1}")
        assert ratings(eng) == apart
        eng.merge("ann", "anna", own_uid=f"m{number}")
        assert ratings(eng) == merged


def test_meetings_are_counted_as_results_read_now() -> None:
    eng = engine(
        game(1, "ann", "bo", uid="g"), game(1, "cy", "dee", uid="h"), session(2, ("ef", 1.0), ("gh", 2.0), uid="s"),
    )  # fmt: skip
    eng.amend("g", {"b": "zoe"})
    eng.amend("h", {"a": "bo", "b": "yan"})
    eng.amend("s", {"sides": [Side(["e"], 1.0), Side(["g", "h"], 2.0)]})
    assert supposed_in(eng.what_if(eng.plan.merge("ann", "bo")).log) == 1
    assert supposed_in(eng.what_if(eng.plan.merge("e", "f")).log) == 1
    for keep, other in (("ann", "zoe"), ("bo", "yan"), ("e", "h"), ("g", "h")):
        with pytest.raises(BadCorrection, match="have met in pool club"):
            eng.merge(keep, other)


def test_records_of_merged_players_met_whoever_any_of_them_met() -> None:
    eng = engine(game(1, "a1", "b1"), game(2, "a2", "x"), game(3, "b2", "y"), game(4, "a3", "z"))
    eng.merge("a2", "a1")
    eng.merge("b2", "b1")
    for keep, other in (("a2", "b2"), ("a1", "b2"), ("b1", "a2"), ("b1", "a1")):
        with pytest.raises(BadCorrection, match="have met"):
            eng.merge(keep, other)
    assert eng.merge("a3", "a1").accepted == 1
    with pytest.raises(BadCorrection, match="have met"):
        eng.merge("b1", "a3")


def test_merging_with_a_pool_in_which_neither_has_played_is_possible() -> None:
    """A fixed bug: the pool's players were looked up by ids that it did not have."""
    eng = engine(
        game(1, "p", "q", pool="first"), *(game(1, f"x{n}", f"y{n}") for n in range(20)), game(2, "ann", "zed")
    )
    eng.merge("zed", "x1")
    assert eng.merge("ann", "x2").accepted == 1
    assert eng.merge("x3", "x1").accepted == 1


def test_only_a_merge_can_be_unmerged() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "anna", "cy"))
    with pytest.raises(BadCorrection, match="cannot unmerge g: it is a game") as caught:
        eng.plan.unmerge("g")
    assert caught.value.hint == "void g takes it back"
    eng.merge("ann", "anna", own_uid="m")
    eng.void("m", own_uid="u")
    with pytest.raises(BadCorrection):
        eng.record(*eng.plan.unmerge("u"))


def test_an_amendment_that_keeps_two_apart_who_were_merged_since_is_not_taken_back() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(2, "cy", "dee"))
    eng.amend("g", {"b": "cy"}, own_uid="a")
    eng.merge("ann", "bo")  # they have not met: the game was with cy
    with pytest.raises(BadCorrection, match="cannot void g: ann and bo count as one player"):
        eng.void("a")
    chosen = eng.plan.chosen(positions=[(3, 3)])
    with pytest.raises(BadCorrection, match="cannot void g: ann and bo count as one player"):
        eng.plan.void_all(chosen.rows)
    assert sorted(eng.rating_list(POOL, Elo()).player) == ["ann", "cy", "dee"]
    eng.void("g")  # of the game itself there is nothing to keep apart
    eng.void("a")


def test_an_unmerge_is_not_taken_back_once_the_two_have_met() -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    eng.merge("ann", "anna", own_uid="m")
    eng.void("m", own_uid="u")
    met = eng.record(game(3, "ann", "anna", uid="met"))
    with pytest.raises(BadCorrection, match="cannot void u: ann and anna have met in pool club"):
        eng.void("u")
    assert eng.log.head == met.head
    eng.void("met")
    assert eng.void("u").accepted == 1
    assert sorted(eng.rating_list(POOL, Elo()).player) == ["ann", "cy", "dee"]


def test_an_unmerge_and_the_game_of_the_two_are_taken_back_together() -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"))
    eng.merge("ann", "anna", own_uid="m")
    before = ratings(eng)
    eng.void("m")
    eng.record(game(3, "ann", "anna"))
    eng.record(*eng.plan.void_all(eng.plan.chosen(positions=[(4, 5)]).rows))
    assert ratings(eng) == before


def test_players_who_are_parted_and_joined_in_one_step_are_looked_at_result_by_result() -> None:
    eng = engine(game(1, "ann", "cy"), game(2, "anna", "dee"), game(3, "bo", "eve"))
    eng.merge("bo", "ann", own_uid="m")
    eng.void("m", own_uid="u")
    eng.merge("ann", "anna", own_uid="n")
    eng.record(game(4, "anna", "bo", uid="met"))  # anna, who counts as ann, plays bo
    both = eng.plan.chosen(positions=[(5, 6)]).rows  # the unmerge of bo and ann, and the merge of ann and anna
    assert len(eng.plan.void_all(both)) == 2, "anna counts for herself then, and met bo as such"
    eng.record(game(5, "ann", "bo"))
    with pytest.raises(BadCorrection, match="ann and bo count as one player"):
        eng.plan.void_all(both)

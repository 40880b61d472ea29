"""Names of pools and players: unknown ones, several spellings, players outside a pool."""

import pytest
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.errors import (
    UnknownName,
)  # fmt: skip
from ratingcore.events import DAY, PlayerDescribed
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, engine, game


def test_pools_are_those_of_the_log_also_when_no_result_is_left() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "ann", "bo", pool="other"))
    eng.void("g")
    assert eng.pools() == [POOL, "other"]
    assert len(eng.rating_list(POOL, Elo())) == 0


def test_names_the_log_does_not_know_are_refused_with_those_that_are_near() -> None:
    eng = engine(game(1, "annabel", "bo"))
    with pytest.raises(UnknownName, match="no pool named: clubb") as caught:
        eng.rating_list("clubb", Elo())
    assert caught.value.hint == "did you mean club?"
    with pytest.raises(UnknownName, match="no player named: anabel") as caught:
        eng.history(POOL, "anabel", Elo())
    assert caught.value.hint == "did you mean annabel?"
    with pytest.raises(UnknownName):
        Engine(SqliteLog(":memory:"), Registry()).rating_list(POOL, Elo())


def test_one_name_in_two_unicode_forms_is_one_player_and_one_pool() -> None:
    composed, apart = "Zo\u00eb", "Zoe\u0308"
    eng = engine(game(1, composed, "bo", pool=composed))
    assert eng.rating_list(apart, Elo()).pool == composed
    assert eng.history(apart, apart, Elo()) == eng.history(composed, composed, Elo())
    assert len(eng.history(apart, apart, Elo())) == 1


def test_a_player_who_is_not_in_the_pool_at_the_cut_has_no_history() -> None:
    eng = engine(
        game(5, "ann", "bo"),
        game(1, "cy", "dee", pool="other"),
        PlayerDescribed(pool=POOL, player="eve", played=0, data={}),
    )
    for player, cuts in (("cy", {}), ("eve", {}), ("ann", {"through": DAY}), ("ann", {"known_at": 0})):
        with pytest.raises(UnknownName, match=player):
            eng.history(POOL, player, Elo(), **cuts)  # type: ignore[arg-type]  # cuts

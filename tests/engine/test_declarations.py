"""Declarations of pools: made once, asked at any cut."""

import pytest

import ratingcore as rc
from ratingcore.errors import MethodNotFound, UnknownName


def test_the_same_declaration_again_is_no_event() -> None:
    with rc.open(":memory:") as engine:
        assert engine.declare("cup", fits="elo-margin").accepted == 1
        assert engine.declare("cup", fits="elo-margin").accepted == 0
        assert engine.declare("cup", fits="elo-margin", own_uid="mine").accepted == 1
        assert engine.declare("cup", fits="elo-margin", own_uid="mine").duplicates == 1


def test_a_declared_pool_without_results_has_an_empty_list() -> None:
    with rc.open(":memory:") as engine:
        engine.declare("cup", fits="elo-margin")
        assert engine.pools() == ["cup"]
        assert len(engine.rating_list("cup", "elo-margin", through="2024-03-31", strict=True)) == 0


def test_a_method_that_is_not_there_and_a_pool_that_is_not_known_are_errors() -> None:
    with rc.open(":memory:") as engine:
        with pytest.raises(MethodNotFound):
            engine.declare("cup", fits="eloo")
        with pytest.raises(UnknownName):
            engine.declared("cup")
        assert engine.log.head.position == 0

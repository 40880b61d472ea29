"""Periods of tournaments: the order in which they are rated."""

import pytest

import ratingcore as rc


def game(a: str, b: str, event: str, day: str = "2024-03-10", uid: str | None = None) -> rc.GamePlayed:
    named = {} if uid is None else {"uid": uid}
    return rc.GamePlayed(pool="p", played=day, a=a, b=b, score=1.0, data={"event": event}, **named)


@pytest.mark.parametrize("method", ["egf", "fesa", "dwz", "elo:period=event"])
def test_a_voided_game_changes_nothing_though_the_log_learnt_a_tournament_by_it(method: str) -> None:
    ratings = []
    for voided in (False, True):
        with rc.open(":memory:") as engine:
            for player, rating in (("ann", 1500.0), ("bo", 1600.0), ("cy", 1700.0)):
                engine.record(rc.RatingSeeded(pool="p", played="2024-03-01", player=player, values={"rating": rating}))
            if voided:
                engine.record(game("ann", "cy", "Cup", "2024-03-02", uid="by-mistake"))
                engine.void("by-mistake")
            engine.record(game("ann", "bo", "Open"), game("bo", "cy", "Cup"))
            march = engine.rating_list("p", method)
            ratings.append([march.rating(player) for player in ("ann", "bo", "cy")])
    assert ratings[0] == ratings[1]

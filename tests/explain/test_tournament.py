"""Tournaments: who played, their ratings when they entered."""

from collections.abc import Iterator
from math import isnan

import pytest

import ratingcore as rc
from ratingcore.errors import UnknownName
from ratingcore.explain.tournament import tournament
from ratingcore.replay import checkpoint_store

STRENGTH = {"ann": 2650.0, "bo": 2600.0, "cy": 2550.0}


def game(uid: str, day: str, a: str, b: str, score: float, event: str | None = "Open") -> rc.GamePlayed:
    data = {} if event is None else {"event": event}
    return rc.GamePlayed(uid=uid, pool="p", played=day, a=a, b=b, score=score, data=data)


@pytest.fixture
def engine() -> Iterator[rc.Engine]:
    """Three rated players: a game before the event, the event on two days, and a game after it."""
    with rc.open(":memory:") as engine:
        for player, rating in STRENGTH.items():
            engine.record(rc.RatingSeeded(pool="p", played="2024-01-01", player=player, values={"rating": rating}))
        engine.record(
            game("before", "2024-02-01", "ann", "bo", 0.0, None),
            game("g1", "2024-03-02", "ann", "bo", 1.0),
            game("g2", "2024-03-03", "bo", "cy", 0.5),
            game("after", "2024-03-09", "cy", "ann", 1.0, None),
        )
        yield engine


def test_players_have_the_rating_with_which_they_came(engine: rc.Engine) -> None:
    """Each is the rating of the list of the day before the event: only the game before it has moved anybody."""
    found = engine.tournament("p", "Open", "elo:k=24")
    before = engine.rating_list("p", "elo:k=24", through="2024-03-01")
    assert found.player == ("ann", "bo", "cy")
    assert found.rating == pytest.approx([before.rating(player) for player in found.player], abs=1e-4)
    assert (found.results, found.rated) == (2, 3)
    assert found.mean == pytest.approx(2600.0)  # what one won the other lost


@pytest.mark.parametrize("through", [None, "2024-03-05", "2024-03-31"])
def test_a_period_that_is_open_has_the_ratings_of_its_start(engine: rc.Engine, through: str | None) -> None:
    found = engine.tournament("p", "Open", "elo:period=month", through)
    before = engine.rating_list("p", "elo:period=month", through="2024-02-29")
    assert found.rating == pytest.approx([before.rating(player) for player in found.player], abs=1e-4)


@pytest.mark.parametrize("method", ["elo", "elo:period=event", "berkin:prior_draws=1", "periodic:initial=none"])
def test_methods_of_every_cadence_have_the_ratings_of_the_list_before(engine: rc.Engine, method: str) -> None:
    found = engine.tournament("p", "Open", method)
    before = engine.rating_list("p", method, through="2024-02-29")
    listed = [before.rating(player) for player in found.player]
    assert found.rating == pytest.approx(listed, abs=1e-4, nan_ok=True)


@pytest.mark.parametrize("method", ["elo", "elo:period=month", "glicko2:period=month", "berkin", "elo:preset=fide"])
def test_a_tournament_is_the_same_from_a_checkpoint(
    engine: rc.Engine, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_store, "CLOSEST", 1)
    rated, view = engine.core.question("p", method)
    whole = tournament(rated, view, "Open")
    engine.rating_list("p", method)  # which makes checkpoints
    found = engine.tournament("p", "Open", method)
    assert (found.player, found.rating.tolist()) == (whole.player, pytest.approx(whole.rating.tolist(), nan_ok=True))


def test_the_unrated_do_not_count(engine: rc.Engine) -> None:
    engine.record(game("g3", "2024-03-03", "cy", "newcomer", 1.0))
    found = engine.tournament("p", "Open", "periodic:initial=none")
    assert found.player[-1] == "newcomer"
    assert isnan(found.rating[-1])
    assert found.rated == len(found.player) - 1
    alone = engine.tournament("p", "Open", "elo")
    assert alone.rated == 4  # a newcomer starts at 1500 there


def test_corrections_and_cuts_are_those_of_the_view(engine: rc.Engine) -> None:
    known_at = engine.core.position()
    engine.amend("after", {"event": "Open"})
    engine.void("g2")
    now, then = (engine.tournament("p", "Open", "elo", known_at=at) for at in (None, known_at))
    assert (now.results, now.player) == (2, ("ann", "bo", "cy"))
    assert rc.events.iso(now.last) == "2024-03-09"
    assert (then.results, rc.events.iso(then.last)) == (2, "2024-03-03")
    assert engine.tournament("p", "Open", "elo", "2024-03-02").player == ("ann", "bo")


def test_an_event_that_is_not_there_is_refused_with_those_that_are(engine: rc.Engine) -> None:
    engine.record(game("g4", "2024-04-01", "ann", "bo", 1.0, "Cup"))
    engine.record(rc.RatingSeeded(pool="empty", played="2024-01-01", player="ann", values={"rating": 1.0}))
    with pytest.raises(UnknownName, match="the log has no event named: Opne in pool p at this cut") as refused:
        engine.tournament("p", "Opne", "elo")
    assert refused.value.hint == "did you mean Open?"
    with pytest.raises(UnknownName) as refused:
        engine.tournament("p", "xyz", "elo")
    assert refused.value.hint == "did you mean Cup or Open?"
    with pytest.raises(UnknownName) as refused:
        engine.tournament("p", "Cup", "elo", "2024-03-31")
    assert refused.value.hint == "did you mean Open?"
    with pytest.raises(UnknownName):
        engine.tournament("empty", "Open", "elo")


def test_an_edition_has_the_ratings_with_which_players_came_to_it(engine: rc.Engine) -> None:
    """ann and bo meet again in the next year, when cy is not there."""
    engine.record(game("g5", "2025-03-01", "bo", "ann", 1.0))
    found = engine.tournament("p", "Open", "elo:k=24", since="2025-01-01")
    before = engine.rating_list("p", "elo:k=24", through="2025-02-28")
    assert (found.player, found.results, rc.events.iso(found.first)) == (("bo", "ann"), 1, "2025-03-01")
    assert found.rating == pytest.approx([before.rating(player) for player in found.player], abs=1e-4)
    first = engine.tournament("p", "Open", "elo:k=24", through="2024-12-31", since="2024-03-02")
    assert first.player == ("ann", "bo", "cy")
    with pytest.raises(UnknownName):
        engine.tournament("p", "Open", since="2025-03-02")


def test_an_event_may_be_a_number(engine: rc.Engine) -> None:
    engine.record(rc.GamePlayed(pool="p", played="2024-05-01", a="ann", b="bo", score=1.0, data={"event": 2024}))
    assert engine.tournament("p", "2024", "elo").results == 1


def test_sessions_are_results_too() -> None:
    with rc.open(":memory:") as engine:
        sides = [rc.Side(["ann", "bo"], 54.2), rc.Side(["cy", "di"], 45.8)]
        engine.record(rc.SessionPlayed(pool="c", played="2024-03-02", sides=sides, data={"event": "Open"}))
        found = engine.tournament("c", "Open", "bridge-bayes:initial=1500")
    assert (found.player, found.mean) == (("ann", "bo", "cy", "di"), 1500.0)

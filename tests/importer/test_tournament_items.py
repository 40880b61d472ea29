"""A tournament of the log as items: its games as they read, and what is known of its players."""

from datetime import date

import pytest

import ratingcore as rc
from ratingcore.errors import CannotWrite, UnknownName
from ratingcore.events import last_instant
from ratingcore.importer.tournament_items import tournament_items
from ratingcore.readers import Document, Facts, Game, Item, Seed, Who


def items(engine: rc.Engine, event: str, pool: str | None = None, through: str = "2030-01-01") -> list[Item]:
    to = engine.log.head.position
    return list(tournament_items(engine.log, event, pool, last_instant(through), to, {"ann": 1510.0}))


def cup(*games: tuple[str, str, str], event: str = "Cup (2024-03-01)", pool: str = "p") -> rc.Engine:
    engine = rc.open(":memory:")
    for turn, (day, a, b) in enumerate(games, 1):
        data = {"event": event, "round": turn}
        engine.record(rc.GamePlayed(pool=pool, played=day, a=a, b=b, score=1.0, data=data))
    return engine


def test_a_tournament_has_a_document_players_and_games() -> None:
    engine = cup(("2024-03-02", "ann", "bo"), ("2024-03-03", "bo", "cy"))
    engine.record(rc.PlayerDescribed(pool="p", played="2024-01-01", player="bo", called="Bo Lee", data={"born": 1990}))
    engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="dan", b="bo", score=1.0, data={"event": "Open"}))
    document, *rest = items(engine, "Cup (2024-03-01)")
    assert document == Document(("Cup (2024-03-01)",), "Cup (2024-03-01)", date(2024, 3, 1), date(2024, 3, 3))
    bo = Who("bo", "Bo Lee")
    assert [one for one in rest if isinstance(one, Facts)] == [Facts(0, bo, {"called": "Bo Lee", "born": 1990}, None)]
    assert [one for one in rest if isinstance(one, Seed)] == [Seed(0, Who("ann", "ann"), {"rating": 1510.0}, None)]
    assert [(one.a, one.b, one.key) for one in rest if isinstance(one, Game)] == [
        (Who("ann", "ann"), bo, ("1",)), (bo, Who("cy", "cy"), ("2",)),
    ]  # fmt: skip


def test_cuts_and_pools_hold() -> None:
    engine = cup(("2024-03-02", "ann", "bo"), ("2024-03-03", "bo", "cy"), event="Cup")
    (document, *_) = found = items(engine, "Cup", "p", "2024-03-02")
    assert document == Document(("Cup",), "Cup", date(2024, 3, 2), date(2024, 3, 2))
    assert sum(isinstance(one, Game) for one in found) == 1
    with pytest.raises(UnknownName, match="no pool named: blitz"):
        items(engine, "Cup", "blitz")


def test_a_round_that_is_not_told_is_that_of_the_order() -> None:
    engine = rc.open(":memory:")
    data = {"event": "Cup"}
    engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0, order=3_002, data=data))
    assert [one.key for one in items(engine, "Cup") if isinstance(one, Game)] == [("3",)]


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownName) as caught:
        items(cup(("2024-03-02", "ann", "bo"), event="Cup"), "Cap")
    assert caught.value.hint == "did you mean Cup?"
    engine = rc.open(":memory:")
    sides = [rc.Side((name,), 1.0) for name in ("ann", "bo", "cy")]
    engine.record(rc.SessionPlayed(pool="p", played="2024-03-02", sides=sides, data={"event": "Cup"}))
    with pytest.raises(CannotWrite, match="position 1 is a session"):
        items(engine, "Cup")

"""The zone of a pool, over every store: kept, exported, loaded, verified, and the same lists from each."""

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.log import load_lines, verify
from tests.log.conftest import Make


def filled(make: Make) -> Engine:
    """A club whose zone is declared between its games."""
    engine = Engine(make())
    engine.record(
        rc.GamePlayed(uid="g-1", pool="club", played="2023-12-31T23:30Z", a="ann", b="bo", score=1.0),
        rc.GamePlayed(uid="g-2", pool="club", played="2024-01-01", a="bo", b="cy", score=0.5),
    )
    engine.declare("club", zone="Europe/Prague", own_uid="z-1")
    engine.record(rc.GamePlayed(uid="g-3", pool="club", played="2024-01-31T23:30Z", a="cy", b="ann", score=0.0))
    engine.declare("club", zone="America/New_York", fits="elo", own_uid="z-2")
    return engine


def lists(engine: Engine) -> list[object]:
    """Lists of both zones at days where they differ."""
    days = ("2023-12-30", "2023-12-31", "2024-01-01", "2024-01-31", "2024-02-01")
    asked = [(day, at, method) for day in days for at in (2, 4, None) for method in ("elo", "periodic")]
    made = [engine.rating_list("club", method, through=day, known_at=at) for day, at, method in asked]
    return [(listed.table(), listed.provenance.zone, listed.provenance.at) for listed in made]


def test_every_store_gives_the_lists_of_the_zone_that_was_known(make: Make) -> None:
    engine = filled(make)
    assert [engine.core.declared("club", known_at=at) for at in (2, 3, 5)] == [
        None, rc.PoolDeclared(uid="z-1", pool="club", zone="Europe/Prague"),
        rc.PoolDeclared(uid="z-2", pool="club", zone="America/New_York", fits="elo"),
    ]  # fmt: skip
    games = {(day, at): len(engine.rating_list("club", "elo", through=day, known_at=at))
             for day in ("2023-12-31", "2024-01-01") for at in (2, 3, None)}  # fmt: skip
    assert games == {
        ("2023-12-31", 2): 2, ("2023-12-31", 3): 0, ("2023-12-31", None): 2,
        ("2024-01-01", 2): 3, ("2024-01-01", 3): 3, ("2024-01-01", None): 3,
    }  # fmt: skip
    verify(engine.log)


def test_an_export_brings_the_zones_to_any_other_log(make: Make) -> None:
    engine, other = filled(make), Engine(make())
    load_lines(other.log, engine.export())
    assert other.log.head == engine.log.head
    assert lists(other) == lists(engine)


def test_a_pool_whose_declaration_names_no_zone_keeps_its_digest(make: Make) -> None:
    engine = Engine(make())
    engine.declare("cup", fits="elo-margin", own_uid="d")
    assert [row.data for row in engine.log.rows()] == ['{"fits":"elo-margin"}']

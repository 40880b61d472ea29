"""Columns on the clock of a zone: the same as event by event, and whatever way they are made."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.columns.log_history import Zones, clocks, faces, zoned
from ratingcore.columns.time_travel import known_at
from ratingcore.columns.timeline import empty
from ratingcore.engine import Engine
from ratingcore.events import DAY, clock, instant
from ratingcore.events.zones import ZoneClock
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, columns, game, seed, session

ZONES = ("Europe/Prague", "America/New_York", "Pacific/Auckland")
NEW_YEAR = instant("2024-01-01") / DAY


def of(zone: str) -> ZoneClock:
    made = clock(zone)
    assert isinstance(made, ZoneClock)
    return made


@settings(deadline=None)  # years are looked up once
@given(st.sampled_from(ZONES), st.lists(st.integers(instant("1890-01-01"), instant("2150-01-01")), max_size=20))
def test_a_column_shows_what_the_clock_shows_of_each(zone: str, played: list[int]) -> None:
    played += [at // DAY * DAY for at in played]
    expected = [of(zone).of_result(at) for at in played]
    assert faces(of(zone), np.array(played, dtype=np.int64)).tolist() == expected


def test_a_column_of_far_centuries_is_shown_too() -> None:
    played = [instant("0001-01-05T12:00"), instant("1650-06-01T12:00"), instant("9999-12-20T12:00")]
    expected = [of("Europe/Prague").of_result(at) for at in played]
    assert faces(of("Europe/Prague"), np.array(played, dtype=np.int64)).tolist() == expected


def test_every_stretch_begins_where_the_year_before_ended() -> None:
    for zone in ZONES:
        years = [instant(f"{year}-01-01") + step for year in range(1900, 2100, 7) for step in (-1, 1)]
        shown = faces(of(zone), np.array(years, dtype=np.int64))
        assert (np.diff(shown) > 0).all()
        assert (shown[1::2] - shown[::2] == 2).all()


days = st.integers(0, 80).map(lambda number: NEW_YEAR - 1 + number / 24)
players = st.sampled_from("abcde")


@st.composite
def seasons(draw: st.DrawFn) -> list[rc.events.Event]:
    """Games, sessions, seeds and corrections around New Year, some at midnight UTC, some declarations between."""
    made: list[rc.events.Event] = []
    for number in range(draw(st.integers(1, 12))):
        a, b = draw(st.lists(players, min_size=2, max_size=2, unique=True))
        kind, uid = draw(st.sampled_from(["game", "game", "seed", "session", "amend", "void", "zone"])), f"u{number}"
        games = [one.uid for one in made if isinstance(one, rc.GamePlayed)]
        if kind == "seed":
            made.append(seed(draw(days), a, uid=uid))
        elif kind == "session":
            made.append(session(draw(days), (a, 1.0), (b, 0.0), uid=uid))
        elif kind == "amend" and games:
            changes = {"played": int(draw(days) * DAY)}
            made.append(rc.ResultAmended(uid=uid, of=draw(st.sampled_from(games)), changes=changes))
        elif kind == "void" and games:
            made.append(rc.ResultVoided(uid=uid, of=draw(st.sampled_from(games))))
        elif kind == "zone":
            made.append(rc.PoolDeclared(uid=uid, pool=POOL, zone=draw(st.sampled_from(["", "UTC", *ZONES]))))
        else:
            made.append(game(draw(days), a, b, uid=uid))
    return made


@settings(max_examples=60, deadline=None)
@given(seasons(), st.data())
def test_views_that_grew_are_those_made_at_once_and_each_knows_its_zone(
    season: list[rc.events.Event], data: st.DataObject
) -> None:
    with Engine(SqliteLog(":memory:"), Registry()) as engine:
        for number, event in enumerate(season):
            if number and isinstance(event, rc.ResultVoided | rc.ResultAmended):
                before = {one.of for one in season[:number] if isinstance(one, rc.ResultVoided)}
                if event.of in before:
                    continue
            engine.record(event)
            if engine.log.book.find("pool", POOL) is None:
                continue
            at = data.draw(st.integers(1, engine.log.head.position))
            for position in (None, at):
                view = engine.core.view(POOL, known_at=position)
                said = engine.core.declared(POOL, known_at=position)
                zone = "" if said is None or said.zone == "UTC" else said.zone
                assert view.zone == zone
                log = zoned(engine.log, zone)
                made = known_at(empty(engine.core.pool_id(POOL), log.digest_at(0)), log, view.known_at)
                assert columns(view.timeline) == columns(made)


@settings(max_examples=25, deadline=None)
@given(seasons())
def test_a_zone_of_utc_is_none(season: list[rc.events.Event]) -> None:
    season = [one for one in season if not isinstance(one, rc.PoolDeclared)]
    lists = []
    for zone in ("", "UTC"):
        with rc.open(":memory:") as engine:
            engine.record(rc.PoolDeclared(uid="zone", pool=POOL, zone=zone))
            for event in season:
                if not isinstance(event, rc.ResultVoided | rc.ResultAmended):
                    engine.record(event)
            for day in ("2023-12-31", "2024-01-01", None):
                listed = engine.rating_list(POOL, "weng-lin", through=day)
                lists.append((zone, listed.table(), listed.provenance.at, listed.provenance.zone))
    assert [one[1:] for one in lists if not one[0]] == [one[1:] for one in lists if one[0]]


def test_the_zones_of_a_pool_are_those_that_were_declared_by_then() -> None:
    with rc.open(":memory:") as engine:
        engine.record(game(1, "ann", "bo"))
        engine.declare(POOL, zone="Europe/Prague")
        engine.declare(POOL, fits="elo")
        engine.declare(POOL, zone="UTC")
        zones = Zones(engine.log, engine.core.pool_id(POOL))
        assert [zones.at(position) for position in range(5)] == ["", "", "Europe/Prague", "Europe/Prague", ""]
        assert zones.all() == {"", "Europe/Prague"}
        assert {pool: one.name for pool, one in clocks(engine.log, 3).items()} == {
            engine.core.pool_id(POOL): "Europe/Prague"
        }
        assert clocks(engine.log) == {}


def test_a_zone_of_another_key_has_files_of_its_own() -> None:
    log = SqliteLog(":memory:")
    assert zoned(log, "") is log
    assert zoned(log, "Europe/Prague").key != log.key

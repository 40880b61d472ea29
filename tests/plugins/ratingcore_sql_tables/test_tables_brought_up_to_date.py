"""Tables for SQL that are brought up to date equal tables made anew, and no more is read than has to be."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import attrs
import numpy as np
import pytest
import ratingcore_sql_tables.catch_up as module
from attrs import frozen
from ratingcore_sql_tables.catch_up import CatchUp, catch_up

import ratingcore as rc
from ratingcore.columns import FOREVER
from ratingcore.errors import MethodError, RatingCoreError
from ratingcore.events import DAY, instant
from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Need, Period, Rated, State, hookimpl
from tests.laws.histories import POOLS, League
from tests.log.making import game
from tests.plugins.ratingcore_sql_tables import club as made_club
from tests.plugins.ratingcore_sql_tables.club import of

engine = made_club.engine


# what is added equals what is made anew


@frozen
class Losing(Method):
    """Every player loses a point at the end of every two days, also of those in which nobody plays."""

    name = "losing"
    cadence = Cadence.PERIODIC

    @property
    def period(self) -> Period:
        return Period.parse("days(2)")

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def rate(self, state: State, games: Games) -> Rated:
        rating, change = state.copy("rating"), 10.0 * (games.score - 0.5)
        np.add.at(rating, games.a, change)
        np.add.at(rating, games.b, -change)
        lost = np.full(len(rating), -1.0)
        state = state.replace(rating=rating + lost)
        return Rated(state, np.full(len(games), 0.5), (change, -change), after={"lost": lost})

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))


@frozen
class Aged(Losing):
    """Game by game, and who was born earlier wins more."""

    name = "aged"
    cadence = Cadence.CONTINUOUS
    needs = (Need("born", of="player", default=2000.0),)
    period = None

    def rate(self, state: State, games: Games) -> Rated:
        rating, change = state.copy("rating"), (2100.0 - games["born"][games.a]) * (games.score - 0.5)
        np.add.at(rating, games.a, change)
        return Rated(state.replace(rating=rating), np.full(len(games), 0.5), (change, np.zeros(len(games))))


class Points(League):
    """A league whose games have points, seasons and tournaments, and whose players are of different ages."""

    def event(self) -> rc.Event:
        event = super().event()
        if isinstance(event, rc.PlayerDescribed):
            return attrs.evolve(event, data={"born": 1900 + len(self._past)})
        if not isinstance(event, rc.GamePlayed):
            return event
        day = event.played // DAY
        points = {"points_a": round(event.score * 10), "points_b": round(10 - event.score * 10)}
        return attrs.evolve(event, data=points | {"season": day // 3, "home": "a", "event": f"Open {day // 2}"})


def steps(method: str, seed: int, engine: rc.Engine) -> Iterator[str]:
    """Batch after batch is recorded; the pools that can be rated then."""
    random = Random(f"{method} {seed}")
    league = Points(random)
    for _ in range(9):
        try:
            engine.record(*league.batch())
        except RatingCoreError:  # not every correction is possible
            continue
        for pool in set(POOLS) & set(engine.pools()):
            try:
                if engine.core.view(pool).n_players and engine.rating_list(pool, method):
                    yield pool
            except MethodError:  # not every method rates every log
                continue


@pytest.mark.parametrize(
    ("method", "added_to"),
    [
        ("elo", True), ("elo:period=days(2)", True), ("elo:period=month", True), ("adaptive-k", True),
        ("elo:period=cuts(1970-01-03;1970-01-06)", True), ("elo:preset=fide", True), ("dwz", False),
        ("elo-margin:preset=football", True), ("elo-margin:preset=nba538", True), ("periodic:period=days(3)", True),
        ("elo:entry=trial(2)", False), ("egf", False), ("egf:period=month", True), ("elo:period=event", False),
        ("berkin-change", True), ("chess-bayes", True), ("losing", True), ("aged", True),
        ("elo:period=days(2),entry=pooled(1,2)", False),
    ],
)  # fmt: skip
def test_tables_brought_up_to_date_step_by_step_equal_tables_made_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, added_to: bool
) -> None:
    begun = []
    write = module.CatchUp._write
    monkeypatch.setattr(module.CatchUp, "_write", lambda *args: begun.append(args[-1]) or write(*args))
    for seed in range(3):
        with rc.open(":memory:") as engine:
            offered = hookimpl(lambda: [Losing, Aged])
            engine.registry.register(SimpleNamespace(ratingcore_methods=offered), "toys")
            for number, pool in enumerate(steps(method, seed, engine)):
                catch_up(engine, pool, method, tmp_path / f"steps-{seed}.db")
                catch_up(engine, pool, method, tmp_path / f"fresh-{seed}-{number}.db")
                one, other = (of(tmp_path / name, pool) for name in (f"steps-{seed}.db", f"fresh-{seed}-{number}.db"))
                assert one == other, (seed, number, pool)
    from_a_day = [since for since in begun if since not in (None, FOREVER)]
    assert bool(from_a_day) == added_to
    assert FOREVER in begun or not added_to


def test_only_what_is_played_later_is_read_again(engine: rc.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    catch_up(engine, "rapid", "elo")
    asked = []
    replay = module.replayed
    monkeypatch.setattr(
        module, "replayed", lambda *args, **more: asked.append(more.get("since")) or replay(*args, **more)
    )
    engine.record(game("late", "ann", "cy", played="2024-02-20T18:30Z"))
    catch_up(engine)
    engine.record(game("elsewhere", pool="blitz"))
    catch_up(engine)
    assert asked == [instant("2024-02-20"), None]


# other processes


def test_every_pool_takes_as_many_queries_however_many_there_are(tmp_path: Path) -> None:
    """Each pool read the entries and the rows of all others: a thousand pools took minutes."""
    read = []
    for n in (20, 80):
        with rc.open(":memory:") as engine, module.tables_of(engine.log, tmp_path / f"{n}.db") as tables:
            engine.record(*(game(f"g{at}", pool=f"pool {at}") for at in range(n)))
            fetched = [0]
            everything = tables._all

            def counted(sql: str, values: Any = (), fetched: Any = fetched, everything: Any = everything) -> list[Any]:
                rows = list(everything(sql, values))
                fetched[0] += 1 + len(rows)
                return rows

            tables._all = counted  # type: ignore[method-assign]  # counts what is read
            CatchUp(engine, tables).all(None, "elo")
            read.append(fetched[0])
    assert read[1] < 4.5 * read[0]

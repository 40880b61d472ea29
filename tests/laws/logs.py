"""One history in several logs, asked again and again, and held against what the oracle says."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ratingcore.columns import View, cache
from ratingcore.engine import Engine
from ratingcore.errors import UnknownName, WrongForm
from ratingcore.events import DAY
from ratingcore.log import Log, SqliteLog
from ratingcore.plugin import Method, Sides
from ratingcore.registry import Registry
from ratingcore.replay import checkpoint_store, stand
from tests.laws import oracle
from tests.laws.histories import DAYS, PLAYERS, POOLS, League
from tests.laws.methods import ANY, BY_TOURNAMENT, ELO, TALLY

HALF_A_DIGIT = 0.5e-4


class Logs:
    """One history in several logs, each with an engine that has been asked before; and what the oracle knows of it."""

    def __init__(self, folder: Path | None, store: Callable[..., Log] | None = None) -> None:
        self.engines = {"memory": Engine(SqliteLog(":memory:", clock=_ticks(), salt=_salts()), Registry())}
        self._opened: dict[str, Callable[[], Engine]] = {}
        if folder is not None:
            self._keep("sqlite", partial(SqliteLog, folder / "log.db"), folder / "columns")
        if folder is not None and store is not None:
            self._keep("store", store, folder / "columns of the store")
        self.recorded: oracle.Recorded = []
        self.told: dict[tuple[Any, ...], str] = {}

    def record(self, events: list[Any]) -> None:
        heads = {engine.record(*events).head for engine in self.engines.values()}
        assert len(heads) == 1, "two stores disagree about the digest"
        memory = self.engines["memory"]
        self.recorded += [(row.position, event) for row, event in memory.events(len(self.recorded))]

    def reopen(self) -> None:
        """Close what can be opened again and open it, with what the cache on disk has kept."""
        for store, opened in self._opened.items():
            self.engines[store].close()
            self.engines[store] = opened()

    def _keep(self, store: str, log: Callable[..., Log], columns: Path) -> None:
        clock, salt = _ticks(), _salts()
        self._opened[store] = lambda: Engine(log(clock=clock, salt=salt), Registry(), columns)
        self.engines[store] = self._opened[store]()

    def close(self) -> None:
        for engine in self.engines.values():
            engine.close()

    def glance(self) -> None:
        """See where everybody stands now, as somebody does who looks after every batch."""
        for engine in self.engines.values():
            for pool in engine.pools():
                self.stood(engine, engine.core.view(pool), TALLY)

    def query(self, random: Random) -> None:
        """Ask for something anywhere, and compare."""
        known_at = random.choice([len(self.recorded), random.randint(0, len(self.recorded))])
        through = random.choice([None, random.randint(-1, DAYS) * DAY + random.choice([0, 1, DAY - 1])])
        pool = random.choice(POOLS)
        for engine in random.sample(list(self.engines.values()), len(self.engines)):
            if engine.log.book.find("pool", pool) is not None:
                self.compare(random, engine, pool, through, known_at)

    def compare(self, random: Random, engine: Engine, pool: str, through: int | None, known_at: int) -> None:
        everything = oracle.believed(self.recorded, known_at, pool)
        for day in range(-1, DAYS + 4):
            self.viewed(engine.core.view(pool, day * DAY, known_at), everything.through(day * DAY))
        where = (pool, through, known_at)
        truth = everything if through is None else everything.through(through)
        self.viewed(engine.core.view(*where), truth)
        fits = bool(everything.games) or not truth.sessions  # a method that can read nothing is the wrong one
        if not fits:
            with pytest.raises(WrongForm):
                engine.rating_list(pool, ELO, through, known_at)
        else:
            without = truth.without_sessions()
            self.listed(random, engine, where, ELO, oracle.elo(without), without)
            self.rated_by_tournament(engine, where, oracle.elo_by_tournament(everything.without_sessions(), through))
        self.listed(random, engine, where, TALLY, oracle.tally(truth), truth)
        for method in random.sample(ANY, 3):
            if method.reads is Sides or fits:
                self.stood(engine, engine.core.view(*where), method)

    def rated_by_tournament(self, engine: Engine, where: tuple[Any, ...], truth: dict[str, float]) -> None:
        pool, through, known_at = where
        replay = engine.core.replay(pool, BY_TOURNAMENT, through, known_at)
        rating = dict(zip(replay.view.names(), replay.state["rating"].tolist(), strict=False))
        assert {name: truth.get(name, oracle.INITIAL) for name in rating} == pytest.approx(rating, abs=1e-9, rel=0), (
            where
        )

    def stood(self, engine: Engine, view: View, method: Method) -> None:
        """Where a method stands is the same from a checkpoint and from the beginning, to the last bit."""
        stood, plain = engine.core.standing(method, view), stand(method, view)
        where = (view.pool, view.through, view.known_at, method)
        assert stood.at == plain.at, where
        assert stood.games.tolist() == plain.games.tolist(), where
        for column in plain.state.names:
            assert stood.state[column].tobytes() == plain.state[column].tobytes(), where

    def viewed(self, view: View, truth: oracle.Believed) -> None:
        where = (view.pool, view.through, view.known_at)
        table = view.timeline.games.take(slice(0, view.n_games))
        names = [view.name(row) for row in range(len(view.timeline.players.id))]
        columns = (c.tolist() for c in (table.position, table.a, table.b, table.score))
        assert [(at, names[a], names[b], score) for at, a, b, score in zip(*columns, strict=True)] == truth.games, where
        assert view.n_sessions == truth.sessions, where
        assert set(view.names()) == truth.players, where

    def listed(
        self,
        random: Random,
        engine: Engine,
        where: tuple[Any, ...],
        method: Method,
        folded: oracle.Folded,
        truth: oracle.Believed,
    ) -> None:
        pool, through, known_at = where
        listed = engine.rating_list(pool, method, through, known_at)
        assert dict(zip(listed.player, listed.games.tolist(), strict=True)) == folded.played, where
        for player, rating in folded.rating.items():
            assert abs(listed.rating(player) - rating) <= HALF_A_DIGIT + 1e-9, (where, player)
        key = (*where, method.name)
        assert self.told.setdefault(key, listed.digest) == listed.digest, "a list known earlier has changed"
        replay = engine.core.replay(pool, method, through, known_at, keep=True)
        ratings = {replay.view.name(row): rating for row, rating in enumerate(replay.state["rating"].tolist())}
        assert ratings == pytest.approx(folded.rating, abs=1e-9, rel=0), where
        for player in random.sample(PLAYERS, 4):
            self.remembered(engine, where, method, player, folded.history.get(truth.who.get(player, player)))

    def remembered(
        self, engine: Engine, where: tuple[Any, ...], method: Method, player: str, truth: list[oracle.Line] | None
    ) -> None:
        pool, through, known_at = where
        if truth is None:
            with pytest.raises(UnknownName):
                engine.history(pool, player, method, through, known_at)
            return
        lines = engine.history(pool, player, method, through, known_at)
        assert [line[:4] for line in lines] == [line[:4] for line in truth], (where, player)
        numbers, true = ([x for line in told for x in line[4:] if x is not None] for told in (lines, truth))
        assert numbers == pytest.approx(true, abs=1e-9, rel=0), (where, player)

    def afresh(self) -> None:
        """All that was ever told, told again by an engine that has nothing kept, and by the ones that have."""
        fresh = {name: Engine(engine.log, Registry()) for name, engine in self.engines.items()}
        for (pool, through, known_at, method), digest in self.told.items():
            for engine in (*fresh.values(), *self.engines.values()):
                rated_by = ELO if method == "elo" else TALLY
                assert engine.rating_list(pool, rated_by, through, known_at).digest == digest, (pool, through, known_at)


def _ticks() -> Callable[[], int]:
    return count(1_700_000_000_000_000, 1_000_000).__next__


def _salts() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"{next(numbers):032x}"


def live(
    random: Random,
    folder: Path | None,
    batches: int,
    questions: int,
    sessions: bool,
    store: Callable[..., Log] | None = None,
) -> None:
    """A league lives: it records, asks, reopens; everything it is told must be what the oracle says."""
    logs, league = Logs(folder, store), League(random, sessions)
    with ExitStack() as stack:
        stack.callback(logs.close)
        for _ in range(batches):
            logs.record(league.batch())
            logs.glance()
            for _ in range(random.randint(0, questions)):
                logs.query(random)
            if random.random() < 0.2:
                logs.reopen()
        logs.query(random)
        logs.afresh()


def live_long() -> None:
    """Sixty leagues, each by its own number."""
    for number in range(60):
        live(Random(number), None, 8, 2, sessions=False)


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a checkpoint after nearly every result, and files of everything, however small a league is."""
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    monkeypatch.setattr(checkpoint_store, "FILE_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint_store, "CLOSEST", 1)
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(cache, "SMALL", 400)  # games outgrow the file of short columns, others do not

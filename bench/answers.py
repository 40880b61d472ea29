"""The cost of questions about one player and of repeated questions, as shares of a full replay, on both stores."""

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import ratingcore as rc
from bench.measure import Results
from bench.time_travel import Uncompiled
from bench.worlds import MINUTE, START, log_of, world
from ratingcore.engine import Engine
from ratingcore.lists import rating_list
from ratingcore.log import SqliteLog, export_lines, load_lines
from ratingcore.methods import Method
from ratingcore.replay import stand

ELO = "elo:k=24"


def run(results: Results, games: int) -> None:
    """Print what answers cost in a pool of up to 200,000 games and 18,600 players."""
    games = min(games, 200_000)
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-bench-"))
    path = log_of(world(games, players=18_600), folder=folder)
    with rc.open(path) as engine:
        _Answers(engine, games, results, "SQLite").run()
    with _in_postgres(path, folder) as engine:
        if engine is not None:
            _Answers(engine, games, results, "PostgreSQL").run()
    shutil.rmtree(folder)


@contextmanager
def _in_postgres(path: Path, folder: Path) -> Iterator[Engine | None]:
    """Yields an engine on a copy of the log in a PostgreSQL server; None if PostgreSQL is not installed."""
    try:
        from ratingcore_postgres.log import PostgresLog  # a guest

        from tests.plugins.ratingcore_postgres.server import running
    except ImportError:
        print("PostgreSQL: not installed")
        yield None
        return
    with running(shared_buffers="128MB") as server, PostgresLog(server.address("world")) as log:
        with SqliteLog(path) as file:
            load_lines(log, export_lines(file))
        yield Engine(log, columns=folder / "columns")


class _Answers:
    """Measures the answers of one engine, in CPU seconds of this process."""

    def __init__(self, engine: Engine, games: int, results: Results, store: str) -> None:
        self.engine, self.games, self.results, self.store = engine, games, results, store
        self.uncompiled, self.number = Uncompiled(), count()

    def run(self) -> None:
        full, slow = self._replay(self.engine.registry.method(ELO)), self._replay(self.uncompiled)
        print(f"{self.store}: a full replay to a list: {1000 * full:.1f} ms, uncompiled {1000 * slow:.0f} ms; 1 x is:")
        for work, ask, bound, unit in (
            ("the same list again, top 100", lambda: self._list(top=100), 0.03, full),
            ("one player: line of the list, name, facts", self._player, 0.25, full),
            ("a history, again", self._history, 0.03, full),
            ("one player renamed", self._rename, 1.0, full),
            ("a new game, and the list", self._new, 1.0, full),
            ("a late game, and the list", self._late, 1.5, full),
            ("uncompiled: a late game, and the list", self._late_uncompiled, 0.2, slow),
        ):
            self.results.row(f"{self.store}: {work}", _cpu(ask) / unit, "x", bound)
        note = "each fact is stored as a name, with a salt and a digest, so that it can be erased"
        bound = 0.5 if self.store == "SQLite" else 1.0
        self.results.row(f"{self.store}: five facts of 18,600 players imported", self._facts(), "s", bound, note=note)

    def _facts(self) -> float:
        """Returns the CPU seconds of an import of new facts of all players."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "players.csv")
            store = self.store
            lines = (
                f"player {n},{store} {n},{1940 + n % 70},{'mf'[n % 2]},GM,{store[:3]},{store} club {n % 900}"
                for n in range(18_600)
            )
            file.write_text("player,called,born,sex,title,federation,club\n" + "\n".join(lines), encoding="utf-8")
            began = time.process_time()
            assert self.engine.import_players(file, "world").accepted == 18_600
            return time.process_time() - began

    def _replay(self, method: Method) -> float:
        engine = self.engine
        self._list()
        return _cpu(lambda: rating_list(stand(method, engine.core.view("world")), "bench"))

    def _list(self, top: int | None = None) -> object:
        return self.engine.rating_list("world", ELO, top=top)

    def _player(self) -> object:
        return self.engine.player("world", f"player {next(self.number)}", ELO)

    def _history(self) -> object:
        return self.engine.history("world", "player 7", ELO)

    def _rename(self) -> object:
        return self.engine.rename("player 7", f"Seven the {next(self.number)}th")

    def _new(self) -> object:
        self._play(self.games + 2 * next(self.number))
        return self._list(top=100)

    def _late(self) -> object:
        self._play(int(0.9 * self.games))
        return self._list(top=100)

    def _late_uncompiled(self) -> object:
        self._play(int(0.9 * self.games))
        return self.engine.rating_list("world", self.uncompiled, top=100)

    def _play(self, minute: int) -> None:
        at = START + MINUTE * minute + next(self.number)
        self.engine.record(rc.GamePlayed(pool="world", played=at, a="player 1", b="player 2", score=1.0))


def _cpu(ask: Callable[[], object], repeats: int = 7) -> float:
    """Returns the median CPU seconds of a question, after a first call that is not timed."""
    ask()
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        ask()
        taken.append(time.process_time() - began)
    return statistics.median(taken)

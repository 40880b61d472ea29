"""Lists after a change, lists as known earlier, and explanations, against a full replay of the same log."""

import shutil
import statistics
import time
from collections.abc import Callable

import numpy as np
from attrs import frozen

import ratingcore as rc
from bench.measure import Results, peak_bytes
from bench.worlds import MINUTE, START, log_of, world
from ratingcore.engine import Engine
from ratingcore.lists import rating_list
from ratingcore.methods import Method
from ratingcore.plugin import Cadence, Column, Forecast, Games, Rated, State
from ratingcore.replay import stand

MONTH = 30 * 24 * 60
"""Number of games in a month, one a minute."""

_SMALL = "a compiled replay takes only 0.05 s, and ranking 10,000 players alone takes a twentieth of that"


@frozen
class Uncompiled(Method):
    """Elo game by game in plain Python."""

    name = "uncompiled"
    cadence = Cadence.CONTINUOUS

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def rate(self, state: State, games: Games) -> Rated:
        rating, expected, change = state["rating"].tolist(), [], []
        for a, b, score in zip(games.a.tolist(), games.b.tolist(), games.score.tolist(), strict=True):
            chance = 1.0 / (1.0 + 10.0 ** ((rating[b] - rating[a]) / 400.0))
            moved = 20.0 * (score - chance)
            expected.append(chance)
            change.append(moved)
            rating[a] += moved
            rating[b] -= moved
        moves = np.array(change)
        return Rated(state.replace(rating=np.array(rating)), np.array(expected), (moves, -moves))

    def expected(self, state: State, games: Games) -> Forecast:
        gap = state["rating"][games.b] - state["rating"][games.a]
        return Forecast(1.0 / (1.0 + 10.0 ** (gap / 400.0)))


def run(results: Results, games: int) -> None:
    """Print the cost of lists after a change, with a method in Python and with Elo."""
    path = log_of(world(games))
    with rc.open(path) as engine:
        for method, note in ((Uncompiled(), ""), (engine.registry.method("elo"), _SMALL)):
            _Travels(engine, method, games, results, note).run()
    results.row("  peak memory of all this, files mapped included", peak_bytes() / 2**20, "MB", 2000.0)
    stored = sum(file.stat().st_size for file in path.parent.rglob("*.sealed")) / 2**20
    results.row("  checkpoints on disk", stored, "MB", 256.0)
    shutil.rmtree(path.parent)


class _Travels:
    """Measures lists and explanations of one method after changes, against a full replay."""

    def __init__(self, engine: Engine, method: Method, games: int, results: Results, note: str) -> None:
        self.engine, self.method, self.games, self.results, self.note = engine, method, games, results, note
        self.number = engine.log.head.position

    def run(self) -> None:
        engine, method = self.engine, self.method
        self._list()
        full = _median([lambda: rating_list(stand(method, engine.core.view("world")), "bench")] * 3)
        self.results.row(f"{method.name}: a full replay of {self.games:,} games to a list", full, "s", 60.0)
        ends = [self.games + n for n in range(5)]
        late = [int(0.9 * self.games) + n for n in range(5)]
        heads = [batch.last for batch in engine.log.batches() if batch.last <= self.games]
        old = [heads[n * len(heads) // 8] for n in range(2, 7)]
        since = START + MINUTE * (self.games - MONTH)
        rows: list[tuple[str, list[Callable[[], object]], list[Callable[[], object]], float]] = [
            ("list after one new game", [lambda at=at: self._play(at) for at in ends], [self._list] * 5, 0.02),
            ("list after a late game at 90 %", [lambda at=at: self._play(at) for at in late], [self._list] * 5, 0.15),
            ("list of an old month as it was known", [], [lambda at=at: self._as_known(at) for at in old], 0.1),
            ("explanation of one player, the last month",
             [], [lambda n=n: engine.explain("world", f"player {n}", method, since=since) for n in range(5)], 0.3),
            ("impact of a void in the middle",
             [lambda n=n: self._void(n) for n in range(5)], [self._impact] * 5, 2.2),
        ]  # fmt: skip
        for work, changes, works, bound in rows:
            value = _median(works, changes) / full
            self.results.row(f"  {work}", value, "x", bound, note=self.note)
        whole = _median([lambda: engine.explain("world", "player 7", method)] * 3) / full
        print(f"  explanation of one player, from the first game: {whole:.3f} x, no bound")

    def _list(self) -> object:
        return self.engine.rating_list("world", self.method)

    def _play(self, minute: int) -> None:
        at = START + MINUTE * minute + 1
        self.engine.record(rc.GamePlayed(pool="world", played=at, a="player 1", b="player 2", score=1.0))

    def _as_known(self, position: int) -> object:
        return self.engine.rating_list("world", self.method, through=START + MINUTE * position, known_at=position)

    def _void(self, number: int) -> None:
        self.voided = f"v-{self.method.name}-{number}"
        uid = f"g{self.games // 2 + number + len(self.method.name)}"
        self.engine.record(rc.ResultVoided(of=uid, uid=self.voided))
        self._list()

    def _impact(self) -> object:
        return self.engine.impact(self.voided, "world", self.method)


def _median(works: list[Callable[[], object]], before: list[Callable[[], object]] | None = None) -> float:
    """Returns the median CPU seconds of pieces of work; the changes in `before` are not timed."""
    taken = []
    for number, work in enumerate(works):
        if before:
            before[number]()
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return statistics.median(taken)

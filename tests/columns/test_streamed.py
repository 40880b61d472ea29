"""Games in sealed segments are streamed from the log: every answer is that of games in rows, to the last bit."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from ratingcore.columns import cache, games_in_order
from ratingcore.columns.cache import ColumnFolder, check_columns
from ratingcore.columns.sealed_file import CacheKey
from ratingcore.columns.streamed import Streamed
from ratingcore.engine import Engine
from ratingcore.errors import UnsoundLog
from ratingcore.events import DAY, Event, GamePlayed, MergeUndone, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.log import sealed_rows, segments
from ratingcore.registry.stores import address_of, open_log
from ratingcore.replay import Checkpoints, replay_with_forecasts, stand
from ratingcore.replay.fold import run_of
from tests.columns.making import POOL, columns, game, scratch, seed, session
from tests.log.sealing import seal

PLAYERS = [f"p{number}" for number in range(12)]
METHODS = ("elo", "elo:k=24,entry=trial(3)", "elo:period=days(7)", "glicko2", "trueskill", "weng-lin", "berkin")

Pair = tuple[Engine, Engine]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments, pieces and files of a few games."""
    for module in (segments, sealed_rows):
        monkeypatch.setattr(module, "LEAST", 4)
    monkeypatch.setattr(games_in_order, "_SMALL", 2)
    monkeypatch.setattr(cache, "NEWS", 5)
    monkeypatch.setattr(cache, "SMALL", 200)


@pytest.fixture
def opened(address: Callable[[str], str], tmp_path: Path) -> Iterator[Callable[[str], Engine]]:
    """Opens logs of one store by their names, with columns beside them."""
    registry = rc_registry()

    def of(name: str) -> Engine:
        return engines.enter_context(
            Engine(open_log(address_of(address(name))), registry, tmp_path / f"{name}.columns")
        )

    with ExitStack() as engines:
        yield of


@pytest.fixture
def pair(opened: Callable[[str], Engine]) -> Pair:
    """An engine whose games may be sealed, and one that has the same games in rows."""
    return opened("sealed"), opened("rows")


def rc_registry() -> Any:
    """A registry with the bundled methods."""
    import ratingcore as rc

    with rc.open(":memory:") as engine:
        return engine.registry


def some_games(random: Random, first: int, count: int, day: float, *, late: bool = False) -> list[GamePlayed]:
    """Games with ids, in order of time or not."""
    days = [day + random.randrange(count) / 4 for _ in range(count)]
    made = []
    for number, at in enumerate(days if late else sorted(days), first):
        a, b = random.sample(PLAYERS[: 4 + first // 20], 2)
        made.append(game(at, a, b, random.choice((0.0, 0.5, 1.0)), uid=f"g{number}"))
    return made


class History:
    """Random events, recorded in both logs of a pair."""

    def __init__(self, pair: Pair, seed_: int) -> None:
        self.random, self.pair = Random(seed_), pair
        self.day, self.count = 10_000.0, 0
        self.uids: list[str] = []
        self.merges: list[str] = []
        self.record(game(self.day, "p0", "p1", uid="first"))

    def record(self, *events: Event) -> None:
        """Records events in both logs."""
        for one in self.pair:
            one.record(*events)

    def seal(self, count: int, *, late: bool = False) -> None:
        """Seals games in one log, and appends them to the other as rows."""
        day = self.day - 30 * late
        games = some_games(self.random, self.count, count, day, late=late)
        self.count += count
        self.day = max(self.day, max(one.played for one in games) / DAY)
        self.uids += [one.uid for one in games]
        seal(self.pair[0].log, games)  # type: ignore[arg-type]  # of a file
        self.pair[1].log.append(games)

    def step(self) -> None:
        """One or a few random events."""
        random, uid = self.random, f"e{self.count}"
        self.count += 1
        a, b = random.sample(PLAYERS, 2)
        at = self.day if random.random() < 0.5 else self.day - random.randrange(20)
        kind = random.randrange(14)
        if kind < 5:
            self.seal(random.randrange(4, 30), late=kind == 4)
        elif kind < 8:
            order, step = random.choice((-1, 0, 1)), random.choice((4, 9))
            self.record(*(game(at + n / step, a, b, uid=f"{uid}-{n}", order=order) for n in range(random.randrange(8))))
        elif kind == 8 and self.uids:
            self.record(ResultVoided(uid=uid, of=self.uids.pop(random.randrange(len(self.uids)))))
        elif kind == 9 and self.uids:
            changes = random.choice([{"score": 0.25}, {"played": int((at - 5) * DAY)}, {"a": a, "b": b}])
            self.record(ResultAmended(uid=uid, of=random.choice(self.uids), changes=changes))
        elif kind == 10:
            self.record(seed(at, a, uid=uid))
        elif kind == 11 and random.random() < 0.3:
            self.record(session(at, ("xy", 1.0), ("zw", 0.0), uid=uid))
        elif kind == 12 and len(self.merges) < 2:
            self.record(PlayersMerged(uid=uid, keep=a, other=b))
            self.merges.append(uid)
        elif kind == 13 and self.merges:
            self.record(MergeUndone(uid=uid, of=self.merges.pop()))


def without_digest(timeline: Any) -> dict[str, list[Any]]:
    """A timeline taken apart; digests of sealed games are others than those of rows."""
    apart = columns(timeline)
    del apart["cut"][2]
    return apart


@pytest.mark.parametrize("number", range(10))
def test_timelines_are_those_of_rows(number: int, pair: Pair, opened: Callable[[str], Engine], tmp_path: Path) -> None:
    history, streamed = History(pair, number), 0
    for _ in range(12):
        history.step()
        one, other = (engine.core.view(POOL).timeline for engine in pair)
        assert without_digest(one) == without_digest(other)
        assert one.result_counts().tolist() == other.result_counts().tolist()
        streamed += one.table.streamed
        at = history.random.randrange(1, one.known_at + 1)
        earlier = [engine.core.view(POOL, known_at=at) for engine in pair]
        assert without_digest(earlier[0].timeline) == without_digest(earlier[1].timeline)
        since = [engine.core.view(POOL).same_before(at) for engine in pair]
        assert since[0] <= since[1]  # it may be found in several steps, the first of which a later one takes back
        assert earlier[0].played_counts().tolist() == earlier[1].played_counts().tolist()
        assert without_digest(scratch(pair[0].log, at)) == without_digest(earlier[1].timeline)
        cut = int((history.day - history.random.randrange(20)) * DAY)
        views = [engine.core.view(POOL, cut) for engine in pair]
        assert views[0].played_counts().tolist() == views[1].played_counts().tolist()
        assert views[0].n_games == views[1].n_games
        assert views[0].played_by(0, 1).tolist() == views[1].played_by(0, 1).tolist()
        with opened("sealed") as again:
            view = again.core.view(POOL)
            assert without_digest(view.timeline) == without_digest(other)
        folder = ColumnFolder(tmp_path / "sealed.columns" / str(one.pool), CacheKey(pair[0].log.key))
        if folder.path.exists():
            assert check_columns(folder, one.pool, pair[0].log)
    assert streamed or number % 5


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("text", METHODS)
def test_lists_and_forecasts_are_those_of_rows(text: str, number: int, pair: Pair) -> None:
    history, stores = History(pair, 100 + number), [Checkpoints(None, engine.log.digest_at) for engine in pair]
    for _ in range(8):
        history.step()
        if pair[0].core.view(POOL).n_sessions:
            return
        at = history.random.choice([None, history.random.randrange(1, pair[0].log.head.position + 1)])
        stood = []
        for engine, checkpoints in zip(pair, stores, strict=True):
            view, method = engine.core.view(POOL, known_at=at), engine.registry.method(text)
            standing, kept = stand(method, view, checkpoints), replay_with_forecasts(method, view)
            state = {name: standing.state[name].tobytes() for name in standing.state.names}
            moves = None if kept.moves is None else kept.moves.expected.tobytes()
            stood.append((state, standing.games.tolist(), moves, kept.rating_before.tobytes()))
        assert stood[0] == stood[1]


def test_sealed_games_in_order_of_play_have_no_columns(pair: Pair, opened: Callable[[str], Engine]) -> None:
    history = History(pair, 1)
    for _ in range(9):
        history.seal(40)
    pair[0].core.view(POOL)
    history.record(ResultVoided(uid="v", of="g77"), game(history.day - 50, "p0", "p1", uid="late"))
    with opened("sealed") as again:
        table = again.core.view(POOL).timeline.table
        assert sum(piece.size for piece in table.pieces if isinstance(piece, Streamed)) == 359
        assert len(table.in_memory) == 2


def test_a_reader_of_many_parts_has_a_few_of_them_in_memory(pair: Pair) -> None:
    history = History(pair, 2)
    for _ in range(9):
        history.seal(40)
    table = pair[0].core.view(POOL).timeline.table
    (piece,) = (piece for piece in table.pieces if isinstance(piece, Streamed))
    for part in range(9):
        piece.stream.columns(part, ("a", "played"))
        assert len(piece.stream._kept) <= 3


@pytest.mark.parametrize("text", ["elo", "weng-lin", "elo:period=month", "glicko2"])
def test_runs_hold_the_games_of_a_chunk_or_a_period(text: str, pair: Pair) -> None:
    history = History(pair, 2)
    for _ in range(9):
        history.seal(40)
    engine = pair[0]
    run = run_of(engine.registry.method(text), engine.core.view(POOL))
    run.stand()
    assert "results" not in vars(run)


@pytest.mark.parametrize(("text", "reads"), [("elo", False), ("glicko2:period=none", True)])
def test_times_are_read_if_the_method_asks_for_them(
    text: str, reads: bool, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(pair, 4)
    for _ in range(6):
        history.seal(40)
    engine, read = pair[0], list[str]()
    log, view = engine.log, engine.core.view(POOL)
    true: Callable[..., Any] = log.sealed_columns

    def noted(pool: int, first: int, last: int, names: Sequence[str]) -> Any:
        read.extend(names)
        return true(pool, first, last, names)

    monkeypatch.setattr(log, "sealed_columns", noted)
    stand(engine.registry.method(text), view, Checkpoints(None, log.digest_at))
    assert read.count("a") >= 6
    assert (read.count("played") >= 6) == reads


@pytest.mark.parametrize("change", [{"a": 99}, {"b": 2**30}, {"played": 0}])
def test_games_that_are_not_those_that_were_there_are_refused(
    change: dict[str, int], pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(pair, 3)
    history.seal(40)
    log, view = pair[0].log, pair[0].core.view(POOL)
    true: Callable[..., Any] = log.sealed_columns

    def forged(pool: int, first: int, last: int, names: Sequence[str]) -> Any:
        columns = dict(zip(names, true(pool, first, last, names), strict=True))
        return [np.full(last - first + 1, change[n], np.int32) if n in change else columns[n] for n in names]

    monkeypatch.setattr(log, "sealed_columns", forged)
    (piece,) = (piece for piece in view.timeline.table.pieces if isinstance(piece, Streamed))
    piece.stream._kept.clear()
    with pytest.raises(UnsoundLog, match="have changed"):
        view.timeline.table.part(0, 40)

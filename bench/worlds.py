"""Simulated leagues for benchmarks: games between players of known strength, as columns and as logs."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns import FOREVER, TimelineCache, View
from ratingcore.columns.games import Ints
from ratingcore.events import Row
from ratingcore.events.corrections import Corrections
from ratingcore.log import GameColumns, Head, SqliteLog
from ratingcore.log.chain import Batch, Name, batch_digest, commitment
from ratingcore.log.contract import Look
from ratingcore.log.names import NameDraft
from ratingcore.log.stored_names import StoredNames

START = 946_684_800_000_000
MINUTE = 60_000_000


class World(NamedTuple):
    """Columns of random games."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]


def world(games: int, players: int = 10_000, seed: int = 1) -> World:
    """Returns random games with results drawn by the logistic curve."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.0, 300.0, players)
    a = rng.integers(0, players, games, dtype=np.int32)
    b = ((a.astype(np.int64) + rng.integers(1, players, games)) % players).astype(np.int32)
    score = (rng.random(games) < 1.0 / (1.0 + 10.0 ** ((skill[b] - skill[a]) / 400.0))).astype(np.float64)
    return World(a, b, score)


def log_of(made: World, late: float = 0.0, folder: Path | None = None) -> Path:
    """Writes a log of a world, one game a minute, and returns its path.

    A share of `late` games was played up to a month earlier than recorded. Rows are written without making events,
    since only reading is measured.
    """
    rng = np.random.default_rng(2)
    games = len(made.a)
    played = START + MINUTE * np.arange(games, dtype=np.int64)
    if late:
        which = rng.random(games) < late
        played[which] -= rng.integers(1, 40_000, int(which.sum())) * MINUTE
    path = Path(folder or tempfile.mkdtemp(prefix="ratingcore-bench-")) / "world.db"
    players = int(max(made.a.max(), made.b.max())) + 1
    with SqliteLog(path) as log:
        keys = [("pool", "world"), *(("player", f"player {n}") for n in range(players))]
        names = [Name(i, kind, key, "0", commitment(kind, key, "0"), 1) for i, (kind, key) in enumerate(keys, 1)]
        digest = log.head.digest
        for start in range(0, games, 100_000):
            stop = min(start + 100_000, games)
            cells = (played, made.a + 2, made.b + 2, made.score)
            columns = [column[start:stop].tolist() for column in cells]
            rows = [
                (at, f"g{at}", "game", 1, when, 0, a, b, score, None, None)
                for at, (when, a, b, score) in enumerate(zip(*columns, strict=True), start + 1)
            ]
            fresh = names if start == 0 else []
            digest = batch_digest(digest, start + 1, stop, START, None, fresh, rows)
            with log.writing():
                log.write(Batch(start + 1, stop, START, None, digest), fresh, rows)
    return path


class ColumnLog:
    """A stand-in for a log, with games as columns in memory, since writing 50 million rows would take too long."""

    def __init__(self, made: World) -> None:
        games = len(made.a)
        at = np.arange(1, games + 1)
        nothing = np.zeros(games, dtype=np.int32)
        self._games = GameColumns(at, START + MINUTE * at, nothing, made.a + 2, made.b + 2, made.score)
        self.head = Head(games, "0" * 64)

        self.key = "0" * 64

    def look(self) -> Look:
        return Look(self.head, self.head.position + 2, 0, Numbered())

    def digest_at(self, position: int) -> str:
        return "0" * 64

    def corrections(self, to: int) -> Corrections:
        return Corrections.of(())

    def rows(self, *args: object, **options: object) -> Iterator[Row]:
        return iter(())

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        return iter(())

    def fields(self, *args: object) -> Iterator[tuple[int, str]]:
        return iter(())

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        return GameColumns(*(column[after:to] for column in self._games))


class Numbered:
    """A stand-in for a name book: each name follows from its id, since a book of 10 million would take too long."""

    def find(self, kind: str, key: str) -> int:
        return int(key.removeprefix("player "))

    def key(self, number: int) -> str:
        return f"player {number}"

    def keys(self, numbers: Sequence[int]) -> list[str]:
        return list(map(self.key, numbers))

    def hold(self, numbers: Ints) -> None:
        return

    def places(self, numbers: Ints) -> None:
        return

    def commitments(self, numbers: Sequence[int]) -> list[str]:
        return ["0" * 64] * len(numbers)

    def facts(self, numbers: Sequence[int]) -> list[None]:
        return [None] * len(numbers)

    @property
    def erased(self) -> set[int]:
        return set()


def view_of(log: ColumnLog, folder: Path | None = None) -> View:
    """Returns a view of a whole world, from column files if a folder is given."""
    return View(log, TimelineCache(folder, 1).at_head(log), "world", FOREVER, Numbered())


def with_names(view: View) -> View:
    """Gives a view a real name book, from which lists take names."""
    names = (Name(i, "player", f"player {i}", "0", "0" * 64, 1) for i in range(1, len(view.timeline.players.id) + 3))
    book = NameDraft(StoredNames(lambda *statement: []), 0, lambda: "0")
    book.restore(names)
    view.book = book
    return view

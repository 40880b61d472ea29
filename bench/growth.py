"""The growth of time with size: each piece of work with n and with 4n items; 4 is linear, 16 quadratic."""

import time
from collections.abc import Callable
from contextlib import closing

import ratingcore as rc
from bench.measure import Results
from bench.worlds import MINUTE, START
from ratingcore.engine import Engine

LINEAR = 8.0
"""Bound of the time with 4n items over that with n: above n log n, and well below the 16 of quadratic time."""


def run(results: Results, games: int) -> None:
    """Print how many times as long four times the work takes."""
    small = 500 if games < 5_000_000 else 2_000
    for name, (n, prepare, work) in WORKS.items():
        size = n * small // 2_000
        part, whole = (_seconds(prepare, work, of) for of in (size, 4 * size))
        results.row(f"{name}, {4 * size:,} against {size:,}", whole / part, "x", LINEAR)


def _seconds(prepare: Callable[[Engine, int], None], work: Callable[[Engine, int], object], n: int) -> float:
    """Returns the least CPU seconds of three runs, each on a new log."""
    taken = []
    for _ in range(3):
        with closing(rc.open(":memory:")) as engine:
            prepare(engine, n)
            began = time.process_time()
            work(engine, n)
            taken.append(time.process_time() - began)
    return min(taken)


def _game(number: int, a: str, b: str, pool: str = "p") -> rc.GamePlayed:
    return rc.GamePlayed(uid=f"g{number}", pool=pool, played=START + MINUTE * number, a=a, b=b, score=(number % 3) / 2)


def _season(engine: Engine, n: int) -> None:
    engine.record(*(_game(g, f"a{g % 100}", f"b{g % 37}") for g in range(n)))
    engine.rating_list("p", "elo")


def _amended(engine: Engine, n: int) -> None:
    engine.record(_game(0, "ann", "bo"))
    engine.record(*(rc.ResultAmended(of="g0", changes={"score": (i % 3) / 2}) for i in range(n)))


def _voids_in_chain(engine: Engine, n: int) -> None:
    engine.record(_game(0, "ann", "bo"))
    engine.record(*(rc.ResultVoided(of=f"v{i - 1}" if i else "g0", uid=f"v{i}") for i in range(n)))


def _people(engine: Engine, n: int) -> None:
    engine.record(*(_game(g, f"x{g}", "bo") for g in range(n + 1)))


def _chain(engine: Engine, n: int) -> None:
    _people(engine, n)
    engine.record(*(rc.PlayersMerged(keep=f"x{i + 1}", other=f"x{i}") for i in range(n)))


def _star(engine: Engine, n: int) -> None:
    _people(engine, n)
    engine.record(*(rc.PlayersMerged(keep="x0", other=f"x{i + 1}") for i in range(n)))


def _publish(engine: Engine, n: int) -> None:
    listed = engine.rating_list("p", "elo")
    for i in range(n):
        engine.publish(listed, name=f"list {i}")


def _listed(engine: Engine, n: int) -> None:
    _season(engine, 100)
    _publish(engine, n)


def _session(engine: Engine, n: int) -> None:
    sides = [rc.Side([f"a{i}", f"b{i}"], 50.0 + i % 7) for i in range(n)]
    engine.record(rc.SessionPlayed(pool="p", played="2024-03-02", sides=sides))


def _read_by(engine: Engine, n: int) -> None:
    for i in range(n):
        with engine.follow(f"subscriber {i}") as feed:
            next(iter(feed))


WORKS: dict[str, tuple[int, Callable[[Engine, int], None], Callable[[Engine, int], object]]] = {
    "explain after n amendments of a game": (2_000, _amended, lambda e, n: e.explain("p", "ann", "elo")),
    "explain after a chain of n voids": (2_000, _voids_in_chain, lambda e, n: e.explain("p", "ann", "elo")),
    "list after a chain of n merges": (4_000, _chain, lambda e, n: e.rating_list("p", "elo")),
    "list after n merges into one": (4_000, _star, lambda e, n: e.rating_list("p", "elo")),
    "explain after n merges into one": (2_000, _star, lambda e, n: e.explain("p", "x0", "elo")),
    "publish n lists": (400, lambda e, n: _season(e, 100), _publish),
    "n cuts by the name of a list": (
        400, _listed, lambda e, n: [e.rating_list("p", "elo", known_at=f"list {i}") for i in range(n)],
    ),
    "session of n sides, bridge-bayes": (4_000, _session, lambda e, n: e.rating_list("p", "bridge-bayes")),
    "batch of n voids, and the list": (
        4_000, _season, lambda e, n: (e.record(*(rc.ResultVoided(of=f"g{i}") for i in range(n))),
                                      e.rating_list("p", "elo")),
    ),
    "n voids one by one": (2_000, _season, lambda e, n: [e.void(f"g{i}") for i in range(n)]),
    "n cursors": (2_000, lambda e, n: _season(e, 10), _read_by),
}  # fmt: skip

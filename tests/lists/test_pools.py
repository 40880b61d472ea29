"""Lists of many pools in one call: the same from threads, processes, Dask and Ray, over a file and over PostgreSQL."""

import pickle
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from joblib import parallel_config
from joblib.externals.loky import get_reusable_executor

import ratingcore as rc
from ratingcore import __version__
from ratingcore.columns import FOREVER
from ratingcore.engine import Engine
from ratingcore.errors import BadCut, BadValue, MethodNotFound, UnknownName
from ratingcore.lists import ListPolicy, RatingList, pools
from ratingcore.lists.workers import Pinned
from ratingcore.log import Head
from tests.log.conftest import INSTALLED
from tests.testing.liars import Honest

POOLS = 60


def fill(engine: Engine, count: int = POOLS) -> None:
    """Records games of many pools, in turn; players appear in several."""
    random, events = Random(7), []
    for number in range(count * 12):
        a, b = random.sample("abcdefghij", 2)
        pool, day = f"pool {number % count}", f"2024-03-{1 + number // count:02d}"
        score = random.choice([0.0, 0.5, 1.0])
        events.append(rc.GamePlayed(uid=f"g{number}", pool=pool, played=day, a=a, b=b, score=score))
    engine.record(*events)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Columns of logs on a server stay in the folder of the test, those that processes make as well."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    get_reusable_executor().shutdown()
    yield
    get_reusable_executor().shutdown()


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Engine]:
    with rc.open(tmp_path / "league.db") as engine:
        fill(engine)
        yield engine


def same(one: dict[str, RatingList], other: dict[str, RatingList]) -> bool:
    """Whether two sets of lists say the same, in the same order, made from the same."""

    def told(made: dict[str, RatingList]) -> list[Any]:
        return [(pool, each.digest, each.seal, each.provenance, list(each)) for pool, each in made.items()]

    return told(one) == told(other)


def one_by_one(engine: Engine, **asked: Any) -> dict[str, RatingList]:
    return {pool: engine.rating_list(pool, "elo", **asked) for pool in engine.pools()}


def dask(processes: bool) -> AbstractContextManager[object]:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")

    stack = ExitStack()
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=processes, dashboard_address=None, protocol="tcp"
    )
    stack.enter_context(cluster)
    stack.enter_context(distributed.Client(cluster))
    stack.enter_context(parallel_config(backend="dask"))
    return stack


def ray() -> AbstractContextManager[object]:
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")
    from ray.util.joblib import register_ray

    register_ray()
    stack = ExitStack()
    ray.init(num_cpus=2)
    stack.callback(ray.shutdown)
    stack.enter_context(parallel_config(backend="ray"))
    return stack


BACKENDS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "here": nullcontext,
    "threads": lambda: parallel_config(backend="threading", n_jobs=2),
    "processes": lambda: parallel_config(backend="loky", n_jobs=2),
    "dask": lambda: dask(processes=True),
    "dask in this process": lambda: dask(processes=False),
    "ray": ray,
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.filterwarnings("ignore")  # whatever Dask and Ray warn of
def test_lists_of_all_pools_are_those_that_are_made_one_by_one(league: Engine, backend: str) -> None:
    expected, told = one_by_one(league), list[int]()
    with BACKENDS[backend]():
        found = league.replay_pools("elo", progress=told.append)
    assert len(found) == POOLS
    assert same(found, expected)
    assert told == list(range(1, POOLS + 1))


@pytest.mark.parametrize("backend", ["threads", "processes", "dask"])
@pytest.mark.parametrize("address", INSTALLED, indirect=True)  # a file is what the test above has
@pytest.mark.filterwarnings("ignore")  # as above
def test_workers_open_a_log_in_an_installed_store_by_its_address(address: Callable[[str], str], backend: str) -> None:
    with rc.open(address("shared")) as engine:
        fill(engine)
        expected = one_by_one(engine, through="2024-03-09", policy="min_games=2")
        with BACKENDS[backend]():
            found = engine.replay_pools("elo", through="2024-03-09", policy="min_games=2")
        assert same(found, expected)


def test_what_is_asked_goes_to_the_workers(league: Engine) -> None:
    some = ["pool 7", "pool 3", "pool 7"]
    before = league.core.position()
    league.void("g3")
    found = league.replay_pools("elo:k=24", some, "2024-03-10", before, top=3, jobs=2)
    assert list(found) == ["pool 7", "pool 3"]
    for pool, made in found.items():
        expected = league.rating_list(pool, "elo:k=24", "2024-03-10", before, top=3)
        assert list(made) == list(expected)
        assert (made.more, made.provenance) == (expected.more, expected.provenance)


def asked_of(engine: Engine) -> pools.PoolsQuestion:
    assert engine.log.address is not None
    log = Pinned(engine.log.address, engine.log.head)
    return pools.PoolsQuestion(
        log, engine.registry.method("elo"), FOREVER, ListPolicy(), None, __version__, ("pool 1", "pool 2")
    )


def test_work_travels_small(league: Engine) -> None:
    asked = asked_of(league)
    sent = pickle.dumps(asked)
    assert len(sent) < 2_000
    assert b"numpy" not in sent
    assert pickle.loads(sent) == asked


def test_workers_see_the_log_as_it_was_when_they_were_asked(league: Engine) -> None:
    asked = asked_of(league)
    before = pools.lists_made(asked)
    league.record(rc.GamePlayed(pool="pool 1", played="2020-01-01", a="a", b="new", score=0.0))
    after = pools.lists_made(asked)
    assert [made["provenance"] for made in before] == [made["provenance"] for made in after]
    for one, other in zip(before, after, strict=True):
        assert one["id"].tolist() == other["id"].tolist()
        assert one["values"]["rating"].tolist() == other["values"]["rating"].tolist()


def test_an_append_meanwhile_shows_in_none_of_the_lists(league: Engine) -> None:
    expected, count = one_by_one(league), 0

    def record(done: int) -> None:
        nonlocal count
        count += 1
        league.record(rc.GamePlayed(pool=f"pool {count % POOLS}", played="2020-01-01", a="a", b="new", score=0.0))

    for jobs in (1, 2):
        assert same(league.replay_pools("elo", known_at=POOLS * 12, progress=record, jobs=jobs), expected)
    assert count == 2 * POOLS


def test_a_log_of_another_history_is_refused(league: Engine) -> None:
    asked = asked_of(league)
    other = Pinned(asked.log.address, Head(asked.log.head.position, "0" * 64))
    with pytest.raises(BadCut, match="is not a head of this log"):
        pools.lists_made(evolve(asked, log=other))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_cannot_be_answered_is_refused(league: Engine, jobs: int) -> None:
    with pytest.raises(UnknownName, match="nowhere"):
        league.replay_pools("elo", ["pool 1", "nowhere"], jobs=jobs)
    with pytest.raises(BadValue, match="must be a list of pools, not one pool: put it in a list"):
        league.replay_pools("elo", "pool 1", jobs=jobs)
    with pytest.raises(BadValue, match="whole number from 1"):
        league.replay_pools("elo", top=0, jobs=jobs)
    with pytest.raises(MethodNotFound):
        league.replay_pools("elow", jobs=jobs)
    with pytest.raises(BadCut):
        league.replay_pools("elo", known_at=10_000, jobs=jobs)
    with pytest.raises(BadValue, match="jobs must be at most 1000"):
        league.replay_pools("elo", jobs=1_000_000)


def test_a_log_without_pools_has_no_lists() -> None:
    assert rc.open(":memory:").replay_pools("elo", jobs=2) == {}


def unable(*args: object) -> None:
    raise AssertionError("it was sent to a worker")


@pytest.mark.parametrize("kind", ["memory", "what-if"])
def test_what_cannot_travel_is_worked_on_here(league: Engine, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "lists_made", unable)
    if kind == "memory":
        engine = rc.open(":memory:")
        fill(engine)
    else:
        engine = league.what_if([rc.GamePlayed(pool="pool 1", played="2025-01-01", a="a", b="b", score=1.0)])
    assert len(engine.replay_pools("elo", jobs=2)) == POOLS


def test_workers_rate_by_a_method_that_is_installed_nowhere(league: Engine) -> None:
    """They looked it up in a registry of their own, so it was rated here, one pool after another."""
    here, there = (league.replay_pools(Honest(), jobs=jobs) for jobs in (1, 2))
    assert same(there, here)


def test_workers_leave_out_odd_results_as_this_process_does(address: Callable[[str], str]) -> None:
    """The reasons travel with the list: `left_out`, its digest and its provenance are the same."""
    facts = {"points_a": 3, "points_b": 1}
    with rc.open(address("odd")) as engine:
        for number in range(6):
            pool = f"pool {number}"
            games = [
                rc.GamePlayed(uid=f"{number}-{day}", pool=pool, played=f"2024-03-{day:02d}", a="ann", b="bo", score=1.0,
                              data={} if day == 3 and number % 2 else facts)
                for day in range(1, 6)
            ]  # fmt: skip
            sides = [rc.Side(["ann"], 1.0), rc.Side(["new"], 0.0)]
            engine.record(*games, rc.SessionPlayed(uid=f"s{number}", pool=pool, played="2024-03-02", sides=sides))
        expected = {pool: engine.rating_list(pool, "elo-margin") for pool in engine.pools()}
        found = engine.replay_pools("elo-margin", jobs=2)
        assert same(found, expected)
        for pool, made in found.items():
            assert made.left_out == expected[pool].left_out
            assert made.provenance == expected[pool].provenance
        assert found["pool 1"].left_out == {"session": 1, "no points": 1}
        assert found["pool 2"].left_out == {"session": 1}
        assert "new" not in [row["player"] for row in found["pool 1"]]

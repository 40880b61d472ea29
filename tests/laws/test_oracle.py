"""The oracle test: views, lists and histories equal a plain-Python fold, whatever was corrected, wherever one cuts.

Breaking the rule of corrections on purpose makes it fail: the last tests show that it notices each way.
"""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.errors import PluginFails, UnknownName, WrongForm
from ratingcore.events import DAY, Row, corrections
from ratingcore.events.corrections import Corrections, Groups
from ratingcore.log import Log, MemoryLog, SqliteLog
from ratingcore.log.postgres import PostgresLog
from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Need, Period, Rated, Sides, State
from ratingcore.registry import Registry
from ratingcore.replay import checkpoint_store, continuous, plan, seeds, stand
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.tables import View, cache, columnfiles, rebuild
from ratingcore.tables.difference import SAME
from ratingcore.tables.latest import Latest
from ratingcore.tables.pieces import GameTable
from tests.laws import oracle
from tests.laws.histories import DAYS, PLAYERS, POOLS, League
from tests.log import conftest
from tests.log.server import Server

pinned = settings(derandomize=True, deadline=None, max_examples=120)
ELO, HALF_A_DIGIT = Elo(), 0.5e-4


@frozen
class Tally(Method):
    """The oracle's toy that rates sessions too, the way a stranger would write it."""

    name = "tally"
    cadence = Cadence.CONTINUOUS
    reads = Sides

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating"),)

    def rate(self, state: State, games: Sides) -> Rated:
        rating, change, expected = state.copy("rating"), games.blank(), np.empty(len(games.score))
        for r in range(len(games)):
            first, last = int(games.result[r]), int(games.result[r + 1])
            expected[first:last] = mean = sum(games.score[first:last].tolist()) / (last - first)
            for s in range(first, last):
                seats = slice(int(games.side[s]), int(games.side[s + 1]))
                seated = games.player[seats]
                change[seats] = games.score[s] - mean - rating[seated] / 10
                rating[seated] += change[seats]
        return Rated(state.replace(rating=rating), expected, change)

    def expected(self, state: State, games: Sides) -> Forecast:
        return Forecast(np.zeros(len(games.score)))


@frozen
class Mindful(Method):
    """A toy that remembers events, and asks when players were born: both are read beside results."""

    name = "mindful"
    cadence = Cadence.CONTINUOUS
    needs = (Need("event", labels=True, default=0.0), Need("born", of="player", default=1900.0))

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating"), Column("event", digits=None, kept=False))

    def rate(self, state: State, games: Games) -> Rated:
        rating, event, change = state.copy("rating"), state.copy("event"), (games.blank(), games.blank())
        for g in range(len(games)):
            for moved, i in zip(change, (games.a[g], games.b[g]), strict=True):
                moved[g] = games["born"][i] / 1000 + (event[i] != games["event"][g]) - rating[i] / 10
                event[i] = games["event"][g]
                rating[i] += moved[g]
        return Rated(state.replace(rating=rating, event=event), np.zeros(len(games)), change)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.zeros(len(games)))


TALLY, MINDFUL, BY_TOURNAMENT = Tally(), Mindful(), Elo(period=Period("event"))
ANY = (ELO, TALLY, MINDFUL, Elo(period=Period("days", 2)), BY_TOURNAMENT)
"""Methods whose checkpoints are put to the test: game by game, with sides, with fields, by period."""


server = conftest.server


class Logs:
    """One history in several logs, each with an engine that has been asked before; and what the oracle knows of it."""

    def __init__(self, folder: Path | None, address: str | None = None) -> None:
        self.engines = {"memory": Engine(MemoryLog(_ticks(), _salts()), Registry())}
        self._opened: dict[str, Callable[[], Engine]] = {}
        if folder is not None:
            self._keep("sqlite", partial(SqliteLog, folder / "log.db"), folder / "columns")
        if folder is not None and address is not None:
            self._keep("postgres", partial(PostgresLog, address), folder / "columns of postgres")
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
                self.stood(engine, engine.view(pool), TALLY)

    def query(self, random: Random) -> None:
        """Ask for something anywhere, and compare."""
        known_at = random.choice([len(self.recorded), random.randint(0, len(self.recorded))])
        through = random.choice([None, random.randint(-1, DAYS) * DAY + random.choice([0, 1, DAY - 1])])
        pool = random.choice(POOLS)
        for engine in random.sample(list(self.engines.values()), len(self.engines)):
            if engine.log.id_of("pool", pool) is not None:
                self.compare(random, engine, pool, through, known_at)

    def compare(self, random: Random, engine: Engine, pool: str, through: int | None, known_at: int) -> None:
        everything = oracle.believed(self.recorded, known_at, pool)
        for day in range(-1, DAYS + 4):
            self.viewed(engine.view(pool, day * DAY, known_at), everything.through(day * DAY))
        where = (pool, through, known_at)
        truth = everything if through is None else everything.through(through)
        self.viewed(engine.view(*where), truth)
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
                self.stood(engine, engine.view(*where), method)

    def rated_by_tournament(self, engine: Engine, where: tuple[Any, ...], truth: dict[str, float]) -> None:
        pool, through, known_at = where
        replay = engine.replay(pool, BY_TOURNAMENT, through, known_at)
        rating = dict(zip(replay.view.names(), replay.state["rating"].tolist(), strict=False))
        assert {name: truth.get(name, oracle.INITIAL) for name in rating} == pytest.approx(rating, abs=1e-9, rel=0), (
            where
        )

    def stood(self, engine: Engine, view: View, method: Method) -> None:
        """Where a method stands is the same from a checkpoint and from the beginning, to the last bit."""
        stood, plain = engine.standing(method, view), stand(method, view)
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
        replay = engine.replay(pool, method, through, known_at, keep=True)
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
    random: Random, folder: Path | None, batches: int, questions: int, sessions: bool, address: str | None = None
) -> None:
    """A league lives: it records, asks, reopens; everything it is told must be what the oracle says."""
    logs, league = Logs(folder, address), League(random, sessions)
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
    monkeypatch.setattr(columnfiles, "SMALL", 400)  # games outgrow the file of short columns, others do not


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is not the disk."""
    monkeypatch.setattr(columnfiles.os, "fsync", lambda file: None)


@pinned
@given(random=st.randoms(use_true_random=False), sessions=st.booleans())
def test_lists_views_and_histories_equal_the_oracle_on_a_log_in_memory(random: Random, sessions: bool) -> None:
    live(random, None, random.randint(1, 8), 2, sessions)


@pytest.mark.usefixtures("unsynced")
@settings(pinned, max_examples=20)
@given(random=st.randoms(use_true_random=False), sessions=st.booleans())
def test_lists_views_and_histories_equal_the_oracle_on_a_file_with_its_cache(random: Random, sessions: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        live(random, Path(folder), random.randint(1, 6), 2, sessions)


@pytest.mark.parametrize("sessions", [False, True])
def test_hundreds_of_longer_histories_equal_the_oracle(sessions: bool) -> None:
    for number in range(120):
        live(Random(number), None, 8, 2, sessions)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("sessions", [False, True])
def test_longer_histories_equal_the_oracle_in_both_stores(sessions: bool, tmp_path: Path) -> None:
    for number in range(12):
        (folder := tmp_path / str(number)).mkdir()
        live(Random(1000 + number), folder, 10, 2, sessions)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("sessions", [False, True])
def test_histories_in_postgresql_equal_the_oracle(sessions: bool, tmp_path: Path, server: Server) -> None:
    for number in range(4):
        (folder := tmp_path / str(number)).mkdir()
        address = server.address(f"oracle_{number}_{sessions}".lower())
        live(Random(2000 + number), folder, 8, 2, sessions, address)


# The rules broken on purpose


def _every_void_counts(rows: Any) -> Corrections:
    """A void takes back what it speaks about, though it was taken back itself."""
    said = list(rows)
    right, void = _OF(said), frozenset(row.ref for row in said if row.kind in {"void", "unmerge"})
    kept = [row for row in said if row.position not in void or row.kind in {"void", "unmerge"}]
    return evolve(_OF(kept), void=void | right.void)


def _first_amendment_stands(rows: Any) -> Corrections:
    said = list(rows)
    right, changes = _OF(said), {}
    for row in reversed(said):
        if row.kind == "amend" and not {row.position, row.ref} & right.void:
            changes.setdefault(row.ref, {}).update(row.facts["set"])
    return evolve(right, changes=changes)


def _amendments_of_other_fields_are_lost(rows: Any) -> Corrections:
    said = list(rows)
    right = _OF(said)
    last = {row.ref: row.facts["set"] for row in said if row.kind == "amend" and row.position not in right.void}
    return evolve(right, changes={at: last[at] for at in right.changes})


def _merges_lead_one_step(groups: Groups, keep: int, other: int) -> None:
    groups._group[other] = corrections._Group(keep, [other])


def _undone_merges_stand(rows: Any) -> Corrections:
    said = list(rows)
    return evolve(_OF(said), roots=_OF([row for row in said if row.kind == "merge"]).roots)


def _amended_pools_are_ignored(row: Row, changed: Any) -> Row:
    return _AMENDED(row, {name: value for name, value in changed.items() if name != "pool"})


def _order_is_ignored(games: GameTable) -> GameTable:
    return games.take(np.lexsort((games.position, games.played)))


def _seeds_come_after_games(*args: Any) -> Any:
    first, later, cut = _PLANTINGS(*args)
    return first, later, np.minimum(cut + 1, len(args[2]))


def _whatever_players_are(self: Checkpoint, view: View, method: Method) -> bool:
    return self.date is None and self.through <= view.through and view.same_before(self.known_at) > self.through


def _original_times_only(self: Latest, position: int) -> int:
    """The rule of checkpoints without the times that earlier corrections had given to events."""
    low, high = sorted((position, self.timeline.known_at))
    times = [SAME]
    for row in self._log.rows(low, high):
        said = [row]
        while row.ref is not None:
            row = next(iter(self._log.rows_at([row.ref])))
            said.append(row)
        if row.kind == "merge":
            return -SAME
        if row.pool == self.timeline.pool or any("pool" in one.facts.get("set", {}) for one in said):
            times.append(row.played)
            times += [one.facts["set"]["played"] for one in said if "played" in one.facts.get("set", {})]
    return min(times)


_OF, _AMENDED, _PLANTINGS = Corrections.of, corrections.amended, seeds.continuous_plantings
RULES: dict[str, tuple[Any, str, Any]] = {
    "a void that was voided counts all the same": (Corrections, "of", _every_void_counts),
    "the first amendment of a field stands": (Corrections, "of", _first_amendment_stands),
    "an amendment forgets what earlier ones said of other fields": (
        Corrections, "of", _amendments_of_other_fields_are_lost,
    ),
    "a merge that was undone stands": (Corrections, "of", _undone_merges_stand),
    "merges are not transitive": (Groups, "merge", _merges_lead_one_step),
    "an amended pool is ignored": (corrections, "amended", _amended_pools_are_ignored),
    "late games are appended, not inserted": (rebuild, "merged", lambda known, late: known.then(late)),
    "games of one time keep the order of the log": (rebuild, "in_play_order", _order_is_ignored),
    "games whose players became one still count": (rebuild, "_rooted", lambda games, corrections: games),
    "what was learnt later is known earlier": (
        Latest, "at", lambda self, position: self.timeline,
    ),
    "a correction does not reach games that are known": (Corrections, "touched", lambda self, other: set()),
    "a merge does not reach games that are known": (Corrections, "moved", lambda self, other: set()),
    "a checkpoint serves whatever was recorded since": (Latest, "same_before", lambda self, position: SAME),
    "a checkpoint ignores the times that earlier corrections had given an event": (
        Latest, "same_before", _original_times_only,
    ),
    "a checkpoint ignores what is said of players": (Checkpoint, "serves", _whatever_players_are),
    "tournaments of one span are rated as the log learnt their labels": (
        plan, "in_order_of_end", lambda end, start, first: np.lexsort((start, end)),
    ),
    "seeds are planted after the games of their time": (continuous, "continuous_plantings", _seeds_come_after_games),
}  # fmt: skip


@pytest.mark.parametrize(("where", "name", "wrong"), RULES.values(), ids=RULES.keys())
def test_the_oracle_notices_when_a_rule_is_broken(
    where: Any, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises((AssertionError, ValueError, ArithmeticError, PluginFails)):  # columns may not even fit
        live_long()

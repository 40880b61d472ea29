"""Files among random decisions: applied late or refused; taken back as a whole, they come again read otherwise."""

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import Conflict, PlanOutdated, RatingCoreError
from ratingcore.events import GamePlayed
from ratingcore.importer.differences import fields_of
from ratingcore.importer.recorded_notes import CorrectedByHand, CorrectionsLost
from ratingcore.importer.report import ImportReport
from ratingcore.log import Receipt
from ratingcore.log.lookup import corrections_of, decoder_of, event_of, uid_at
from tests.columns.making import POOL
from tests.plans.test_random_plans import NAMES, Season, copy_of, corrected, lists

ASKED: list[dict[str, Any]] = [{}, {"amend": True}, {"reissue": True, "voids": 1.0}]


def rows_of(random: Random, ids: bool) -> list[dict[str, str]]:
    """Some rows, now and then of somebody new, with ids that others may have taken."""
    rows = []
    numbers = random.sample(range(12), 8)
    for n in range(random.randrange(1, 8)):
        a, b = random.sample([*NAMES, f"new {n % 3}"], 2)
        row = {"played": f"1970-01-{random.randrange(1, 6):02}", "a": a, "b": b}
        own = {"id": f"row-{numbers[n]}"} if ids else {}
        rows.append({**row, "score": random.choice(["1-0", "0-1", "1/2", "bye"]), **own})
    return rows


def meanwhile(season: Season) -> None:
    """What others do: results, some with an id of a row, decisions, and now and then an erasure."""
    chance = season.random.random()
    if chance < 0.4:
        season.record(season.random.randrange(1, 3))
    elif chance < 0.6:
        with suppress(Conflict):
            uid = f"row-{season.random.randrange(12)}"
            season.engine.record(GamePlayed(uid=uid, pool=POOL, played=0, a="ann", b="bo", score=0.5))
    elif chance < 0.95:
        season.decide()
    else:
        season.erase()


@pytest.mark.parametrize("seed", range(4))
def test_a_file_that_is_applied_late_brings_what_it_would_bring_then(seed: int) -> None:
    season, late = Season(seed), 0
    random, engine = season.random, season.engine
    for turn in range(30):
        rows, asked = rows_of(random, ids=turn % 3 == 0), random.choice(ASKED)
        try:
            plan = engine.plan.import_file(rows, POOL, name="cup.csv", **asked)
        except RatingCoreError:  # its scores are in doubt
            continue
        for _ in range(random.randrange(4)):
            meanwhile(season)
        supposed, head = copy_of(engine), engine.log.head
        refusal: PlanOutdated | None = None
        try:
            report = engine.apply(plan)
        except PlanOutdated as outdated:
            refusal = outdated
        if refusal is not None:
            assert engine.log.head == head
            named = plan.basis.head.position < refusal.position <= head.position
            assert named or refusal.kind in ("erase", "file")
            continue
        rows_there = list(engine.log.rows_at(plan.report.rows.positions))
        made_at, pools = plan.basis.head.position, {row.pool for row in rows_there}
        assert corrected(engine, made_at, head.position).isdisjoint(row.uid for row in rows_there)
        assert pools.isdisjoint(row.pool for row in engine.log.rows(made_at, head.position, ("pool",)))
        if engine.log.head != head:
            late += head != plan.basis.head
            assert report.outcome == plan.report.outcome, "each row became what the plan said"
        supposed.import_file(rows, POOL, name="cup.csv", **asked)
        assert lists(engine) == lists(supposed)
        if not engine.log.book.erased:  # else a name of the file may be that of somebody who was erased
            assert engine.import_file(rows, POOL, name="cup.csv", **asked).changes == 0, "once more it changes nothing"
            assert lists(engine) == lists(supposed)
    assert late > 2, "files were applied beside what others recorded"


ROW = st.tuples(
    st.sampled_from(["2024-03-02", "2024-03-02 23:30", "2024-03-03", "2024-03-09 01:15"]),
    st.sampled_from(["ann", "bo", "cy"]), st.sampled_from(["dee", "eve"]), st.sampled_from(["1-0", "0-1", "1/2"]),
    st.sampled_from(["1", "2", "3"]), st.sampled_from(["Open", "Cup", ""]), st.sampled_from(["left", "right", ""]),
)  # fmt: skip
BASE = {"a": "white", "b": "black", "score": "result", "played": "day"}
MAPPINGS: dict[str, tuple[dict[str, str], str]] = {
    "plain": (BASE, "Europe/Prague"), "rounds": ({**BASE, "round": "turn"}, "Europe/Prague"),
    "events": ({**BASE, "event": "cup", "round": "turn"}, "Europe/Prague"), "zone": (BASE, "America/New_York"),
    "sides": ({**BASE, "a": "black", "b": "white"}, "Europe/Prague"),
}  # fmt: skip
"""How a file is read: its columns and its zone."""


BACK: dict[str, Any] = {
    "source": lambda engine, report: engine.plan.chosen(source="games.csv"),
    "positions": lambda engine, report: engine.plan.chosen(positions=report.positions),
}
HEADER = ("day", "white", "black", "result", "turn", "cup", "seat", "number")


def imported(engine: Engine, what: Any, mapping: str, ids: bool, **options: Any) -> ImportReport:
    fields, zone = MAPPINGS[mapping]
    asked = {**fields, **({"id": "number"} if ids else {})}
    return engine.import_file(what, "club", asked, name="games.csv", zone=zone, **options)


def results(engine: Engine) -> tuple[list[Any], list[str]]:
    """The list of a pool, and its results that count with their fields."""
    event, now = decoder_of(engine.log), corrections_of(engine.log)
    read = [event(one) for row in engine.log.rows(0, None, ("game",)) if (one := now.read(row)) is not None]
    return list(engine.rating_list("club", "elo")), sorted(repr(evolve(one, uid="_")) for one in read)


@given(
    rows=st.lists(ROW, min_size=1, max_size=10, unique_by=lambda row: row[:3]), first=st.sampled_from(sorted(MAPPINGS)),
    second=st.sampled_from(sorted(MAPPINGS)), ids=st.booleans(), back=st.sampled_from(["source", "positions", "undo"]),
    single=st.integers(0, 9), shape=st.sampled_from(["file", "rows"]), place=st.sampled_from(["memory", "file"]),
)  # fmt: skip
@settings(max_examples=25)
def test_a_file_taken_back_and_brought_again_is_as_if_it_came_so_alone(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, ...]],
    first: str,
    second: str,
    ids: bool,
    back: str,
    single: int,
    shape: str,
    place: str,
) -> None:
    folder = tmp_path_factory.mktemp("again")
    table = [dict(zip(HEADER, (*row, f"g-{n}"), strict=True)) for n, row in enumerate(rows)]
    (folder / "games.csv").write_text("\n".join(map(",".join, [HEADER, *(row.values() for row in table)])) + "\n")
    what: Any = folder / "games.csv" if shape == "file" else table
    with rc.open(":memory:" if place == "memory" else str(folder / "club.db")) as engine, rc.open(":memory:") as alone:
        report = imported(engine, what, first, ids)
        assert imported(engine, what, first, ids).changes == 0
        if back == "undo":
            engine.apply(engine.plan.undo(Receipt(engine.log.head, report.accepted, 0)))
        else:
            engine.apply(engine.plan.void_all(BACK[back](engine, report)))
        assert not len(engine.rating_list("club", "elo"))
        again, fresh = imported(engine, what, second, ids), imported(alone, what, second, ids)
        assert (again.accepted, again.rows.counts()) == (fresh.accepted, fresh.rows.counts())
        assert (again.kept_columns, again.unused_columns) == (fresh.kept_columns, fresh.unused_columns)
        assert results(engine) == results(alone)
        assert imported(engine, what, second, ids).changes == 0
        counting = [
            row for row in engine.log.rows(0, None, ("game",)) if row.position not in corrections_of(engine.log).void
        ]
        void = engine.void(counting[single % len(counting)].uid, why="a default").head.position
        without = results(engine)
        for _ in range(2):  # whatever comes, it stays void, and its row says so
            late = imported(engine, what, second, ids)
            assert [row.void for row in late.rows.only("voided")] == [void]
            assert (late.changes, results(engine)) == (0, without)
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        late = imported(engine, what, second, ids)
        assert [row.void for row in late.rows.only("voided")] == [void]
        assert late.kept_columns == fresh.kept_columns
        assert results(engine) == without
        if first != "zone" != second:  # the void result is then of another time, and so another one
            engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
            late = imported(engine, what, first, ids)
            assert (late.refused, [row.void for row in late.rows.only("voided")]) == ([], [void])


DECISIONS = st.sampled_from([{"score": 0.25}, {"event": "Final"}, {"a": "zoe"}, {"score": 0.75, "event": "Final"}])
"""Fields that an officer corrects by hand; no row of a file has these values."""


def holds(gave: Any, gives: Any, changes: dict[str, Any], ids: bool) -> dict[str, Any]:
    """The changes by hand that hold for a row that gave a result, and gives another one now."""
    before, now = fields_of(gave), fields_of(gives)
    differing = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    differing |= {"a", "b"} if differing & {"a", "b"} else set()
    differing |= {"score"} if (gave.a, gave.b) == (gives.b, gives.a) else set()
    known = ids or "played" not in differing
    return {name: value for name, value in changes.items() if known and name not in differing}


@given(
    rows=st.lists(ROW, min_size=1, max_size=8, unique_by=lambda row: (row[0][:10], *row[1:3])),
    first=st.sampled_from(sorted(MAPPINGS)), second=st.sampled_from(sorted(MAPPINGS)), ids=st.booleans(),
    decisions=st.lists(st.tuples(st.integers(0, 7), DECISIONS), min_size=1, max_size=4), times=st.integers(1, 3),
    reissue=st.booleans(),
)  # fmt: skip
@settings(max_examples=20)
def test_what_was_corrected_by_hand_holds_when_its_file_comes_again_if_the_row_repeats_what_it_gave(
    rows: list[tuple[str, ...]],
    first: str,
    second: str,
    ids: bool,
    decisions: list[tuple[int, dict[str, Any]]],
    times: int,
    reissue: bool,
) -> None:
    """The corrections were gone without a word, once the whole file was taken back and came again."""
    table = [dict(zip(HEADER, (*row, f"g-{n}"), strict=True)) for n, row in enumerate(rows)]
    # a new issue keeps what is recorded of columns that it lacks
    reissue &= MAPPINGS[first][0].keys() == MAPPINGS[second][0].keys() and MAPPINGS[first][1] == MAPPINGS[second][1]
    with rc.open(":memory:") as engine, rc.open(":memory:") as was, rc.open(":memory:") as alone:
        for one, mapping in ((engine, first), (was, first), (alone, second)):
            imported(one, table, mapping, ids)
        gave, gives = ([event_of(one.log, uid_at(one.log, n + 1)) for n in range(len(rows))] for one in (was, alone))
        last: dict[tuple[int, str], int] = {}
        for n, changes in [(n % len(rows), changes) for n, changes in decisions]:
            at = engine.amend(uid_at(engine.log, n + 1), changes).head.position
            holding = holds(gave[n], gives[n], changes, ids)
            if holding:
                alone.amend(gives[n].uid, holding)
            last |= {(n, name): 0 if name in holding else at for name in changes}
        overruled = {at for at in last.values() if at}
        for turn in range(times):
            engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
            report = imported(engine, table, second, ids, reissue=reissue)
            assert results(engine) == results(alone)
            named = {note.position for note in report.notes if isinstance(note, CorrectedByHand)}
            named |= {at for note in report.notes if isinstance(note, CorrectionsLost) for at in note.positions}
            assert named == (overruled if turn == 0 else set())
            assert imported(engine, table, second, ids, reissue=reissue).changes == 0
            assert results(engine) == results(alone)

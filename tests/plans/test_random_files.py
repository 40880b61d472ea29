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
from ratingcore.importer.report import ImportReport
from ratingcore.log import Receipt
from ratingcore.log.lookup import corrections_of, decoder_of
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


@pytest.mark.parametrize("seed", range(12))
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
            named = plan.rests.head.position < refusal.position <= head.position
            assert named or refusal.kind in ("erase", "file")
            continue
        rows_there = list(engine.log.rows_at(plan.report.rows.positions))
        made_at, pools = plan.rests.head.position, {row.pool for row in rows_there}
        assert corrected(engine, made_at, head.position).isdisjoint(row.uid for row in rows_there)
        assert pools.isdisjoint(row.pool for row in engine.log.rows(made_at, head.position, ("pool",)))
        if engine.log.head != head:
            late += head != plan.rests.head
            assert report.fates == plan.report.fates, "each row became what the plan said"
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


def imported(engine: Engine, what: Any, mapping: str, ids: bool) -> ImportReport:
    fields, zone = MAPPINGS[mapping]
    asked = {**fields, **({"id": "number"} if ids else {})}
    return engine.import_file(what, "club", asked, name="games.csv", zone=zone)


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
@settings(max_examples=60)
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

"""A file that comes again means the same in batches as in one: the results, their order on a day, and their sides."""

import re
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.importer import columnar, game_columns, game_writer, known_columns
from ratingcore.importer import row_import as rows_of_import
from ratingcore.log import segments
from ratingcore.log.lookup import as_read
from tests.importer.test_corrected_rounds import came

Line = tuple[int, str, str, str]
"""The day of a game, its two sides, and the score of the first one."""
LINES = st.tuples(
    st.sampled_from([1, 2]),
    st.sampled_from(["ann,bo", "bo,ann", "ann,cy", "cy,dee"]),
    st.sampled_from(["1", "0", "0.5"]),
    st.sampled_from(["", "", "", "1"]),
)
CHANGES = st.tuples(st.sampled_from(["as it was", "changed", "turned", "gone", "new before"]), LINES)
BY_HAND = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["void", "1", "0", "0.5"])), max_size=3)
OTHER = {"1": "0", "0": "1", "0.5": "0.5"}


def table(lines: list[Line], rounds: bool) -> str:
    rows = [f"2024-01-0{day},{pair},{score}" + f",{turn}" * rounds for day, pair, score, turn in lines]
    return "\n".join(["played,a,b,score" + ",round" * rounds, *rows, ""])


def revised(lines: list[Line], changes: list[tuple[str, Line]], random: Random | None) -> list[Line]:
    made = list[Line]()
    for line, (change, other) in zip(lines, changes, strict=False):
        day, pair, score, turn = line
        if change == "new before":
            made.append(other)
        if change == "changed":
            line = (day, pair, *other[2:])
        if change == "turned":
            line = (day, ",".join(reversed(pair.split(","))), OTHER[score], turn)
        if change != "gone":
            made.append(line)
    if random is not None:
        random.shuffle(made)
    return made


def content(engine: rc.Engine) -> list[object]:
    """The results as they read now, in the order in which they were played."""
    rows = [as_read(engine.log, row.uid) for row in engine.log.rows(0, None, ("game",))]
    counting = sorted((row for row in rows if row is not None), key=lambda row: (row.played, row.order, row.position))
    names = engine.log.book.key
    return [(row.played, row.order, names(row.a or 0), names(row.b or 0), row.score, row.data) for row in counting]


def frame(text: str) -> pl.DataFrame:
    """The same table with types, whose games can be sealed."""
    return pl.read_csv(text.encode(), try_parse_dates=True, schema_overrides={"score": pl.Float64})


def imported(first: str, by_hand: list[tuple[int, str]], then: str, batch: int, back: bool, **way: Any) -> object:
    with rc.open(":memory:") as engine, pytest.MonkeyPatch.context() as patch:
        report = came(engine, first)
        corrected(engine, by_hand)
        if back:
            engine.apply(engine.plan.undo(report))
        patch.setattr(rows_of_import, "BATCH", batch)
        return outcome(engine, came(engine, then, **way))


def imported_as_frame(
    first: str, by_hand: list[tuple[int, str]], then: str, batch: int, sealed: bool, **way: Any
) -> object:
    """Imports a table with types, whose games are sealed after the first one."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for module, name in (
            (game_writer, "LEAST"),
            (columnar, "SEALED"),
            (game_writer, "SEALED"),
            (segments, "LEAST"),
        ):
            patch.setattr(module, name, 1)
        patch.setattr(game_columns, "BATCH", 1)
        with rc.open(Path(folder, "log.db")) as engine:
            engine.import_file(frame(first), "p", name="f.csv", as_rows=not sealed)
            corrected(engine, by_hand)
            patch.setattr(rows_of_import, "BATCH", batch)
            patch.setattr(known_columns, "BATCH", batch)
            patch.setattr(known_columns, "MOST", batch)
            return outcome(engine, engine.import_file(frame(then), "p", name="f.csv", **way))


def corrected(engine: rc.Engine, by_hand: list[tuple[int, str]]) -> None:
    games = [row.uid for row in engine.log.rows(0, None, ("game",))]
    for at, change in by_hand:
        uid = games[at % len(games)]
        if as_read(engine.log, uid) is not None:
            engine.void(uid) if change == "void" else engine.amend(uid, {"score": float(change)})


def outcome(engine: rc.Engine, report: Any) -> object:
    refused = [(line, str(why)) for line, why, _ in report.refused]
    # new games of a day have the same order, but may come behind those of other days
    warnings = [re.sub(r"such as positions .*", "", warning) for warning in report.warnings]
    return content(engine), report.rows.counts(), warnings, refused


AS_IT_WAS = ("as it was", (1, "ann,bo", "1", ""))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(LINES, min_size=1, max_size=12),
    st.lists(CHANGES, min_size=12, max_size=12),
    BY_HAND,
    st.one_of(st.none(), st.randoms(use_true_random=False)),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(1, 5),
)
@example(
    [(1, "ann,bo", "1", ""), (1, "ann,bo", "0", "")],
    [("changed", (1, "ann,bo", "0.5", "")), ("changed", (1, "ann,bo", "1", ""))],
    [],
    None,
    False,
    True,
    False,
    1,
)
@example(
    [(1, "ann,bo", "1", "")],
    [("new before", (1, "bo,ann", "0", ""))],
    [],
    None,
    False,
    False,
    False,
    1,
)
@example(
    [(1, "ann,bo", "1", ""), (1, "ann,cy", "1", "")],
    [("new before", (1, "ann,bo", "0.5", "")), ("new before", (1, "cy,dee", "1", ""))],
    [],
    None,
    False,
    False,
    False,
    2,
)
def test_a_file_that_comes_again_in_batches(
    lines: list[Line], changes: list[tuple[str, Line]], by_hand: list[tuple[int, str]], random: Random | None,
    rounds: bool, amend: bool, back: bool, batch: int,
) -> None:  # fmt: skip
    """In a file of several batches another meeting of a day was corrected, and new games had another order or sides."""
    first, then = table(lines, rounds), table(revised(lines, changes, random), rounds)
    one, other = (imported(first, by_hand, then, size, back, amend=amend) for size in (batch, 1000))
    assert one == other


@settings(max_examples=12, deadline=None)
@given(
    st.lists(LINES, min_size=3, max_size=12),
    st.lists(CHANGES, min_size=12, max_size=12),
    BY_HAND,
    st.one_of(st.none(), st.randoms(use_true_random=False)),
    st.booleans(),
    st.integers(1, 5),
)
@example(
    [(1, "ann,bo", "1", "")] * 3,
    [("changed", (1, "ann,bo", "0.5", "")), *[AS_IT_WAS] * 11],
    [(0, "0.5")],
    None,
    False,
    1,
)
@example(
    [(1, "cy,dee", "1", ""), *[(1, "ann,cy", "1", "")] * 3, (1, "ann,bo", "1", "")],
    [("new before", (1, "bo,ann", "0", "")), *[AS_IT_WAS] * 4],
    [],
    None,
    False,
    1,
)
def test_a_file_of_sealed_games_that_comes_again_in_parts(
    lines: list[Line], changes: list[tuple[str, Line]], by_hand: list[tuple[int, str]], random: Random | None,
    amend: bool, batch: int,
) -> None:  # fmt: skip
    """Two rows of several parts became one game, if the first one gave it from the other side."""
    first, then = table(lines, False), table([*revised(lines, changes, random), (2, "eve,fay", "1", "")], False)
    one = imported_as_frame(first, by_hand, then, batch, True, amend=amend)
    assert one == imported_as_frame(first, by_hand, then, 1000, False, amend=amend)

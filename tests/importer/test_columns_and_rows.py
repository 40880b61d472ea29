"""Random tables of games give the same log and the same report by columns as row by row."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import ratingcore as rc
from ratingcore.importer import columnar, files, game_columns, game_writer
from ratingcore.importer import row_import as rows_of_import
from ratingcore.log import SqliteLog, segments

from .test_columnar import alike

PLAYERS = ("ann", "bo", "cy", " Zoë", "Zoe\u0308", "Ann", "player 1", "player 2", "player  2", 'O\'Neil, "Di"')
SCORES = {
    "words": ("1-0", "0-1", "1/2", "½-½"),
    "numbers": ("1", "0", "0.5", "0.25"),
    "letters": ("H", "D", "A"),
    "points": ("2-1", "0-0", "1:3", "11-9"),
}
FACTS = {"round": ("1", "2", "QF", "final"), "event": ("open", "Größe"), "home": ("a", "neutral"), "order": ("0", "3")}
ODD = {
    "a": ("BYE", "", "?", "ann\u202e"), "b": ("spielfrei", "(erased 7)"), "score": ("abc", "7", "", "+/-"),
    "played": ("", "05/09/2024", "2024-02-30"), "order": ("x", str(2**70)),
}  # fmt: skip

Cells = dict[str, str]


@st.composite
def plain(draw: st.DrawFn) -> list[Cells]:
    """Rows of games, in the order of days or not, with some further columns."""
    facts = draw(st.sets(st.sampled_from(sorted(FACTS))))
    scores = SCORES[draw(st.sampled_from(sorted(SCORES)))]
    ids = draw(st.booleans())
    rows = []
    for number in range(draw(st.integers(1, 40))):
        a, b = draw(st.permutations(PLAYERS).map(lambda some: some[:2]).filter(_differ))
        day = date(2024, 3, 1) + timedelta(draw(st.integers(0, 3)))
        row = {"played": day.isoformat(), "a": a, "b": b, "score": draw(st.sampled_from(scores))}
        row |= {name: draw(st.sampled_from(FACTS[name])) for name in sorted(facts)}
        rows.append(row | ({"id": f"game-{number}"} if ids else {}))
    return sorted(rows, key=lambda row: row["played"]) if draw(st.booleans()) else rows


def _differ(pair: Sequence[str]) -> bool:
    return {*pair} not in ({" Zoë", "Zoe\u0308"}, {"player 2", "player  2"})


@st.composite
def with_odd_rows(draw: st.DrawFn) -> list[Cells]:
    """Rows of which some are not games."""
    rows = draw(plain())
    for _ in range(draw(st.integers(1, 3))):
        field = draw(st.sampled_from(sorted(ODD.keys() & rows[0].keys())))
        rows[draw(st.integers(0, len(rows) - 1))][field] = draw(st.sampled_from(ODD[field]))
    return rows


def as_csv(rows: Sequence[Mapping[str, str]]) -> tuple[str, bytes]:
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row.values()) for row in rows]
    return "games.csv", "\n".join([",".join(rows[0]), *quoted, ""]).encode()


def as_json_lines(rows: Sequence[Mapping[str, str]]) -> tuple[str, bytes]:
    return "games.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_json_document(rows: Sequence[Mapping[str, str]]) -> tuple[str, bytes]:
    return "games.json", json.dumps(rows).encode()


FILES = (as_csv, as_json_lines, as_json_document)


def both_ways(name: str, content: bytes | pa.Table, batch: int = 5, **said: Any) -> bool:
    """Imports a file in small batches; asserts that both ways give the same, and returns whether columns were read."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_columns, "BATCH", batch)
        patch.setattr("ratingcore.importer.row_import.BATCH", batch)
        patch.setattr(game_columns, "ROWS", batch + 3)
        path = Path(folder, name)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            parquet.write_table(content, path)
        return alike(path.parent, path, **said)


@given(plain(), st.sampled_from(FILES))
@settings(max_examples=25, deadline=None)
def test_texts_of_games(rows: list[Cells], written: Any) -> None:
    both_ways(*written(rows))


@given(with_odd_rows(), st.sampled_from(FILES))
@settings(max_examples=25, deadline=None)
def test_texts_of_which_some_are_no_games(rows: list[Cells], written: Any) -> None:
    both_ways(*written(rows))


@given(plain(), st.sampled_from([pa.date32(), pa.timestamp("us"), pa.string()]), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_columns_with_types(rows: list[Cells], days: pa.DataType, random: Any) -> None:
    columns = {name: [row[name] for row in rows] for name in rows[0] if name in {"a", "b", "id"}}
    table = pa.table({**columns, "score": [random.choice((0.0, 0.5, 1.0, 0.3)) for _ in rows]})
    played = pa.array([date.fromisoformat(row["played"]) for row in rows], pa.date32())
    table = table.append_column("played", played.cast(days) if days != pa.string() else played.cast(pa.string()))
    both_ways("games.parquet", table)


@given(plain(), st.lists(st.integers(0, 3), min_size=40), st.booleans())
@settings(max_examples=15, deadline=None)
def test_digests_and_notes_of_a_log_are_those_of_the_rows(rows: list[Cells], hours: list[int], ids: bool) -> None:
    """Some games have times of day, at which a name may have two opponents, and ids that may hold a name."""
    hours = hours[: len(rows)]
    days = [datetime.fromisoformat(row["played"]).replace(tzinfo=UTC) for row in rows]
    starts = [day + timedelta(hours=hour) for day, hour in zip(days, hours, strict=True)]
    columns: dict[str, Any] = {"a": [row["a"] for row in rows], "b": [row["b"] for row in rows]}
    columns["played"] = pa.array(starts, pa.timestamp("us", "UTC"))
    columns["score"] = [(0.0, 0.5, 1.0, 0.3)[hour] for hour in hours]
    columns |= {"id": [f"{'bo' if hour == 3 else 'x'}{n}" for n, hour in enumerate(hours)]} if ids else {}
    found = []
    for by_columns in (True, False):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            for module, name in ((game_columns, "BATCH"), (game_columns, "ROWS"), (rows_of_import, "BATCH")):
                patch.setattr(module, name, 5)
            if not by_columns:
                patch.setattr(files, "import_by_columns", lambda *given: False)
            parquet.write_table(pa.table(columns), Path(folder, "games.parquet"))
            with rc.Engine(SqliteLog(":memory:", clock=lambda: 10**15, salt=lambda: "0" * 32)) as engine:
                report = engine.import_file(Path(folder, "games.parquet"), "club")
                found.append((engine.log.head, sorted(report.warnings), report.rows.digest))
    assert found[0] == found[1]


def sealed_and_in_rows(table: pa.Table, batch: int) -> bool:
    """Imports a table with types into segments and row by row; asserts that both logs are the same.

    Returns whether there are segments.
    """
    found, sealed = list[object](), False
    for in_rows in (False, True):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            for module in (columnar, game_writer):
                patch.setattr(module, "SEALED", 1)
            patch.setattr(segments, "LEAST", 1)
            patch.setattr(game_writer, "LEAST", 1)
            for owner, name in ((game_columns, "BATCH"), (game_columns, "ROWS"), (rows_of_import, "BATCH")):
                patch.setattr(owner, name, batch)
            if in_rows:
                patch.setattr(files, "import_by_columns", lambda *given: False)
            parquet.write_table(table, Path(folder, "games.parquet"))
            log = SqliteLog(":memory:", clock=lambda: 10**15, salt=lambda: "0" * 32)
            with rc.Engine(log) as engine:
                report = engine.import_file(Path(folder, "games.parquet"), "club")
                names = [(name.id, name.kind, name.key) for name in log.book.names()]
                listed = engine.rating_list("club", "elo").digest if report.accepted else ""
                found.append((list(log.rows()), names, listed, report.rows.digest, report.refused))
                sealed |= any(log.sealed(one) is not None for one in log.batches())
    assert found[0] == found[1]
    return sealed


@given(with_odd_rows(), st.lists(st.sampled_from((0.0, 0.5, 1.0, None)), min_size=40), st.integers(1, 9))
@settings(max_examples=25, deadline=None)
def test_sealed_games_have_the_names_and_uids_of_rows_beside_odd_ones(
    rows: list[Cells], scores: list[float | None], batch: int
) -> None:
    columns = {name: [row[name] for row in rows] for name in ("id", "played", "a", "b") if name in rows[0]}
    sealed_and_in_rows(pa.table({**columns, "score": scores[: len(rows)]}), batch)


def test_names_and_uids_of_sealed_games_do_not_depend_on_odd_rows_in_the_first_batch() -> None:
    """The source got its id after fewer players than row by row, and later players another id, and other uids."""
    names = [f"p{n}" for n in range(40)]
    columns = {"played": [date(2024, 3, 2)] * 40, "a": [*names[:2], "BYE", "", *names[4:]], "b": names[::-1]}
    assert sealed_and_in_rows(pa.table({**columns, "score": [1.0, None, *[1.0] * 38]}), 5)


def test_objects_are_read_by_columns_unless_one_has_sides() -> None:
    game = {"played": "2024-03-02", "a": "ann", "b": "bo", "score": 1}
    session = {"played": "2024-03-03", "sides": [{"players": ["ann"], "score": 3}, {"players": ["cy"], "score": 1}]}
    lines = [json.dumps(game)] * 1_100
    assert both_ways("games.jsonl", "\n".join([*lines, '{"a": ', "7", json.dumps({**game, "b": ["cy"]})]).encode(), 300)
    assert not both_ways("games.jsonl", "\n".join([*lines, json.dumps(session)]).encode(), 300)

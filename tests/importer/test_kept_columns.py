"""Columns that become fields of results without being named, and files that come again with them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ratingcore as rc
from ratingcore.cli.main import cli
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import FieldMap

Engine = rc.Engine


def votes(n: int = 40) -> list[dict[str, Any]]:
    """Votes of five judges for six models, with two texts of a player, a number, and an id of the row."""
    some = []
    for i in range(n):
        a, b = f"m{i % 6}", f"m{(i + 1 + i // 6 % 5) % 6}"
        vote = {"question_id": f"q{i}", "model_a": a, "model_b": b, "winner": "model_a", "tstamp": 1682351700 + i}
        said = {"judge": f"j{i % 5}", "language": "English" if i // 4 % 3 else "German", "turn": i % 2}
        some.append(vote | said | {"maker": f"firm {i % 6}", "best": a})
    return some


def imported(
    engine: Engine, folder: Path, rows: list[dict[str, Any]], name: str = "votes.jsonl", **more: Any
) -> ImportReport:
    file = folder / name
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    fields = {"a": "model_a", "b": "model_b", "score": "winner", "played": "tstamp"}
    return engine.import_file(file, pool="arena", fields=fields, **more)


def test_columns_of_few_texts_become_fields_that_slices_ask_for(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, votes())
        assert report.kept_columns == ["judge", "language"]
        assert report.unused_columns == ["question_id", "turn", "maker", "best"]
        assert "  columns kept as fields: judge, language" in report.lines()
        assert engine.core.view("arena[judge=j1 & language=German]").n_games == 3


def test_no_name_of_a_player_becomes_a_field(tmp_path: Path) -> None:
    """Fields are not erased with a player: a winner's name, or what follows from who plays, is left out."""
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, votes())
        assert {"maker", "best"} <= {*report.unused_columns}


def test_the_same_file_is_known_whatever_follows_its_first_rows(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, votes())
        more = [row | {"language": f"dialect {n}"} for n, row in enumerate(votes(80)[40:])]
        report = imported(engine, tmp_path, votes() + more, "april.jsonl")
        assert (report.duplicates, report.accepted, report.changed) == (40, 40, 0)
        assert report.kept_columns == ["judge", "language"]


def test_a_file_that_was_taken_back_decides_nothing(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine, rc.open(":memory:") as fresh:
        plain = [{name: row[name] for name in ("model_a", "model_b", "winner", "tstamp")} for row in votes(6)]
        imported(engine, tmp_path, plain, "wrong.jsonl")
        engine.apply(engine.plan.void_all(engine.plan.chosen("wrong.jsonl"), why="wrong file"))
        kept = [imported(one, tmp_path, votes()).kept_columns for one in (engine, fresh)]
        assert kept == [["judge", "language"]] * 2
        lists = [list(one.rating_list("arena[judge=j1]", "elo")) for one in (engine, fresh)]
        assert lists[0] == lists[1]


def test_a_column_that_comes_later_is_named_and_corrects_nothing(tmp_path: Path) -> None:
    """What a pool had no field for at first, as in logs from before columns were kept, is no difference."""
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, [{k: v for k, v in row.items() if k != "judge"} for row in votes()])
        for how in ({}, {"amend": True}, {"reissue": True}):
            report = imported(engine, tmp_path, votes(), **how)
            assert (report.duplicates, report.changed, report.amended) == (40, 0, 0)
            assert (report.kept_columns, "judge" in report.unused_columns) == (["language"], True)


def test_a_new_issue_corrects_a_kept_field(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        imported(engine, tmp_path, votes())
        rows = votes()
        rows[4]["judge"] = "j0"
        report = imported(engine, tmp_path, rows, reissue=True)
        assert (report.amended, report.duplicates, report.voided) == (1, 39, 0)
        assert engine.core.view("arena[judge=j0]").n_games == 9


def test_values_within_objects_are_named_by_their_paths_and_stay_kept(tmp_path: Path) -> None:
    rows = [row | {"style": {"words": {"a": n, "b": 3}}} for n, row in enumerate(votes())]
    with rc.open(":memory:") as engine:
        fields = {
            "a": "model_a",
            "b": "model_b",
            "score": "winner",
            "played": "tstamp",
            "style.words.a": "style.words.a",
        }
        file = tmp_path / "votes.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        engine.import_file(file, pool="arena", fields=fields)
        report = imported(engine, tmp_path, rows)
        assert (report.duplicates, report.kept_columns) == (40, ["judge", "language", "style.words.a"])
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, rows)
        assert report.unused_columns[-2:] == ["style.words.a", "style.words.b"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables_of_other_kinds_keep_the_same_columns(tmp_path: Path, form: str) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import csv, parquet

    table = pa.Table.from_pylist(votes())
    file = tmp_path / f"votes.{form}"
    (csv.write_csv if form == "csv" else parquet.write_table)(table, file)
    with rc.open(":memory:") as engine:
        fields = {"a": "model_a", "b": "model_b", "score": "winner", "played": "tstamp"}
        report = engine.import_file(file, pool="arena", fields=fields)
        assert (report.accepted, report.kept_columns) == (40, ["judge", "language"])
        assert engine.core.view("arena[judge=j1]").n_games == 8


TABLES = (
    "Date,White,Black,Result,Status,Round\n2024-03-02,ann,bo,1-0,cancelled,2\n2024-03-02,bo,cy,0-1,played,1\n",
    "date,player1,player2,score1,score2,winner\n2024-03-02,ann,bo,1,3,bo\n2024-03-09,bo,cy,4,0,cy\n",
    "Date,winner,loser,result\n2024-03-02,ann,bo,1/2-1/2\n2024-03-09,bo,cy,1-0\n",
)


@pytest.mark.parametrize("table", TABLES)
def test_a_kept_column_changes_nothing_of_how_rows_are_read(table: str, tmp_path: Path) -> None:
    """`--keep Status` made results count that were cancelled, `--keep score1` the loser the winner."""
    file = tmp_path / "games.csv"
    file.write_text(table)

    def read(*keep: str) -> list[tuple[Any, ...]]:
        log = str(tmp_path / f"{'-'.join(keep)}.db")
        CliRunner().invoke(cli, ["import", log, str(file), "--pool", "p", *keep])
        with rc.open(log) as engine:
            games = [event for _, event in engine.events() if event.kind == "game"]
        return [(one.a, one.b, one.score, one.played, one.order, dict(one.data)) for one in games]

    plain = read()
    for column in table.partition("\n")[0].split(","):
        kept = read("--keep", column)
        values = [data[column] for *_, data in kept]
        assert kept == [(*game, {**data, column: value}) for (*game, data), value in zip(plain, values, strict=True)]


def test_a_column_called_like_a_field_of_results_cannot_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("date,a,b,score\n2024-03-02,ann,bo,1\n")
    made = CliRunner().invoke(cli, ["import", str(tmp_path / "l.db"), str(file), "--pool", "p", "--keep", "score"])
    assert (made.exit_code, "the column score cannot be kept, since results have such a field" in made.output) == (
        2,
        True,
    )


@pytest.mark.parametrize("value", [1, "x"])
def test_a_wide_table_asks_for_the_mapped_columns_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: object
) -> None:
    """They were collected anew for each column, so the time of an import grew with the square of their number."""
    asked: list[FieldMap] = []
    columns = FieldMap.columns.fget
    assert columns is not None

    def counted(fields: FieldMap) -> frozenset[str]:
        asked.append(fields)
        return columns(fields)

    monkeypatch.setattr(FieldMap, "columns", property(counted))
    wide = [one | {f"column{n}": value for n in range(300)} for one in votes()]
    with rc.open(":memory:") as engine:
        report = imported(engine, tmp_path, wide)
    assert (report.accepted, len(report.unused_columns + report.kept_columns)) == (40, 306)
    assert len(asked) < 30

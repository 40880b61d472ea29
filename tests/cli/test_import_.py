"""`ratingcore import`: files of results in, a report out."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from ratingcore import open as open_log
from ratingcore.importer import columnar, game_columns, game_writer
from ratingcore.importer import row_import as rows_of_files
from ratingcore.importer.row_import import Rows
from ratingcore.log.segments import LEAST
from ratingcore.sqlite_library import sqlite3
from tests.guests import needs_tables

from .conftest import Run

BEFORE = 500
"""Games of a file that are rows before others are sealed, in a test."""

GOOD = "a,b,score,played\nann,bo,1-0,2024-05-02\nbo,cy,1/2,2024-05-03\n"
MIXED = (
    "a,b,score,played\n"
    "ann,bo,1-0,2024-05-02\n"
    "ann,ann,1-0,2024-05-02\n"
    "ann,bo,1.5,2024-05-03\n"
    "ann,bo,nan,2024-05-03\n"
    "ann,bo,1-0,0000-01-01\n"
    "ann,bo,1-0,2.5.2024\n"
    "ann,bo,+/-,2024-05-04\n"
)


def test_a_file_is_imported_once(run: Run) -> None:
    Path("games.csv").write_text(GOOD)
    first = run("import", "club.db", "games.csv", "--pool", "rapid")
    assert first.code == 0
    assert first.out == "games.csv: 2 rows read, 2 accepted, 0 unrated, 0 refused, 0 duplicates\n"
    assert first.err.startswith(
        "new in the log: pool rapid\ngames.csv is at positions 1-2; to take it back: ratingcore void club.db --pos"
    )
    again = run("import", "club.db", "games.csv", "--pool", "rapid")
    assert again.out == "games.csv: 2 rows read, 0 accepted, 0 unrated, 0 refused, 2 duplicates\n"
    assert again.err == first.err[first.err.index("head 2:") :]


def test_the_rows_of_a_parquet_file_are_expected_before_they_are_read(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import polars as pl

    met = []
    monkeypatch.setattr("ratingcore.cli.console.Counter.expect", lambda counter, end: met.append(end))
    games = {"played": ["2024-03-02"] * 3, "a": ["ann", "bo", "cy"], "b": ["di", "ed", "fay"], "score": [1.0, 0.5, 0.0]}
    pl.DataFrame(games).with_columns(played=pl.col("played").str.to_date()).write_parquet("games.parquet")
    assert run("import", "club.db", "games.parquet", "--pool", "rapid").code == 0
    assert met == [3]


def test_refused_rows_are_told_and_the_others_imported(run: Run) -> None:
    Path("games.csv").write_text(MIXED)
    code, out, err = run("import", "club.db", "games.csv", "--pool", "rapid")
    lines = out.splitlines()
    assert code == 1
    assert lines[0] == "games.csv: 7 rows read, 1 accepted, 1 unrated, 5 refused, 0 duplicates"
    assert lines[1] == "  unrated, forfeit: 1 row (line 8)"
    assert [line.split(":")[0] for line in lines[2:7]] == [f"  refused, line {n}" for n in (3, 4, 5, 6, 7)]
    assert "a player cannot meet themselves: ann" in lines[2]
    assert "error: 5 rows refused, all others with a result are in the log\n\nhint: " in err
    with open_log("club.db") as engine:
        assert engine.log.head.position == 1


def test_a_column_of_times_beside_the_day_is_named_with_what_reads_it(run: Run) -> None:
    Path("games.csv").write_text("Datum,Uhrzeit,a,b,score\n2024-05-02,19:30,ann,bo,1-0\n")
    way = "to have them as times, take the import back, and repeat it with"
    told = f"times in Uhrzeit; {way} --map time=Uhrzeit --zone ZONE\n"
    assert told in run("import", "club.db", "games.csv", "--pool", "p", "--dry-run").out
    read = run("import", "club.db", "games.csv", "--pool", "p", "--map", "time=Uhrzeit", "--zone", "Europe/Prague")
    assert (read.code, told in read.out) == (0, False)
    assert "2024-05-02T17:30" in run("log", "club.db").out


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("di,eve,1-0,2024-05-03\n", "all others are in the log\n"),
        ("ann,bo,1-0,2024-05-02\n", "all others are in the log already\n"),
        ("ann,bo,bye,2024-05-02\n", "so nothing was imported\n"),
        ("", "so nothing was imported\n"),
    ],
)
def test_what_is_told_of_the_other_rows_is_true(run: Run, rows: str, told: str) -> None:
    """\"All others are in the log\" was told of a file that brought nothing, and of byes."""
    Path("before.csv").write_text(GOOD)
    assert run("import", "club.db", "before.csv", "--pool", "rapid").code == 0
    Path("games.csv").write_text(f"a,b,score,played\nann,ann,1-0,2024-05-02\n{rows}")
    assert f"error: 1 row refused, {told}" in run("import", "club.db", "games.csv", "--pool", "rapid").err


def test_the_report_is_json_on_request(run: Run) -> None:
    Path("games.csv").write_text(MIXED)
    code, out, _ = run("import", "club.db", "games.csv", "--pool", "rapid", "--format", "json")
    (report,) = json.loads(out)
    assert code == 1
    assert report["unrated"] == {"forfeit": [8]}
    assert report["refused"][0] == {
        "line": 3, "reason": "a player cannot meet themselves: ann", "text": "ann,ann,1-0,2024-05-02",
    }  # fmt: skip
    assert (report["read"], report["accepted"], report["dry_run"]) == (7, 1, False)


def test_a_dry_run_makes_nothing(run: Run, tmp_path: Path) -> None:
    Path("games.csv").write_text(GOOD)
    code, out, err = run("import", "club.db", "games.csv", "--pool", "rapid", "--dry-run")
    assert (code, err) == (0, "")
    assert "2 would be accepted" in out
    assert [path.name for path in tmp_path.iterdir()] == ["games.csv"]
    run("import", "club.db", "games.csv", "--pool", "rapid")
    Path("games.csv").write_text(GOOD + "cy,ann,0-1,2024-05-09\n")
    out = run("import", "club.db", "games.csv", "--pool", "rapid", "--dry-run").out
    assert "3 rows read, 1 would be accepted, 0 unrated, 0 refused, 2 duplicates" in out
    assert "warning: games.csv was imported before, and 1 of its rows is new to the log (line 4). " in out


def test_a_mapping_file_and_the_command_line_go_together(run: Run) -> None:
    Path("m.toml").write_text('pool = "league"\ndate = "%d.%m.%Y"\n[fields]\na = "home_team"\nb = "guest"\n')
    Path("games.csv").write_text("home_team;away;score;played\nKöln;São Paulo;1-0;02.05.2024\n")
    ran = run("import", "club.db", "games.csv", "--mapping", "m.toml", "--map", "b=away")
    assert ran.code == 0, ran
    assert "1,league,2024-05-02" not in run("log", "club.db").out
    assert "Köln beat São Paulo" in run("log", "club.db", "--pool", "league").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("none.csv", "--pool", "p"), "cannot read none.csv: there is no such file"),
        (("empty.csv", "--pool", "p"), "cannot read empty.csv: "),
        (("games.csv", "--pool", "p", "--map", "a=white"), "games.csv has no column 'white' for a: it has a, b, score"),
        (("games.csv", "--pool", "p", "--map", "white"), "--map: expected field=column, found: 'white'"),
        (("games.csv", "--pool", "p", "--mapping", "none.toml"), "none.toml: there is no such file"),
        (("games.csv", "none.csv", "--pool", "p"), "cannot read none.csv: there is no such file"),
        (("games.csv",), "no pool is named, and the log has none yet"),
        (("broken.csv.gz", "--pool", "p"), "cannot read broken.csv.gz: "),
    ],
)
def test_files_that_cannot_be_read_make_no_log(run: Run, words: tuple[str, ...], told: str) -> None:
    Path("games.csv").write_text(GOOD)
    Path("empty.csv").write_text("")
    Path("broken.csv.gz").write_bytes(b"\x1f\x8b\x08\x00nothing")
    code, out, err = run("import", "club.db", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {told}")
    assert not Path("club.db").exists()


def test_changed_rows_have_one_hint_that_agrees_with_the_warning(run: Run) -> None:
    """The hint promised that what is in the log counts as duplicates, under the warning that it was refused."""
    Path("games.csv").write_text(GOOD)
    run("import", "club.db", "games.csv", "--pool", "rapid")
    Path("again.csv").write_text(GOOD.replace("1-0", "0-1"))
    code, out, err = run("import", "club.db", "again.csv")
    assert (code, "score: 1 recorded, 0 in the file (" in out) == (1, True)
    assert "amend or void what is recorded if the file is right" in out
    assert (
        "hint: if the file is right, import it with --amend, or amend or void what is recorded; else correct the file"
        in err
    )
    assert "duplicates" not in err


def test_a_long_value_is_quoted_once_and_short(run: Run) -> None:
    for length in (300, 1000):
        Path("games.csv").write_text(f"a,b,score,played\n{'x' * length},bo,1,2024-03-02\n")
        out = run("import", "club.db", "games.csv", "--pool", "rapid").out
        assert f"a has {length} characters, more than 200" in out
        assert max(map(len, out.splitlines())) < 450


def test_what_sqlite_keeps_beside_a_log_is_gone_after_a_command_that_writes(run: Run) -> None:
    """Commands that only read leave it there, as the README says."""
    Path("games.csv").write_text(GOOD)
    run("import", "club.db", "games.csv", "--pool", "rapid")
    assert sorted(path.name for path in Path().glob("club.db-*")) == []
    run("list", "club.db")
    assert all(path.stat().st_size == 0 for path in Path().glob("club.db-wal"))
    run("import", "club.db", "games.csv")
    assert sorted(path.name for path in Path().glob("club.db-*")) == []


def test_a_table_that_is_issued_again_corrects_its_source(run: Run) -> None:
    Path("games.csv").write_text(GOOD)
    run("import", "club.db", "games.csv", "--pool", "rapid")
    Path("new.csv").write_text("a,b,score,played\nbo,ann,1-0,2024-05-02\nbo,di,1-0,2024-05-04\n")
    words = ("import", "club.db", "new.csv", "--pool", "rapid", "--reissue", "games.csv")
    code, out, _ = run(*words, "--dry-run")
    assert code == 0
    assert out.splitlines()[1:] == [
        "  understood, line 2: rapid, 2024-05-02, bo - ann 1",
        "  understood, line 3: rapid, 2024-05-04, bo - di 1",
        "  changed, line 2: rapid, 2024-05-02, bo - ann 1: a was 'ann', b was 'bo'",
        f"  missing, {out.split('missing, ')[1].split(':')[0]}: rapid, 2024-05-03, bo - cy 0.5",
        "  new, line 3: rapid, 2024-05-04, bo - di 1",
    ]
    assert run(*words).out == (
        "new.csv: 2 rows read, 1 accepted, 0 unrated, 0 refused, 0 duplicates, 1 amended, 1 voided\n"
    )
    Path("games.csv").write_text(Path("new.csv").read_text())
    again = run("import", "club.db", "games.csv", "--pool", "rapid", "--reissue")
    assert again.out == "games.csv: 2 rows read, 0 accepted, 0 unrated, 0 refused, 2 duplicates\n"
    code, _, err = run("import", "club.db", "games.csv", "--pool", "rapid", "--reissue", "gaems.csv")
    assert (code, "nothing was imported from gaems.csv" in err) == (2, True)


def test_a_file_that_follows_reissue_is_the_file_where_no_other_is_named(run: Run) -> None:
    Path("games.csv").write_text(GOOD)
    run("import", "club.db", "games.csv", "--pool", "rapid")
    again = run("import", "club.db", "--pool", "rapid", "--reissue", "games.csv")
    assert again.out == "games.csv: 2 rows read, 0 accepted, 0 unrated, 0 refused, 2 duplicates\n"
    code, _, err = run("import", "club.db", "--pool", "rapid", "--reissue", "gaems.csv")
    assert (code, "name the files before --reissue" in err) == (2, True)
    code, _, err = run("import", "club.db")
    assert (code, "no FILE is given" in err) == (2, True)


def test_settings_of_a_table_are_options_that_hints_name(run: Run) -> None:
    Path("games.csv").write_text("# made by hand\nsome title\na^b^score^played^Elo\nann^bo^1-0^2.5.2024^1500\n")
    words = ("import", "club.db", "games.csv", "--pool", "rapid", "--reader", "csv")
    assert "--skip" in run(*words).err
    words = (*words, "--skip", "2")
    assert "--delimiter" in run(*words).err
    words = (*words, "--delimiter", "^")
    assert "like 2.5.2024: --date-format %d.%m.%Y" in run(*words).out
    code, out, err = run(*words, "--date-format", "%d.%m.%Y")
    assert (code, out.splitlines()[1]) == (0, "  columns not used: Elo")
    assert "to keep these columns as fields of the results: --keep Elo" in err
    code, _, err = run(*words, "--decimal", "x")
    assert (code, "decimal is neither a point nor a comma" in err) == (2, True)
    Path("points.csv").write_text("a;b;played;points_a;points_b\nann;bo;2024-05-03;1,5;0,5\n")
    words = ("import", "club.db", "points.csv", "--pool", "rapid")
    assert "--decimal ," in run(*words).err
    assert run(*words, "--decimal", ",").code == 0


@needs_tables
def test_a_database_is_asked_by_a_query(run: Run) -> None:
    db = sqlite3.connect("league.sqlite")
    db.execute("CREATE TABLE game AS SELECT '2024-05-10' AS day, 'ann' AS a, 'bo' AS b, 0.5 AS score")
    db.commit()
    db.close()
    unasked = run("import", "club.db", "league.sqlite", "--pool", "rapid")
    assert (unasked.code, unasked.err.count("--query")) == (2, 1)
    query = "SELECT day AS played, a, b, score FROM game"
    assert (
        "1 row read, 1 accepted" in run("import", "club.db", "league.sqlite", "--pool", "rapid", "--query", query).out
    )
    Path("mapping.toml").write_text('query = "SELECT * FROM game"\n[fields]\nplayed = "day"\n')
    assert "1 duplicate" in run("import", "club.db", "league.sqlite", "--mapping", "mapping.toml").out
    refused = run("import", "club.db", "league.sqlite", "--query", "DELETE FROM game")
    assert refused.code == 2
    assert "the query may only read: DELETE FROM game" in refused.err
    elsewhere = run("import", "club.db", "postgresql://localhost/league", "--query", query)
    assert elsewhere.code == 2


@pytest.mark.parametrize(
    "header", ["played,play1,play2,play3,play4", "played,score1,score2,score3,player1,player2,player3"]
)
def test_a_row_of_many_players_gets_a_hint_towards_sessions(run: Run, header: str) -> None:
    """The hint was to map a and b, which a table at which four sit does not have."""
    Path("wide.csv").write_text(f"{header}\n2024-03-02{',x' * header.count(',')}\n")
    code, _, err = run("import", "club.db", "wide.csv", "--pool", "p")
    assert code == 2
    assert "is a session of many sides: write one row per side" in err
    Path("two.csv").write_text("played,player1,player2,score\n2024-03-02,ann,bo,1\n")
    assert "two.csv is read with --map a=player1,b=player2\n" in run("import", "club.db", "two.csv", "--pool", "p").err


def test_the_files_of_a_folder_go_on_and_the_end_says_which_failed(run: Run, tmp_path: Path) -> None:
    (folder := tmp_path / "season").mkdir()
    (folder / "1.csv").write_text("a,b\nann,bo\n")
    (folder / "2.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1\n")
    ran = run("import", "new.db", folder, "--pool", "club")
    assert (ran.code, "1 accepted" in ran.out) == (1, True)
    assert f"1 file was not imported, or only in part: {folder / '1.csv'}" in ran.err
    (folder / "1.csv").unlink()
    (folder / "2.csv").unlink()
    ran = run("import", "new.db", folder, "--pool", "club")
    assert (ran.code, "the folder holds no files" in ran.err) == (2, True)


def test_an_import_says_where_it_is_and_how_it_is_taken_back(run: Run, tmp_path: Path) -> None:
    """A pool that is a slip leaves nothing behind: when it is emptied, no command asks which pool is meant."""
    for name, player in (("g", "ann"), ("h", "cy")):
        (tmp_path / f"{name}.csv").write_text(f"played,a,b,score\n2024-03-02,{player},bo,1\n2024-03-09,{player},di,1\n")
    assert "new in the log: pool rapid" in run("import", "club.db", "g.csv", "--pool", "rapid").err
    slip = run("import", "club.db", "h.csv", "--pool", "rapd")
    assert "the pool rapd is new, and spelt much like rapid" in slip.out
    assert "h.csv is at positions 3-4; to take it back: ratingcore void club.db --positions 3-4" in slip.err
    assert run("list", "club.db").code == 2
    assert "chosen: nothing" in run("void", "club.db", "--source", "h.csv", "--pool", "rapid").err
    assert "chosen: 2 of kind game" in run("void", "club.db", "--source", "h.csv", "--pool", "rapd").err
    assert run("list", "club.db").code == 0
    assert "2 accepted" in run("import", "club.db", "h.csv").out
    assert "rapid" in run("list", "club.db").err


def test_an_import_notes_that_no_game_says_who_is_at_home_to_a_declared_method_that_reads_it(run: Run) -> None:
    """Advantages of the home side went nowhere, and only lists said so."""
    Path("games.csv").write_text(GOOD)
    noted = "note: elo uses the home side, but no game of rapid has one: map the field home, as in --map home=HomeTeam"
    assert noted not in run("import", "other.db", "games.csv", "--pool", "rapid").err
    run("declare", "club.db", "--pool", "rapid", "--method", "elo:first_move=50")
    assert noted in run("import", "club.db", "games.csv", "--pool", "rapid").err
    Path("more.csv").write_text("a,b,score,played,neutral\nann,bo,1-0,2024-06-02,FALSE\n")
    ran = run("import", "club.db", "more.csv", "--pool", "rapid", "--map", "neutral=neutral")
    assert (ran.code, noted in ran.err) == (0, False)


def test_what_another_process_imported_meanwhile_is_not_called_ones_own(run: Run, tmp_path: Path) -> None:
    """The second of two imports of one file was told how to take back what the first one had recorded."""
    Path("games.csv").write_text(GOOD)
    open_log(tmp_path / "club.db").close()

    def meanwhile(*given: Any) -> bool:
        patch.undo()
        with open_log(tmp_path / "club.db") as other:
            assert other.import_file("games.csv", "rapid").positions == [(1, 2)]
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ratingcore.importer.files.import_by_columns", meanwhile)
        second = run("import", "club.db", "games.csv", "--pool", "rapid")
    assert "0 accepted, 0 unrated, 0 refused, 2 duplicates" in second.out
    assert "take it back" not in second.err
    assert "new in the log" not in second.err


def test_positions_of_another_import_of_the_same_name_are_left_out(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two files of one name, imported at once, each gave the positions of both to be taken back."""
    day = iter(range(1, 29))
    rows = [f"ann,bo,1-0,2024-03-{next(day):02}" for _ in range(4)]
    Path("games.csv").write_text("\n".join(["a,b,score,played", *rows]) + "\n")
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "games.csv"
    other.write_text(f"a,b,score,played,pool\ncy,di,1-0,2024-05-{next(day):02},blitz\n")
    open_log(tmp_path / "club.db").close()
    append = Rows.take

    def between(self: Rows, *given: Any, **further: Any) -> Any:
        monkeypatch.setattr(Rows, "take", append)
        taken = append(self, *given, **further)
        with open_log(tmp_path / "club.db") as engine:
            assert engine.import_file(other).positions == [(3, 3)]
        return taken

    monkeypatch.setattr(Rows, "take", between)
    monkeypatch.setattr(rows_of_files, "BATCH", 2)
    monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    ran = run("import", "club.db", "games.csv", "--pool", "rapid")
    assert ran.err.startswith(
        "new in the log: pool rapid\ngames.csv is at positions 1-2,4-5; to take it back: ratingcore void club.db --pos"
    )
    run("void", "club.db", "--positions", "1-2,4-5")
    assert "cy" in run("list", "club.db", "--pool", "blitz").out


def test_a_file_that_replaces_one_of_another_name_says_where_its_corrections_are(run: Run) -> None:
    Path("games.csv").write_text(GOOD)
    Path("new.csv").write_text(GOOD.replace("1-0", "0-1", 1))
    run("import", "club.db", "games.csv", "--pool", "rapid")
    again = run("import", "club.db", "new.csv", "--pool", "rapid", "--reissue", "games.csv")
    assert "1 amended" in again.out
    assert "new.csv is at position 3; to take it back: ratingcore void club.db --positions 3\n" in again.err


def test_a_tournament_without_a_day_is_one_fault_with_the_option_that_mends_it(run: Run) -> None:
    """It printed a line for each player, two with --seeds all."""
    head = "012 Cup\n042 soon\n052 later\n"
    rows = [
        f"001 {rank:>4}      {f'Player {rank}':33} 1500 ITA {910_000 + rank:>11} {'1970/01/01':10}  1.0 {rank:>4}  "
        f"{rank + 1 if rank % 2 else rank - 1:>4} {'w 1' if rank % 2 else 'b 0'}\n"
        for rank in range(1, 41)
    ]
    Path("open.trf").write_text(head + "".join(rows))
    code, out, err = run("import", "club.db", "open.trf", "--pool", "p", "--seeds", "all")
    assert code == 1
    assert "  refused, line 4 and 19 more rows: played is not known, since the result has no date: ''" in out
    assert "--played DAY gives the day of results without one" in err
    assert len((out + err).splitlines()) <= 9
    assert run("import", "club.db", "open.trf", "--pool", "p", "--played", "2024-03-02", "--seeds", "all").code == 0
    Path("open.trf").write_text("".join(rows) + head.replace("soon", "05/09/2024").replace("later", "06/09/2024"))
    code, out, err = run("import", "other.db", "open.trf", "--pool", "p")
    assert (code, "give the format of the dates, %d/%m/%Y or %m/%d/%Y: '05/09/2024'" in out) == (1, True)
    assert run("import", "other.db", "open.trf", "--pool", "p", "--date-format", "%d/%m/%Y").code == 0


def test_a_table_without_days_has_the_day_that_is_given(run: Run) -> None:
    """The day was ignored, and the table refused for having no column of days."""
    Path("games.csv").write_text("White,Black,Result\nann,bo,1-0\nbo,cy,1/2\n")
    code, _, err = run("import", "club.db", "games.csv", "--pool", "p")
    assert (code, "if the file has no days, --played DAY gives that of all rows" in err) == (2, True)
    assert run("import", "club.db", "games.csv", "--pool", "p", "--played", "2024-03-02").code == 0
    assert run("log", "club.db").out.count(",2024-03-02,") == 2


def test_a_format_that_gives_no_whole_day_is_refused_before_a_log_is_made(run: Run) -> None:
    Path("games.csv").write_text("a,b,score,played\nann,bo,1-0,2/3\n")
    code, _, err = run("import", "club.db", "games.csv", "--pool", "p", "--date-format", "%d/%m")
    assert code == 2
    assert "date_format must be a format of whole days, such as %d.%m.%Y, unix, milliseconds" in err
    assert not Path("club.db").exists()


def test_a_table_is_read_by_its_headings_and_a_note_says_how(run: Run) -> None:
    Path("games.csv").write_text("Meisterschaft\n\nDatum;Weiß;Schwarz;Ergebnis;Bem\n2024-03-02;ann;bo;1-0;\n")
    ran = run("import", "club.db", "games.csv", "--pool", "p")
    assert ran.err.startswith("games.csv is read with --map a=Weiß,b=Schwarz,score=Ergebnis,played=Datum\n")
    assert ran.out.splitlines()[1] == "  columns not used: Bem"
    again = run("import", "club.db", "games.csv", "--map", "a=Weiß,b=Schwarz,score=Ergebnis,played=Datum")
    assert "0 accepted, 0 unrated, 0 refused, 1 duplicate" in again.out


def test_sets_in_columns_are_called_sets(run: Run) -> None:
    """The note said that the score was the first set, and nothing that the others were read."""
    Path("games.csv").write_text("Date,Player 1,Player 2,Set 1,Set 2,Set 3\n2024-03-02,ann,bo,11-7,9-11,11-5\n")
    _, out, err = run("import", "club.db", "games.csv", "--pool", "p")
    assert "score=Set 1,played=Date'; Set 1, Set 2, Set 3 hold the points of sets\n" in err
    assert "warning: its scores are read as sets that both sides won, from Set 1, Set 2, Set 3" in out


def test_a_column_that_a_method_reads_is_kept_for_it(run: Run) -> None:
    """The tournament of a match decides what it counts in methods of football."""
    Path("games.csv").write_text(
        "date,home_team,away_team,home_score,away_score,tournament,neutral\n2024-03-02,A,B,2,1,Friendly,FALSE\n"
    )
    assert run("import", "club.db", "games.csv", "--pool", "p").code == 0
    with open_log("club.db") as engine:
        ((_, game),) = engine.events()
    assert dict(game.data) == {"tournament": "Friendly", "neutral": "FALSE", "home": "a", "points_a": 2, "points_b": 1}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("games.csv", "date,pool,a,b,score\n" + "2024-01-01,A,ann,bo,1\n2024-01-01,B,cy,di,1\n2024-01-08,A,ann,cy,1\n"),
        ("games.jsonl", "".join(
            f'{{"date": "2024-01-0{day}", "pool": "{day}", "a": "ann", "b": "{b}", "score": 1}}\n'
            for day, b in ((1, "bo"), (2, "cy"), (3, "di"))
        )),
    ],
)  # fmt: skip
def test_the_pool_that_is_given_is_that_of_all_rows_unless_the_column_is_mapped(run: Run, name: str, text: str) -> None:
    """A column called pool took the games into pools of its own, though another one was given."""
    Path(name).write_text(text)
    ran = run("import", "club.db", name, "--pool", "p", "--map", "played=date")
    assert "3 accepted" in ran.out
    assert "warning: the column pool is not read, since the pool is given: p" in ran.out
    assert run("pools", "club.db", "-f", "csv").out.splitlines()[1].startswith("p,4,3")
    run("import", "other.db", name, "--pool", "p", "--map", "played=date,pool=pool")
    assert len(run("pools", "other.db", "-f", "csv").out.splitlines()) > 2
    assert "3 accepted" in run("import", "third.db", name, "--map", "played=date").out
    assert "no pool is named" in run("import", "fourth.db", name, "--map", "played=date,pool=").err


def test_a_day_that_may_mean_two_is_refused_with_the_options_that_say_which(run: Run) -> None:
    """The option was lost once, when what is wrong with a row came to be worded without options."""
    Path("open.pgn").write_text('[White "ann"]\n[Black "bo"]\n[Date "05/09/2024"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    code, _, err = run("import", "club.db", "open.pgn", "--pool", "p")
    assert (code, "; --date-format %d/%m/%Y or --date-format %m/%d/%Y decides which day is meant" in err) == (1, True)
    assert run("import", "club.db", "open.pgn", "--pool", "p", "--date-format", "%m/%d/%Y").code == 0


def test_a_truncated_new_issue_is_refused_once_with_what_to_do(run: Run) -> None:
    """The same reason was printed for each row, with the advice to correct the file."""
    rows = [f"p{day},q{day},1-0,2024-05-{day:02}" for day in range(1, 9)]
    Path("games.csv").write_text("\n".join(["a,b,score,played", *rows, ""]))
    run("import", "club.db", "games.csv", "--pool", "rapid")
    Path("games.csv").write_text("\n".join(["a,b,score,played", *rows[:4], ""]))
    ran = run("import", "club.db", "games.csv", "--pool", "rapid", "--reissue")
    assert ran.code == 1
    assert [line for line in ran.out.splitlines() if "refused, line" in line] == [
        "  refused, line 2 and 3 more rows: it would void 4 of 8 results: is the file complete?"
    ]
    assert "hint: if the file is complete, import it with --voids all; otherwise import the complete file" in ran.err
    assert "correct the file" not in ran.err
    assert run("import", "club.db", "games.csv", "--pool", "rapid", "--reissue", "--voids", "all").code == 0


@needs_tables
@pytest.mark.parametrize(("option", "shown"), [((), BEFORE), (("--as-rows",), BEFORE + LEAST)])
def test_sql_shows_the_games_of_a_large_table_that_are_rows(
    run: Run, option: tuple[str, ...], shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import polars as pl

    for module in (columnar, game_writer):
        monkeypatch.setattr(module, "SEALED", LEAST)
    monkeypatch.setattr(game_columns, "BATCH", BEFORE)
    numbers = range(BEFORE + LEAST)
    games = {"id": [f"g{number:05}" for number in numbers], "a": "ann", "b": "bo", "score": 1.0}
    days = [date(2024, 1, 1) + timedelta(number // 9) for number in numbers]
    pl.DataFrame(games).with_columns(played=pl.Series(days)).write_parquet("games.parquet")
    assert run("import", "club.db", "games.parquet", "--pool", "rapid", *option).code == 0
    db = sqlite3.connect("club.db")
    assert db.execute("SELECT count(*) FROM games").fetchone() == (shown,)
    db.close()
    assert "g04321" in run("log", "club.db", "--after", "4000").out

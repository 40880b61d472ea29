"""Imports: what became of every row, before and after; and that an interrupted one goes on where it was."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadFile, ColumnNotFound, RowsRefused, UnsoundLog
from ratingcore.events import GamePlayed
from ratingcore.importer import game_columns, item_columns, known_columns
from ratingcore.importer import row_import as importing
from ratingcore.importer.notes import IdsRepeated
from ratingcore.importer.recorded_notes import Differing, RowsGone, Voided
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import FieldMap
from ratingcore.log.lookup import uid_at
from ratingcore.registry import Registry

GOOD = "a,b,score,played\nann,bo,1-0,2024-03-02\nbo,cy,1/2,2024-03-03\ncy,ann,0-1,2024-03-04\n"
MIXED = (
    "uid,a,b,score,played\n"
    "g1,ann,bo,1-0,2024-03-02\n"  # line 2
    "g2,ann,ann,1-0,2024-03-02\n"  # refused
    "g3,ann,cy,+/-,2024-03-02\n"  # a forfeit
    "g4,ann,cy,7,2024-03-02\n"  # refused
    "g1,ann,bo,1-0,2024-03-02\n"  # said twice
    "g1,ann,bo,0-1,2024-03-02\n"  # the same uid says something else
    "g5,bo,cy,1-0,31.2.2024\n"  # refused
    "g6,bo,cy,1-0,2024-03-03\n"
)


@pytest.fixture(params=[":memory:", "club.db"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    path = request.param if request.param == ":memory:" else tmp_path / request.param
    with open_engine(path, registry=Registry()) as made:
        yield made


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of two rows, so that a small file takes several."""
    in_batches(monkeypatch, 2)


def in_batches(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    for module in (importing, game_columns, item_columns, known_columns):  # each has its own name for it
        monkeypatch.setattr(module, "BATCH", rows)


def file(tmp_path: Path, content: str, name: str = "games.csv") -> Path:
    path = tmp_path / name
    path.write_text(content)
    return path


def counts(report: ImportReport) -> dict[str, int]:
    """Rows of a report, which must be all that were read."""
    unrated = sum(map(len, report.unrated.values()))
    found = {
        "accepted": report.accepted, "unrated": unrated,
        "refused": len(report.refused), "duplicates": report.duplicates,
    }  # fmt: skip
    assert sum(found.values()) == report.read, "every row is counted once"
    return {"read": report.read} | found


@pytest.mark.parametrize("batch", [2, 5000])
def test_every_row_is_accepted_unrated_refused_or_a_duplicate(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    in_batches(monkeypatch, batch)
    report = engine.import_file(file(tmp_path, MIXED), "rapid")
    assert counts(report) == {"read": 8, "accepted": 2, "unrated": 1, "refused": 4, "duplicates": 1}
    assert [line for line, _, _ in report.refused] == [3, 5, 7, 8]
    assert report.head == engine.log.head
    assert engine.log.head.position == 2


def test_a_conflict_is_told_at_the_line_that_conflicts(engine: Engine, tmp_path: Path) -> None:
    """It was told at the last line of its uid, though that one was in order."""
    rows = "uid,a,b,score,played\n" + "".join(f"g,ann,bo,{score},2024-03-02\n" for score in ("1", "0", "1", "0.5", "1"))
    report = engine.import_file(file(tmp_path, rows), "rapid")
    assert counts(report) == {"read": 5, "accepted": 1, "unrated": 0, "refused": 2, "duplicates": 2}
    assert [line for line, _, _ in report.refused] == [3, 5]
    again = engine.import_file(file(tmp_path, rows), "rapid")
    assert counts(again) == {"read": 5, "accepted": 0, "unrated": 0, "refused": 2, "duplicates": 3}
    assert [(line, reason) for line, reason, _ in again.refused] == [
        (3, "uid g is already at position 1, score: 1 recorded, 0 in the file"),
        (5, "uid g is already at position 1, score: 1 recorded, 0.5 in the file"),
    ]  # fmt: skip
    assert again.lines()[1] == "  refused, line 3: uid g is already at position 1, score: 1 recorded, 0 in the file"


@pytest.mark.parametrize(
    "before", ["", "g1,ann,bo,1-0,2024-03-02\n", "g1,ann,bo,1/2,2024-03-02\ng6,x,y,1,2024-03-03\n"]
)
@pytest.mark.parametrize("strict", [False, True])
def test_a_dry_run_writes_nothing_and_predicts_what_the_import_does(
    before: str, strict: bool, engine: Engine, tmp_path: Path
) -> None:
    """It took every uid that is in the log for a duplicate, and every other one for new."""
    if before:
        engine.import_file(file(tmp_path, "uid,a,b,score,played\n" + before, "before.csv"), "rapid")
    path, head = file(tmp_path, MIXED), engine.log.head
    names = len(engine.log.book.names())
    told = engine.import_file(path, "rapid", dry_run=True, strict=strict)
    assert engine.log.head == head == told.head
    assert len(engine.log.book.names()) == names
    assert told.dry_run
    assert "would be accepted" in str(told)
    done = engine.import_file(path, "rapid")
    assert counts(told) == counts(done)
    assert [line for line, _, _ in told.refused] == [line for line, _, _ in done.refused]
    assert told.unrated == done.unrated


@pytest.mark.usefixtures("few")
def test_names_that_a_dry_run_met_are_met_anew(engine: Engine, tmp_path: Path) -> None:
    """Their ids, which were given out and taken back, stayed in the book: later rows were those of other players."""
    path = file(tmp_path, "a,b,score,played\n" + "".join(f"p{n},q{n},1,2024-03-02\n" for n in range(8)))
    engine.import_file(path, "rapid", dry_run=True)
    engine.record(GamePlayed(pool="blitz", played="2024-03-01", a="q7", b="p3", score=1.0))
    assert engine.import_file(path, "rapid").accepted == 8
    assert [(game.a, game.b) for _, game in engine.events(1)] == [(f"p{n}", f"q{n}") for n in range(8)]


def test_a_dry_run_needs_no_right_to_write(tmp_path: Path) -> None:
    path = file(tmp_path, MIXED)
    with open_engine(tmp_path / "club.db", registry=Registry()) as made:
        made.import_file(file(tmp_path, GOOD, "other.csv"), "rapid")
        head = made.log.head
    with open_engine(tmp_path / "club.db", registry=Registry(), read_only=True) as reading:
        told = reading.import_file(path, "rapid", dry_run=True)
        assert (told.head, reading.log.head) == (head, head)
    with open_engine(tmp_path / "club.db", registry=Registry()) as made:
        assert counts(made.import_file(path, "rapid")) == counts(told)


def test_a_dry_run_tells_two_strangers_from_one_another(engine: Engine, tmp_path: Path) -> None:
    rows = "uid,a,b,score,played\ng,ann,bo,1,2024-03-02\ng,ann,cy,1,2024-03-02\n"
    told = engine.import_file(file(tmp_path, rows), "rapid", dry_run=True)
    assert counts(told) == {"read": 2, "accepted": 1, "unrated": 0, "refused": 1, "duplicates": 0}


def test_a_changed_file_warns_and_its_changed_rows_are_refused(engine: Engine, tmp_path: Path) -> None:
    """They were new results, beside the old ones."""
    engine.import_file(file(tmp_path, GOOD), "rapid")
    path = file(tmp_path, GOOD.replace("1/2", "1-0"))
    uid = uid_at(engine.log, 2)
    for dry_run in (True, False):
        report = engine.import_file(path, "rapid", dry_run=dry_run)
        assert counts(report) == {"read": 3, "accepted": 0, "unrated": 0, "refused": 1, "duplicates": 2}
        assert report.refused == [(3, "changed: position 2, score: 0.5 recorded, 1 in the file", uid)]
        assert str(report).count(uid) == 1
        assert report.changed == 1
        assert len(report.warnings) == 1
        assert report.notes == [Differing(1, "game")]
    assert not engine.import_file(file(tmp_path, GOOD, "other.csv"), "rapid").warnings
    engine.amend(uid, {"score": 1.0})
    assert counts(engine.import_file(path, "rapid"))["duplicates"] == 3


def test_new_rows_of_a_file_that_was_imported_before_are_warned_of(engine: Engine, tmp_path: Path) -> None:
    engine.import_file(file(tmp_path, GOOD), "rapid")
    assert [name.key for name in engine.log.book.names() if name.kind == "source"] == ["games.csv"]
    path = file(tmp_path, GOOD.replace("2024-03-02", "2024-03-01"))
    for dry_run in (True, False):
        (warning,) = engine.import_file(path, "rapid", dry_run=dry_run).warnings
        assert warning == (
            "games.csv was imported before, and 1 of its rows is new to the log (line 2). If it has grown, or its "
            "import was interrupted, all is well. If a row was changed (another day, another player), the old result "
            "still counts"
        )
    assert engine.import_file(path, "rapid").notes == [RowsGone("games.csv", 1)]


def test_results_that_a_file_no_longer_has_are_noted(engine: Engine, tmp_path: Path) -> None:
    """A game that had become a forfeit counted on, and the report had only known rows."""
    path = file(tmp_path, GOOD)
    engine.import_file(path, "rapid")
    path.write_text("\n".join(GOOD.splitlines()[:-1]))
    for dry_run in (True, False):
        assert engine.import_file(path, "rapid", dry_run=dry_run).notes == [RowsGone("games.csv", 1)]
    assert engine.import_file(path, "rapid", reissue=True).voided == 1
    assert not engine.import_file(path, "rapid").notes


LEAGUE = ["played,a,b,score", *(f"2024-10-{day:02},p{day},q{day},1" for day in range(1, 11))]
"""Ten games."""


def league(tmp_path: Path, name: str = "oct.csv", **changed: str) -> Path:
    """A file of them, with some of the days as they are now."""
    text = "\n".join([*LEAGUE, ""])
    for day, now in changed.items():
        text = text.replace(f"2024-10-{day[1:]},", f"{now},")
    return file(tmp_path, text, name)


@pytest.mark.parametrize("strict", [False, True])
def test_a_corrected_file_of_another_name_is_warned_of(engine: Engine, tmp_path: Path, strict: bool) -> None:
    """The game on its new day was accepted beside the one on its old day, without a word."""
    engine.import_file(league(tmp_path), "p")
    path = league(tmp_path, "oct2.csv", d04="2024-10-24")
    for dry_run in (True, False):
        report = engine.import_file(path, "p", dry_run=dry_run, strict=strict)
        assert (report.accepted, report.duplicates) == (1, 9)
        assert report.warnings == [
            "9 rows of oct2.csv came from elsewhere before, and 1 is new to the log (line 5). If the file has grown, "
            "all is well. If a row was changed (another day, another player), the old result still counts"
        ]
    assert engine.import_file(path, "p", reissue="oct.csv").warnings == []


def test_a_file_that_shares_less_than_half_of_its_rows_is_not_warned_of(engine: Engine, tmp_path: Path) -> None:
    engine.import_file(league(tmp_path), "p")
    some = {f"d{day:02}": f"2024-11-{day:02}" for day in range(1, 6)}
    assert engine.import_file(league(tmp_path, "nov.csv", **some), "p").warnings == []
    assert engine.import_file(league(tmp_path, "other.csv", d04="2024-10-24"), "q").warnings == []


def test_a_file_that_comes_again_after_it_was_taken_back_is_not_warned_of(engine: Engine, tmp_path: Path) -> None:
    """The documented way ended in the warning that the old results still count, while none of them did."""
    engine.import_file(league(tmp_path), "p")
    engine.apply(engine.plan.void_all(engine.plan.chosen(source="oct.csv")))
    report = engine.import_file(league(tmp_path, d04="2024-10-24"), "p")
    assert (report.accepted, report.warnings) == (10, [])
    assert engine.import_file(league(tmp_path), "q").warnings == [], "another pool"
    all_of_them = {f"d{day:02}": f"2024-11-{day:02}" for day in range(1, 11)}
    (warning,) = engine.import_file(league(tmp_path, **all_of_them), "p").warnings
    assert warning.startswith(
        "oct.csv was imported before, and 10 of its rows are new to the log (lines 2, 3, 4, 5, 6 and others). If it"
    )


@pytest.mark.parametrize("strict", [False, True])
def test_new_rows_with_ids_are_not_warned_of(engine: Engine, tmp_path: Path, strict: bool) -> None:
    """A file with ids that had grown was told to be imported with --reissue; a changed row of it is found by its id."""
    header, first, *rest = GOOD.splitlines()
    named = [f"{row},g{number}" for number, row in enumerate([first, *rest])]
    engine.import_file(file(tmp_path, "\n".join([f"{header},uid", named[0]])), "rapid")
    for dry_run in (True, False):
        path = file(tmp_path, "\n".join([f"{header},uid", *named]))
        report = engine.import_file(path, "rapid", dry_run=dry_run, strict=strict)
        assert (report.accepted, report.duplicates, report.warnings) == (2, 1, [])


@pytest.mark.parametrize("strict", [False, True])
def test_new_rows_are_warned_of_where_the_file_had_no_ids_before(engine: Engine, tmp_path: Path, strict: bool) -> None:
    engine.import_file(file(tmp_path, GOOD), "rapid")
    header, first, *rest = GOOD.splitlines()
    rows = [first.replace("03-02", "03-01"), *rest]
    text = "\n".join([f"{header},uid", *(f"{row},g{number}" for number, row in enumerate(rows))])
    for dry_run in (True, False):
        report = engine.import_file(file(tmp_path, text), "rapid", dry_run=dry_run, strict=strict)
        (warning,) = report.warnings
        assert warning.startswith("games.csv was imported before, and 1 of its rows is new to the log (line 2).")


def test_an_id_that_holds_the_name_of_a_player_is_warned_of(engine: Engine, tmp_path: Path) -> None:
    rows = "uid,a,b,score,played\nANN-7,ann,bo,1,2024-03-02\nannual-8,ann,bo,1,2024-03-03\n"
    report = engine.import_file(file(tmp_path, rows), "rapid")
    assert report.warnings == [
        "the id ANN-7 holds the name of a player of the row, and an id can never be erased"
    ]  # fmt: skip
    others = engine.import_file(file(tmp_path, GOOD, "other.csv"), "rapid").warnings
    assert not [one for one in others if "holds the name" in one]


@pytest.mark.parametrize("way", [{}, {"dry_run": True}, {"strict": True}], ids=["append", "dry run", "strict"])
@pytest.mark.parametrize("header", ["", "uid,"], ids=["bare", "ids"])
def test_rows_that_come_again_after_a_void_say_that_they_count_nowhere(
    engine: Engine, tmp_path: Path, way: Any, header: str
) -> None:
    """They were counted as duplicates without a word, though no list had them."""
    path = tmp_path / "games.csv"
    rows = [f"{f'g{n},' if header else ''}2024-03-0{n},ann,bo,1" for n in (1, 2, 3)]
    path.write_text("\n".join([f"{header}played,a,b,score", *rows, ""]))
    assert engine.import_file(path, pool="p").accepted == 3
    engine.core.applied(lambda: engine.plan.void_all(engine.plan.chosen(source="games.csv").rows))
    report = engine.import_file(path, pool="p", **way)
    assert (report.duplicates, report.accepted) == (3, 0)
    assert report.warnings == ["3 rows are in the log, but voided there, so they count nowhere"]
    assert report.notes == [Voided(3, "", ((4, 6),))]
    engine.core.applied(lambda: engine.plan.void_all(engine.plan.chosen(positions=[(4, 6)]).rows))
    assert engine.import_file(path, pool="p", **way).warnings == []
    assert len(list(engine.core.view("p").names())) == 2


def test_voids_that_stand_apart_are_told_by_their_places(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("\n".join(["played,a,b,score", *(f"2024-03-{n:02d},ann,bo,1" for n in range(1, 29)), ""]))
    engine.import_file(path, pool="p")
    uids = [row.uid for row in engine.log.rows(0, None, ("game",))]
    engine.void(uids[0])
    assert engine.import_file(path, pool="p").notes == [Voided(1, uids[0], ((29, 29),))]
    engine.void(uids[1])
    engine.record(GamePlayed(pool="p", played="2024-05-01", a="ann", b="bo", score=1.0))
    engine.void(uids[0])  # twice: both are taken back
    assert engine.import_file(path, pool="p").notes == [Voided(2, "", ((29, 30), (32, 32)))]


def test_points_that_contradict_the_score_are_counted_with_the_first_ones(engine: Engine, tmp_path: Path) -> None:
    """Only `amend` warned of them; a column of points mapped the wrong way round went by unnoticed."""
    path = tmp_path / "games.csv"
    rows = [f"2024-03-{n:02d},ann,bo,{n % 2},{n},{3 if n < 10 else 0}" for n in range(1, 21)]
    path.write_text("\n".join(["played,a,b,score,points_a,points_b", *rows, ""]))
    wrong = [n for n in range(1, 21) if (n - (3 if n < 10 else 0)) * (n % 2 - 0.5) < 0]
    for way in ({"dry_run": True}, {}):
        (warning,) = engine.import_file(path, pool="p", **way).warnings
        assert warning == (
            f"{len(wrong)} games have points that contradict the score, which decides the winner: "
            "line 2: points 1-3, score 1; line 5: points 4-3, score 0; line 7: points 6-3, score 0; and 7 more"
        )
    path.write_text("played,a,b,score,points_a,points_b\n2024-04-01,ann,bo,0.5,4,3\n2024-04-02,ann,bo,1,2,2\n")
    assert not any("points" in warning for warning in engine.import_file(path, pool="p").warnings)


def test_strict_is_all_or_nothing(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(
        RowsRefused, match=r"games\.csv: 4 rows refused, nothing imported; the first: line 3: "
    ) as caught:
        engine.import_file(file(tmp_path, MIXED), "rapid", strict=True)
    assert "run a trial" in caught.value.hint
    assert engine.log.head.position == 0
    report = engine.import_file(file(tmp_path, GOOD), "rapid", strict=True)
    assert counts(report)["accepted"] == 3
    assert len(list(engine.log.batches())) == 1


def test_strict_refuses_all_for_a_conflict_and_names_its_line_and_uid(engine: Engine, tmp_path: Path) -> None:
    rows = "uid,a,b,score,played\nx,cy,bo,1,2024-03-02\ng,ann,bo,1,2024-03-02\ng,ann,bo,0,2024-03-02\n"
    with pytest.raises(RowsRefused, match="line 4: uid g is already"):
        engine.import_file(file(tmp_path, rows), "rapid", strict=True)
    assert engine.log.head.position == 0
    assert not engine.log.book.names()


def test_a_file_of_refused_rows_alone_appends_nothing(engine: Engine, tmp_path: Path) -> None:
    report = engine.import_file(file(tmp_path, "a,b,score,played\nann,ann,1,2024-03-02\n"), "rapid")
    assert counts(report)["refused"] == 1
    assert engine.log.head.position == 0
    with pytest.raises(RowsRefused):
        engine.import_file(file(tmp_path, "a,b,score,played\nann,ann,1,2024-03-02\n"), "rapid", strict=True)


@pytest.mark.parametrize("strict", [False, True])
def test_a_file_without_rows_is_read_and_changes_nothing(strict: bool, engine: Engine, tmp_path: Path) -> None:
    report = engine.import_file(file(tmp_path, "a,b,score,played\n"), "rapid", strict=strict)
    assert counts(report)["read"] == 0
    assert engine.log.head.position == 0


def begun(engine: Engine) -> None:
    """A pool with a result takes rows batch by batch, not all of them at once by columns."""
    engine.record(GamePlayed(pool="rapid", played="2024-01-01", a="first", b="second", score=1.0, uid="first"))


def test_progress_is_told_now_and_then_and_at_the_end(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    begun(engine)
    told: list[int] = []
    engine.import_file(file(tmp_path, GOOD), "rapid", progress=told.append)
    assert told == [2, 3]


def test_a_report_in_words_names_reasons_lines_and_the_first_refusals(engine: Engine, tmp_path: Path) -> None:
    rows = "".join(f"ann,ann,1,2024-03-{day:02}\n" for day in range(1, 26))
    report = engine.import_file(file(tmp_path, "a,b,score,played\nann,bo,+/-,2024-03-01\n" + rows), "rapid")
    lines = str(report).splitlines()
    assert lines[0] == "games.csv: 26 rows read, 0 accepted, 1 unrated, 25 refused, 0 duplicates"
    assert "line 2" in lines[1]
    cause = "a player cannot meet themselves: ann"
    assert lines[2:] == [f"  refused, line 3 and 24 more rows: {cause} (ann,ann,1,2024-03-01)"]
    apart = "".join(f"p{day},p{day},1,2024-03-{day:02}\n" for day in range(1, 26))
    more = engine.import_file(file(tmp_path, f"a,b,score,played\n{apart}"), "rapid")
    assert str(more).splitlines()[-1] == "  ... and 5 more refused rows"


@pytest.mark.parametrize(
    ("form", "days", "sentence"),
    [
        (None, ["06/09/2024", "21/02/2025"], "days like 06/09/2024 ... 21/02/2025: the format %d/%m/%Y reads them"),
        (None, ["02/21/2025"], "1 row has a day like 02/21/2025: the format %m/%d/%Y reads them"),
        ("%m/%d/%Y", ["06/09/2024", "21/02/2025"], "1 row has a day like 21/02/2025: the format %d/%m/%Y reads them"),
        (
            None, ["06/09/2024", "05/08/2024"], "2 rows have days like 06/09/2024 ... 05/08/2024, which may mean more "
            "than one day: one of these formats: %d/%m/%Y or %m/%d/%Y",
        ),
        (None, ["3 May 2024 19:30"], '1 row has a day like 3 May 2024 19:30: the format "%d %b %Y %H:%M" reads them'),
        (
            None, ["13/09/2024", "2024-09-07", "09/14/2024"], "2 rows have days like 13/09/2024 ... 09/14/2024, others "
            "like 2024-09-07: no single format fits the column, so correct it, or put the rows into separate files",
        ),
    ],
)  # fmt: skip
def test_days_that_are_not_read_are_one_line_with_the_format_that_fits_the_column(
    engine: Engine, tmp_path: Path, form: str | None, days: list[str], sentence: str
) -> None:
    rows = "".join(f"ann,bo,1,{day}\n" for day in days)
    table = file(tmp_path, "a,b,score,played\n" + rows)
    with suppress(BadFile):  # where the format that was given is in doubt, the file is refused
        assert any(sentence in one for one in engine.import_file(table, "rapid", FieldMap(date=form)).warnings)
        return
    with pytest.raises(BadFile) as caught:
        engine.import_file(table, "rapid", FieldMap(date=form))
    assert caught.value.hint == sentence


def test_columns_of_league_files_are_offered_as_the_mapping_to_copy(engine: Engine, tmp_path: Path) -> None:
    for header, mapping in (
        ("Datum;Weiß;Schwarz;Ergebnis", "a=Weiß,b=Schwarz,score=Ergebnis,played=Datum"),
        ("Blancs,Noirs,Résultat,Date", "a=Blancs,b=Noirs,score=Résultat,played=Date"),
        ("Белые,Чёрные,Результат,Дата", "a=Белые,b=Чёрные,score=Результат,played=Дата"),
        ("Bílý,Černý,Výsledek,Datum", "a=Bílý,b=Černý,score=Výsledek,played=Datum"),
        ("Blancas,Negras,Resultado,Fecha", "a=Blancas,b=Negras,score=Resultado,played=Fecha"),
        ("Białe,Czarne,Wynik,Data", "a=Białe,b=Czarne,score=Wynik,played=Data"),
    ):
        pairs = [pair.split("=") for pair in mapping.split(",")]
        with pytest.raises(ColumnNotFound) as caught:
            engine.import_file(file(tmp_path, f"{header}\n"), "rapid")
        assert caught.value.hint == f"if these are the columns: fields={dict(pairs)}"
        assert engine.import_file(file(tmp_path, f"{header}\n"), "rapid", FieldMap.parse(mapping)).read == 0
    with pytest.raises(ColumnNotFound) as caught:
        engine.import_file(file(tmp_path, "played,Heim,Gast,score\n"), "rapid", {"a": "Heimteam"})
    assert caught.value.hint == "if these are the columns: fields={'a': 'Heim', 'b': 'Gast'}"


@pytest.mark.parametrize("key", ["no key", "ab" * 65])
def test_a_key_that_was_changed_by_hand_is_named(key: str, tmp_path: Path) -> None:
    (tmp_path / "club.csv").write_text(GOOD)
    with open_engine(tmp_path / "club.db", registry=Registry()) as made:
        with made.log.writing():
            made.log.adopt(key)
        with pytest.raises(UnsoundLog, match=f"its key is not hexadecimal, or is too long: '{key[:20]}"):
            made.import_file(tmp_path / "club.csv", "club")


def test_seeds_are_imported_the_same_way(engine: Engine, tmp_path: Path) -> None:
    path = file(tmp_path, "player,rating\nann,1500\nbo,many\ncy,1600\n", "seeds.csv")
    for dry_run, accepted in ((True, 2), (False, 2)):
        report = engine.import_seeds(path, "rapid", at="2024-01-01", dry_run=dry_run)
        assert counts(report) == {"read": 3, "accepted": accepted, "unrated": 0, "refused": 1, "duplicates": 0}
    assert counts(engine.import_seeds(path, "rapid", at="2024-01-01"))["duplicates"] == 2


def test_an_import_that_was_interrupted_goes_on(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 10)
    begun(engine)
    path = file(tmp_path, "a,b,score,played\n" + "".join(f"p{n},q{n % 7},1,2024-03-02\n" for n in range(45)))

    def stop(read: int) -> None:
        if read == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.import_file(path, "rapid", progress=stop)
    assert engine.log.head.position == 21
    report = engine.import_file(path, "rapid")
    assert counts(report) == {"read": 45, "accepted": 25, "unrated": 0, "refused": 0, "duplicates": 20}
    (warning,) = report.warnings
    assert warning.startswith("games.csv was imported before, and 25 of its rows are new to the log")


IMPORT = """
import sys
from ratingcore.importer import row_import
from ratingcore.engine import open_engine
from ratingcore.registry import Registry
row_import.BATCH = 50
with open_engine(sys.argv[1], registry=Registry()) as engine:
    print("ready", flush=True)
    engine.import_file(sys.argv[2], "rapid")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing kills like this here")
def test_an_import_that_was_killed_goes_on(tmp_path: Path) -> None:
    rows = [f"p{n % 97},q{n % 89},{n % 3 / 2},2024-03-{n % 28 + 1:02}\n" for n in range(6000)]
    path, log = file(tmp_path, "a,b,score,played\n" + "".join(rows)), tmp_path / "club.db"
    with open_engine(log, registry=Registry()) as engine:
        begun(engine)
        command = [sys.executable, "-c", IMPORT, str(log), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            while engine.log.head.position == 1:
                assert process.poll() is None
            process.send_signal(signal.SIGKILL)
    with open_engine(log, registry=Registry()) as engine:
        kept = engine.log.head.position - 1
        assert kept % 50 == 0
        assert 0 < kept < len(rows)
        engine.verify()
    with open_engine(log, registry=Registry()) as engine:
        report = engine.import_file(path, "rapid")
        assert counts(report) == {
            "read": 6000, "accepted": 6000 - kept, "unrated": 0, "refused": 0, "duplicates": kept,
        }  # fmt: skip
        assert engine.core.view("rapid").n_games == 6001
        engine.verify()


def test_rows_that_repeat_an_id_are_named(tmp_path: Path) -> None:
    """The second game of a match, under the id of the match, was a duplicate of the first without a word."""
    file = tmp_path / "match.csv"
    file.write_text("id,played,a,b,score\n7,2024-03-02,ann,bo,1\n7,2024-03-02,ann,bo,1\n8,2024-03-02,ann,cy,1\n")
    with open_engine(":memory:") as engine:
        report = engine.import_file(file, pool="club")
        assert (report.accepted, report.duplicates) == (2, 1)
        assert [note for note in report.notes if isinstance(note, IdsRepeated)] == [IdsRepeated(1, (3,))]
        again = engine.import_file(file, pool="club")
        assert not [note for note in again.notes if isinstance(note, IdsRepeated)]

"""A file that was taken back as a whole comes again, read otherwise; what was voided singly stays void."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.importer.recorded_notes import CorrectedByHand, CorrectionsKept, CorrectionsLost
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import FieldMap
from ratingcore.log import Receipt
from ratingcore.log.lookup import as_read, corrections_of, decoder_of, event_of, uid_at

ROWS = [
    ("2024-03-02", "ann", "bo", "1-0", "1", "Open"), ("2024-03-02", "cy", "dee", "0-1", "1", "Open"),
    ("2024-03-03", "ann", "cy", "1/2-1/2", "2", "Open"), ("2024-03-09", "bo", "ann", "0-1", "1", "Cup"),
    ("2024-03-09", "bo", "ann", "0-1", "2", "Cup"), ("2024-03-10", "eve", "ann", "1-0", "3", "Cup"),
]  # fmt: skip
FIRST = {"a": "white", "b": "black", "score": "result", "played": "day"}
SECOND: dict[str, dict[str, str]] = {
    "columns more": {**FIRST, "event": "cup", "round": "turn"},
    "sides exchanged": {**FIRST, "a": "black", "b": "white"},
    "the same": FIRST,
}


def table(path: Path, ids: bool = False, rows: list[tuple[str, ...]] = ROWS) -> Path:
    """A table of games, with ids if asked."""
    header = "day,white,black,result,turn,cup"
    lines = [",".join(row) for row in rows]
    if ids:
        header, lines = f"{header},id", [f"{line},g-{n}" for n, line in enumerate(lines)]
    path.write_text("\n".join([header, *lines, ""]))
    return path


def ratings(engine: Engine) -> dict[str, float | None]:
    return {row["player"]: row["rating"] for row in engine.rating_list("club", "elo")}


BACK: dict[str, Callable[[Engine, ImportReport], Any]] = {
    "by source": lambda eng, report: eng.apply(eng.plan.void_all(eng.plan.chosen(source="games.csv"))),
    "by positions": lambda eng, report: eng.apply(eng.plan.void_all(eng.plan.chosen(positions=report.positions))),
    "by undo": lambda eng, report: eng.apply(eng.plan.undo(Receipt(eng.log.head, len(ROWS), 0))),
}


@pytest.mark.parametrize("back", BACK)
@pytest.mark.parametrize("second", SECOND)
@pytest.mark.parametrize("ids", [False, True], ids=["bare", "ids"])
def test_a_file_taken_back_as_a_whole_comes_again_with_another_mapping(
    tmp_path: Path, back: str, second: str, ids: bool
) -> None:
    file = table(tmp_path / "games.csv", ids)
    fields = {**SECOND[second], **({"id": "id"} if ids else {})}
    engine, fresh = rc.open(":memory:"), rc.open(":memory:")
    report = engine.import_file(file, "club", {**FIRST, **({"id": "id"} if ids else {})})
    assert report.accepted == len(ROWS)
    BACK[back](engine, report)
    assert ratings(engine) == {}
    again, alone = engine.import_file(file, "club", fields), fresh.import_file(file, "club", fields)
    assert (again.accepted, again.duplicates, again.refused) == (alone.accepted, 0, [])
    assert ratings(engine) == ratings(fresh)
    for _ in range(2):
        once_more = engine.import_file(file, "club", fields)
        assert (once_more.accepted, once_more.duplicates) == (0, len(ROWS))
    assert ratings(engine) == ratings(fresh)
    BACK["by source"](engine, report)
    third = engine.import_file(file, "club", {**FIRST, **({"id": "id"} if ids else {})})
    assert third.accepted == len(ROWS), "taken back and brought again, as often as one likes"


def test_what_was_voided_singly_stays_void_whatever_file_comes(tmp_path: Path) -> None:
    for ids in (False, True):
        file = table(tmp_path / "games.csv", ids)
        fields = {**FIRST, **({"id": "id"} if ids else {})}
        engine = rc.open(":memory:")
        engine.import_file(file, "club", fields)
        engine.void(uid_at(engine.log, 1), why="a default")
        without = ratings(engine)
        report = engine.import_file(file, "club", fields)
        assert (report.accepted, report.duplicates) == (0, len(ROWS))
        assert "voided there" in " ".join(report.warnings)
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        assert engine.import_file(file, "club", fields).accepted == len(ROWS) - 1
        assert ratings(engine) == without


def test_a_table_that_is_issued_again_after_it_was_taken_back_reads_as_the_new_issue(tmp_path: Path) -> None:
    file = table(tmp_path / "games.csv")
    engine, fresh = rc.open(":memory:"), rc.open(":memory:")
    engine.import_file(file, "club", FIRST)
    engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
    table(file, rows=[*ROWS[1:], ("2024-03-16", "ann", "gus", "1-0", "4", "Cup")])
    report = engine.import_file(file, "club", FIRST, reissue=True)
    fresh.import_file(file, "club", FIRST)
    assert report.accepted == len(ROWS)
    assert ratings(engine) == ratings(fresh)
    assert engine.import_file(file, "club", FIRST, reissue=True).changes == 0


@pytest.mark.parametrize("ids", [False, True], ids=["bare", "ids"])
def test_a_file_is_taken_back_with_the_rows_that_its_later_issue_voided(tmp_path: Path, ids: bool) -> None:
    """The voids of a re-issue came from the file as well: taking them back brought back rows of the first issue."""
    fields = {**FIRST, **({"id": "id"} if ids else {})}
    first, second = ROWS, [*ROWS[:1], *ROWS[3:5], ("2024-03-16", "ann", "gus", "1-0", "4", "Cup")]
    engine = rc.open(":memory:")
    engine.import_file(table(tmp_path / "games.csv", ids, first), "club", fields)
    engine.import_file(table(tmp_path / "games.csv", ids, second), "club", fields, reissue=True, voids=1.0)
    reissued = ratings(engine)
    for rows in (first, second, first):
        back = engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        assert ratings(engine) == {}
        engine.apply(engine.plan.undo(back))
        assert ratings(engine) == reissued, "the taking back is taken back with all it did"
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        assert ratings(engine) == {}
        fresh, file = rc.open(":memory:"), table(tmp_path / "games.csv", ids, rows)
        for _ in range(2):
            engine.import_file(file, "club", fields)
            fresh.import_file(file, "club", fields)
            assert ratings(engine) == ratings(fresh)
        reissued = ratings(engine)


def test_a_merge_that_the_same_source_took_back_stays_taken_back() -> None:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="ann", b="bo", score=1.0))
    engine.record(rc.PlayersMerged(uid="m", keep="ann", other="anne"), source="desk")
    engine.record(rc.MergeUndone(of="m"), source="desk")
    chosen = engine.plan.chosen(source="desk")
    assert (chosen.rows, chosen.void) == ((), 1)


def test_many_rows_with_new_names_come_again_in_batches_beside_others(tmp_path: Path) -> None:
    """Ids that a plan had fixed beforehand brought 7,000 of 12,000 rows twice."""
    days = [f"2024-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(12_000)]
    rows = [(day, f"p{n}", f"q{n % 700}", "1-0", "1", "Open") for n, day in enumerate(days)]
    file = table(tmp_path / "games.csv", rows=rows)
    engine = rc.open(str(tmp_path / "club.db"))
    assert engine.import_file(file, "club", FIRST).accepted == 12_000
    plan = engine.plan.void_all(engine.plan.chosen(source="games.csv"), why="wrong file")
    engine.record(rc.GamePlayed(pool="club", played="2024-05-05", a="someone", b="else", score=1.0))
    assert engine.apply(plan).accepted == 12_000
    tried = engine.plan.import_file(file, "club", {**FIRST, "event": "cup"})
    engine.record(rc.GamePlayed(pool="club", played="2024-05-06", a="someone", b="new", score=1.0))
    assert engine.apply(tried).accepted == tried.report.accepted == 12_000
    assert engine.import_file(file, "club", {**FIRST, "event": "cup"}).duplicates == 12_000
    assert len(engine.rating_list("club", "elo")) == 12_700 + 3


def test_a_day_in_another_zone_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("played,a,b,score\n2024-03-02 23:30,ann,bo,1-0\n2024-03-03 01:00,bo,cy,1-0\n")
    engine, fresh = rc.open(":memory:"), rc.open(":memory:")
    engine.import_file(file, "club", zone="Europe/Prague")
    engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
    for one in (engine, fresh):
        assert one.import_file(file, "club", FieldMap(), zone="America/New_York").accepted == 2
    assert ratings(engine) == ratings(fresh)
    assert [line.played for line in engine.history("club", "ann", "elo")] == [
        line.played for line in fresh.history("club", "ann", "elo")
    ]


def test_a_row_that_comes_again_twice_is_a_duplicate_once_and_reads_as_it_was_corrected(tmp_path: Path) -> None:
    file, fields = table(tmp_path / "games.csv", ids=True), {**FIRST, "id": "id"}
    with rc.open(":memory:") as engine:
        report = engine.import_file(file, "club", fields)
        first = event_of(engine.log, "g-0")
        engine.amend("g-0", {"score": 0.25})
        BACK["by source"](engine, report)
        header, *lines = file.read_text().splitlines()
        file.write_text("\n".join([header, *lines, lines[0], ""]))
        again = engine.import_file(file, "club", fields)
        assert (again.accepted, again.revived, again.duplicates) == (len(ROWS), len(ROWS), 1)
        assert again.adds_up
        read = as_read(engine.log, "g-0")
        assert read is not None
        assert decoder_of(engine.log)(read) == evolve(first, score=0.25)


@pytest.mark.parametrize("corrected", [4, 5])
def test_a_correction_by_hand_stays_with_its_meeting_of_two_players_who_met_twice(
    tmp_path: Path, corrected: int
) -> None:
    file = table(tmp_path / "games.csv")
    with rc.open(":memory:") as engine:
        engine.import_file(file, "club", {**FIRST, "round": "turn"})
        engine.amend(uid_at(engine.log, corrected), {"score": 0.25}, why="seen on video", by="anna")
        for _ in range(2):
            engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
            report = engine.import_file(file, "club", {**FIRST, "round": "turn"})
            assert (report.accepted, [type(note) for note in report.notes]) == (len(ROWS), [CorrectionsKept])
            now, event = corrections_of(engine.log), decoder_of(engine.log)
            reads: list[Any] = [event(one) for row in engine.log.rows(0, None, ("game",)) if (one := now.read(row))]
            assert [game.data["round"] for game in reads if game.score == 0.25] == [corrected - 3]
            amended: Any = event(next(iter(engine.log.rows(engine.log.head.position - 1))))
            assert (amended.why, amended.by) == ("seen on video", "anna"), "it is the officer's decision still"


def test_a_new_issue_brings_back_the_result_that_counted_last(tmp_path: Path) -> None:
    """Of a row without an id it brought back the first one, without what was corrected by hand in the second."""
    file = table(tmp_path / "games.csv")
    with rc.open(":memory:") as engine:
        for score in (0.75, 0.25):
            engine.import_file(file, "club", FIRST)
            engine.amend(uid_at(engine.log, engine.log.head.position - len(ROWS) + 1), {"score": score})
            engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        assert engine.import_file(file, "club", FIRST, reissue=True).accepted == len(ROWS)
        now, event = corrections_of(engine.log), decoder_of(engine.log)
        reads: list[Any] = [event(one) for row in engine.log.rows(0, None, ("game",)) if (one := now.read(row))]
        assert [game.score for game in reads if game.score not in (0.0, 0.5, 1.0)] == [0.25]
        assert engine.import_file(file, "club", FIRST, reissue=True).changes == 0


def test_a_correction_by_hand_that_does_not_hold_any_more_is_named(tmp_path: Path) -> None:
    """It was gone without a word."""
    file = table(tmp_path / "games.csv")
    with rc.open(":memory:") as engine:
        engine.import_file(file, "club", FIRST)
        at = [engine.amend(uid_at(engine.log, n), {"score": 0.25}).head.position for n in (1, 2)]
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        (day, a, b, _, *more), _, *rest = ROWS
        report = engine.import_file(table(file, rows=[(day, a, b, "0-1", *more), *rest]), "club", FIRST)
        assert [str(note) for note in report.notes if isinstance(note, CorrectedByHand | CorrectionsLost)] == [
            f"line 2: score was corrected in the log at position {at[0]}; what the file gives now replaces it",
            f"1 correction by hand does not hold any more, since no row of the file is the corrected result: "
            f"position {at[1]}",
        ]


@pytest.mark.parametrize("way", [{}, {"reissue": True}, {"ids": True}, {"reissue": True, "ids": True}])
def test_a_correction_by_hand_that_still_holds_is_named(tmp_path: Path, way: dict[str, Any]) -> None:
    """A score of the officer was imported without a word."""
    way, fields = {**way}, {**FIRST, **({"id": "id"} if "ids" in way else {})}
    file = table(tmp_path / "games.csv", way.pop("ids", False))
    with rc.open(":memory:") as engine:
        engine.import_file(file, "club", fields)
        at = [engine.amend(uid_at(engine.log, n), {"score": 0.25}).head.position for n in (1, 3)]
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        report = engine.import_file(file, "club", fields, **way)
        kept = [note for note in report.notes if isinstance(note, CorrectionsKept)]
        assert {line for note in kept for line in note.lines} == {2, 4}
        assert {position for note in kept for position in note.positions} == {*at}
        if "reissue" not in way:
            assert [str(note).partition(": ") for note in kept] == [(
                "2 rows keep what was corrected by hand before the file was taken back (lines 2, 4)", ": ",
                f"corrected at positions {at[0]}, {at[1]}",
            )]  # fmt: skip
        again = engine.import_file(file, "club", fields)
        assert not [note for note in again.notes if isinstance(note, CorrectionsKept)]


@pytest.mark.parametrize("ids", [False, True])
def test_a_correction_by_hand_is_about_the_side_that_it_named_when_the_sides_are_exchanged(
    tmp_path: Path, ids: bool
) -> None:
    """It was repeated for the other side: the loser of file and officer won."""
    more = {"id": "id"} if ids else {}
    cases = [  # a row that comes again, how it reads first and then, what was corrected, who won in the end by how much
        (("ann", "bo", "1-0"), "sides exchanged", "the same", 0.0, ("ann", 1.0)),  # the sides were wrong
        (("bo", "ann", "0-1"), "the same", "the same", 0.25, ("bo", 0.0)),  # the file lists the other side first
    ]
    for (a, b, result), first, second, score, (winner, share) in cases:
        (day, *_, turn, cup), *rest = ROWS
        file = table(tmp_path / "games.csv", ids)
        with rc.open(":memory:") as engine:
            engine.import_file(file, "club", {**SECOND[first], **more})
            engine.amend(uid_at(engine.log, 1), {"score": score})
            engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
            engine.import_file(
                table(file, ids, [(day, a, b, result, turn, cup), *rest]), "club", {**SECOND[second], **more}
            )
            now, event = corrections_of(engine.log), decoder_of(engine.log)
            reads: list[Any] = [event(one) for row in engine.log.rows(0, None, ("game",)) if (one := now.read(row))]
            (game,) = (game for game in reads if (game.a, game.b) == (a, b) and game.played == reads[0].played)
            assert (game.a, game.score) == (winner, share), (first, second)


def test_a_correction_that_was_taken_back_is_not_repeated_and_nothing_counts_twice(tmp_path: Path) -> None:
    """A game was said to be in the log twice, beside itself, with advice that took it away."""
    file = table(tmp_path / "games.csv")
    with rc.open(":memory:") as engine:
        notes = list(map(str, engine.import_file(file, "club", FIRST).notes))
        (amendment,) = engine.amend(uid_at(engine.log, 6), {"score": 0.0}).uids
        engine.void(amendment)
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        report = engine.import_file(file, "club", FIRST)
        assert (report.accepted, list(map(str, report.notes))) == (len(ROWS), notes)
        assert engine.log.head.position == report.positions[0][1] == report.positions[0][0] + len(ROWS) - 1
        engine.amend(uid_at(engine.log, report.positions[0][0]), {"round": 1})
        engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        *others, kept = engine.import_file(file, "club", FIRST).notes
        assert (list(map(str, others)), type(kept)) == (notes, CorrectionsKept)


def test_a_row_of_another_pool_does_not_bring_back_what_was_taken_back(tmp_path: Path) -> None:
    file, fields = table(tmp_path / "games.csv", ids=True), {**FIRST, "id": "id"}
    with rc.open(":memory:") as engine:
        BACK["by source"](engine, engine.import_file(file, "club", fields))
        report = engine.import_file(file, "blitz", fields)
        assert (report.accepted, report.revived, len(report.refused)) == (0, 0, len(ROWS))


def test_what_comes_again_a_second_time_reads_as_the_file_has_it(tmp_path: Path) -> None:
    """The amendment by which it first came again was taken back with it, and was believed to count all the same."""
    file = table(tmp_path / "games.csv", ids=True)
    first, second = ({**SECOND[name], "id": "id"} for name in ("the same", "sides exchanged"))
    with rc.open(":memory:") as engine, rc.open(":memory:") as alone:
        alone.import_file(file, "club", second)
        for fields in (first, second, second):
            report = engine.import_file(file, "club", fields)
            assert (report.accepted, report.refused) == (len(ROWS), [])
            reads = ratings(engine)
            engine.apply(engine.plan.void_all(engine.plan.chosen(source="games.csv")))
        assert reads == ratings(alone)


def test_a_row_of_a_result_that_was_amended_and_voided_singly_is_known_as_voided(tmp_path: Path) -> None:
    """It was refused, as a contradiction of what was recorded first."""
    file, fields = table(tmp_path / "games.csv", ids=True), {**FIRST, "id": "id"}
    with rc.open(":memory:") as engine:
        engine.import_file(file, "club", fields)
        engine.amend("g-0", {"score": 0.25})
        void = engine.void("g-0").head.position
        header, first, *lines = file.read_text().splitlines()
        for score in ("0.25", "1-0"):
            file.write_text("\n".join([header, first.replace("1-0", score), *lines, ""]))
            report = engine.import_file(file, "club", fields)
            assert (report.refused, [row.void for row in report.rows.only("voided")]) == ([], [void])


@pytest.mark.parametrize("ids", [False, True], ids=["bare", "ids"])
def test_the_row_of_a_result_voided_singly_is_voided_whatever_else_it_says(tmp_path: Path, ids: bool) -> None:
    """With another score, or a column more, it was refused as a contradiction."""
    own = {"id": "id"} if ids else {}
    file = table(tmp_path / "games.csv", ids)
    with rc.open(":memory:") as engine:
        engine.import_file(file, "club", {**FIRST, **own})
        void = engine.void(uid_at(engine.log, 1), why="a default").head.position
        for amend in (False, True):
            table(file, ids, [("2024-03-02", "ann", "bo", "0-1", "1", "Open")])
            report = engine.import_file(file, "club", {**SECOND["columns more"], **own}, amend=amend)
            assert (report.refused, report.changes, report.changed) == ([], 0, 0)
            assert [(row.line, row.position, row.void) for row in report.rows.only("voided")] == [(2, 1, void)]
        other = engine.import_file(file, "blitz", {**FIRST, **own})
        assert (other.accepted, len(other.refused)) == ((0, 1) if ids else (1, 0)), "another pool, another result"


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(len(ROWS))), st.sets(st.sampled_from(range(len(ROWS)))), st.booleans(), st.booleans())
def test_a_file_taken_back_comes_again_in_the_order_of_its_rows(
    turned: list[int], first: set[int], ids: bool, rounds: bool
) -> None:
    """Rows with ids kept the order of the first import, so that the list was not that of the second file alone."""
    day = [("2024-03-02", *ROWS[at][1:]) for at in range(len(ROWS))]
    fields = {**FIRST, **({"id": "id"} if ids else {}), **({"round": "turn"} if rounds else {})}
    with TemporaryDirectory() as place, rc.open(":memory:") as engine, rc.open(":memory:") as fresh:
        whole = table(Path(place, "whole.csv"), ids, day).read_text().splitlines()
        (file := Path(place, "games.csv")).write_text("\n".join([whole[0], *(whole[1 + at] for at in sorted(first))]))
        report = engine.import_file(file, "club", fields)
        BACK["by source"](engine, report) if first else None
        file.write_text("\n".join([whole[0], *(whole[1 + at] for at in turned)]))
        engine.import_file(file, "club", fields)
        fresh.import_file(file, "club", fields)
        assert ratings(engine) == ratings(fresh)
        once_more = engine.import_file(file, "club", fields)
        assert (once_more.accepted, once_more.duplicates, once_more.refused) == (0, len(ROWS), [])

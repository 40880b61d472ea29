"""The report of an import, in numbers and lines."""

from ratingcore.errors import BadFile
from ratingcore.importer.report import ImportReport
from ratingcore.readers import Reason, Refused

PROBLEM = BadFile("open.txt", "it ends early")


def test_a_file_that_broke_off_counts_the_rows_of_the_tournaments_before() -> None:
    report = ImportReport("open.txt", read=7, documents=1, refused=[(2, Reason("no day"), "")])
    report.settled.add("unrated", [3, 4], reason="bye")
    broken = report.broken_off(PROBLEM)
    assert (broken.read, len(broken.refused), broken.documents) == (3, 1, 1)  # 1 refused, 2 unrated; 4 nobody knows
    assert broken.adds_up
    assert broken.lines()[0].startswith("open.txt: 3 rows read")
    assert broken.lines()[-1].endswith("nothing more was imported: cannot read open.txt: it ends early")


def test_a_file_that_broke_off_before_anything_was_taken_counts_nothing() -> None:
    broken = ImportReport("open.txt", read=7, refused=[(2, Reason("no day"), "")]).broken_off(PROBLEM)
    assert (broken.read, broken.refused, broken.error) == (0, [], PROBLEM)


def test_rows_that_are_refused_for_one_cause_are_one_line_whatever_value_each_has() -> None:
    """The cause was what a sentence has before a quotation, so a value without quotes made each row a cause."""
    report = ImportReport("open.txt")
    for line in range(1, 8):
        report.note(
            Refused(line, Reason("its komi is not a number", f"six {line}", where=f"round {line}"), f"row {line}")
        )
    report.note(Refused(8, "has no name", "row 8"))
    assert report.lines()[1:] == [
        "  refused, line 1 and 6 more rows: round 1: its komi is not a number: 'six 1' (row 1)",
        "  refused, line 8: has no name (row 8)",
    ]

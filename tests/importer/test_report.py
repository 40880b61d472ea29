"""The report of an import, in numbers and lines."""

from ratingcore.errors import BadFile
from ratingcore.importer import ImportReport

PROBLEM = BadFile("open.txt", "it ends early")


def test_a_file_that_broke_off_counts_the_rows_of_the_tournaments_before() -> None:
    report = ImportReport("open.txt", read=7, documents=1, refused=[(2, "no day", "")])
    report.settled.add("unrated", [3, 4], reason="bye")
    broken = report.broken_off(PROBLEM)
    assert (broken.read, len(broken.refused), broken.documents) == (3, 1, 1)  # 1 refused, 2 unrated; 4 nobody knows
    assert broken.adds_up
    assert broken.lines()[0].startswith("open.txt: 3 rows read")
    assert broken.lines()[-1].endswith("nothing more was imported: cannot read open.txt: it ends early")


def test_a_file_that_broke_off_before_anything_was_taken_counts_nothing() -> None:
    broken = ImportReport("open.txt", read=7, refused=[(2, "no day", "")]).broken_off(PROBLEM)
    assert (broken.read, broken.refused, broken.error) == (0, [], PROBLEM)

"""Notes of an import at a command line: each with the option or the command that does something about it."""

import re
import shlex

import click
import pytest

from ratingcore.cli.main import cli
from ratingcore.cli.notes import words
from ratingcore.importer import day_notes, name_notes, notes, recorded_notes
from ratingcore.readers import Note, day_or_why, day_unread

TWO_DAYS = day_or_why("05/09/2024")[2]
ADVICE: list[tuple[Note, str]] = [
    (recorded_notes.ColumnAdded(5, "event"), "import the file with --amend to add it"),
    (notes.ColumnsUnused(("elo",)), "; a column is taken by --map, such as --map title=elo; ratings are read by seed"),
    (day_unread(2, "record 042", TWO_DAYS), "'05/09/2024'; --date-format %d/%m/%Y or --date-format %m/%d/%Y"),
    (day_notes.DaysUnread(2, "06/09", "21/02", ("%d/%m",)), "21/02: --date-format %d/%m"),
    (day_notes.DaysUnread(1, "1 May", "1 May", ("%d %b",)), 'May: --date-format "%d %b"'),
    (day_notes.DaysUnread(1, "06/09", "06/09", ("%d/%m", "%m/%d")), ": say --date-format %d/%m or --date-format %m/%d"),
    (recorded_notes.Differing(2, "session"),
     "with --amend; if the row is another session, give it an id in a column uid"),
    (day_notes.FarDays(1, 3, "1824-03-02"), "line 3, 1824-03-02; check --date-format"),
    (recorded_notes.ImportedBefore("a.csv", 1, (2,)), "still counts: void it, or import the whole file with --reissue"),
    (recorded_notes.LaterIssue("Open"), "than this one: --amend to go back"),
    (notes.Mirrored(1, False, ((2, 3),)), "without it: void LOG --source FILE"),
    (name_notes.Namesakes(1, (("ann", 2, 3),)), "split PLAYER INTO --file FILE --lines N,..."),
    (name_notes.NamesakesInEvents(1, (("ann", 2, 3),)), "split PLAYER INTO --file FILE --lines N,..."),
    (notes.PoolSpeltLike("rapidd", "rapid"), "void what was imported, and import it with --pool"),
    (notes.ReadAs("cp1252"), "not UTF-8: if that is wrong, give --encoding"),
    (recorded_notes.Renamed(3, "ann", "ann lee"), "results: ratingcore merge 'our club.db' 'ann lee' ann"),
    (recorded_notes.Retimed(1), "stays as it is: --amend takes the time of the file"),
    (recorded_notes.RowsGone("a.csv", 2), "has count as before: if the file is whole, import it with --reissue"),
    (recorded_notes.SourceUnknown("a.csv", 0, 5, ()), "--reissue NAME gives the source"),
    (recorded_notes.SourceUnknown("a.csv", 0, 5, ("b.csv",)), "--reissue NAME gives the source: b.csv"),
    (recorded_notes.TwiceInLog(1, (5,)), "import the file with --mirrored again"),
    (recorded_notes.Voided(1, "g-1", ((29, 29),)), "to bring back: ratingcore revive 'our club.db' g-1"),
    (recorded_notes.Voided(2, "", ((29, 30), (32, 32))), "ratingcore void 'our club.db' --positions 29-30,32"),
    (recorded_notes.Voided(11, "", tuple((n, n) for n in range(2, 24, 2))),
     "log 'our club.db' --kind void lists the voids"),
]  # fmt: skip


@pytest.mark.parametrize(("note", "end"), ADVICE, ids=[type(note).__name__ for note, _ in ADVICE])
def test_a_note_ends_with_what_can_be_done(note: Note, end: str) -> None:
    with click.Context(click.Command("import")) as context:
        context.params["log"] = "our club.db"
        assert words(note).endswith(end)


@pytest.mark.parametrize(("note", "end"), ADVICE, ids=[type(note).__name__ for note, _ in ADVICE])
def test_options_and_commands_that_are_advised_exist(note: Note, end: str) -> None:
    """One advised an option that `merge` does not have."""
    with click.Context(click.Command("import")) as context:
        context.params["log"] = "club.db"
        advice = words(note)
        commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    options = {option for command in commands.values() if command for one in command.params for option in one.opts}
    assert {*re.findall("--[a-z-]+", advice)} <= options
    if "ratingcore " in advice:
        command = shlex.split(advice.partition("ratingcore ")[2])[0]
        assert command in commands


def test_a_note_that_nothing_can_be_done_about_is_what_it_is() -> None:
    assert words(name_notes.KnownByName(2)) == "2 players are known by name only"

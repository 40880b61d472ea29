"""Puts the notes of imports into words, with advice that names commands and options."""

from collections.abc import Callable, Mapping
from typing import Any

from ratingcore.cli.console import on_log
from ratingcore.importer import day_notes, name_notes, notes, recorded_notes
from ratingcore.plans.notes import MergedTwice
from ratingcore.readers import DayInDoubt, Note

_SPANS = 10
"""Largest number of spans of positions that are named."""
_SPLIT = (
    "; if two people have this name, give one of them another name in the file, or later: "
    "split PLAYER INTO --file FILE --lines N,..."
)
_DIFFERING = (
    ": amend or void what is recorded if the file is right, or import it with --amend; if the row is another {}, give "
    "it an id in a column uid"
)
_MIRRORED = (
    "; if each row is the report of one side, import the file with --mirrored, after taking back what was imported "
    "without it: void LOG --source FILE"
)
_TWICE = (
    "; take back what was imported without --mirrored (void LOG --source FILE), then import the file with --mirrored "
    "again"
)


def _revival(voided: recorded_notes.Voided) -> str:
    if voided.uid:
        return on_log("revive", voided.uid)
    spans = [str(low) if low == high else f"{low}-{high}" for low, high in voided.voids]
    if len(spans) > _SPANS:
        return f"{on_log('revive')} UID, each; {on_log('log', '--kind', 'void')} lists the voids"
    return on_log("void", "--positions", ",".join(spans))


def _taking_back(twice: recorded_notes.RecordedTwice | MergedTwice) -> str:
    spans = [str(low) if low == high else f"{low}-{high}" for low, high in twice.spans]
    more = len(spans) > _SPANS
    which = f"{','.join(spans[:_SPANS])}{',...' if more else ''}"
    return f"; if they are the same games: {on_log('void', '--positions')} {which}"


def _formats(day: DayInDoubt) -> str:
    given = [f'--date-format "{one}"' if " " in one else f"--date-format {one}" for one in day.forms]
    return "; " + " or ".join(given) if given else ""


def _source(unknown: recorded_notes.SourceUnknown) -> str:
    known = f": {', '.join(unknown.sources)}" if unknown.sources else ""
    return f"; --reissue NAME gives the source{known}"


_ADVICE: Mapping[type[Note], Callable[[Any], str]] = {
    DayInDoubt: _formats,
    recorded_notes.ColumnAdded: lambda added: ": import the file with --amend to add it",
    notes.ColumnsUnused: lambda unused: (
        f"; a column is taken by --map, such as --map title={unused.columns[0]}; ratings are read by seed"
    ),
    day_notes.DaysInUtc: lambda days: f"; to have the days of a zone: {on_log('declare', '--pool')} POOL --zone ZONE",
    recorded_notes.Differing: lambda differing: _DIFFERING.format(differing.noun),
    day_notes.FarDays: lambda far: "; check --date-format",
    recorded_notes.ImportedBefore: lambda before: ": void it, or import the whole file with --reissue",
    recorded_notes.RowsGone: lambda gone: ": if the file is whole, import it with --reissue",
    recorded_notes.LaterIssue: lambda later: ": --amend to go back",
    notes.Mirrored: lambda mirrored: _MIRRORED,
    MergedTwice: _taking_back,
    recorded_notes.MostlyKnown: lambda known: (
        ": void it, or import the whole file with --reissue NAME, the name it was imported under before"
    ),
    name_notes.Namesakes: lambda namesakes: _SPLIT,
    name_notes.NamesakesInEvents: lambda namesakes: _SPLIT,
    notes.PoolSpeltLike: lambda pool: ": if that is meant, void what was imported, and import it with --pool",
    notes.ReadAs: lambda read: ": if that is wrong, give --encoding",
    recorded_notes.RecordedTwice: _taking_back,
    recorded_notes.Renamed: lambda renamed: (
        f"; if {renamed.old} has other results: {on_log('merge', renamed.new, renamed.old)}"
    ),
    recorded_notes.Retimed: lambda retimed: ": --amend takes the time of the file",
    recorded_notes.SourceUnknown: _source,
    day_notes.TimesOfDay: lambda times: (
        f"; to have them as times, take the import back, and repeat it with --map time={times.column} --zone ZONE"
        if times.orders and not times.half
        else f"; if they do: --map order={times.column} --amend"
        if not times.odd and not times.half
        else ""
    ),
    recorded_notes.TwiceInLog: lambda twice: _TWICE,
    recorded_notes.Voided: lambda voided: f"; to bring back: {_revival(voided)}",
}  # fmt: skip


def words(note: Note) -> str:
    """Returns a note in words, with advice."""
    if isinstance(note, day_notes.DaysUnread):
        return note.worded("{}", "--date-format {}", "say {}")
    advice = _ADVICE.get(type(note))
    return str(note) if advice is None else f"{note}{advice(note)}"

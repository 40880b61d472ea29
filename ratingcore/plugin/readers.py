"""The contract of readers and writers of files: sources, samples, items, and the rules that all of them keep."""

from ratingcore.errors import BadFile, BadValue, CannotWrite, NotInstalled
from ratingcore.events import DAY, SessionPlayed, Side, iso
from ratingcore.readers import (
    Cell,
    DatedOptions,
    Document,
    Element,
    Facts,
    Game,
    Item,
    NoOptions,
    Options,
    Outgoing,
    Pairing,
    Reader,
    Refused,
    Sample,
    Seed,
    Session,
    Source,
    Unrated,
    Warning,
    Who,
    Writer,
    at,
    at_moment,
    clean_name,
    day_of,
    event_of,
    one_of,
    pairings,
    partial_day,
    registered,
    round_order,
    seen,
    spread,
    tells_who,
)
from ratingcore.readers.files import check_file
from ratingcore.readers.sheets import (
    LONGEST_CELL,
    Moment,
    Rows,
    Sheet,
    SheetForm,
    SheetKind,
    Typed,
    Values,
    Wanted,
    is_frame,
)
from ratingcore.readers.sheets import Refused as SheetRefused
from ratingcore.sqlite_library import sqlite3

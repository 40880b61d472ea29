"""The contract of a store of logs: what it offers, what appending needs of it, and the base of those in a database."""

from ratingcore.errors import (
    BadValue,
    BrokenChain,
    CursorMoved,
    ErasureUnfinished,
    LogUnavailable,
    NewerLog,
    NoSuchLog,
    NotALog,
    NotInstalled,
    UnknownUid,
)
from ratingcore.events import Instant, Row, canonical, iso
from ratingcore.events.recorded_games import GameColumns
from ratingcore.events.values import ERASED
from ratingcore.log import SqliteLog, export_lines, load_lines
from ratingcore.log.address import Address, Store
from ratingcore.log.append import BatchRefused, UidTaken
from ratingcore.log.base_log import BaseLog, random_salt, wall_clock
from ratingcore.log.chain import digest_of
from ratingcore.log.contract import Eraser, Log, Look, another_history, check_same_history
from ratingcore.log.facts import EMPTY, GENESIS, Batch, Head, Name
from ratingcore.log.names import Book, NameDraft
from ratingcore.log.sqlite.connection import BUSY_SECONDS, patience
from ratingcore.log.sqlite.tables import tables_in
from ratingcore.log.stored_names import StoredNames
from ratingcore.log.stored_rows import EVENT_COLUMNS, StoredRows
from ratingcore.log.tables import Tables
from ratingcore.log.turns import Turns

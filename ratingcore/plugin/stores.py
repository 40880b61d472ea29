"""The contract of a store of logs: its protocol, tools for appending, and the base class of stores in databases."""

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
from ratingcore.events.rows import GameColumns
from ratingcore.events.values import ERASED
from ratingcore.log import SqliteLog, export_lines, load_lines
from ratingcore.log.address import Address, Store
from ratingcore.log.append import BatchRefused, UidTaken
from ratingcore.log.base_log import BaseLog, StoredLog, names_in_memory, wall_clock
from ratingcore.log.chain import EMPTY, GENESIS, Batch, Head, Name, digest_of
from ratingcore.log.contract import UNSEEN, Eraser, Log, Look, Seen, Stamp, Tables
from ratingcore.log.lookup import is_among
from ratingcore.log.names import NameBook, NameDraft, random_salt
from ratingcore.log.sealed_log import SealedLog
from ratingcore.log.sealed_rows import Place
from ratingcore.log.sqlite.connection import BUSY_SECONDS, patience
from ratingcore.log.sqlite.tables import tables_in
from ratingcore.log.stored_names import StoredNames
from ratingcore.log.stored_rows import EVENT_COLUMNS
from ratingcore.log.transaction import Inside, Tail
from ratingcore.log.turns import Turns

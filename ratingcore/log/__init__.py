"""The log of events: its protocol, its stores and its chain of digests."""

from ratingcore.events.rows import GameColumns
from ratingcore.events.values import ERASED
from ratingcore.log.chain import EMPTY, Batch, Head, Name, Receipt, Verified
from ratingcore.log.contract import Log
from ratingcore.log.sqlite import SqliteLog
from ratingcore.log.transfer import export_lines, load_lines
from ratingcore.log.verify import Anchor, verify

__all__ = [
    "EMPTY",
    "ERASED",
    "Anchor",
    "Batch",
    "GameColumns",
    "Head",
    "Log",
    "Name",
    "Receipt",
    "SqliteLog",
    "Verified",
    "export_lines",
    "load_lines",
    "verify",
]

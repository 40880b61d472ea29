"""The log as one SQLite file, or in memory."""

from ratingcore.log.sqlite.log import SqliteLog

__all__ = ["SqliteLog"]

"""The only SQLite library of the process: the one that sqlite-utils uses.

A second library that opens the same file would drop the locks of the first. Where there is no choice, sqlite-utils is
not asked: it imports pandas, if that is installed, which takes longer than the first list of a club.
"""

from importlib.util import find_spec

if find_spec("pysqlite3") is None and find_spec("sqlean") is None:
    import sqlite3 as sqlite3
else:
    from sqlite_utils.utils import sqlite3 as sqlite3  # type: ignore[attr-defined]  # sqlite-utils has it only at run time

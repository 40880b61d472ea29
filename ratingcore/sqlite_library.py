"""The only SQLite library of the process: the one that sqlite-utils uses.

A second library that opens the same file would drop the locks of the first. If only the standard library's SQLite is
installed, sqlite-utils is not imported, because it imports pandas, which is slow.
"""

from importlib.util import find_spec

if find_spec("pysqlite3") is None and find_spec("sqlean") is None:
    import sqlite3 as sqlite3
else:
    from sqlite_utils.utils import sqlite3 as sqlite3  # type: ignore[attr-defined]  # sqlite-utils has it only at run time

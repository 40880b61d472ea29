"""Tables that plugins keep in a database, by the same statements for every store."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any


class Tables(ABC):
    """Tables in the database of a log, or in a file beside it.

    In a statement names of tables are plain words, and values are marked by `?`.

    Parameters
    ----------
    where : str
        The database, as errors name it.
    writing : callable
        Returns a context in which all is written or nothing.
    """

    position: str = "instr"
    """The SQL function that returns where in a text another one begins; 0 if it is not there."""

    def __init__(self, where: str, writing: Callable[[], AbstractContextManager[None]]) -> None:
        self.where = where
        self.writing = writing

    @abstractmethod
    def all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a statement."""

    @abstractmethod
    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """How many rows a statement changed."""

    @abstractmethod
    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Inserts rows with a value for every column; NaN is kept as NULL."""

    @abstractmethod
    def clear(self) -> None:
        """Writes the tables anew, so that no free page holds what was changed."""

    @abstractmethod
    def columns(self, table: str) -> list[str]:
        """Names of the columns of a table; none if it does not exist."""

    @abstractmethod
    def create(
        self, table: str, columns: Mapping[str, type], key: Sequence[str], indexes: Iterable[Sequence[str]] = ()
    ) -> None:
        """Creates a table of texts, whole numbers and floats, with its primary key and further indexes."""

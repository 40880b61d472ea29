"""The engine: one log and one registry; everything else is delegated."""

from pathlib import Path
from types import TracebackType
from typing import Self

from ratingcore.engine.backdating import Choosing
from ratingcore.engine.comparisons import Comparing
from ratingcore.engine.derived_tables import Deriving
from ratingcore.engine.erasure import Erasing
from ratingcore.engine.events import Recording
from ratingcore.engine.explanations import Explaining
from ratingcore.engine.feeds import Following
from ratingcore.engine.files import Files
from ratingcore.engine.lists import Publishing
from ratingcore.engine.ratings import Rating
from ratingcore.engine.tuning import Tuning
from ratingcore.engine.what_if import Supposing
from ratingcore.lists.cuts import KnownAt
from ratingcore.log import MemoryLog, SqliteLog
from ratingcore.registry import Registry

__all__ = ["Engine", "KnownAt", "open_engine"]


class Engine(
    Recording,
    Files,
    Supposing,
    Publishing,
    Explaining,
    Following,
    Deriving,
    Erasing,
    Tuning,
    Comparing,
    Choosing,
    Rating,
):
    """One log, the methods that are installed, and the columns kept beside the log.

    Parameters
    ----------
    log : MemoryLog or SqliteLog
    registry : Registry or None
        The installed plugins if None.
    columns : path or None
        Folder of the column cache; None keeps columns in memory only.
    """

    def close(self) -> None:
        """Close the log."""
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_engine(path: str | Path, *, read_only: bool = False, registry: Registry | None = None) -> Engine:
    """Open the log at a path, made if it is missing; `:memory:` is a log that ends with the process.

    Examples
    --------
    >>> with open_engine(":memory:") as engine:
    ...     engine.pools()
    []
    """
    if str(path) == ":memory:":
        return Engine(MemoryLog(), registry)
    log = SqliteLog(path, read_only=read_only)
    folder = Path(path).with_name(Path(path).name + ".columns")
    return Engine(log, registry, folder)

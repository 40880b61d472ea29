"""The engine: one log and one registry; everything else is delegated."""

from pathlib import Path
from types import TracebackType
from typing import Self

from ratingcore.engine.base import KnownAt
from ratingcore.engine.choosing import Choosing
from ratingcore.engine.comparing import Comparing
from ratingcore.engine.deriving import Deriving
from ratingcore.engine.erasing import Erasing
from ratingcore.engine.explaining import Explaining
from ratingcore.engine.files import Files
from ratingcore.engine.following import Following
from ratingcore.engine.publishing import Publishing
from ratingcore.engine.rating import Rating
from ratingcore.engine.recording import Recording
from ratingcore.engine.supposing import Supposing
from ratingcore.engine.tuning import Tuning
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

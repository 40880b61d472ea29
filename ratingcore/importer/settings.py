"""Settings of an import, for all formats."""

from collections.abc import Callable
from typing import Literal

from attrs import field, frozen
from attrs.validators import in_

from ratingcore.errors import BadValue
from ratingcore.events import Instant

VOIDS = 0.2
"""Largest share of a document's results that a later issue may take back without confirmation."""
FEW = 3
"""Largest number of results that a later issue may take back whatever their share."""


def _share(instance: object, attribute: object, value: float) -> None:
    if not 0 <= value <= 1:
        raise BadValue("voids", value, "is not a share from 0 to 1")


@frozen(kw_only=True)
class Settings:
    """The way results are imported.

    Parameters
    ----------
    pool : str or None
        Pool of the results; `"{speed}"` takes it from the reader. None for the only pool of the log.
    played : Instant or None
        Time of results whose file does not give one.
    dry_run : bool
        Whether to report the outcome without recording anything.
    strict : bool
        Whether to import all rows of a file or none.
    amend : bool
        Whether a row that differs from the recorded event corrects it, and an earlier issue replaces a later one.
    voids : float in [0, 1]
        Share of the results of a document that may be voided because they are missing from it now.
    seeds : {"none", "first", "all"}
        Ratings in the files that become seeds: none, ratings of players new to the pool, or all.
    facts : bool
        Whether facts of players are recorded.
    reissue : bool or str
        Whether a table replaces everything from its source: results that differ are amended, missing ones voided. A
        text names the source; True means the name of the file.
    skip_known : bool
        Whether to leave out games that the log may have already, from elsewhere; the import is tried first.
    as_rows : bool
        Whether large tables with typed columns are stored as rows, which SQL can read, rather than sealed segments.
    without : frozenset of int
        Lines whose rows are left out by choice.
    progress : callable
        Called with the number of rows read.
    expected : callable
        Called with the number of rows of a file, before they are read, if the file states it.
    """

    pool: str | None = None
    played: Instant | None = None
    dry_run: bool = False
    strict: bool = False
    amend: bool = False
    voids: float = field(default=VOIDS, validator=_share)
    seeds: Literal["none", "first", "all"] = field(default="none", validator=in_(("none", "first", "all")))
    facts: bool = True
    reissue: bool | str = False
    skip_known: bool = False
    as_rows: bool = False
    without: frozenset[int] = frozenset()
    progress: Callable[[int], None] = lambda read: None
    expected: Callable[[int], None] = lambda rows: None

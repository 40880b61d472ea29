"""What a user says about an import, whatever the format."""

from collections.abc import Callable
from typing import Literal

from attrs import field, frozen
from attrs.validators import in_

from ratingcore.errors import BadValue
from ratingcore.events import Instant

VOIDS = 0.2
"""Share of a document's results that a later issue may take back without being asked about it."""
FEW = 3
"""Results that a later issue may take back whatever their share."""


def _share(instance: object, attribute: object, value: float) -> None:
    if not 0 <= value <= 1:
        raise BadValue("voids", value, "is no share from 0 to 1")


@frozen(kw_only=True)
class Settings:
    """How results are imported.

    Parameters
    ----------
    pool : str or None
        Where they belong; `"{speed}"` takes what the reader says. None for the one pool of the log.
    played : Instant or None
        When results were played whose file does not say.
    dry_run : bool
        Say what would happen; write nothing.
    strict : bool
        All rows of a file or none.
    amend : bool
        Let a row that says something else than what is recorded correct it, and an earlier issue replace a later one.
    voids : float in [0, 1]
        Share of the results of a document that may be voided because they are missing from it now.
    seeds : {"none", "first", "all"}
        Which ratings in the files become seeds: none, those of players the pool has never met, or all.
    facts : bool
        Whether facts of players are recorded.
    reissue : bool or str
        Whether a table stands for all that came from its source: what it says otherwise is amended, what is missing
        from it is voided. A text names the source; True means the name of the file.
    skip_known : bool
        Leave out games of a document that the log has from another source.
    progress : callable
        Called with the number of rows read.
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
    progress: Callable[[int], None] = lambda read: None

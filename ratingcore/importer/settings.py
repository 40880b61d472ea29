"""What a user says about an import, whatever the format."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from attrs import field, fields, frozen
from attrs.validators import in_

from ratingcore.errors import BadValue
from ratingcore.events import Instant, instant
from ratingcore.importer.choice import spelt
from ratingcore.importer.inputs import Opening, zone_of
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import mapping_of

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


@frozen
class Call:
    """The arguments of `import_file`, sorted by what they are for.

    Parameters
    ----------
    settings : Settings
        How results go into the log.
    opening : Opening
        How files are opened.
    fields : FieldMap
        Which columns of tables hold what.
    reader : str or None
        Name of the reader; None to go by content.
    options : mapping of str to str
        Options of the reader.
    name : str
        What a table in memory is called.
    """

    settings: Settings
    opening: Opening
    fields: FieldMap
    reader: str | None
    options: Mapping[str, str]
    name: str

    @classmethod
    def of(
        cls,
        reader: str | None,
        pool: str | None,
        mapping: Mapping[str, str] | FieldMap | None,
        given: Mapping[str, Any],
    ) -> "Call":
        """Sorts out arguments; those that `import_file` does not have are options of the reader.

        Raises
        ------
        BadValue
            If one has a value that it cannot have.
        """
        rest = dict(given)
        called, texts = spelt(reader)
        opening, name = Opening(rest.pop("encoding", None), zone_of(rest.pop("zone", None))), rest.pop("name", "table")
        columns, known = mapping_of(mapping), rest.pop("known", None)
        if known is not None:
            columns = columns.merged(FieldMap(known=known, where=columns.where))
        played = rest.pop("played", None)
        own = {one: rest.pop(one) for one in _SETTINGS if one in rest}
        settings = Settings(pool=pool, played=None if played is None else instant(played), **own)
        texts |= {option: _text(value) for option, value in rest.items()}
        return cls(settings, opening, columns, called, texts, name)


_SETTINGS = tuple(one.name for one in fields(Settings) if one.name not in ("pool", "played"))


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)

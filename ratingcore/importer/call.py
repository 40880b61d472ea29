"""What a call of the engine says about an import: how files are opened, which reader takes them, how results go in."""

from collections.abc import Mapping
from typing import Any

from attrs import fields, frozen

from ratingcore.events import instant
from ratingcore.importer.choice import spelt
from ratingcore.importer.inputs import Opening, zone_of
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.frames import mapping_of


@frozen
class Call:
    """The arguments of a call, sorted out.

    Parameters
    ----------
    reader : str or None
        Name of the reader; None to go by content.
    options : mapping of str to str
        Options of the reader.
    settings : Settings
    opening : Opening
    columns : FieldMap
        Which columns of tables hold what.
    """

    reader: str | None
    options: Mapping[str, str]
    settings: Settings
    opening: Opening
    columns: FieldMap

    @classmethod
    def of(cls, reader: str | None, pool: str | None, said: Mapping[str, Any]) -> "Call":
        """Sorts out the arguments of `import_file`; those that are none of its own are options of the reader.

        Raises
        ------
        BadValue
            If one has a value that it cannot have.
        """
        name, texts = spelt(reader)
        rest = dict(said)
        opening = Opening(rest.pop("encoding", None), zone_of(rest.pop("zone", None)))
        columns, known = mapping_of(rest.pop("fields", None), "fields"), rest.pop("known", None)
        if known is not None:
            columns = columns.merged(FieldMap(known=known, where=columns.where))
        played = rest.pop("played", None)
        given = {one: rest.pop(one) for one in _SETTINGS if one in rest}
        settings = Settings(pool=pool, played=None if played is None else instant(played), **given)
        texts |= {option: _text(value) for option, value in rest.items()}
        return cls(name, texts, settings, opening, columns)


_SETTINGS = tuple(one.name for one in fields(Settings) if one.name not in ("pool", "played"))


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)

"""Reads the ratings in a file of any format, without a log, so that a list can be compared with them."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from math import inf
from types import MappingProxyType

from attrs import frozen

from ratingcore.errors import BadFile, PluginFails, RatingCoreError
from ratingcore.events import Instant, RatingSeeded
from ratingcore.importer.event_maker import EventMaker
from ratingcore.importer.file_choice import Chosen, choose
from ratingcore.importer.inputs import Input
from ratingcore.importer.reader_choice import InstalledReaders, TableReader, named_options
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import FieldMap, read_seeds
from ratingcore.importer.tables.fieldmap import FromColumn, mapping_of
from ratingcore.importer.tables.players import open_players
from ratingcore.methods.wrapped import failing
from ratingcore.readers import Made, Refused, Seed
from ratingcore.registry import Registry

NO_OPTIONS: Mapping[str, object] = MappingProxyType({})


@frozen
class Ratings:
    """Ratings by player, and the rows that could not be read, with the reason."""

    of: Mapping[str, float]
    unread: tuple[str, ...]


def ratings_in(
    path: Input,
    registry: Registry,
    pool: str,
    *,
    at: Instant,
    reader: str | None = None,
    options: Mapping[str, object] = NO_OPTIONS,
    fields: Mapping[str, str] | FieldMap | None = None,
    column: str = "rating",
) -> Ratings:
    """Returns the latest rating of each player in a file; the first of two at one time in a table.

    Parameters
    ----------
    path : path, "-" or binary file
    registry : Registry
        Registry with the readers.
    pool : str
        Rows of a table that name another pool are skipped.
    at : Instant
        Time of ratings without one.
    reader : str or None
        Name of the reader, with options; None to choose by content. Tables are read as tables of seeds.
    options : mapping of str to object
        Further options of the reader.
    fields : mapping of str to str, FieldMap or None
        Columns of a table by field.
    column : str
        Column of a seed to read.

    Raises
    ------
    BadFile
        If the file cannot be read, has no rating, or no reader recognises it.
    """
    (name, texts), mapped = named_options(reader), mapping_of(fields)
    texts |= {option: str(value) for option, value in options.items()}
    chosen = choose([path], InstalledReaders(registry), reader=name, options=texts, fields=mapped).files
    if not chosen:
        raise BadFile(str(path), "no reader recognises a file in it", "name the file itself, and its reader", "reader")
    latest: dict[str, tuple[float, float]] = {}
    unread: list[str] = []
    for one in chosen:
        seeds = _of_table(one, pool, at, mapped) if isinstance(one.reader, TableReader) else _of_items(one, pool, at)
        with closing(one.found.source):
            for seed in seeds:
                if isinstance(seed, str):
                    unread.append(seed)
                elif seed.pool == pool and column in seed.values:
                    when = float(seed.played)
                    if when >= latest.get(seed.player, (-inf, 0.0))[0]:
                        latest[seed.player] = (when, seed.values[column])
    if not latest:
        why = f": {unread[0]}" if unread else ""
        raise BadFile(
            str(path),
            f"it has no {column} of any player{why}",
            "name its columns, or its reader",
            "fields_or_reader",
        )
    return Ratings({who: rating for who, (_, rating) in latest.items()}, tuple(unread))


def _of_table(one: Chosen, pool: str, at: Instant, fields: FieldMap) -> Iterator[RatingSeeded | str]:
    source = one.found.source.reusable()
    if fields.fields.keys().isdisjoint({"at", "played"}):
        columns = open_players(source, fields, ()).columns
        own = [FieldMap({"at": FromColumn(name)}) for name in ("at", "played") if name in columns]
        fields = fields.merged(own[0]) if own else fields
    for row in read_seeds(source, pool=pool, fields=fields, at=at):
        if isinstance(row, Made) and isinstance(row.event, RatingSeeded):
            yield row.event
        elif isinstance(row, Refused):
            yield f"line {row.line}: {row.reason}"


def _of_items(one: Chosen, pool: str, at: Instant) -> Iterator[RatingSeeded | str]:
    plugin = f"of the reader {one.reader.name}"
    maker = EventMaker(one.reader, one.options, Settings(pool=pool, played=at), pool)
    with failing(plugin):
        items: list[Seed] = [item for item in one.reader.read(one.found.source, one.options) if isinstance(item, Seed)]
    for item in items:
        try:
            yield maker.seed(item)
        except PluginFails:
            raise
        except RatingCoreError as error:
            yield f"line {item.line}: {error}"

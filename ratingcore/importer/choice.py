"""Chooses the reader of a file by its content."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ratingcore.errors import BadFile, BadValue, PluginFails
from ratingcore.events import NO_ID, Event, GamePlayed, RatingSeeded
from ratingcore.importer.inputs import Found
from ratingcore.importer.tables.table_readers import UNNAMED, TableReader, table_readers
from ratingcore.readers import Options, Reader, Sample, Source
from ratingcore.registry import Registry

_RANDOM = re.compile(r"[0-9a-f]{32}")
"""Uids that events get where nobody gives them one."""


@frozen
class PlainReader(Reader):
    """A reader made of a function: what a file says otherwise than before is amended, and nothing is taken back."""


def readers_of(registry: Registry) -> dict[str, Reader]:
    """The readers of tables and those of plugins, by name; plain functions are made into readers."""
    offered = registry.readers.items()
    own = {name: one if isinstance(one, Reader) else _made(name, one) for name, one in offered}
    return {**table_readers(registry.sheets), **own}


def _made(name: str, function: Callable[[Any], Iterable[Any]]) -> PlainReader:
    def read(source: Source, options: Options) -> Iterator[Any]:
        if source.path is None:
            source.refuse(f"the reader {name} takes plain files only", "unpack it, or write it to a file")
        plugin = f"of the reader {name}"
        given = function(source.path)
        if not isinstance(given, Iterable):
            raise PluginFails(plugin, f"it returned {type(given).__name__}, not events")
        events = list(given)  # if it fails in the middle, nothing is imported
        foreign = next((n for n, event in enumerate(events, 1) if not isinstance(event, Event)), 0)
        if foreign:
            raise PluginFails(plugin, f"number {foreign} is of {type(events[foreign - 1]).__name__}, no event")
        for event in events:
            random = isinstance(event, GamePlayed | RatingSeeded) and _RANDOM.fullmatch(event.uid)
            yield evolve(event, uid=NO_ID) if random else event

    summary = (function.__doc__ or "").strip().partition("\n")[0]
    return PlainReader(name, summary, read=read)


SURE = 50
"""How sure a reader must be, of 100, to be chosen by itself."""


@frozen
class Guess:
    """A reader that may take a file, and how sure it is, 1 to 100."""

    reader: Reader
    sure: int


def guesses(readers: Mapping[str, Reader], sample: Sample) -> tuple[Guess, ...]:
    """The readers that may take a file, the surest first; of two, the one whose endings the name has."""
    found = [Guess(reader, sure) for reader in readers.values() if (sure := _sure(reader, sample))]
    return tuple(sorted(found, key=lambda one: (-one.sure, not _ends(one.reader, sample), one.reader.name)))


def _ends(reader: Reader, sample: Sample) -> bool:
    return sample.name.lower().endswith(reader.suffixes) if reader.suffixes else False


def _sure(reader: Reader, sample: Sample) -> int:
    """How sure a reader is; one that fails at it is not."""
    try:
        return max(0, min(100, int(reader.sniff(sample))))
    except Exception:  # a plugin may do anything, and other readers may know the file
        return 0


def chosen(readers: Mapping[str, Reader], found: Found) -> Reader | None:
    """The reader of a file; None of a file in a folder or an archive that no reader takes.

    Raises
    ------
    BadFile
        If the file was named itself, and no reader is sure, or two are equally.
    """
    best = guesses(readers, found.sample)
    if best and best[0].sure >= SURE and (len(best) == 1 or _before(best[0], best[1], found.sample)):
        return best[0].reader
    if not found.named:
        return None
    if best and best[0].sure >= UNNAMED and isinstance(best[0].reader, TableReader):
        return best[0].reader  # somebody who names a file of text that no reader is sure of means a table
    if not found.sample.head:
        raise BadFile(found.sample.name, "it is empty")
    level = best[0].sure if best and best[0].sure >= SURE else 1
    names = [guess.reader.name for guess in best[:3] if guess.sure >= level]
    if not names:
        raise BadFile(found.sample.name, "no reader knows it", f"--reader {_or(sorted(readers))}")
    why = "two readers may know it" if best[0].sure >= SURE else "no reader is sure of it"
    raise BadFile(found.sample.name, why, f"--reader {_or(names)}")


def _before(first: Guess, second: Guess, sample: Sample) -> bool:
    return first.sure > second.sure or (_ends(first.reader, sample) and not _ends(second.reader, sample))


def _or(names: Sequence[str]) -> str:
    return " or ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} or {names[-1]}"


def spelt(reader: str | None) -> tuple[str | None, dict[str, str]]:
    """The name and the options of a reader, spelt `trf:dates=end,players=name`."""
    if reader is None:
        return None, {}
    name, _, rest = reader.partition(":")
    texts = {}
    for part in filter(None, map(str.strip, rest.split(","))):
        option, equals, value = part.partition("=")
        if not equals:
            raise BadValue("reader", reader, "has an option that is not spelt name=value")
        texts[option.strip()] = value.strip()
    return name.strip(), texts

"""Chooses the reader of a file by its content."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from ratingcore.errors import BadFile, BadValue
from ratingcore.importer.inputs import Found
from ratingcore.importer.tables.tables import UNNAMED, TableReader
from ratingcore.readers import Reader, Sample

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

"""Reads TRF, the tournament reports of FIDE: TRF16, TRF26 and JaVaFo's TRFx."""

import re
from collections.abc import Iterator

from attrs import frozen

from ratingcore.plugin.readers import DatedOptions, Item, Reader, Sample, Source, one_of
from ratingcore_chess.trf_tournament import Tournament

_PLAYER = re.compile(r"^001 [ 0-9]{3}[0-9]", re.MULTILINE)
_HEADER = re.compile(r"^[01][0-9]2 ", re.MULTILINE)


@frozen
class TrfOptions(DatedOptions):
    """Options of TRF files.

    Parameters
    ----------
    ratings : {"fide", "national"}
        Whether seeds are the ratings of the players' rows, or of the rows of their federations.
    """

    ratings: str = one_of("fide", "national")


def sniff(sample: Sample) -> int:
    """How sure it is that a sample is TRF: rows 001 with a rank, and lines such as 012."""
    text = re.sub("\r\n?", "\n", sample.text)
    headers = len(_HEADER.findall(text[:4096])) + text.startswith(("012 ", "012\n"))
    if _PLAYER.search(text):
        return 95 if headers else 80
    return 60 if headers > 3 else 0


def read_trf(source: Source, options: TrfOptions) -> Iterator[Item]:
    """The tournament of a TRF file."""
    yield from Tournament(
        source, dates=options.dates, partial=options.partial, national=options.ratings == "national",
        by_id=options.players == "id",
    ).items()  # fmt: skip


TRF = Reader(
    "trf", "TRF16, TRF26, TRFx: tournament reports of FIDE and of pairing programs", "document", sniff, read=read_trf,
    options=TrfOptions, suffixes=(".trf", ".trfx"), tables=("speed",),
)  # fmt: skip

"""The plugin chess: games and tournaments of chess programs, and lists of the federations."""

from ratingcore.plugin import Reader, hookimpl
from ratingcore_chess.fide_list import FIDE_LIST
from ratingcore_chess.pgn import PGN
from ratingcore_chess.trf import TRF

__all__ = ["FIDE_LIST", "PGN", "TRF"]


@hookimpl
def ratingcore_readers() -> dict[str, Reader]:
    """The readers of this plugin."""
    return {reader.name: reader for reader in (PGN, TRF, FIDE_LIST)}

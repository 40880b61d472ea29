"""The plugin chess: reads games and tournaments of chess programs, and lists of the federations."""

from ratingcore.plugin import hookimpl
from ratingcore.plugin.readers import Reader, Writer
from ratingcore_chess.chess_results import CHESS_RESULTS
from ratingcore_chess.crosstable import CROSSTABLE
from ratingcore_chess.fide_list import FIDE_LIST
from ratingcore_chess.pgn import PGN
from ratingcore_chess.trf import TRF
from ratingcore_chess.trf_writer import TRF_REPORT
from ratingcore_chess.uschess import USCHESS

__all__ = ["CHESS_RESULTS", "CROSSTABLE", "FIDE_LIST", "PGN", "TRF", "USCHESS"]


@hookimpl
def ratingcore_readers() -> dict[str, Reader]:
    return {reader.name: reader for reader in (PGN, TRF, FIDE_LIST, CHESS_RESULTS, USCHESS, CROSSTABLE)}


@hookimpl
def ratingcore_writers() -> list[Writer]:
    return [TRF_REPORT]

"""The plugin chess: games and tournaments of chess programs, and lists of the federations."""

from ratingcore.plugin import Reader, hookimpl
from ratingcore_chess.pgn import PGN

__all__ = ["PGN"]


@hookimpl
def ratingcore_readers() -> dict[str, Reader]:
    """The readers of this plugin."""
    return {reader.name: reader for reader in (PGN,)}

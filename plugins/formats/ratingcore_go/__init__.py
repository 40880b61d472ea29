"""The plugin go: reads tournaments and games of go programs."""

from ratingcore.plugin import hookimpl
from ratingcore.plugin.readers import Reader
from ratingcore_go.aga import AGA
from ratingcore_go.opengotha import OPENGOTHA
from ratingcore_go.sgf import SGF
from ratingcore_go.wall_lists import H9, TOU

__all__ = ["AGA", "H9", "OPENGOTHA", "SGF", "TOU"]


@hookimpl
def ratingcore_readers() -> dict[str, Reader]:
    return {reader.name: reader for reader in (H9, TOU, OPENGOTHA, AGA, SGF)}

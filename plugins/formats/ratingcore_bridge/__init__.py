"""The plugin bridge: reads sessions of duplicate bridge in the formats of clubs and programs."""

from ratingcore.plugin import hookimpl
from ratingcore.plugin.readers import Reader
from ratingcore_bridge.lin import LIN
from ratingcore_bridge.pbn import PBN
from ratingcore_bridge.usebio import USEBIO

__all__ = ["LIN", "PBN", "USEBIO"]


@hookimpl
def ratingcore_readers() -> dict[str, Reader]:
    return {reader.name: reader for reader in (USEBIO, PBN, LIN)}

"""The plugin servers: reads JSON files of playing sites."""

from ratingcore.plugin import hookimpl
from ratingcore.plugin.readers import Reader
from ratingcore_servers.challonge import CHALLONGE
from ratingcore_servers.chesscom import CHESSCOM
from ratingcore_servers.codeforces import CODEFORCES
from ratingcore_servers.lichess import LICHESS
from ratingcore_servers.startgg import STARTGG

__all__ = ["CHALLONGE", "CHESSCOM", "CODEFORCES", "LICHESS", "STARTGG"]


@hookimpl
def ratingcore_readers() -> dict[str, Reader]:
    return {reader.name: reader for reader in (CODEFORCES, LICHESS, STARTGG, CHALLONGE, CHESSCOM)}

"""The fold: a method run over a view."""

from ratingcore.columns.view import View
from ratingcore.methods.contract import Cadence, Method
from ratingcore.replay.beside import Watch, listed_beside, names_beside
from ratingcore.replay.checkpoint import resumable
from ratingcore.replay.checkpoint_store import Checkpoints
from ratingcore.replay.columns import Columns, SupposedColumns
from ratingcore.replay.fold import fold
from ratingcore.replay.moves import Moves
from ratingcore.replay.record import Replay
from ratingcore.replay.resume import Standing, reached, replayed, stand
from ratingcore.replay.walk_forward import walk_forward

__all__ = [
    "Checkpoints",
    "Columns",
    "Moves",
    "Replay",
    "Standing",
    "SupposedColumns",
    "Watch",
    "fold",
    "foretold",
    "listed_beside",
    "names_beside",
    "reached",
    "replayed",
    "resumable",
    "stand",
    "walk_forward",
]


def foretold(method: Method, view: View, watch: Watch | None = None) -> Replay:
    """A replay with a forecast of every result made strictly before it; a `Watch` keeps further columns."""
    if method.cadence is Cadence.RETROSPECTIVE:
        return walk_forward(method, view, watch=watch)
    return fold(method, view, keep=True, watch=watch)

"""The replay: runs methods over views, from checkpoints where that is quicker."""

from ratingcore.replay.caches import Columns, SupposedColumns
from ratingcore.replay.checkpoint import resumable
from ratingcore.replay.checkpoint_store import Checkpoints
from ratingcore.replay.fold import Standing, fold, reached, replay_with_forecasts, replayed, stand, walk_forward
from ratingcore.replay.history_columns import Watch, extra_columns, extra_names
from ratingcore.replay.moves import Moves
from ratingcore.replay.replay import Replay

__all__ = [
    "Checkpoints",
    "Columns",
    "Moves",
    "Replay",
    "Standing",
    "SupposedColumns",
    "Watch",
    "extra_columns",
    "extra_names",
    "fold",
    "reached",
    "replay_with_forecasts",
    "replayed",
    "resumable",
    "stand",
    "walk_forward",
]

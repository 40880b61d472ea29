"""Events as columns: corrections resolved, in order of play, cached next to the log."""

from ratingcore.columns.cache import TimelineCache
from ratingcore.columns.games import Floats, Games, Ints, Need, Span
from ratingcore.columns.sides import Sides
from ratingcore.columns.time_travel import SAME, known_at
from ratingcore.columns.timeline import Timeline
from ratingcore.columns.view import FOREVER, View

__all__ = [
    "FOREVER",
    "SAME",
    "Floats",
    "Games",
    "Ints",
    "Need",
    "Sides",
    "Span",
    "Timeline",
    "TimelineCache",
    "View",
    "known_at",
]

"""Events as columns: corrections resolved, in order of play, kept beside the log."""

from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.cache import TimelineCache
from ratingcore.tables.difference import SAME
from ratingcore.tables.games import Games, Span
from ratingcore.tables.needs import Need
from ratingcore.tables.rebuild import known_at
from ratingcore.tables.sides import Sides
from ratingcore.tables.timeline import Timeline
from ratingcore.tables.view import FOREVER, View

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

"""The contract of readers: sources, samples, the items they yield, and the rules that all of them keep."""

from ratingcore.readers.days import at, at_moment, day_of, event_of, partial_day, round_order, seen, spread
from ratingcore.readers.items import (
    REASONS,
    Document,
    Facts,
    Game,
    Item,
    Refused,
    Seed,
    Session,
    Unrated,
    Warning,
    Who,
)
from ratingcore.readers.names import clean_name, registered, tells_who
from ratingcore.readers.pairings import Cell, Pairing, pairings
from ratingcore.readers.reader import DatedOptions, Options, Reader, Sample, one_of
from ratingcore.readers.source import Source
from ratingcore.readers.writer import Listed, NoOptions, Outgoing, Writer
from ratingcore.readers.xml import Element

__all__ = [
    "REASONS",
    "Cell",
    "DatedOptions",
    "Document",
    "Element",
    "Facts",
    "Game",
    "Item",
    "Listed",
    "NoOptions",
    "Options",
    "Outgoing",
    "Pairing",
    "Reader",
    "Refused",
    "Sample",
    "Seed",
    "Session",
    "Source",
    "Unrated",
    "Warning",
    "Who",
    "Writer",
    "at",
    "at_moment",
    "clean_name",
    "day_of",
    "event_of",
    "one_of",
    "pairings",
    "partial_day",
    "registered",
    "round_order",
    "seen",
    "spread",
    "tells_who",
]

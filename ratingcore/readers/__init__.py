"""The contract of readers: their sources and samples, the items they yield, and the rules they share."""

from ratingcore.events.rounds import round_order
from ratingcore.readers.contract import (
    DatedOptions,
    Listed,
    NoOptions,
    Options,
    Outgoing,
    Reader,
    Sample,
    TimedOptions,
    Writer,
    one_of,
)
from ratingcore.readers.items import (
    REASONS,
    DayInDoubt,
    Document,
    Facts,
    Game,
    Item,
    Made,
    Note,
    OfLine,
    Outcome,
    Reason,
    Refused,
    Seed,
    Session,
    Unrated,
    Warning,
    Who,
    day_unread,
)
from ratingcore.readers.pairings import Cell, Pairing, pairings
from ratingcore.readers.source import Source
from ratingcore.readers.spellings import (
    Days,
    at,
    at_moment,
    clean_name,
    day_of,
    day_of_round,
    day_or_why,
    event_of,
    identifies_somebody,
    natural,
    nobody,
    number_or_text,
    one_line,
    partial_day,
    registered,
    seen,
)
from ratingcore.readers.xml import Element

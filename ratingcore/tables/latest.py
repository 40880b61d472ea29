"""The timeline at the head of a log, with which readers of earlier heads are compared."""

from ratingcore.events import Instant
from ratingcore.tables.difference import SAME, difference
from ratingcore.tables.fields import FieldBook
from ratingcore.tables.rebuild import changed
from ratingcore.tables.source import Source
from ratingcore.tables.timeline import Timeline


class Latest:
    """The timeline of a pool at the head of the log, and the earliest time at which each earlier reader differs.

    Parameters
    ----------
    timeline : Timeline
    log : Source
    fields : FieldBook or None
        Fields of results as far as they have been read.
    """

    def __init__(self, timeline: Timeline, log: Source, fields: FieldBook | None = None) -> None:
        self.timeline = timeline
        self.fields = fields or FieldBook()
        self._log = log
        self._since: dict[int, Instant] = {timeline.known_at: SAME}
        self._last_asked: Timeline | None = None

    def same_before(self, position: int) -> Instant:
        """Everything played before this instant is the same for a reader of the first `position` events."""
        if position not in self._since:
            self._since[position] = difference(self.timeline, self._log, position).since
        return self._since[position]

    def at(self, position: int) -> Timeline:
        """The timeline as a reader of the first `position` events knows it."""
        if position == self.timeline.known_at:
            return self.timeline
        asked = self._last_asked  # another thread may put its own there meanwhile
        if asked is None or asked.known_at != position:
            news = difference(self.timeline, self._log, position)
            self._since[position] = news.since
            self._last_asked = asked = changed(self.timeline, self._log, position, news)
        return asked

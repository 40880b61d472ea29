"""The timeline at the head of a log, with which readers of earlier heads are compared."""

from ratingcore.columns.difference import SAME, difference
from ratingcore.columns.fields import FieldBook
from ratingcore.columns.history import Source
from ratingcore.columns.player_fields import PlayerBook, PlayerFields
from ratingcore.columns.rebuild import changed
from ratingcore.columns.timeline import Timeline
from ratingcore.events import Instant


class Latest:
    """The timeline of a pool at the head of the log, and the earliest time at which each earlier reader differs.

    Parameters
    ----------
    timeline : Timeline
    log : Source
    fields : FieldBook or None
        Fields of results as far as they have been read.
    before : Latest or None
        What was the latest when the log was shorter: what it found of earlier readers need not be looked for again.
    since : int or None
        The earliest played time at which the timeline differs from that of `before`, where that is known.
    players : PlayerBook or None
        Descriptions of players as far as they have been read.
    """

    def __init__(
        self,
        timeline: Timeline,
        log: Source,
        fields: FieldBook | None = None,
        before: "Latest | None" = None,
        since: Instant | None = None,
        players: PlayerBook | None = None,
    ) -> None:
        self.timeline = timeline
        self.fields = fields or FieldBook()
        self._log = log
        self._since: dict[int, Instant] = {timeline.known_at: SAME}
        self._before = None if before is None else (before.timeline.known_at, before._since)
        if before is not None and since is not None:
            self._since[before.timeline.known_at] = since
        self._last_asked: Timeline | None = None
        self._book = players or PlayerBook()

    def same_before(self, position: int) -> Instant:
        """Everything played before this instant is the same for a reader of the first `position` events."""
        if position not in self._since:
            known = self._known_before(position)
            self._since[position] = difference(self.timeline, self._log, position).since if known is None else known
        return self._since[position]

    def _known_before(self, position: int) -> Instant | None:
        """The same for a reader who was compared with the latest before; None where that does not tell.

        Of two changes one after the other, the earlier one is where both together begin, unless they begin at the same
        time: then the second may have undone the first.
        """
        if self._before is None:
            return None
        until, known = self._before
        if position == until or position not in known:
            return None
        first, second = known[position], self.same_before(until)
        return None if first == second else min(first, second)

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

    def players(self, timeline: Timeline) -> PlayerFields:
        """What is said of players in all pools, for the reader of a timeline."""
        return self._book.read(self._log, timeline.known_at, timeline.corrections)

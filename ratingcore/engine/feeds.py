"""Feeds: events of the log for consumers that read on from where they stopped."""

from ratingcore.engine.core import Part
from ratingcore.errors import BadCut, BadValue
from ratingcore.lists.cuts import position
from ratingcore.log import Head
from ratingcore.log.feed import Feed


class Feeds(Part):
    """Consumers of the log."""

    def follow(self, subscriber: str | None = None, *, after: int | Head | None = None) -> Feed:
        """Returns a feed that reads on from where a subscriber stopped.

        Parameters
        ----------
        subscriber : str or None
            A name for the consumer, under which the log keeps how far it has read. None for a consumer that keeps
            its position itself, with its own data: it gives `after`, and the log keeps nothing.
        after : int, Head or None
            Where to begin, whatever the cursor says: 0 for everything once more, the head for only what is to come.
            A head is checked, against a log that has another history up to there.

        Returns
        -------
        Feed

        Raises
        ------
        BadCut
            If `after` is no point of this log.
        BadValue
            If the subscriber has no name.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> for attempt in range(2):
        ...     with engine.follow("mailer") as feed:
        ...         print([row.position for row, event in feed])
        [1]
        []
        """
        if subscriber is not None and not (isinstance(subscriber, str) and subscriber.strip()):
            raise BadValue("subscriber", subscriber, "is no name")
        log = self.core.log
        try:
            begin = None if after is None else position(log, after)
        except BadCut as error:
            raise BadCut("after", after, error.why) from None
        feed = Feed(log, subscriber, begin)
        if feed.position > log.head.position:
            raise BadCut("cursor", feed.position, "is beyond the end of this log")
        return feed

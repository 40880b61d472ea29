"""Events and corrections: what is appended to the log, and what stands in it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ratingcore.engine.core import Part
from ratingcore.errors import HeadMoved
from ratingcore.events import Event, Row, When
from ratingcore.events.values import new_uid
from ratingcore.log import Head, Receipt, Verified, verify


class Events(Part):
    """Events and corrections, appended and read."""

    def record(self, *events: Event, source: str = "", expect: Head | int | None = None) -> Receipt:
        """Appends events as one batch, all or none; those already there are counted as duplicates.

        Parameters
        ----------
        *events : Event
        source : str
            Where they come from, kept beside the batch.
        expect : Head, int or None
            Where the log must stand, so that nothing was appended since it was read; None for anywhere.

        Returns
        -------
        Receipt
            The head after the batch, and how many events were accepted and how many were duplicates.

        Raises
        ------
        Conflict
            If a uid is in the log with other content.
        HeadMoved
            If the log does not stand at `expect`.
        UnknownUid, BadCorrection, LogUnavailable, OnlySupposed

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> engine.record(game).accepted, engine.record(game).duplicates
        (1, 1)
        """
        return self.core.log.append(events, source=source, expect=expect)

    def events(self, after: int = 0, kinds: Iterable[str] = ()) -> Iterator[tuple[Row, Event]]:
        """Iterates over rows and events of the log after a position, in order, as they were recorded.

        Parameters
        ----------
        after : int
        kinds : iterable of str
            Only these kinds, such as `game` and `void`; all if empty.

        Returns
        -------
        iterator of (Row, Event)

        Raises
        ------
        LogUnavailable
            If the file of the log cannot be read.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> [(row.position, event.a, event.score) for row, event in engine.events()]
        [(1, 'ann', 1.0)]
        """
        event = self.core.log.decoder()
        for row in self.core.log.rows(after, None, tuple(kinds)):
            yield row, event(row)

    def verify(self, anchors: Iterable[Head | str] = ()) -> Verified:
        """Recomputes the chain of digests, and checks that older heads are prefixes of it.

        Parameters
        ----------
        anchors : iterable of Head or str
            Heads that were printed earlier, as `POSITION:DIGEST` with 12 or more digits of the digest.

        Returns
        -------
        Verified

        Raises
        ------
        BrokenChain
            At the first position where the digests do not follow from the rows, or where an anchor differs.
        BadCut
            If a text is no anchor.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> anchor = engine.record(game).head
        >>> receipt = engine.void("g-1")
        >>> engine.verify([anchor]).batches
        2
        """
        return verify(self.core.log, [Head.parse(anchor) if isinstance(anchor, str) else anchor for anchor in anchors])

    def void(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Counts an event as never recorded; voiding a void or an amendment takes that back.

        Parameters
        ----------
        uid : str
            The event that is spoken about.
        why, by : str
            The reason, and who decided it.
        own_uid : str or None
            Uid of the correction itself, so that trying again repeats nothing; made up for None.

        Returns
        -------
        Receipt

        Raises
        ------
        UnknownUid, BadCorrection, Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> receipt = engine.void("g-1", why="default, not played", by="secretary")
        >>> engine.rating_list("rapid", "elo").player
        ()
        """
        return self.record(*self.core.propose.void(uid, why=why, by=by, own_uid=own_uid))

    def revive(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Takes back every void that stands against an event, in one batch; of a merge, every unmerge.

        Parameters
        ----------
        uid : str
            The event that was voided.
        why, by, own_uid
            As for `void`.

        Returns
        -------
        Receipt

        Raises
        ------
        BadCorrection
            If nothing stands against it, or reviving it would pair a player with themselves.
        UnknownUid, Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipts = engine.record(game), engine.void("g-1"), engine.revive("g-1", why="it was played after all")
        >>> engine.rating_list("rapid", "elo").player
        ('ann', 'bo')
        """
        own_uid = own_uid or new_uid()
        return self.correct(lambda: self.core.propose.revive(uid, why=why, by=by, own_uid=own_uid))

    def amend(
        self, uid: str, changes: Mapping[str, Any], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> Receipt:
        """Changes fields of an event from now on; None takes a field of `data` away.

        Parameters
        ----------
        uid : str
        changes : mapping of str to value
            New values by field: `score`, `played`, `a`, `pool`, or any field of `data`.
        why, by, own_uid
            As for `void`.

        Returns
        -------
        Receipt

        Raises
        ------
        PlayedThemselves, BadCorrection
            If a player would meet themselves, also by an earlier amendment or merge.
        UnknownUid, Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipts = engine.record(game), engine.amend("g-1", {"score": 0.5}, why="sheet misread")
        >>> engine.log.as_read("g-1").score
        0.5
        """
        own_uid = own_uid or new_uid()
        return self.correct(lambda: self.core.propose.amend(uid, changes, why=why, by=by, own_uid=own_uid))

    def merge(self, keep: str, other: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Counts every result of `other` as one of `keep`, in every pool.

        Whoever was merged into `other` before comes along. The results are looked at as they read now: a game
        that was voided is no meeting.

        Parameters
        ----------
        keep, other : str
            Two names of one person; lists show `keep`.
        why, by, own_uid
            As for `void`.

        Returns
        -------
        Receipt

        Raises
        ------
        UnknownName
            If the log knows no such player.
        BadCorrection
            If the two have met, for nobody plays against themselves; or if they count as one player already.
        Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for a, b in (("ann", "cy"), ("anna", "bo")):
        ...     receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a=a, b=b, score=1.0))
        >>> receipt = engine.merge("ann", "anna", why="one person, two spellings")
        >>> engine.rating_list("rapid", "elo").player
        ('ann', 'bo', 'cy')
        """
        own_uid = own_uid or new_uid()
        return self.correct(lambda: self.core.propose.merge(keep, other, why=why, by=by, own_uid=own_uid))

    def unmerge(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Counts a merge as never recorded.

        Parameters
        ----------
        uid : str
            Uid of the merge.
        why, by, own_uid
            As for `void`.

        Returns
        -------
        Receipt

        Raises
        ------
        BadCorrection
            If it is the uid of no merge.
        UnknownUid, Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for a, b in (("ann", "cy"), ("anna", "bo")):
        ...     receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a=a, b=b, score=1.0))
        >>> receipts = engine.merge("ann", "anna", own_uid="m-1"), engine.unmerge("m-1", why="two persons after all")
        >>> len(engine.rating_list("rapid", "elo"))
        4
        """
        return self.record(*self.core.propose.unmerge(uid, why=why, by=by, own_uid=own_uid))

    def split(
        self,
        player: str,
        into: str,
        since: When,
        *,
        why: str = "",
        by: str = "",
        pools: Iterable[str] | None = None,
        own_uid: str | None = None,
    ) -> Receipt:
        """Gives another player what counts for a player and was played from a day on.

        Results, seeds and descriptions are amended, in one batch; whatever counts for the player by a merge goes
        along, and what was voided stays where it is. What is recorded later for the player stays theirs.
        Voiding the amendments takes the split back.

        Parameters
        ----------
        player : str
            Two persons under one name; the one that is kept, where names were merged.
        into : str
            Whose results they are from that day on; may be new to the log.
        since : str, date, datetime
            First day, as the results read now.
        why, by, own_uid
            As for `void`.
        pools : iterable of str or None
            Only in these pools; in all for None.

        Returns
        -------
        Receipt

        Raises
        ------
        UnknownName
            If the log knows no such player or pool.
        BadCorrection
            If there is nothing from that day on, `into` sits in one of the results, or the two count as one player.
        Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for day, b in ((2, "bo"), (9, "cy")):
        ...     receipt = engine.record(rc.GamePlayed(pool="p", played=f"2024-03-{day:02}", a="j lee", b=b, score=1.0))
        >>> receipt = engine.split("j lee", "jo lee", since="2024-03-05")
        >>> engine.rating_list("p", "elo").player
        ('j lee', 'jo lee', 'bo', 'cy')
        """
        # kept for a second attempt: an iterator of pools could be read once only
        own_uid, chosen = own_uid or new_uid(), None if pools is None else tuple(pools)
        options: dict[str, Any] = {"why": why, "by": by, "pools": chosen, "own_uid": own_uid}
        return self.correct(lambda: self.core.propose.split(player, into, since, **options))

    def correct(self, say: Callable[[], Sequence[Event]]) -> Receipt:
        """Appends corrections as one batch, checked against the very log they are appended to.

        Parameters
        ----------
        say : callable
            Makes the events; asked again if the log has grown meanwhile, for then they may not be possible.

        Returns
        -------
        Receipt

        Raises
        ------
        UnknownUid, BadCorrection, Conflict
            And whatever `say` raises.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> engine.correct(lambda: engine.propose.amend("g-1", {"score": 0.5})).accepted
        1
        """
        while True:
            head = self.core.log.head
            events = say()
            try:
                return self.record(*events, expect=head)
            except HeadMoved:
                if self.core.log.head == head:  # nobody appended: trying again would not help
                    raise

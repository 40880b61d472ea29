"""Telling the log what happened, and what was wrong in what it was told."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ratingcore.engine.splitting import Splitting
from ratingcore.errors import HeadMoved
from ratingcore.events import Event, ResultVoided, When
from ratingcore.events.values import new_uid
from ratingcore.log import Head, Receipt


class Recording(Splitting):
    """Events and corrections, appended."""

    def record(self, *events: Event, source: str = "", expect: Head | int | None = None) -> Receipt:
        """Append events as one batch, all or none; those already there are counted as duplicates."""
        return self.log.append(events, source=source, expect=expect)

    def void(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Count an event as never recorded; voiding a void or an amendment takes that back.

        Parameters
        ----------
        uid : str
            The event that is spoken about.
        why, by : str
            The reason, and who decided it.
        own_uid : str or None
            Uid of the correction itself, so that trying again repeats nothing; made up for None.
        """
        return self.record(ResultVoided(uid=own_uid or new_uid(), of=uid, why=why, by=by))

    def revive(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Take back every void that stands against an event, in one batch; of a merge, every unmerge.

        Raises
        ------
        BadCorrection
            If nothing stands against it, or reviving it would let a player meet themselves.
        """
        own_uid = own_uid or new_uid()
        return self.correct(lambda: self.reviving(uid, why=why, by=by, own_uid=own_uid))

    def amend(
        self, uid: str, changes: Mapping[str, Any], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> Receipt:
        """Let fields of an event read otherwise; None takes a field of `data` away.

        Raises
        ------
        PlayedThemselves, BadCorrection
            If a player would meet themselves, amended before or merged as the two may be.
        """
        own_uid = own_uid or new_uid()
        return self.correct(lambda: self.amending(uid, changes, why=why, by=by, own_uid=own_uid))

    def merge(self, keep: str, other: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Count every result of `other` as one of `keep`, in every pool.

        Whoever was merged into `other` before comes along. The results as they read now are looked at: a game
        that was voided is no meeting.

        Raises
        ------
        UnknownName
            If the log knows no such player.
        BadCorrection
            If the two have met, for nobody plays against himself; or if they count as one player already.
        """
        own_uid = own_uid or new_uid()
        return self.correct(lambda: self.merging(keep, other, why=why, by=by, own_uid=own_uid))

    def unmerge(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Count a merge as never recorded."""
        return self.record(*self.unmerging(uid, why=why, by=by, own_uid=own_uid))

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
        """Give another player what counts for a player and was played from a day on.

        Results, seeds and descriptions are amended, in one batch; whatever counts for the player by a merge goes
        along, and what was voided stays where it is. What is recorded later for the player is his own.
        Voiding the amendments takes the split back.

        Parameters
        ----------
        player : str
            Two persons under one name; the one that is kept, where names were merged.
        into : str
            Whose results they are from that day on; may be new to the log.
        since : str, date, datetime
            First day, as the results read now.
        pools : iterable of str or None
            Only in these pools; in all for None.

        Raises
        ------
        UnknownName
            If the log knows no such player or pool.
        BadCorrection
            If there is nothing from that day on, `into` sits in one of the results, or the two count as one player.
        """
        own_uid, named = own_uid or new_uid(), None if pools is None else tuple(pools)
        return self.correct(lambda: self.splitting(player, into, since, why=why, by=by, pools=named, own_uid=own_uid))

    def correct(self, say: Callable[[], Sequence[Event]]) -> Receipt:
        """Append corrections as one batch, seen to be possible in the log they are appended to.

        Parameters
        ----------
        say : callable
            Makes the events; asked again if the log has grown meanwhile, for then they may not be possible.
        """
        while True:
            head = self.log.head
            events = say()
            try:
                return self.record(*events, expect=head)
            except HeadMoved:
                if self.log.head == head:
                    raise

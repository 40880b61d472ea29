"""Corrections of earlier events, made as events themselves: checked, and appended."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ratingcore.engine.core import Part
from ratingcore.engine.plans import Plans
from ratingcore.events import When
from ratingcore.events.values import Key, new_uid
from ratingcore.log import Receipt


class Corrections(Part):
    """Corrections, each appended as one batch."""

    @property
    def _plan(self) -> Plans:
        return Plans(self.core)

    def void(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Counts an event as never recorded; voiding a void, an amendment or a merge takes that back.

        Parameters
        ----------
        uid : str
            The event to void.
        why, by : str
            The reason, and who decided it.
        own_uid : str or None
            Uid of the correction itself, so that trying again repeats nothing; made up for None.

        Returns
        -------
        Receipt

        Raises
        ------
        BadCorrection
            If the event cannot be voided, or if voiding a correction would put one player twice into a result.
        UnknownUid, Conflict

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
        own_uid = own_uid or new_uid()
        return self.core.applied(lambda: self._plan.void(uid, why=why, by=by, own_uid=own_uid))

    def revive(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Takes back every void in force against an event, in one batch; for a merge, every unmerge.

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
            If no void of it is in force, or reviving it would pair a player with themselves.
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
        return self.core.applied(lambda: self._plan.revive(uid, why=why, by=by, own_uid=own_uid))

    def amend(
        self, uid: str, changes: Mapping[str, object], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> Receipt:
        """Changes fields of an event from now on; None removes a field of `data`.

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
        >>> [event.changes for _, event in engine.events(kinds=["amend"])]
        [{'score': 0.5}]
        """
        own_uid = own_uid or new_uid()
        return self.core.applied(lambda: self._plan.amend(uid, changes, why=why, by=by, own_uid=own_uid))

    def merge(self, keep: Key, other: Key, *, why: str = "", by: str = "", own_uid: str | None = None) -> Receipt:
        """Counts every result of `other` as one of `keep`, in every pool.

        Players who were merged into `other` before become `keep`, too. Voided games between the two do not prevent the
        merge.

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
            If the log has no such player.
        BadCorrection
            If the two have met, since nobody plays against themselves, or if they count as one player already.
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
        >>> receipt = engine.void(receipt.uids[0], why="two persons after all")
        >>> len(engine.rating_list("rapid", "elo"))
        4
        """
        own_uid = own_uid or new_uid()
        return self.core.applied(lambda: self._plan.merge(keep, other, why=why, by=by, own_uid=own_uid))

    def split(
        self,
        player: Key,
        into: Key,
        since: When | None = None,
        *,
        games: Sequence[str] = (),
        why: str = "",
        by: str = "",
        pools: Iterable[str] | None = None,
        own_uid: str | None = None,
    ) -> Receipt:
        """Gives another player the results of a player from a day on, or some of their games.

        Results, seeds and descriptions are amended in one batch, including those that count for the player by a merge;
        voided ones stay unchanged. Results that are recorded later stay with the player. Voiding the amendments takes
        the split back.

        Parameters
        ----------
        player : str
            The name that stands for two persons; after a merge, the name that was kept.
        into : str
            The player who gets the results; may be new to the log.
        since : str, date, datetime or None
            First day of the results, with corrections applied; None if `games` are given.
        games : sequence of str
            Uids of the results of the other player, such as a namesake; `games_on_lines` finds them by lines of the
            file from which they were imported.
        why, by, own_uid
            As for `void`.
        pools : iterable of str or None
            Pools in which to split; None for all.

        Returns
        -------
        Receipt

        Raises
        ------
        UnknownName
            If the log has no such player or pool.
        BadCorrection
            If there is no result from that day on, `into` played in one of the results, or the two count as one player.
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
        # stored for a second attempt, since an iterator of pools can be read only once
        own_uid, chosen = own_uid or new_uid(), None if pools is None else tuple(pools)
        options: dict[str, Any] = {"why": why, "by": by, "pools": chosen, "games": tuple(games), "own_uid": own_uid}
        return self.core.applied(lambda: self._plan.split(player, into, since, **options))

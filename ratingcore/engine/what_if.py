"""What events would do to ratings, and what they did: answers of a what-if held against those of the log."""

from collections.abc import Iterable

from ratingcore.engine.core import Core, Part, several
from ratingcore.events import Event, MergeUndone, ResultVoided, When
from ratingcore.explain.impact import Effect, Impact, Knowledge
from ratingcore.lists.cuts import played_through
from ratingcore.methods import Method


class WhatIf(Part):
    """The impact of events, supposed and recorded."""

    def foresee(
        self,
        events: Iterable[Event],
        pool: str | None = None,
        method: str | Method = "elo",
        through: When | None = None,
        *,
        what: str = "",
    ) -> Impact:
        """Returns who would move, and by how much, were these events recorded now; nothing is.

        Parameters
        ----------
        events : iterable of Event
        pool : str or None
            The one that the events concern if None.
        method : str or Method
        through : str, date, datetime, int or None
            Last day of played time that counts, as for a list.
        what : str
            What the events are called; their uid if empty.

        Returns
        -------
        Impact

        Raises
        ------
        SeveralPools
            If the events concern several and none is named.
        UnknownUid, BadCorrection, Conflict, UnknownName, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> impact = engine.foresee(engine.propose.void("g-1"), method="elo:k=24")
        >>> [(row["player"], row["change"]) for row in impact]
        [('ann', None), ('bo', None)]
        """
        trial = self.core.supposing(*several(events))
        before, after = _reader(self.core, _upon(self.core, trial)), _reader(trial)
        rows = list(trial.log.rows(before.known_at))
        what = what or (rows[0].uid if len(rows) == 1 else f"{len(rows)} events")
        effect = Effect(what, pool, self.core.registry.method(method), played_through(through))
        return effect.between(rows, before, after) if rows else effect.none(trial.log, "it is recorded already")

    def impact(
        self, uid: str, pool: str | None = None, method: str | Method = "elo", through: When | None = None
    ) -> Impact:
        """Returns who moved, and by how much, because of one event: ratings as known now against those without it.

        An event that counts as never recorded moves nobody, nor does one that corrects nothing.

        Parameters
        ----------
        uid : str
            A result, a seed, a description, or a correction.
        pool : str or None
            The one that the event concerns if None.
        method : str or Method
        through : str, date, datetime, int or None
            Last day of played time that counts, as for a list.

        Returns
        -------
        Impact

        Raises
        ------
        SeveralPools
            If the event concerns several pools, as a merge does, and none is named.
        UnknownUid, UnknownName, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for uid, day in (("g-1", "2024-03-02"), ("g-2", "2024-03-09")):
        ...     game = rc.GamePlayed(uid=uid, pool="rapid", played=day, a="ann", b="bo", score=1.0)
        ...     receipt = engine.record(game)
        >>> impact = engine.impact("g-1", method="elo:k=24")
        >>> [(row["player"], round(row["change"], 1)) for row in impact]
        [('ann', 11.2), ('bo', -11.2)]
        """
        log, row = self.core.log, self.core.log.row_of(uid)
        effect = Effect(uid, pool, self.core.registry.method(method), played_through(through))
        if row.kind in ("period", "list", "pool"):
            what = {"list": "a published list", "period": "a closed period", "pool": "a declaration"}[row.kind]
            return effect.none(log, f"{what} says nothing of a result")
        trial = self.core.supposing((MergeUndone if row.kind == "merge" else ResultVoided)(of=uid))
        now = _reader(self.core, _upon(self.core, trial))
        if row.position in now.corrections.void:
            return effect.none(log, "it counts as never recorded")
        return effect.between([row], _reader(trial), now)


def _upon(core: Core, trial: Core) -> int:
    """Where the events of a what-if begin: others may have been appended to the log below since."""
    return trial.log.head.position - (trial.log.supposed - core.log.supposed)


def _reader(core: Core, known_at: int | None = None) -> Knowledge:
    return Knowledge(core.log, core.columns, core.cuts.position(known_at))

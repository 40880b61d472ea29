"""Telling the log what happened, and what was wrong in what it was told."""

from collections.abc import Mapping
from typing import Any

from ratingcore.engine.base import Base
from ratingcore.errors import BadCorrection
from ratingcore.events import Event, MergeUndone, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.log import Head, Receipt
from ratingcore.tables import View


class Recording(Base):
    """Events and corrections, appended."""

    def record(self, *events: Event, source: str = "", expect: Head | int | None = None) -> Receipt:
        """Append events as one batch, all or none; those already there are counted as duplicates."""
        return self.log.append(events, source=source, expect=expect)

    def void(self, uid: str, *, why: str = "", by: str = "") -> Receipt:
        """Count an event as never recorded; voiding a void or an amendment takes that back."""
        return self.record(ResultVoided(of=uid, why=why, by=by))

    def amend(self, uid: str, changes: Mapping[str, Any], *, why: str = "", by: str = "") -> Receipt:
        """Let fields of an event read otherwise; None takes a field of `data` away."""
        return self.record(ResultAmended(of=uid, changes=changes, why=why, by=by))

    def merge(self, keep: str, other: str, *, why: str = "", by: str = "") -> Receipt:
        """Count every result of `other` as one of `keep`, in every pool.

        Raises
        ------
        UnknownName
            If the log knows no such player.
        BadCorrection
            If the two have met: nobody plays against himself.
        """
        event = PlayersMerged(keep=keep, other=other, why=why, by=by)
        a, b = self.player_id(event.keep), self.player_id(event.other)
        for pool in self.pools():
            if self._met(self.view(pool), a, b):
                raise BadCorrection(event.other, "merge", f"{event.keep} and {event.other} have met in pool {pool}")
        return self.record(event)

    def unmerge(self, uid: str, *, why: str = "", by: str = "") -> Receipt:
        """Count a merge as never recorded."""
        return self.record(MergeUndone(of=uid, why=why, by=by))

    @staticmethod
    def _met(view: View, a: int, b: int) -> bool:
        timeline = view.timeline
        row = timeline.players.rows(max(a, b, int(timeline.players.id.max(initial=0))) + 1)
        root = timeline.corrections.root
        return view.met(int(row[root(a)]), int(row[root(b)]))

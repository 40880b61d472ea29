"""Fields that a table has no column for: what is recorded of them stays when the table corrects what it gave."""

from collections import Counter
from collections.abc import Collection
from typing import TypeVar

from attrs import evolve, field, frozen

from ratingcore.events import Event, GamePlayed, SessionPlayed

AnEvent = TypeVar("AnEvent", bound=Event)


@frozen
class Unsaid:
    """Completes rows by fields that their file has no column for.

    A cell that is empty takes a field away; a column that is not there says nothing of it.

    Parameters
    ----------
    columns : collection of str or None
        Fields that the file has columns for; None for files that say all there is.
    """

    columns: Collection[str] | None
    _kept: Counter[str] = field(factory=Counter, init=False)

    def completed(self, event: AnEvent, recorded: Event | None) -> AnEvent:
        """Returns the event of a row with the fields of the recorded one that the file cannot say."""
        columns = self.columns
        if (
            columns is None
            or not isinstance(event, GamePlayed | SessionPlayed)
            or not isinstance(recorded, GamePlayed | SessionPlayed)
        ):
            return event
        kept = {name: value for name, value in recorded.data.items() if name not in columns and name not in event.data}
        order = event.order if "order" in columns else recorded.order
        self._kept.update([*kept, *(["order"] if order != event.order else [])])
        return evolve(event, data={**event.data, **kept}, order=order) if kept or order != event.order else event

    def warnings(self) -> list[str]:
        """What stayed so, in one line."""
        if not self._kept:
            return []
        fields = ", ".join(f"{name} ({count} result{'s' * (count != 1)})" for name, count in sorted(self._kept.items()))
        return [f"no column of the file says {fields}: what is recorded stays; an empty column takes it away"]

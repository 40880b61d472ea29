"""Plan: events to append to a log, the state for which it was made, and the part of the log on which it depends."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from attrs import evolve, frozen

from ratingcore.errors import BadValue, HeadMoved, PlanOutdated
from ratingcore.events import Event, Row
from ratingcore.events.exchange_form import as_json, from_json
from ratingcore.log import Head, Log
from ratingcore.log.contract import Seen
from ratingcore.log.lookup import decoder_of
from ratingcore.log.overlay import TrialLog, supposed_in
from ratingcore.plans.concerns import Concerns
from ratingcore.plans.notes import PlanNote, note_as_json, note_from_json


@frozen
class Plan:
    """Proposed change of a log, which `engine.apply` carries out, and `engine.what_if` tries.

    Iterating over it gives its events.

    Parameters
    ----------
    verb : str
        The kind of change: `void`, `amend`, `merge`, ...
    seen : Seen
        State of the log when the plan was made: its head, and its numbers of names and of erasures.
    events : tuple of Event
        Events to append, in order; empty if the log has them already.
    concerns : Concerns
        The part of the log on which the plan depends.
    source : str
        Source of the batch.
    notes : tuple of PlanNote
        Consequences to know before deciding, such as games that would count twice.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
    >>> receipt = engine.record(game)
    >>> plan = engine.plan.void("g-1", why="default, not played")
    >>> [event.kind for event in plan], Plan.from_json(plan.as_json()) == plan
    (['void'], True)
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-09", a="cy", b="di", score=1.0))
    >>> engine.apply(plan).positions  # what was recorded meanwhile is about something else
    range(3, 4)
    """

    verb: str
    seen: Seen
    events: tuple[Event, ...]
    concerns: Concerns
    source: str = ""
    notes: tuple[PlanNote, ...] = ()

    @classmethod
    def of(
        cls, log: Log, verb: str, events: Sequence[Event], source: str = "",
        noted: Callable[[Log, Log], Iterable[PlanNote]] = lambda log, trial: (),
    ) -> Self:  # fmt: skip
        """Plans to append events to a log; errors are those of the append.

        Parameters
        ----------
        log : Log
            The log as it was when the events were made, as a `Moment`, since others may append to it.
        events : sequence of Event
            If all of them are in the log already, under the same uids, the plan depends on nothing.
        noted : callable
            Returns the notes, from the log without the events and the log with them.
        """
        look, trial = log.look(), TrialLog.supposing(log, events)
        seen = Seen(look.head, look.names, look.erasures)
        if supposed_in(trial) == supposed_in(log):
            return cls(verb, seen, tuple(events), Concerns(), source)
        return cls(verb, seen, tuple(events), Concerns.of(log, trial, events), source, tuple(noted(log, trial)))

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    @property
    def head(self) -> Head:
        """The head of the log when the plan was made."""
        return self.seen.head

    def decided_at(self, head: Head) -> Self:
        """Returns the plan as if made at an earlier head, so that a change since then makes it outdated."""
        return evolve(self, seen=self.seen._replace(head=head))

    def then(self, other: Self) -> Self:
        """Returns one plan of this plan and a second one that was made on top of it."""
        concerns = self.concerns.joined_with(other.concerns, self.seen)
        source = self.source if self.source == other.source else ""
        notes = self.notes + other.notes
        return evolve(self, events=self.events + other.events, concerns=concerns, source=source, notes=notes)

    def check(self, log: Log) -> None:
        """Refuses the plan if something it depends on has changed; call it inside `writing`, where nothing can change.

        Raises
        ------
        PlanOutdated
            If a later event changed something on which the plan depends, or a name was erased.
        HeadMoved
            If the plan was made at a state that is not part of this log.
        """
        look = log.look()
        made_at = self.head.position
        if made_at > look.head.position or not log.digest_at(made_at).startswith(self.head.digest):
            raise HeadMoved(made_at, min(made_at, look.head.position))
        if look.erasures != self.seen.erasures:
            raise PlanOutdated(self.verb, made_at, 0, "erase", "")
        row = self.concerns.change_since(log, made_at)
        if row is not None:
            raise outdated(self.verb, made_at, log, row)

    def as_json(self) -> dict[str, Any]:
        """Returns the plan as JSON; it has names of players, so delete it when one of them is erased."""
        seen = [str(self.head), self.seen.names, self.seen.erasures]
        plain = {"verb": self.verb, "seen": seen, "source": self.source, "notes": list(map(note_as_json, self.notes))}
        return {**plain, "events": [as_json(event) for event in self.events], "concerns": self.concerns.as_json()}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """Returns the plan that `as_json` wrote.

        Raises
        ------
        BadValue
            If the value is not a plan, or has an invalid event.
        """
        try:
            events = tuple(map(from_json, given["events"]))
            head, names, erasures = given["seen"]
            seen = Seen(Head.parse(head), int(names), int(erasures))
            concerns, notes = Concerns.from_json(given["concerns"]), tuple(map(note_from_json, given.get("notes", ())))
            return cls(str(given["verb"]), seen, events, concerns, str(given["source"]), notes)
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise BadValue("plan", error, "must be what as_json of a plan returned; missing or invalid is") from None


def outdated(verb: str, made_at: int, log: Log, row: Row) -> PlanOutdated:
    """Returns the error for a plan that was made at a position, and is refused because of a later event."""
    event = decoder_of(log)(row)
    of, name, by, why = (str(getattr(event, name, "")) for name in ("of", "name", "by", "why"))
    return PlanOutdated(verb, made_at, row.position, row.kind, of or name or event.uid, by, why)

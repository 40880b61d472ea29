"""Errors: an event is malformed."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Self

from ratingcore.errors.root import RatingCoreError, quoted


class EventError(RatingCoreError, ValueError):
    """Branch: malformed events, and events with invalid values."""


class BadValue(EventError):
    """A field has a value that it cannot hold."""

    what: str
    value: object
    why: str

    def __str__(self) -> str:
        return f"{self.cause}: {quoted(self.value)}"

    @property
    def cause(self) -> str:
        return f"{self.what} {self.why}"


class NotGiven(BadValue):
    """A result has no pool or no day, neither in its file nor in the arguments."""


class NotOneOf(BadValue):
    """A field has a value that is not one of the few words allowed."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, what: str, value: object, words: Iterable[str], numbers: bool = False) -> Self:
        """Makes the error for a value that is not one of these words, nor a number if `numbers` are allowed, too."""
        words = tuple(words)
        return cls(what, value, f"must be {'a number, or ' if numbers else ''}one of {', '.join(words)}", words)


class NotOfForm(BadValue):
    """A time does not have the given format."""

    form: str


class NotANumber(BadValue):
    """A field for a number holds some other text."""


class SeveralDays(BadValue):
    """A date may mean more than one day; `forms` are the possible formats."""

    forms: tuple[str, ...]

    @classmethod
    def of(cls, text: str, forms: tuple[str, ...]) -> Self:
        """Makes the error for a date that means different days in these formats."""
        several = f"may mean more than one day: give the format of the dates, {' or '.join(forms)}"
        return cls("played", text, several, forms)


class Absent(BadValue):
    """A result is not rated, because a side has no player or did not play; `reason` is the one of unrated rows."""

    reason: str


class NoOffset(EventError):
    """A time of day has no offset, and its pool has no zone, so its instant is unknown."""

    time: str
    where: str
    advice: str = ""

    def __str__(self) -> str:
        return f"the time has no offset, and its zone is unknown: {self.time} of {self.where}"


class NoZone(NoOffset):
    """A file has a time of day without an offset, and the zone of such times in its pool is unknown."""

    pool: str = ""
    zone: str = ""
    """Zone of the pool, if it has times from before its declaration."""
    since: int = 0
    """Position at which the zone of the pool was declared."""

    @property
    def hint(self) -> str:
        give = "give the zone of the file, such as Europe/Prague; UTC for one that was imported before, when times "
        return self.advised(give + "without an offset were read as UTC", "; or declare the zone of the pool")

    def advised(self, give: str, declare: str) -> str:
        """Returns advice to give the zone of the file (`give`), or to declare that of the pool (`declare`)."""
        if not self.zone:
            return give + declare
        declared = f"{self.zone}, declared at position {self.since}"
        return f"pool {self.pool} has times from before its zone was {declared}: {give}"


class UnknownZone(EventError, LookupError):
    """The time zones of this machine have none of this name."""

    zone: str
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"no time zone is named: {quoted(self.zone)}"

    @property
    def hint(self) -> str:
        if self.near:
            return f"did you mean {' or '.join(self.near)}?"
        return "zones have the names of the tz database, such as Europe/Prague; pip install tzdata installs it"


class PlayedThemselves(EventError):
    """A player is on two sides of one result."""

    player: str

    def __str__(self) -> str:
        return f"a player cannot meet themselves: {self.player}"


class BadCorrection(EventError):
    """A correction is impossible for the event that it refers to.

    For translation, `form` is the reason with fields in braces, which `named` fills.
    """

    uid: str
    kind: str
    why: str
    advice: str = ""
    form: str = ""
    named: Mapping[str, object] = MappingProxyType({})

    @classmethod
    def of(cls, uid: str, kind: str, form: str, advice: str = "", **named: object) -> Self:
        """Makes the error, with a reason into which facts are filled.

        Examples
        --------
        >>> BadCorrection.of("g-1", "void", "it is a {event}", event="merge").why
        'it is a merge'
        """
        return cls(uid, kind, form.format_map(named), advice, form, named)

    def __str__(self) -> str:
        return f"cannot {self.kind} {self.uid}: {self.why}"


class HaveMet(BadCorrection):
    """Two names would count as one player, although they have played each other in a pool."""

    one: str = ""
    two: str = ""
    pool: str = ""


class OnePlayer(BadCorrection):
    """Two names that should belong to two people count as one player."""

    one: str = ""
    two: str = ""

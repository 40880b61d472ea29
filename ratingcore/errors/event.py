"""What happened cannot be said so."""

from attrs import define

from ratingcore.errors.root import RatingCoreError


class EventError(RatingCoreError, ValueError):
    """Branch: an event, or a value in one, is not possible."""


@define(slots=False)
class BadValue(EventError):
    """A value is not one the field can hold."""

    what: str
    value: object
    why: str

    def __str__(self) -> str:
        return f"{self.what} {self.why}: {self.value!r}"


@define(slots=False)
class PlayedThemselves(EventError):
    """A player sits on two sides of one result."""

    player: str

    def __str__(self) -> str:
        return f"a player cannot meet himself: {self.player}"


@define(slots=False)
class BadCorrection(EventError):
    """A correction speaks about an event in a way that event does not allow."""

    uid: str
    kind: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot {self.kind} {self.uid}: {self.why}"

    @property
    def hint(self) -> str:
        return self.advice

"""Nobody can look at the log that way."""

from attrs import define

from ratingcore.errors.root import RatingCoreError


class ViewError(RatingCoreError):
    """Branch: cuts that cannot be made."""


@define(slots=False)
class BadCut(ViewError, ValueError):
    """A cut names no point of the log."""

    cut: str
    value: object
    why: str

    def __str__(self) -> str:
        return f"{self.cut} {self.why}: {self.value}"

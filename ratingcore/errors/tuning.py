"""Parameters cannot be tuned as asked."""

from attrs import define

from ratingcore.errors.compare import ComparisonError


@define(slots=False)
class BadGrid(ComparisonError, ValueError):
    """The values to try of a parameter are not told, or are none or too many."""

    parameter: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"grid: {self.parameter} {self.why}" if self.parameter else f"grid: {self.why}"

    @property
    def hint(self) -> str:
        return self.advice


@define(slots=False)
class BadSpans(ComparisonError, ValueError):
    """Settings cannot be chosen in one span of time and tested in another as asked."""

    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"train and test: {self.why}"

    @property
    def hint(self) -> str:
        return self.advice


@define(slots=False)
class UnknownScore(ComparisonError, LookupError):
    """No score of forecasts has this name."""

    name: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"no score named {self.name}: there are {', '.join(self.known)}"

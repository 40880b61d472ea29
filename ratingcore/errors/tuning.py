"""A request to tune parameters is malformed."""

from attrs import define

from ratingcore.errors.compare import ComparisonError
from ratingcore.errors.root import Advised


@define(slots=False)
class BadGrid(Advised, ComparisonError, ValueError):
    """The grid is malformed, empty or too large."""

    parameter: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"grid: {self.parameter} {self.why}" if self.parameter else f"grid: {self.why}"


@define(slots=False)
class BadSpans(Advised, ComparisonError, ValueError):
    """The spans to train and test on are malformed, overlap or hold no games."""

    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"train and test: {self.why}"


@define(slots=False)
class UnknownScore(ComparisonError, LookupError):
    """No score of forecasts has this name."""

    name: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"no score named {self.name}: there are {', '.join(self.known)}"


@define(slots=False)
class CannotFit(ComparisonError, TypeError):
    """A method has no way to estimate parameters from results."""

    method: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method} cannot estimate its parameters from results"

    @property
    def hint(self) -> str:
        fitted = f"these can: {', '.join(self.known)}; " if self.known else ""
        return f"{fitted}ratingcore tune searches for the parameters with which a method forecasts games best"

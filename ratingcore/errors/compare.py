"""Errors: methods cannot be compared, tuned or fitted."""

from ratingcore.errors.plugin import PluginError
from ratingcore.errors.root import RatingCoreError


class ComparisonError(RatingCoreError):
    """Branch: comparing methods, scoring forecasts, tuning parameters."""


class SameMethod(ComparisonError, ValueError):
    """A method was given twice in one comparison."""

    first: str
    second: str

    advice = "give each method once; two variants need different parameters"

    def __str__(self) -> str:
        if self.first == self.second:
            return f"a method is given twice: {self.first}"
        return f"two texts are the same method: {self.first} and {self.second}"


class NothingForecast(ComparisonError, ValueError):
    """No method gives a forecast that can be scored."""

    pool: str
    why: str
    reasons: tuple[tuple[str, str], ...] = ()
    advice: str = ""

    def __str__(self) -> str:
        return f"nothing in pool {self.pool} can be scored: {self.why}"

    @property
    def hint(self) -> str:
        reasons = [f"{method}: {why}" for method, why in self.reasons]
        return "; ".join([*reasons, self.advice] if self.advice else reasons)


class NotInstalled(PluginError, ImportError):
    """An optional package that is needed is not installed."""

    package: str
    what: str
    extra: str

    def __str__(self) -> str:
        return f"{self.what} needs a package that is not installed: {self.package}"

    @property
    def hint(self) -> str:
        return f'pip install "ratingcore[{self.extra}]"' if self.extra else "pip install ratingcore"


class BadGrid(ComparisonError, ValueError):
    """The grid is malformed, empty or too large."""

    parameter: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"grid: {self.parameter} {self.why}" if self.parameter else f"grid: {self.why}"


class BadSpans(ComparisonError, ValueError):
    """The spans to train and test on are malformed, overlap or hold no games."""

    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"train and test: {self.why}"


class UnknownScore(ComparisonError, LookupError):
    """No score of forecasts has this name."""

    name: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"no score named {self.name}: there are {', '.join(self.known)}"


class CannotFit(ComparisonError, TypeError):
    """A method has no way to estimate parameters from results."""

    method: str
    """Its name; empty if none was named."""
    known: tuple[str, ...]

    def __str__(self) -> str:
        if not self.method:
            return "name a method: none of the installed ones can be fitted to these results, or several can"
        return f"{self.method} cannot estimate its parameters from results"

    @property
    def hint(self) -> str:
        fitted = f"these can: {', '.join(self.known)}; " if self.known else ""
        return f"{fitted}tuning searches for the parameters with which a method forecasts games best"

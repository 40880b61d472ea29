"""Methods cannot be compared."""

from attrs import define

from ratingcore.errors.plugin import PluginError
from ratingcore.errors.root import RatingCoreError


class ComparisonError(RatingCoreError):
    """Branch: methods compared, forecasts scored, parameters tuned."""


@define(slots=False)
class SameMethod(ComparisonError, ValueError):
    """A method was given twice, so there is nothing to compare."""

    first: str
    second: str

    def __str__(self) -> str:
        if self.first == self.second:
            return f"a method is given twice: {self.first}"
        return f"two texts are the same method: {self.first} and {self.second}"

    @property
    def hint(self) -> str:
        return "give each method once, with the parameters in which they differ"


@define(slots=False)
class NothingForecast(ComparisonError, ValueError):
    """No method gives a forecast that could be scored."""

    pool: str
    why: str
    reasons: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"nothing in pool {self.pool} can be scored: {self.why}"

    @property
    def hint(self) -> str:
        return "; ".join(f"{method}: {why}" for method, why in self.reasons)


@define(slots=False)
class NotInstalled(PluginError, ImportError):
    """An optional package that is needed is not installed."""

    package: str
    what: str
    extra: str

    def __str__(self) -> str:
        return f"{self.what} needs a package that is not installed: {self.package}"

    @property
    def hint(self) -> str:
        return f'pip install "ratingcore[{self.extra}]"'

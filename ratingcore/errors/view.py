"""Errors: a request does not name a state of the log, or exactly one pool."""

from ratingcore.errors.root import RatingCoreError, quoted


class ViewError(RatingCoreError):
    """Branch: requests for a state or a pool of the log that does not exist or is ambiguous."""


class BadCut(ViewError, ValueError):
    """A cut does not name a point of the log."""

    cut: str
    value: object
    why: str
    advice: str = ""

    def __str__(self) -> str:
        spelt = quoted(self.value) if isinstance(self.value, int) else self.value
        return f"{self.cut} {self.why}: {spelt}"


class PoolNotNamed(ViewError, ValueError):
    """No pool is given, and the log does not have exactly one."""

    pools: tuple[str, ...]

    def __str__(self) -> str:
        return f"the log has several pools: {', '.join(self.pools)}" if self.pools else "the log has no results yet"

    @property
    def hint(self) -> str:
        return f"choose one, such as {self.pools[0]}" if self.pools else "import or record some first"


class SeveralPools(ViewError, ValueError):
    """An event concerns several pools, and no pool is given."""

    what: str
    pools: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what} concerns several pools: {', '.join(self.pools)}"

    @property
    def hint(self) -> str:
        return f"choose one, such as {self.pools[0]}"


class UnknownOtherPool(ViewError, LookupError):
    """A rule takes ratings from another pool, which the log does not have."""

    pool: str

    def __str__(self) -> str:
        return f"the rule takes ratings from pool {self.pool}, which the log does not have"

    @property
    def hint(self) -> str:
        first = f"import or seed pool {self.pool} first, or declare it without results yet"
        return f"{first}; if it has another name in this log, use that name in the text or the book of the rule"

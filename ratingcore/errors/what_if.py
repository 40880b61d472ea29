"""A what-if engine is read-only; impact needs one pool."""

from attrs import define

from ratingcore.errors.log import LogError
from ratingcore.errors.view import ViewError


@define(slots=False)
class OnlySupposed(LogError):
    """A what-if engine holds supposed events, so nothing can be recorded, exported or derived from it."""

    events: int

    def __str__(self) -> str:
        events = "1 event is" if self.events == 1 else f"{self.events} events are"
        return f"nothing can be written to a what-if: {events} supposed and not recorded"

    @property
    def hint(self) -> str:
        return "record the events on the engine that the what-if was made from"


@define(slots=False)
class SeveralPools(ViewError, ValueError):
    """An event concerns several pools, and none was named."""

    what: str
    pools: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what} concerns several pools: {', '.join(self.pools)}"

    @property
    def hint(self) -> str:
        return f"say which one: --pool {self.pools[0]}"

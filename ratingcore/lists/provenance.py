"""What a rating list was made from: enough to make it again and compare digests."""

from attrs import frozen

from ratingcore.events import Instant, day
from ratingcore.tables.view import FOREVER


@frozen
class Provenance:
    """Log head, cuts, pool and method of a list.

    Parameters
    ----------
    pool : str
    method : str
        Identity of the method: name, formula number, every parameter.
    known_at : int
        How many events of the log the reader knew.
    digest : str
        Digest of those events.
    through : int
        Last instant of played time that counts, or `FOREVER`.
    at : int
        Instant the list stands for.
    version : str
        Version of ratingcore.
    """

    pool: str
    method: str
    known_at: int
    digest: str
    through: Instant
    at: Instant
    version: str

    def lines(self) -> list[str]:
        """The provenance in words, a line a fact."""
        cut = "everything played" if self.through == FOREVER else f"played through {day(self.through)}"
        return [
            f"pool {self.pool}, {cut}, as of {day(self.at)}",
            f"method {self.method}",
            f"head {self.known_at}:{self.digest}",
            f"ratingcore {self.version}",
        ]

"""Ratings from the log: replays, lists, histories, forecasts."""

from collections.abc import Iterator
from typing import Any

from ratingcore._version import __version__
from ratingcore.engine.base import Base, KnownAt
from ratingcore.events import When
from ratingcore.lists import Line, RatingList, forecasts, history, rating_list
from ratingcore.methods import Method
from ratingcore.replay import Replay, fold, foretold


class Rating(Base):
    """What a method makes of the log."""

    def replay(
        self,
        pool: str,
        method: str | Method,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        keep: bool = False,
    ) -> Replay:
        """A method run over a view; `keep` what every result was expected to be and moved."""
        return fold(self.registry.method(method), self.view(pool, through, known_at), keep=keep)

    def rating_list(
        self, pool: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> RatingList:
        """The rating list of a pool, with its provenance.

        Parameters
        ----------
        pool : str
        method : str or Method
            `elo`, `elo:k=24`, or a method value.
        through : str, date, datetime or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head or None
            Cut in the log: a position, a time by which events were recorded, a head; None for now.

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, BadCut, MethodError
        """
        return rating_list(self.replay(pool, method, through, known_at), __version__)

    def history(
        self, pool: str, player: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> list[Line]:
        """Every result and line that moved a player's rating, in order of play."""
        replay = self.replay(pool, method, through, known_at, keep=True)
        return history(replay, self._row(replay.view, player))

    def forecasts(
        self, pool: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> Iterator[dict[str, Any]]:
        """A row a game in order of play: ratings before it, unrounded, what was expected, what it moved."""
        return forecasts(foretold(self.registry.method(method), self.view(pool, through, known_at)), self.log.uids)

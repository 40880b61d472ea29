"""Ratings from the log: replays, lists, histories, forecasts."""

from collections.abc import Iterator
from typing import Any

from ratingcore._version import __version__
from ratingcore.engine.core import Base
from ratingcore.events import Instant, When
from ratingcore.explain import Line, forecasts, history
from ratingcore.lists import ListPolicy, RatingList, rating_list
from ratingcore.lists.cuts import KnownAt
from ratingcore.lists.people import People
from ratingcore.lists.policy import policy_of
from ratingcore.methods import Method
from ratingcore.replay import Replay, Standing, fold, foretold, reached, resumable
from ratingcore.replay.checkpoint import facts_of


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
        since: Instant | None = None,
    ) -> Replay:
        """A method run over a view.

        Parameters
        ----------
        keep : bool
            Keep what every result was expected to be and moved; else only the state.
        since : int or None
            Begin where a list stood just before this instant, if the method can and nothing it reads of players
            was said since: `Replay.since` tells. The replay then holds what counts from there on.
        """
        rated, view = self.registry.method(method), self.view(pool, through, known_at)
        after = None
        if since is not None and resumable(rated) and since <= view.through:
            earlier = view.cut(since - 1)
            if facts_of(rated, earlier, since - 1) == facts_of(rated, view, since - 1):
                after = reached(rated, earlier, self.checkpoints(view.timeline.pool))
        return fold(rated, view, keep=keep, after=after)

    def rating_list(
        self,
        pool: str,
        method: str | Method,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        policy: ListPolicy | str | None = None,
    ) -> RatingList:
        """The rating list of a pool, with its provenance.

        Parameters
        ----------
        pool : str
        method : str or Method
            `elo`, `elo:k=24`, or a method value.
        through : str, date, datetime or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log: a position, a time by which events were recorded, a head, a published list or its
            name; None for now.
        policy : ListPolicy, str or None
            Who stands on the list and how: `min_games=5,active=months(12)`; None for everybody.

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, BadCut, MethodError
        """
        view = self.view(pool, through, known_at)
        return self._listed(self.standing(self.registry.method(method), view), policy)

    def _listed(
        self, standing: Replay | Standing, policy: ListPolicy | str | None = None, version: str = __version__
    ) -> RatingList:
        return rating_list(standing, version, People(self.log.names_book), policy_of(policy))

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

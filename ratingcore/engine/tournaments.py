"""Tournaments: who played in one, and how strong they were."""

from ratingcore.engine.core import Part
from ratingcore.events import When
from ratingcore.lists.cuts import KnownAt
from ratingcore.lists.tournament import Tournament, tournament
from ratingcore.methods import Method


class Tournaments(Part):
    """Tournaments of a pool, by the field `event` of its results."""

    def tournament(
        self, pool: str, event: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> Tournament:
        """Returns a tournament: its players, their ratings when they entered it, the mean, the category.

        Parameters
        ----------
        pool : str
        event : str
            What the field `event` of its results says.
        method : str or Method
        through, known_at
            Cuts, as for a rating list.

        Returns
        -------
        Tournament

        Raises
        ------
        UnknownName
            If no result of the pool at these cuts names the event.
        MethodNotFound, BadParameter, BadCut, BadValue, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for player, rating in (("ann", 2510.0), ("bo", 2470.0)):
        ...     seed = rc.RatingSeeded(pool="c", played="2024-01-01", player=player, values={"rating": rating})
        ...     receipt = engine.record(seed)
        >>> facts = {"event": "Open"}
        >>> game = rc.GamePlayed(pool="c", played="2024-03-02", a="ann", b="bo", score=0.0, data=facts)
        >>> receipt = engine.record(game)
        >>> open_2024 = engine.tournament("c", "Open", "elo")
        >>> open_2024.player, open_2024.mean, open_2024.category(), open_2024.category("fide_category_women")
        (('ann', 'bo'), 2490.0, 10, 18)
        """
        return tournament(self.core.registry.method(method), self.core.cuts.view(pool, through, known_at), event)

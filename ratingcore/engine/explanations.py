"""Histories of players, and why a rating is what it is, line by line."""

from ratingcore.engine.core import Part
from ratingcore.events import When
from ratingcore.explain import Line, history
from ratingcore.explain.attribution import MOST
from ratingcore.explain.explain import explain
from ratingcore.explain.explanation import Explanation
from ratingcore.lists.cuts import KnownAt
from ratingcore.methods import Method


class Explanations(Part):
    """Histories, and what each line of one contributed."""

    def history(
        self, pool: str, player: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> list[Line]:
        """Returns every result and line that moved a player's rating, in order of play.

        Parameters
        ----------
        pool, player : str
        method : str or Method
        through, known_at
            Cuts, as for a rating list.

        Returns
        -------
        list of Line

        Raises
        ------
        UnknownName
            If the log knows no such player or pool, or the player is not in the pool at this cut.
        BadCut, BadValue, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> [(line.opponent, line.change, line.rating) for line in engine.history("rapid", "ann", "elo:k=24")]
        [('bo', 12.0, 1512.0)]
        """
        replay = self.core.replay(pool, method, through, known_at, keep=True)
        return history(replay, self.core.row(replay.view, player))

    def explain(
        self,
        pool: str,
        player: str,
        method: str | Method,
        since: When | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        refits: int = MOST,
    ) -> Explanation:
        """Explains a player's rating: the opening rating, a line for everything that moved it, the closing rating.

        Lines and opening add up to the closing rating, which is the unrounded rating of the list. A
        whole-pool method is refitted before and with each of the player's results, in order of play.

        Parameters
        ----------
        pool, player : str
        method : str or Method
        since : str, date, datetime, int or None
            First day whose results are lines; the opening rating is the list's of the day before.
        through, known_at
            Cuts, as for a rating list.
        refits : int
            How often a whole-pool method may be refitted; beyond that, results are taken together by day, month, year.

        Returns
        -------
        Explanation

        Raises
        ------
        UnknownName
            If the log knows no such player or pool; a player who is not in the pool at this cut has no lines.
        BadCut, BadValue, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> from ratingcore import GamePlayed, open
        >>> engine = open(":memory:")
        >>> game = GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> ann = engine.explain("rapid", "ann", "elo:k=24")
        >>> ann.opening, [line.contribution for line in ann.lines], ann.closing
        (1500.0, [12.0], 1512.0)
        """
        core, rated = self.core, self.core.registry.method(method)
        # everything below knows the same events, whatever is appended meanwhile
        position = core.position(known_at, core.pool_id(pool))
        view = core.view(pool, through, position)
        return explain(rated, view, core.checkpoints(view.timeline.pool), core.log, player, since, refits)

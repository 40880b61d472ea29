"""Backdate or not: the engine's door to plans for a change of rule."""

from typing import TYPE_CHECKING

from ratingcore._version import __version__
from ratingcore.engine.ratings import Rating
from ratingcore.errors import BadValue

if TYPE_CHECKING:
    from ratingcore.backdating.backdating import Backdating
    from ratingcore.backdating.plan import Plan


class Choosing(Rating):
    """What a new rule would have made of the log, from one day or another."""

    def choices(self, plan: "Plan") -> "Backdating":
        """Lists, forecasts and levels under each choice of a plan, held against the old rule.

        Up to a start date the old rule rates; on that day its ratings, and every further column that both rules have,
        are what the new rule begins with. From the beginning, the new rule rates everything; from today, it rates
        what is to come, and no list changes yet.

        Parameters
        ----------
        plan : Plan

        Returns
        -------
        Backdating

        Raises
        ------
        BadValue, UnknownName, MethodNotFound, BadParameter, BadCut, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> from ratingcore.backdating.plan import Plan
        >>> with rc.open(":memory:") as engine:
        ...     for day in range(1, 29):
        ...         day_of = {"pool": "p", "played": f"2024-02-{day:02d}"}
        ...         _ = engine.record(rc.GamePlayed(**day_of, a="ann", b="bo", score=float(day % 4 > 0)))
        ...     found = engine.choices(Plan(old="elo", new="elo:k=40", start=("2024-02-15", "beginning")))
        >>> found.choices, len(found.lists)
        (('from 2024-02-15', 'from the beginning'), 2)
        """
        from ratingcore.backdating.backdating import backdate  # few who rate change the rule

        old, new = self.registry.method(plan.old), self.registry.method(plan.new)
        view = self.view(self._pool_of(plan), plan.through, plan.known_at)
        followed = [self._row(view, player) for player in plan.players]
        return backdate(
            plan, old, new, view, lambda standing: self._listed(standing, plan.policy), __version__, followed
        )

    def _pool_of(self, plan: "Plan") -> str:
        if plan.pool is not None:
            return plan.pool
        pools = self.pools()
        if len(pools) != 1:
            told = f"has {len(pools)} pools" if pools else "has no results yet"
            raise BadValue(plan.where("pool"), ", ".join(pools), f"must be named: the log {told}")
        return pools[0]

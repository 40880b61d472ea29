"""Rating lists of many pools at once, and tournaments."""

from collections.abc import Callable, Iterable

from ratingcore._version import __version__
from ratingcore.engine.arguments import checked_top
from ratingcore.engine.core import Part
from ratingcore.errors import BadValue
from ratingcore.events import When
from ratingcore.explain.tournament import Tournament, tournament
from ratingcore.lists import ListPolicy, RatingList
from ratingcore.lists.cuts import KnownAt, played_through, position
from ratingcore.lists.policy import policy_of
from ratingcore.lists.pools import PoolsQuestion, lists_by_workers
from ratingcore.lists.workers import Pinned, workers
from ratingcore.log import Head
from ratingcore.methods import Method


class Lists(Part):
    """Rating lists, made from the log on demand, and tournaments."""

    def replay_pools(
        self,
        method: str | Method | None = None,
        pools: Iterable[str] | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        policy: ListPolicy | str | None = None,
        top: int | None = None,
        jobs: int | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> dict[str, RatingList]:
        """Returns the rating lists of many pools, all made from one head of the log.

        Pools do not depend on each other, so workers can share them. The workers are those of the user's
        `joblib.parallel_config`: threads, processes, Dask or Ray. Each opens the log by its address, which must lead
        to the same log on the worker's machine.

        Parameters
        ----------
        method : str, Method or None
            Method of all pools; None for the method and policy that each pool declares, without workers.
        pools : iterable of str or None
            Pools to rate; None for all pools of the log.
        through, known_at, policy, top
            As for `rating_list`.
        jobs : int or None
            Number of workers, as joblib counts them; None leaves it to `joblib.parallel_config`. A log in memory and a
            what-if are processed in this process.
        progress : callable
            Called with the number of lists made so far, after each list.

        Returns
        -------
        dict of str to RatingList
            The lists by pool, in the order in which the pools were named.

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, BadCut, BadValue, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for pool in ("rapid", "blitz"):
        ...     receipt = engine.record(rc.GamePlayed(pool=pool, played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> {pool: listed.player for pool, listed in engine.replay_pools("elo").items()}
        {'rapid': ('ann', 'bo'), 'blitz': ('ann', 'bo')}
        """
        if isinstance(pools, str):
            raise BadValue("pools", pools, "must be a list of pools, not one pool: put it in a list")
        core, rated = self.core, None if method is None else self.core.registry.method(method)
        look = core.log.look()
        cut = position(core.log, known_at, None, look.head)
        head = Head(cut, core.log.digest_at(cut))
        named = tuple(dict.fromkeys(core.pools() if pools is None else pools))
        for pool in named:
            look.book.number("pool", pool)
        count = 1 if core.log.address is None else workers(jobs, len(named))
        if count > 1 and core.log.address is not None and rated is not None:
            read = policy_of(policy).of_method(rated)
            log = Pinned(core.log.address, head)
            question = PoolsQuestion(log, rated, played_through(through), read, checked_top(top), __version__, named)
            made = lists_by_workers(question, count, look.book)
        else:
            made = ((pool, core.rating_list(pool, rated, through, head, policy=policy, top=top)) for pool in named)
        found: dict[str, RatingList] = {}
        for pool, listed in made:
            found[pool] = listed
            progress(len(found))
        return {pool: found[pool] for pool in named}

    def tournament(
        self,
        pool: str,
        event: str,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        since: When | None = None,
    ) -> Tournament:
        """Returns a tournament: its players, their ratings when they entered it, and the mean rating.

        Parameters
        ----------
        pool : str
        event : str
            The field `event` of its results.
        method : str, Method or None
            None for the method that the pool declares.
        through, known_at
            Cuts, as for a rating list.
        since : str, date, datetime, int or None
            Earliest time of results to include, to choose one edition of a yearly tournament.

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
        >>> open_2024.player, open_2024.mean
        (('ann', 'bo'), 2490.0)
        """
        rated, view = self.core.question(pool, method, through, known_at)
        begin = None if since is None else view.instant(since)
        return tournament(rated, view, event, begin, self.core.columns.checkpoints_of(view))

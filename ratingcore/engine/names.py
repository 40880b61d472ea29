"""Names of pools and players, and the ids under which a log knows them."""

from attrs import frozen

from ratingcore.errors import PoolNotNamed
from ratingcore.events.values import Key, player_key
from ratingcore.log import Log


@frozen
class Names:
    """Looks up the pools and players of a log."""

    log: Log

    def pools(self) -> list[str]:
        """Returns the names of the pools of the log, in the order in which they appeared.

        Returns
        -------
        list of str

        Raises
        ------
        LogUnavailable
            If the file of the log cannot be read.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.pools()
        ['rapid']
        """
        return self.log.keys_of("pool")

    def one_pool(self, pool: str | None = None) -> str:
        """Returns the pool that is named, or the only one of the log.

        Parameters
        ----------
        pool : str or None

        Returns
        -------
        str

        Raises
        ------
        PoolNotNamed
            If none is named and the log has several, or none yet.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.one_pool(), engine.one_pool("blitz")
        ('rapid', 'blitz')
        """
        pools = [pool] if pool is not None else self.pools()
        if len(pools) != 1:
            raise PoolNotNamed(tuple(pools))
        return pools[0]

    def player_id(self, player: Key) -> int:
        """Returns the id of a player, under which rows of the log know them.

        Parameters
        ----------
        player : str
            In any Unicode form.

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If the log knows no player of this name.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.pool_id("rapid"), engine.player_id("ann"), engine.player_id("bo")
        (1, 2, 3)
        """
        return self.log.number_of("player", player_key(player))

    def pool_id(self, pool: str) -> int:
        """Returns the id of a pool, under which rows of the log know it.

        Parameters
        ----------
        pool : str
            In any Unicode form.

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If the log knows no pool of this name.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.pool_id("rapid")
        1
        """
        return self.log.number_of("pool", pool)

"""Derived tables: ratings and histories for whoever reads with SQL."""

from pathlib import Path

from ratingcore.engine.core import Part
from ratingcore.errors import RatingCoreError
from ratingcore.explain.derived_tables import CatchUp, CaughtUp, tables_of
from ratingcore.methods import Method


class Tables(Part):
    """Tables for whoever reads with SQL."""

    def catch_up(
        self,
        pool: str | None = None,
        method: str | Method | None = None,
        to: str | Path | None = None,
        *,
        failed: list[RatingCoreError] | None = None,
    ) -> list[CaughtUp]:
        """Brings the tables `ratings_current` and `rating_history` to the head of the log.

        The rows of a pool by a method are written in one transaction: whoever reads sees those of one head. Which
        pools and methods are kept stands in `rating_tables`; take a row away there, and the others go with the next
        call. Rows that someone else took away or changed are made again; of the lines of histories only the number
        is looked at.

        Parameters
        ----------
        pool : str or None
            One pool; None for all that are kept or, with a method, all of the log.
        method : str, Method or None
            Kept from now on; None for the ones that are kept.
        to : path or None
            The SQLite file of the tables, of one log only; the file of the log itself if None.
        failed : list or None
            A `NotCaughtUp` is appended for every pool and method that went wrong, whatever went wrong with it; the
            error of the first is raised at the end if None. The others are up to date either way, and the next call
            tries again.

        Returns
        -------
        list of CaughtUp
            What was done, a pool and method each.

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, MethodError, LogUnavailable

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder, rc.open(Path(folder, "club.db")) as engine:
        ...     _ = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        ...     [(done.pool, done.players, done.done) for done in engine.catch_up(method="elo:k=24")]
        [('rapid', 2, 'made')]
        """
        core = self.core
        if pool is not None:
            core.pool_id(pool)
        with tables_of(core.log, to) as tables:
            caught, errors = CatchUp(core.log, core.registry, core.columns, tables).all(pool, method)
        if failed is not None:
            failed += errors
        elif errors:
            raise errors[0].error
        return caught

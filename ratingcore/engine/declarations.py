"""Declarations: what a pool takes, said once and changed by saying it again."""

from ratingcore.engine.core import Part
from ratingcore.events import PoolDeclared
from ratingcore.events.values import new_uid
from ratingcore.lists.cuts import KnownAt
from ratingcore.log import Receipt
from ratingcore.replay.declared import declared


class Declarations(Part):
    """Declarations of pools, made and asked."""

    def declare(self, pool: str, *, fits: str = "", own_uid: str | None = None) -> Receipt:
        """Declares what a pool takes: results that a method can read. From then on others are refused.

        The pool need not be known yet: a declared pool without results has an empty list. What was recorded before
        stays; `rating_list(..., strict=True)` names it if it does not fit.

        Parameters
        ----------
        pool : str
        fits : str
            Text of a method, such as `elo-margin`; empty to take every result.
        own_uid : str or None
            Uid of the declaration, so that trying again repeats nothing; made up for None.

        Returns
        -------
        Receipt
            Nothing is accepted if that is what stands already.

        Raises
        ------
        MethodNotFound, BadParameter
            If no installed method has this text.
        BadValue, Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> engine.declare("cup", fits="elo-margin").accepted, len(engine.rating_list("cup", "elo-margin"))
        (1, 0)
        >>> engine.record(rc.GamePlayed(uid="g", pool="cup", played="2024-03-02", a="ann", b="bo", score=1.0))
        Traceback (most recent call last):
        ratingcore.errors.method.DoesNotFit: pool cup takes what elo-margin can read, and g is not that: no points
        """
        if fits:
            self.core.registry.method(fits)
        event = PoolDeclared(uid=own_uid or new_uid(), pool=pool, fits=fits)
        now = declared(self.core.log, event.pool)
        same = own_uid is None and now is not None and now.fits == fits
        return self.core.log.append([] if same else [event])

    def declared(self, pool: str, known_at: KnownAt = None) -> PoolDeclared | None:
        """Returns what a pool was declared to take, as was known at a cut; None if nothing was.

        Parameters
        ----------
        pool : str
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log; see `position`.

        Returns
        -------
        PoolDeclared or None

        Raises
        ------
        UnknownName
            If the log knows no such pool.
        BadCut

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.declare("cup", fits="elo-margin")
        >>> receipt = engine.declare("cup", fits="elo")
        >>> engine.declared("cup").fits, engine.declared("cup", known_at=1).fits
        ('elo', 'elo-margin')
        """
        number = self.core.names.pool_id(pool)
        return declared(self.core.log, pool, self.core.cuts.position(known_at, number))

"""Declarations: what a pool takes and in which zone its days begin, said once and changed by saying it again."""

from ratingcore.engine.core import Part
from ratingcore.events import PoolDeclared
from ratingcore.events.values import new_uid
from ratingcore.events.zones import zone_name
from ratingcore.lists.cuts import KnownAt
from ratingcore.log import Receipt
from ratingcore.replay.declared import declared


class Declarations(Part):
    """Declarations of pools, made and asked."""

    def declare(
        self, pool: str, *, fits: str | None = None, zone: str | None = None, own_uid: str | None = None
    ) -> Receipt:
        """Declares what a pool takes, results that a method can read, and in which zone its days begin.

        From then on results that do not fit are refused. The pool need not be known yet: a declared pool without
        results has an empty list. What was recorded before stays; `rating_list(..., strict=True)` names it if it does
        not fit.

        Days and periods of a pool with a zone are those of its zone, for what was recorded before as well: a cut
        `through="2024-01-01"` ends at local midnight. Its lists, histories and forecasts tell times with the offset,
        and hold times as microseconds on the clock of the zone. A result with a day and no time stays on its day.

        Parameters
        ----------
        pool : str
        fits : str or None
            Text of a method, such as `elo-margin`; empty to take every result. None leaves it as it is if a zone is
            given, and takes every result if none is.
        zone : str or None
            Name of a time zone, such as `Europe/Prague`; empty for UTC; None leaves it as it is.
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
        UnknownZone
            If no zone has this name.
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
        >>> receipt = engine.declare("club", zone="Europe/Prague")
        >>> game = rc.GamePlayed(pool="club", played="2023-12-31T23:30Z", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> [len(engine.rating_list("club", "elo", through=day)) for day in ("2023-12-31", "2024-01-01")]
        [0, 2]
        """
        if fits:
            self.core.registry.method(fits)
        log, key = self.core.log, PoolDeclared(pool=pool).pool
        with log.writing():  # what one leaves as it is, another may be about to declare
            before = declared(log, key)
            now = PoolDeclared(pool=pool) if before is None else before
            fits = "" if fits is None and zone is None else fits
            event = PoolDeclared(
                uid=own_uid or new_uid(), pool=pool,
                fits=now.fits if fits is None else fits, zone=now.zone if zone is None else zone_name(zone),
            )  # fmt: skip
            same = own_uid is None and before is not None and (before.fits, before.zone) == (event.fits, event.zone)
            return log.append([] if same else [event])

    def declared(self, pool: str, known_at: KnownAt = None) -> PoolDeclared | None:
        """Returns what a pool was declared to take, and its zone, as was known at a cut; None if nothing was.

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

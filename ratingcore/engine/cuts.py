"""Cuts: the position that a cut in the log names, and what was known of a pool there."""

from attrs import frozen

from ratingcore.columns import SAME, View
from ratingcore.events import Instant, When
from ratingcore.lists.cuts import KnownAt, played_through, position
from ratingcore.log import Log
from ratingcore.replay import Columns


@frozen
class Cuts:
    """Reads a log and its columns at a cut in the log and a cut in played time."""

    log: Log
    columns: Columns

    def position(self, known_at: KnownAt = None, pool: int | None = None) -> int:
        """Returns the position that a cut in the log names; the head for None.

        Parameters
        ----------
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            A position, a head, a time by which events were recorded, or a list. A text of digits alone is a position,
            also one that looks like a day: days are written `2024-03-31`. `POSITION:DIGEST` is a head, whose digest is
            checked; then come times; everything else is the name of a published list. `list:NAME` is always a name.
        pool : int or None
            Id of the pool whose published lists are meant.

        Returns
        -------
        int

        Raises
        ------
        BadCut
            If it names no point of this log, or a time before the log began.
        UnknownList, SeveralLists

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> head = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0)).head
        >>> engine.position(), engine.position(str(head)), engine.position("2199-12-31"), engine.position("0")
        (1, 1, 1, 0)
        """
        return position(self.log, known_at, pool)

    def view(self, pool: str, through: When | None = None, known_at: KnownAt = None) -> View:
        """Returns what a reader of the log's first events believes was played in a pool through a day.

        Parameters
        ----------
        pool : str
        through : str, date, datetime, int or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log; see `position`.

        Returns
        -------
        View

        Raises
        ------
        UnknownName, BadCut, BadValue

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> view = engine.view("p", through="2024-03-31")
        >>> view.n_games, view.names()
        (1, ['ann', 'bo'])
        """
        look = self.log.look()
        number = self.log.number_of("pool", pool, look.book)
        # the columns may know of later events meanwhile, never of fewer
        to = None if known_at is None else position(self.log, known_at, number, look.head)
        return self.columns.view(number, played_through(through), to, look)

    def touched_since(self, pool: str, position: int) -> Instant | None:
        """Returns the earliest played time at which the pool now differs from what was known at a position.

        Parameters
        ----------
        pool : str
        position : int

        Returns
        -------
        int or None
            None if nothing differs.

        Raises
        ------
        UnknownName

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(uid="g", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> receipt = engine.amend("g", {"score": 0.5})
        >>> rc.events.iso(engine.touched_since("p", 1)), engine.touched_since("p", 2)
        ('2024-03-02', None)
        """
        view = self.view(pool)
        if self.columns.zone_at(view.timeline.pool, position) != view.zone:  # every time of play reads otherwise
            return view.first_played
        same = view.same_before(position)
        return None if same == SAME else same

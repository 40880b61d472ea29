"""Erasure: a person's name leaves the log, and every digest and rating stays."""

from collections.abc import Sequence

from ratingcore.corrections.erasure import Erased, erase, same_player
from ratingcore.engine.core import Part
from ratingcore.errors import UnknownName
from ratingcore.events.values import Key, player_key


class Erasure(Part):
    """Names that have to go."""

    def known_as(self, player: Key) -> tuple[str, ...]:
        """Returns all names that count as one player now, the one asked for first.

        Parameters
        ----------
        player : str

        Returns
        -------
        tuple of str

        Raises
        ------
        UnknownName

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for a, b in (("ann", "cy"), ("anna", "bo")):
        ...     receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a=a, b=b, score=1.0))
        >>> receipt = engine.merge("ann", "anna")
        >>> engine.known_as("anna")
        ('anna', 'ann')
        """
        book = self.core.log.names_book
        same = same_player(self.core.log, self.core.log.number_of("player", player_key(player), book))
        known = tuple(book.key(number) for number in same if number not in book.erased)
        if not known:  # the label of a name that is gone
            raise UnknownName("player", player_key(player))
        return known

    def erase(self, player: Key, *, also: Sequence[str] = (), by: str = "") -> Erased:
        """Takes a player's name out of the log for good; `(erased N)` is shown in its place.

        Key and salt of the name are dropped; its digest stays, so every digest of the log and every rating are what
        they were. Names that are merged with it are the same person and go as well; reasons, actors and sources that
        speak of the player go as a whole, and so do sources into which earlier versions wrote the digest of an
        imported file, since it confirms a guess. Then the file is written anew, so that no byte of them is left in it
        or beside it. Not reached are uids and free fields of events, which are part of the digests (they are counted),
        and what others keep: backups, exports, tables in other files. A name that comes again later is somebody new to
        the log.

        Parameters
        ----------
        player : str
            If nobody of this name is known and an erasure could not be finished, it is finished.
        also : sequence of str
            Other spellings to look for in reasons, actors and sources: a surname, a nickname.
        by : str
            Who decided it; kept beside the id of the name, outside the history.

        Returns
        -------
        Erased

        Raises
        ------
        UnknownName
        ErasureUnfinished
            If others were at the file: the name is dropped, but its bytes are left. Erase again later.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.erase("ann", by="secretary").labels
        ('(erased 2)',)
        >>> engine.rating_list("rapid", "elo").player
        ('(erased 2)', 'bo')
        """
        return erase(self.core.log, player_key(player), also, by)

"""Erasure: a person's name leaves the log, and every digest and rating stays."""

from collections.abc import Iterator, Sequence

from ratingcore.engine.core import Base
from ratingcore.errors import UnknownName
from ratingcore.events import CORRECTIONS
from ratingcore.events.corrections import Corrections
from ratingcore.log import ERASED, Name, SqliteLog
from ratingcore.log.erasure import Erased
from ratingcore.log.mentions import Mentions

SHOWN = 10
"""Positions of mentions that are told."""


class Erasing(Base):
    """Names that have to go."""

    def known_as(self, player: str) -> tuple[str, ...]:
        """All names that count as one player now, the one asked for first."""
        number = self.player_id(player)
        names = self.log.names()
        keys = (names[other - 1].key for other in self._same(number))
        return tuple(key for key in keys if key is not None)

    def _same(self, number: int) -> list[int]:
        """Ids that count as the same player, this one first."""
        corrections = Corrections.of(self.log.rows(0, None, CORRECTIONS))
        root = corrections.root(number)
        others = {root, *(other for other, whose in corrections.roots.items() if whose == root)} - {number}
        return [number, *sorted(others)]

    def erase(self, player: str, *, also: Sequence[str] = (), by: str = "") -> Erased:
        """Take a player's name out of the log for good; `(erased N)` is shown in its place.

        Key and salt of the name are dropped; its digest stays, so every digest of the log and every rating are what
        they were. Names that are merged with it are the same person and go as well; reasons, actors and sources that
        speak of the player go as a whole. Then the file is written anew, so that no byte of them is left in it or
        beside it. Not reached are uids and free fields of events, which are part of the digests (they are counted),
        and what others keep: backups, exports, tables in other files. A name that comes again later is
        somebody new to the log.

        Parameters
        ----------
        player : str
            If nobody of this name is known and an erasure could not be finished, it is finished.
        also : sequence of str
            Other spellings to look for in reasons, actors and sources: a surname, a nickname.
        by : str
            Who decided it; kept beside the id of the name, outside the history.

        Raises
        ------
        UnknownName
        ErasureUnfinished
            If others were at the file: the name is dropped, but its bytes are left. Erase again later.
        """
        try:
            self.player_id(player)
        except UnknownName:
            left = self.log.uncleared()
            if not left:
                raise
            self.log.clear()
            players = {name.id for name in self.log.names() if name.kind == "player"}
            return Erased(tuple(number for number in left if number in players))
        done = self._erase(player, also, by)
        self.log.clear()
        return done

    def _erase(self, player: str, also: Sequence[str], by: str) -> Erased:
        looked = self.log.head.position
        mentions = Mentions([*self.known_as(player), *also])
        found = list(self._mentioning(mentions, 0, looked))
        with self.log.writing():
            same = self._same(self.player_id(player))
            names = self.log.names()
            mentions = Mentions([*(names[number - 1].key or "" for number in same), *also])
            found += self._mentioning(mentions, looked, None)
            spoken = [name for name in names if name.key is not None and mentions.within(name.key)]
            gone = {kind: [name for name in spoken if name.kind == kind] for kind in ("note", "source")}
            self.log.erase([*same, *(name.id for kind in gone.values() for name in kind)], by)
            rows = self._relabel_rows(same)
        return Erased(
            players=tuple(same),
            notes=len(gone["note"]),
            sources=len(gone["source"]),
            mentions=len(found),
            positions=tuple(found[:SHOWN]),
            alike=_keys(name for name in spoken if name.kind == "player" and name.id not in same),
            pools=_keys(name for name in spoken if name.kind == "pool"),
            rows=rows,
        )

    def _mentioning(self, mentions: Mentions, after: int, to: int | None) -> Iterator[int]:
        """Positions of events that speak of the player where nothing can be erased."""
        for row in self.log.likely(mentions.likely(), after, to):
            if mentions.within(row.uid) or mentions.among(row.facts):
                yield row.position

    def _relabel_rows(self, players: Sequence[int]) -> int:
        if not isinstance(self.log, SqliteLog):
            return 0
        erased = sum(name.key is None for name in self.log.names() if name.kind == "player")
        return self.log.derived.relabel({number: ERASED.format(number) for number in players}, erased)


def _keys(names: Iterator[Name]) -> tuple[str, ...]:
    return tuple(name.key for name in names if name.key is not None)

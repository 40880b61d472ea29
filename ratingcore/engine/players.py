"""Players: what people see them called, and facts that methods may need."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ratingcore.corrections.players import Descriptions, Similar, shown, similar
from ratingcore.engine.core import Part
from ratingcore.errors import PoolNotNamed
from ratingcore.events import Fact, PlayerDescribed, When, instant
from ratingcore.events.bounds import EARLIEST, see_player
from ratingcore.events.values import Key, nameable, new_uid, player_key
from ratingcore.log import Receipt

if TYPE_CHECKING:
    from ratingcore.importer import ImportReport
    from ratingcore.importer.tables import FieldMap


class Players(Part):
    """Facts of players, told and asked."""

    def rename(
        self, player: Key, called: str, *, pool: str | None = None, at: When | None = None, own_uid: str | None = None
    ) -> Receipt:
        """Shows a player under another name; the key stays who they are, and no rating moves.

        Parameters
        ----------
        player : str
            The key.
        called : str
            What lists, histories and explanations show beside it, in every pool.
        pool : str or None
            Where the description is recorded; the first pool of the log for None.
        at : str, date, datetime or None
            From when they are called so: of several names the latest stands. None replaces the one that stands.
        own_uid : str or None
            Uid of the description, so that trying again repeats nothing; made up for None.

        Returns
        -------
        Receipt
            Nothing is accepted if they are called so already.

        Raises
        ------
        UnknownName
            If the log knows no such player.
        BadValue
            If nobody can be called so.
        PoolNotNamed, Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="fide:15", b="fide:16", score=1.0))
        >>> receipt = engine.rename("fide:15", called="Ann Lee")
        >>> [(row["player"], row["called"]) for row in engine.rating_list("p", "elo")]
        [('fide:15', 'Ann Lee'), ('fide:16', None)]
        """
        log, player = self.core.log, player_key(player)
        log.number_of("player", player)
        pools = self.core.names.pools()
        if pool is None and not pools:
            raise PoolNotNamed(())
        name = nameable(see_player("called", called), "called")
        event = PlayerDescribed(
            uid=own_uid or new_uid(), pool=pool or pools[0], player=player, called=name,
            played=EARLIEST if at is None else instant(at),
        )  # fmt: skip
        if own_uid is not None and log.find([own_uid]):
            return log.append([event])
        new = Descriptions.of(log, event.pool).new(event)
        return log.append([] if new is None else [new])

    def players(self, pool: str | None = None) -> list[dict[str, Fact]]:
        """Returns what is known of every player: key, name that people see, and facts; what is not known is left out.

        Parameters
        ----------
        pool : str or None
            Only facts that were told for this pool; of all for None.

        Returns
        -------
        list of dict

        Raises
        ------
        UnknownName
            If the log knows no such pool.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> facts = {"born": 1990, "title": "GM"}
        >>> told = rc.PlayerDescribed(pool="p", player="fide:15", played="2024-01-01", called="Ann Lee", data=facts)
        >>> receipt = engine.record(told)
        >>> engine.players()
        [{'player': 'fide:15', 'called': 'Ann Lee', 'born': 1990, 'title': 'GM'}]
        """
        return list(shown(self.core.log, None if pool is None else self.core.names.pool_id(pool)))

    def similar_names(self) -> list[Similar]:
        """Returns pairs of keys that differ by case, accents, blanks, or the order of "Surname, First" only.

        Records that are merged already count as one. Which of them are one person, nobody can tell from the spelling.

        Returns
        -------
        list of Similar
            The name with more results comes first in a pair.

        Raises
        ------
        LogUnavailable
            If the file of the log cannot be read.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for a in ("Zoë Lund", "Zoë Lund", "lund,  Zoe"):
        ...     receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a=a, b="bo", score=1.0))
        >>> [(pair.keep, pair.other, pair.results, pair.other_results) for pair in engine.similar_names()]
        [('Zoë Lund', 'lund,  Zoe', 2, 1)]
        """
        log, results = self.core.log, dict[int, int]()
        for pool in self.core.names.pools():
            timeline = self.core.cuts.view(pool).timeline
            for player, count in zip(timeline.players.id.tolist(), timeline.result_counts().tolist(), strict=True):
                results[player] = results.get(player, 0) + count
        return similar(log, results)

    def import_players(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: "Mapping[str, str] | FieldMap | None" = None,
        *,
        at: When | None = None,
        only_known: bool = False,
        dry_run: bool = False,
    ) -> "ImportReport":
        """Appends the facts of players in a file, in one batch; what is known already is counted as duplicate.

        Parameters
        ----------
        path : path
            A table with a header: `player`, and any of `called`, `born`, `title`, `federation`, `club`, `sex`.
        pool : str or None
            Where methods find them; None for the only pool of the log.
        fields : mapping of str to str, FieldMap or None
            Which column holds what: `{"player": "id"}`; None to go by the headings. A field of another name is a
            fact as well.
        at : str, date, datetime or None
            From when facts hold of rows that do not say. None for ever: they replace what is known.
        only_known : bool
            Refuse rows of players whom the log does not know.
        dry_run : bool
            Say what would happen; write nothing.

        Returns
        -------
        ImportReport

        Raises
        ------
        PoolNotNamed, ArchiveError, LogError

        Examples
        --------
        >>> import tempfile, ratingcore as rc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "players.csv")
        ...     _ = file.write_text("player,called,born\\nfide:15,Ann Lee,1990\\n")
        ...     with rc.open(":memory:") as engine:
        ...         engine.import_players(file, "p").accepted, engine.import_players(file, "p").duplicates
        (1, 1)
        """
        from ratingcore.importer.descriptions import import_players
        from ratingcore.importer.inputs import source_at
        from ratingcore.importer.tables.fieldmap import mapping_of
        from ratingcore.importer.tables.players import read_players  # readers of files are not there for lists

        into = self.core.names.one_pool(pool)
        unused, lines = read_players(
            source_at(path, self.core.registry.sheets), pool=into, fields=mapping_of(fields), at=at
        )
        descriptions = Descriptions.of(self.core.log, into)
        refuse = self._stranger if only_known else None
        return import_players(self.core.log, path, unused, lines, descriptions.new, refuse, dry_run=dry_run)

    def _stranger(self, player: str) -> str:
        """Why a row about a player whom the log does not know is refused; empty if it knows them."""
        return "" if self.core.log.id_of("player", player) is not None else f"no player named {player}"

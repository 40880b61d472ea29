"""Players and pools: names, facts, declarations, and the erasure of a name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from ratingcore.corrections.known_facts import player_rows
from ratingcore.engine.core import Part, planned
from ratingcore.engine.plans import Plans
from ratingcore.erasure import Erased
from ratingcore.events import Fact, When
from ratingcore.events.values import Key, new_uid, player_key
from ratingcore.lists.cuts import KnownAt
from ratingcore.lists.player_names import called_of
from ratingcore.lists.policy import Cell, ListPolicy, Window, cell
from ratingcore.log import Receipt
from ratingcore.methods import Method
from ratingcore.read_only import ReadOnly
from ratingcore.report.table import AsSequence, Table, columns_of


@frozen
class ListedPlayer:
    """Facts of a player, and their line on a rating list.

    Parameters
    ----------
    player : str
        Key of the player.
    called : str or None
        The name that people see; None if unknown.
    facts : mapping of str to fact
        Facts recorded for the pool, as of the day of the list.
    rank, rating, games : int, float, int or None
        Numbers on the list; None if unrated, or if the list leaves the player off.
    columns : mapping of str to cell
        Further columns of the list, such as `deviation`; empty if the list leaves the player off.
    """

    player: str
    called: str | None
    facts: Mapping[str, Fact]
    rank: int | None
    rating: float | None
    games: int | None
    columns: Mapping[str, Cell] = ReadOnly({})


class PlayerFacts(AsSequence[dict[str, Fact]]):
    """Facts of players, a dictionary for each player; as a table, it has a column for each fact of any player."""

    def as_table(self) -> Table:
        """Returns a table with a row per player."""
        return Table("players", "Players", columns_of(self.each, ["player"]))


class Players(Part):
    """Facts of players and pools."""

    def rename(
        self, player: Key, called: str, *, pool: str | None = None, at: When | None = None, own_uid: str | None = None
    ) -> Receipt:
        """Gives a player another visible name; the key still identifies them, and no rating changes.

        Parameters
        ----------
        player : str
            Key of the player.
        called : str
            The name that lists, histories and explanations show beside the key, in every pool.
        pool : str or None
            Pool in which the description is recorded; None for the first pool of the log.
        at : str, date, datetime or None
            Time from which the name applies; the name with the latest time counts. None replaces the current name.
        own_uid : str or None
            Uid of the description, so that trying again repeats nothing; made up for None.

        Returns
        -------
        Receipt
            It accepts no event if the player has this name already.

        Raises
        ------
        UnknownName
            If the log has no such player.
        BadValue
            If the name is not allowed.
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
        own_uid = own_uid or new_uid()
        return self.core.applied(lambda: Plans(self.core).rename(player, called, pool=pool, at=at, own_uid=own_uid))

    def players(self, pool: str | None = None) -> PlayerFacts:
        """Returns key, visible name and facts of every player; unknown facts are left out.

        Parameters
        ----------
        pool : str or None
            Pool for which the facts were recorded; None for all pools.

        Returns
        -------
        PlayerFacts
            A sequence of dictionaries.

        Raises
        ------
        UnknownName
            If the log has no such pool.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> facts = {"born": 1990, "title": "GM"}
        >>> told = rc.PlayerDescribed(pool="p", player="fide:15", played="2024-01-01", called="Ann Lee", data=facts)
        >>> receipt = engine.record(told)
        >>> list(engine.players())
        [{'player': 'fide:15', 'called': 'Ann Lee', 'born': 1990, 'title': 'GM'}]
        """
        return PlayerFacts(tuple(player_rows(self.core.log, None if pool is None else self.core.pool_id(pool))))

    def player(
        self,
        pool: str,
        player: Key,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        policy: ListPolicy | str | None = None,
    ) -> ListedPlayer:
        """Returns the facts of one player and their line on the rating list; this is quick if the list was made before.

        Parameters
        ----------
        pool, player : str
        method, through, known_at, policy
            As for the list; see `rating_list`.

        Returns
        -------
        ListedPlayer

        Raises
        ------
        UnknownName
            If the log has no such player or pool, or the player is not in the pool at this cut.
        BadCut, BadValue, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(
        ...     rc.GamePlayed(pool="p", played="2024-03-02", a="fide:15", b="fide:16", score=1.0),
        ...     rc.PlayerDescribed(pool="p", player="fide:15", played="2024-01-01", called="Ann Lee", data={"born": 90})
        ... )
        >>> ann = engine.player("p", "fide:15", "elo")
        >>> ann.called, dict(ann.facts), ann.rank, ann.rating, ann.games
        ('Ann Lee', {'born': 90}, 1, 1510.0, 1)
        >>> round(engine.player("p", "fide:15", "glicko2").columns["deviation"])
        290
        """
        view = self.core.view(pool, through, known_at)
        row = view.row(view.book.number("player", player_key(player)))
        number = view.timeline.players.id[row : row + 1]
        listed = self.core.rating_list(pool, method, through, known_at, policy=policy)
        at = np.flatnonzero(listed.id == number)[:1]
        cells: dict[str, Any] = {}
        for name, column in listed.values.items() if len(at) else ():
            cells[name] = column[at[0]] if isinstance(column, tuple) else cell(column[at[0]].item())
        called = called_of(view, number)
        return ListedPlayer(
            player=view.name(row),
            called=called[0] if called else None,
            facts=ReadOnly(view.facts_of(int(number[0]))),
            rank=next((rank for rank in listed.rank[at].tolist() if rank), None),
            rating=cells.pop("rating", None),
            games=next(iter(listed.games[at].tolist()), None),
            columns=ReadOnly(cells),
        )

    def declare(
        self,
        pool: str,
        *,
        fits: str | None = None,
        zone: str | None = None,
        method: str | None = None,
        digits: int | None = None,
        min_games: int | None = None,
        active: Window | str | None = None,
        starting: When | None = None,
        restated: bool = False,
        of: str | None = None,
        results: str | None = None,
        own_uid: str | None = None,
    ) -> Receipt:
        """Declares the method and policy of a pool's lists, the results that it accepts, and its time zone.

        Method and policy apply from a day on. A list, history or forecast for which no method is named uses the method
        declared for its day, as known at its cut in the log. Of several declarations for one day the last counts.

        Results recorded later are refused if they do not fit. Earlier ones stay; `rating_list(..., strict=True)` names
        those that do not fit. The pool may be new: a declared pool without results has an empty list.

        Days and periods of a pool with a zone are days of its zone, also for results recorded before: a cut
        `through="2024-01-01"` ends at local midnight. Lists, histories and forecasts show times with the offset; as
        numbers, times are microseconds on the clock of the zone. A result with a day and no time stays on its day.

        Parameters
        ----------
        pool : str
        fits : str or None
            Text of a method, such as `elo-margin`, that must be able to read a result; empty to accept every result.
            None leaves it unchanged if any other argument is given, and else accepts every result.
        zone : str or None
            Name of a time zone, such as `Europe/Prague`; empty for UTC; None leaves it unchanged.
        method : str or None
            Text of the method of the pool's lists, such as `elo:k=24`; empty for no method. None leaves it unchanged.
        digits, min_games : int or None
            Decimals of the rating, and least number of results of a listed player; see `ListPolicy`. None leaves them
            unchanged.
        active : Window, str or None
            Window in which a listed player must have a result, such as `months(12)`; empty lists everybody.
        starting : str, date or None
            First day whose lists are by this method and policy. None means all days if a method is given, and otherwise
            leaves the day unchanged. The method begins on this day with the ratings of the method before it, so a rule
            with a history is recorded: `elo then elo:k=40 from 2024-03-05`.
        restated : bool
            Whether lists from that day on instead rate all results, from the first one, by this method.
        of, results : str or None
            Make the pool a board of the pool `of`: it takes those of its results whose fields meet the conditions
            `results`, such as `category=coding & language!=en`, and all its seeds. None leaves them unchanged.
        own_uid : str or None
            Uid of the declaration, so that trying again repeats nothing; made up for None.

        Returns
        -------
        Receipt
            It accepts no event if the declaration changes nothing.

        Raises
        ------
        MethodNotFound, BadParameter
            If no installed method has this text.
        UnknownZone
            If no zone has this name.
        BadValue
            If digits, games or a window are declared for a pool without a method, or `starting` is not a day; or the
            method cannot begin with the ratings of the one before it.
        Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.declare("rapid", method="elo:k=24", digits=0, starting="2024-03-01")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.rating_list("rapid").provenance.method.partition(",")[0]
        'elo@1(k=24.0'
        >>> receipt = engine.declare("rapid", method="elo:k=16", starting="2024-07-01")
        >>> engine.core.declared("rapid").method
        'elo:k=24 then elo:k=16 from 2024-07-01'
        >>> engine.declare("cup", fits="elo-margin").accepted, len(engine.rating_list("cup", "elo-margin"))
        (1, 0)
        >>> engine.record(rc.GamePlayed(uid="g", pool="cup", played="2024-03-02", a="ann", b="bo", score=1.0))
        Traceback (most recent call last):
        ratingcore.errors.method.DoesNotFit: pool cup takes results that elo-margin can read, and g ...: no points
        >>> receipt = engine.declare("club", zone="Europe/Prague")
        >>> game = rc.GamePlayed(pool="club", played="2023-12-31T23:30Z", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> [len(engine.rating_list("club", "elo", through=day)) for day in ("2023-12-31", "2024-01-01")]
        [0, 2]
        """
        policy: dict[str, Any] = {"digits": digits, "min_games": min_games, "active": active}
        question: dict[str, Any] = {"fits": fits, "zone": zone, "method": method, "starting": starting, **policy}
        question |= {"restated": restated, "of": of, "results": results}
        return self.core.applied(lambda: Plans(self.core).declare(pool, own_uid=own_uid, **question))

    def erase(
        self,
        player: Key,
        *,
        also: Sequence[str] = (),
        by: str = "",
        rated_facts: bool = False,
    ) -> Erased:
        """Removes a player's names and facts from the log for good; lists show `(erased N)` in place of the name.

        Key and salt of the name are deleted. Its digest stays, so all digests of the log and all ratings stay as they
        were. Also deleted are names merged with this one, visible names, and facts such as `club`, which are then
        unknown at every cut. Facts from which an installed method computes ratings, such as `born`, stay unless
        `rated_facts` is given; the report names them. Reasons, actors and sources that mention the player are deleted
        as a whole. They are not searched for keys of digits alone or of fewer than three characters, since "board 12"
        mentions nobody. Then the file is rewritten, so that no byte of these texts is left in it or beside it.

        What stays are uids, free fields of results, and facts that older versions kept in the events themselves, since
        they are part of the digests; the report names them. Copies elsewhere stay, too: backups, exports, tables in
        other files. A name that is recorded again later belongs to a new player.

        Parameters
        ----------
        player : str
            Key of the player. If it is unknown, an erasure that could not be finished is finished. The label of an
            erased player erases facts recorded since.
        also : sequence of str
            Other texts to look for in reasons, actors and sources, such as a surname or a nickname.
        by : str
            The person who decided it; stored beside the id of the name, outside the history.
        rated_facts : bool
            Whether to erase also facts from which ratings are computed: ratings may change, and published lists
            computed from these facts cannot be rebuilt. To do this later, name the erased player by their label.

        Returns
        -------
        Erased

        Raises
        ------
        UnknownName
        ErasureUnfinished
            If others were using the file: the name is dropped, but its bytes are left. Erase again later.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> [(drop.what, drop.text) for drop in engine.plan.erase("ann").drops]
        [('player', 'ann')]
        >>> engine.erase("ann", by="secretary").labels
        ('(erased 2)',)
        >>> engine.rating_list("rapid", "elo").player
        ('(erased 2)', 'bo')
        """
        plans = Plans(self.core)
        return planned(lambda: plans.erased(plans.erase(player, also=also, by=by, rated_facts=rated_facts)))

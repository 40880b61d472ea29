"""Explains ratings: histories, peaks, explanations, and the impact of events."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Literal

import numpy as np
from attrs import evolve

from ratingcore.engine.arguments import checked_top
from ratingcore.engine.core import Core, Part, Tried
from ratingcore.errors import CannotRebuild, FormulaChanged, OtherQuestion
from ratingcore.events import Event, MergeUndone, ResultVoided, Row, When
from ratingcore.events.values import Key, player_key
from ratingcore.explain.attribution import MOST
from ratingcore.explain.explain import explain
from ratingcore.explain.explanation import Explanation
from ratingcore.explain.history import Peak, PlayerHistory, history, peaks
from ratingcore.explain.impact import Effect, Impact, Knowledge, concerned
from ratingcore.explain.list_columns import ListColumns, with_conditions
from ratingcore.explain.points_table import Worth, table_points
from ratingcore.lists import RatingList
from ratingcore.lists.cuts import KnownAt, played_through
from ratingcore.lists.published import head_of, method_of, policy_of_list, published_lists
from ratingcore.log.contract import Look
from ratingcore.log.lookup import row_of, uids_at
from ratingcore.log.overlay import supposed_in
from ratingcore.methods import Method
from ratingcore.replay import Replay, Watch
from ratingcore.replay.contract_check import readable_view
from ratingcore.replay.declared import UNDECLARED


class Explanations(Part):
    """Histories, explanations, and the impact of events."""

    def history(
        self,
        pool: str,
        player: Key,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        last: int | None = None,
    ) -> PlayerHistory:
        """Returns every result and line that moved a player's rating, in order of play.

        Each line has the uid of its event, its time, and further listed columns, such as a deviation.

        Parameters
        ----------
        pool, player : str
        method : str, Method or None
            The pool's own for None.
        through, known_at
            Cuts, as for a rating list.
        last : int or None
            Number of last lines to return, which is quick after each new result; None for all.

        Returns
        -------
        PlayerHistory
            A sequence of `Line`; pandas, polars and notebooks accept it directly.

        Raises
        ------
        UnknownName
            If the log has no such player or pool, or the player is not in the pool at this cut.
        BadCut, BadValue, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> [(line.opponent, line.change, line.rating) for line in engine.history("rapid", "ann", "elo:k=24")]
        [('bo', 12.0, 1512.0)]
        >>> [round(line.columns["deviation"], 1) for line in engine.history("rapid", "ann", "glicko")]
        [290.2]
        """
        core = self.core

        def make(look: Look) -> tuple[PlayerHistory, int]:
            rated, unfitted = core.question(pool, method, through, known_at, look)
            view = readable_view(rated, unfitted)
            row = view.row(view.book.number("player", player_key(player)))
            played, watch = () if last is None else view.played_by(row), Watch(np.array([row]))
            since = int(played[-last]) if last is not None and len(played) >= last else None
            replay = core.replay(pool, rated, through, view.known_at, keep=True, since=since, watch=watch)
            return history(replay, row, partial(uids_at, core.log), last), view.known_at

        checked_top(last, "last")
        return core.recent.answer(("history", pool, player, method, through, known_at, last), make)

    def peaks(
        self,
        pool: str,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        players: Iterable[Key] = (),
    ) -> dict[str, Peak]:
        """Returns the highest rating that each player ever had, unrounded, and when they reached it.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            The pool's own for None.
        through, known_at
            Cuts, as for a rating list.
        players : iterable of str
            Only these players; all if empty.

        Returns
        -------
        dict of str to Peak
            Peaks by name of the player, without players who never had a rating.

        Raises
        ------
        CannotSay
            If the method rates the whole pool anew each time, so that it has no earlier ratings.
        UnknownName, BadCut, BadValue, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for day, score in ((2, 1.0), (9, 0.0)):
        ...     game = rc.GamePlayed(pool="rapid", played=f"2024-03-0{day}", a="ann", b="bo", score=score)
        ...     receipt = engine.record(game)
        >>> peak = engine.peaks("rapid", "elo:k=24")["ann"]
        >>> peak.rating, rc.events.iso(peak.at)
        (1512.0, '2024-03-02')
        """
        replay = self.core.replay(pool, method, through, known_at, keep=True)
        numbers = [self.core.player_id(player) for player in players]
        rows = np.unique([replay.view.row(number) for number in numbers]) if numbers else None
        return {replay.view.name(row): peak for row, peak in peaks(replay, rows).items()}

    def with_columns(
        self,
        rating_list: RatingList,
        show: str | Iterable[str] = (),
        *,
        worth: Worth | str | None = None,
        where: str | Iterable[str] = (),
        sort: str | None = None,
        ranks: Literal["all", "listed"] = "all",
    ) -> RatingList:
        """Returns a list of this log with further columns, with only some of its players, or in another order.

        The added columns are not part of the list proper, and are not published. `RatingList.part` describes the choice
        of players.

        Parameters
        ----------
        rating_list : RatingList
        show : str or iterable of str
            Columns to add, such as `"won,drawn,lost"`, or `"full"` for all of these that exist except superiority: won,
            drawn, lost, share (of the points), opposition (mean rating of the opponents at the time), performance (the
            rating at which the method expects that share against the opposition; empty if all was won or lost), change
            (rank_before, rank_change and rating_change since the newest published list of an earlier day), last (day of
            the last result), peak (and peak_at), deviation, superiority (the likelihood that the player is stronger
            than the next), and the facts born, federation, title, club, or any other fact of players.
        worth : Worth, str or None
            Points for a win, a draw and a loss, `Worth(3, 1, 0)` or `"3,1,0"`, to add the column `points` of a league
            table.
        where : str or iterable of str
            Conditions on columns and facts: `"sex=w"`, `["born>=2005", "federation=ISL"]`. Only players who meet all of
            them are listed.
        sort : str or None
            Column or fact by which the rows are sorted: numbers from the highest, texts by alphabet; a leading -
            reverses the order. None sorts by rank.
        ranks : {"all", "listed"}
            Whether to give ranks among all players of the given list, or among the listed ones.

        Returns
        -------
        RatingList

        Raises
        ------
        ForeignList
            If the list was made from another history.
        FormulaChanged, CannotRebuild
            If the method of the list differs from the installed one.
        CannotSay
            If the method cannot give a column: a method that rates the whole pool anew each time has no peaks.
        BadValue
            If there is no such column or fact, a text is not a condition, or `worth` is given for a pool with sessions
            of many sides.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for day, score in ((2, 1.0), (9, 0.0)):
        ...     game = rc.GamePlayed(pool="rapid", played=f"2024-03-0{day}", a="ann", b="bo", score=score)
        ...     receipt = engine.record(game)
        >>> ann = rc.PlayerDescribed(pool="rapid", player="ann", played="2024-01-01", data={"sex": "w"})
        >>> receipt = engine.record(ann)
        >>> listed = engine.rating_list("rapid", "elo:k=24")
        >>> for row in engine.with_columns(listed, "won,last,peak", worth="3,1,0"):
        ...     print(*row.values())
        1 bo 1500.8276 2 1 2024-03-09 1500.8276 2024-03-09 3.0
        2 ann 1499.1724 2 1 2024-03-09 1512.0 2024-03-02 3.0
        >>> women = engine.with_columns(listed, where="sex=w")
        >>> women.part, women.player
        ('1 of 2 players: sex=w, ranks among all', ('ann',))
        """
        made, core = rating_list.provenance, self.core
        head = head_of(core.log, made.known_at, made.digest)
        method = method_of(core.registry, "that gets further columns", made.method)
        view = core.view(made.pool, made.through, head)
        further = ListColumns(
            rating_list, method, view, lambda: replay_of(core, rating_list), lambda: self._since_published(rating_list)
        )
        listed = rating_list.with_cells(**further.added(show))
        if worth is not None:
            points = table_points(view, Worth.parse(worth) if isinstance(worth, str) else worth)
            listed = listed.with_cells(points=tuple(map(points.get, listed.player)))
        return with_conditions(
            evolve(further, listed=listed), [where] if isinstance(where, str) and where else where, sort, ranks
        )

    def _since_published(self, listed: RatingList) -> RatingList | None:
        """Adds changes since the newest published list of an earlier day by the same method; None without one."""
        core, made = self.core, listed.provenance
        for one in reversed(published_lists(core.log, core.pool_id(made.pool))):
            if one.at < made.at and one.position <= made.known_at:
                with suppress(OtherQuestion, CannotRebuild, FormulaChanged):
                    method, policy = method_of(core.registry, one.name, one.method), policy_of_list(one)
                    view = core.view(one.pool, one.through, one.head)
                    return listed.since(core.listed(core.standing(method, view), policy))
        return None

    def explain(
        self,
        pool: str,
        player: Key,
        method: str | Method | None = None,
        since: When | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        refits: int = MOST,
    ) -> Explanation:
        """Explains a player's rating: the opening rating, a line for everything that moved it, the closing rating.

        The opening rating and the lines add up to the closing rating, which is the unrounded rating of the list. A
        whole-pool method is refitted without and with each of the player's results, in order of play.

        Parameters
        ----------
        pool, player : str
        method : str, Method or None
            The pool's own for None.
        since : str, date, datetime, int or None
            First day whose results get lines; the opening rating is that on the list of the day before.
        through, known_at
            Cuts, as for a rating list.
        refits : int
            Largest number of refits of a whole-pool method; for more results, they are grouped by day, month or year.

        Returns
        -------
        Explanation

        Raises
        ------
        UnknownName
            If the log has no such player or pool; a player who is not in the pool at this cut has no lines.
        BadCut, BadValue, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> from ratingcore import GamePlayed, open
        >>> engine = open(":memory:")
        >>> game = GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> receipt = engine.record(game)
        >>> ann = engine.explain("rapid", "ann", "elo:k=24")
        >>> ann.opening, [line.contribution for line in ann.lines], ann.closing
        (1500.0, [12.0], 1512.0)
        """
        core = self.core
        rated, view = core.question(pool, method, through, known_at)
        return explain(rated, view, core.columns.checkpoints_of(view), core.log, player_key(player), since, refits)

    def impact(
        self,
        of: str | Iterable[Event] | Tried,
        pool: str | None = None,
        method: str | Method | None = None,
        through: When | None = None,
        *,
        what: str = "",
    ) -> Impact:
        """Returns the players whose ratings one event changes, or further events would change, and by how much.

        For an event in the log, current ratings are compared with those without it; a voided event moves nobody. For
        further events, ratings with them are compared with current ones, and nothing is written. If they declare a new
        method, ratings with them are by that method.

        Parameters
        ----------
        of : str, iterable of Event or FilePlan
            Uid of a result, a seed, a description or a correction in the log; or hypothetical events, or a
            plan made by `engine.plan`.
        pool : str or None
            Pool to compare; None for the only pool that the events concern.
        method : str, Method or None
            None for the method that the pool declares.
        through : str, date, datetime, int or None
            Last day of played time that counts, as for a list.
        what : str
            Name of the events for sentences; their uid if empty.

        Returns
        -------
        Impact

        Raises
        ------
        SeveralPools
            If several pools are concerned, as by a merge, and no pool is given.
        UnknownUid, BadCorrection, Conflict, UnknownName, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for uid, day in (("g-1", "2024-03-02"), ("g-2", "2024-03-09")):
        ...     game = rc.GamePlayed(uid=uid, pool="rapid", played=day, a="ann", b="bo", score=1.0)
        ...     receipt = engine.record(game)
        >>> impact = engine.impact("g-1", method="elo:k=24")
        >>> [(row["player"], round(row["change"], 1)) for row in impact]
        [('ann', 11.2), ('bo', -11.2)]
        >>> supposed = engine.impact(engine.plan.void("g-2"), method="elo:k=24")
        >>> [(row["player"], round(row["change"], 1)) for row in supposed]
        [('ann', -11.2), ('bo', 11.2)]
        """
        if isinstance(of, str):
            now = self._chosen(method, through, self.core)
            return self._impact(of, Effect(what or of, pool, now, played_through(through)))
        rows, before, after, effect_of = self._supposed(of)
        effect = effect_of(what, pool, method, through)
        return effect.between(rows, before, after) if rows else effect.none(after.log, "it is recorded already")

    def moves(
        self, plan: Iterable[Event] | Tried, methods: Mapping[str, str | Method] = MappingProxyType({})
    ) -> Iterator[Impact]:
        """Returns the impact of a plan on each pool that it concerns, as `impact` gives it for that pool.

        Parameters
        ----------
        plan : Plan, iterable of Event or FilePlan
        methods : mapping of str to str or Method
            Methods by pool, in place of the methods that pools declare; an empty name stands for all other pools.

        Returns
        -------
        iterator of Impact

        Raises
        ------
        UnknownUid, BadCorrection, Conflict, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for pool in ("rapid", "blitz"):
        ...     game = rc.GamePlayed(pool=pool, played="2024-03-02", a="ann", b=f"{pool} player", score=1.0)
        ...     receipt = engine.record(game)
        >>> moves = engine.moves(engine.plan.merge("rapid player", "blitz player"))
        >>> [(impact.pool, len(impact)) for impact in moves]
        [('blitz', 2)]
        """
        rows, before, after, effect = self._supposed(plan)
        effects = (
            effect("", pool, methods.get(pool, methods.get("")), None) for pool in concerned(rows, before, after)
        )
        return (effect.between(rows, before, after) for effect in effects)

    def _supposed(self, of: Iterable[Event] | Tried) -> tuple[list[Row], Knowledge, Knowledge, Callable[..., Effect]]:
        """Returns the rows that would be recorded, what is known without and with them, and a maker of `Effect`s."""
        trial = self.core.supposing(of)
        before, after = _reader(self.core, _upon(self.core, trial)), _reader(trial)
        rows = list(trial.log.rows(before.known_at))
        called = rows[0].uid if len(rows) == 1 else f"{len(rows)} events"

        def effect(what: str, pool: str | None, method: str | Method | None, through: When | None) -> Effect:
            now, then = (self._chosen(method, through, core) for core in (self.core, trial))
            return Effect(what or called, pool, now, played_through(through), then)

        return rows, before, after, effect

    def _chosen(self, method: str | Method | None, through: When | None, core: Core) -> Callable[[str], Method]:
        """Returns a function from a pool to its method: the given method, or the one that the pool declares."""
        named = None if method is None else core.method(method)

        def chosen(pool: str) -> Method:
            if named is not None:
                return named
            known = core.log.book.find("pool", pool) is not None
            return core.question(pool, None, through)[0] if known else core.method(UNDECLARED)

        return chosen

    def _impact(self, uid: str, effect: Effect) -> Impact:
        """Returns the effect of an event in the log."""
        log, row = self.core.log, row_of(self.core.log, uid)
        if row.kind in ("period", "list", "pool"):
            what = {"list": "a published list", "period": "a closed period", "pool": "a declaration"}[row.kind]
            return effect.none(log, f"{what} does not change a result")
        trial = self.core.supposing([(MergeUndone if row.kind == "merge" else ResultVoided)(of=uid)])
        now = _reader(self.core, _upon(self.core, trial))
        if row.position in now.corrections.void:
            return effect.none(log, "it counts as never recorded")
        return effect.between([row], _reader(trial), now)


def _upon(core: Core, trial: Core) -> int:
    """Returns the position of the log on which a what-if builds; others may have appended to that log since."""
    return trial.log.head.position - (supposed_in(trial.log) - supposed_in(core.log))


def _reader(core: Core, known_at: int | None = None) -> Knowledge:
    return Knowledge(core.log, core.columns, core.position(known_at))


def replay_of(core: Core, rating_list: RatingList) -> Replay:
    """Repeats the replay that made a list, and keeps the changes by every result.

    Raises
    ------
    ForeignList, FormulaChanged, CannotRebuild
    """
    made = rating_list.provenance
    head = head_of(core.log, made.known_at, made.digest)
    method = method_of(core.registry, f"of pool {made.pool}", made.method)
    return core.replay(made.pool, method, made.through, head, keep=True)

"""Forecasts of the results in a log, and predictions of future games."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from ratingcore.columns import View
from ratingcore.engine.core import Core, Part
from ratingcore.errors import BadValue, UnknownName
from ratingcore.events import Fact, Instant, When
from ratingcore.events.values import Key, player_key
from ratingcore.explain.forecasts import ForecastTable, forecasts, meetings
from ratingcore.lists.cuts import KnownAt
from ratingcore.log import SqliteLog
from ratingcore.log.lookup import decoder_of, uids_at
from ratingcore.methods import Method
from ratingcore.predict import Matchup, Predictions, matchup, predict
from ratingcore.predict.matchup import Meeting
from ratingcore.predict.predict import Stage, staged
from ratingcore.replay import Watch, replay_with_forecasts
from ratingcore.spelling import near_names


class Forecasts(Part):
    """Forecasts of methods, for past results and for future games."""

    def forecasts(
        self,
        pool: str,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        between: tuple[Key, Key] | None = None,
    ) -> ForecastTable:
        """Returns a row per game in order of play: unrounded ratings before it, its forecast, and the changes.

        Further listed columns follow the ratings: `deviation_a` and `deviation_b`, or `deviation` in rows of sessions.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            The pool's own for None.
        through, known_at
            Cuts, as for a rating list.
        between : two str, int or UUID, or None
            Keys of two players, to return only their games against each other, and their rows of sessions in which they
            were on different sides. None returns all results.

        Returns
        -------
        ForecastTable
            Iterates over rows as dictionaries; polars, pandas and Arrow accept it directly. With `between`, it also has
            the results of the two from the first player's side (`met`), and that player's wins, draws and losses
            (`record`).

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, BadCut, MethodError
        BadValue
            If `between` is not a pair of keys.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> for day, a, b in ((2, "ann", "bo"), (9, "bo", "cy"), (16, "bo", "ann")):
        ...     game = rc.GamePlayed(pool="rapid", played=f"2024-03-{day:02d}", a=a, b=b, score=1.0)
        ...     receipt = engine.record(game)
        >>> [(row["a"], round(row["expected"], 3)) for row in engine.forecasts("rapid", "elo")]
        [('ann', 0.5), ('bo', 0.486), ('bo', 0.486)]
        >>> met = engine.forecasts("rapid", "elo", between=("ann", "bo"))
        >>> [(row["played"], row["a"], round(row["expected"], 3)) for row in met]
        [('2024-03-02', 'ann', 0.5), ('2024-03-16', 'bo', 0.486)]
        >>> met.record
        Record(won=1, drawn=0, lost=1)
        """
        if between is not None and not (isinstance(between, tuple | list) and len(between) == 2):
            raise BadValue("between", between, "must be the keys of two players")
        rated, view = self.core.question(pool, method, through, known_at)
        uids = partial(uids_at, self.core.log)
        if between is None:
            return forecasts(replay_with_forecasts(rated, view, Watch()), uids)
        one, other = (view.row(view.book.number("player", player_key(key))) for key in between)
        first = next(iter(view.played_by(one, other).tolist()), view.last_played or 0)
        watch, checkpoints = Watch(np.unique([one, other]), together=True), self.core.columns.checkpoints_of(view)
        return meetings(replay_with_forecasts(rated, view, watch, since=(first, checkpoints)), uids, one, other)

    def predict(
        self,
        pool: str,
        method: str | Method | None,
        meetings: Iterable[Meeting],
        at: When | None = None,
        known_at: KnownAt = None,
        *,
        facts: Mapping[str, Fact] | Sequence[Mapping[str, Fact]] = (),
        results: Sequence[Sequence[float]] = (),
        newcomers: bool = False,
        after: bool = True,
    ) -> Predictions:
        """Returns a method's expectations for future games, and the ratings after each possible result.

        Every meeting is treated as if it were the only one. The ratings after a result are those of the list that would
        be made if the result were recorded. For a method that rates by period, this is the list at the end of the
        period, with all other known results of the period.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            The pool's own for None.
        meetings : iterable of tuples
            Sides that meet, two or more, each a player or several: `("ann", "bo")`, `(("ann", "cy"), ("bo", "di"))`.
        at : str, date, datetime, int or None
            Time of the meetings: earlier results count, and deviations grow until then. None means just after all known
            events: the time of the last event, or the start of the next period.
        known_at
            Cut in the log, as for a rating list.
        facts : mapping, or sequence of mappings
            Further facts of all meetings, or of each: `{"home": "a"}`.
        results : sequence of sequence of float
            Scores of the results to consider, one per side. By default win, draw and loss for two sides; every order of
            finish without ties for three or four sides; for more sides, each side first and the others as expected.
        newcomers : bool
            Whether to accept players unknown to the pool, as newcomers.
        after : bool
            Whether to compute the ratings after each result. Methods that rate by period, or a whole pool at once, make
            a list for each result.

        Returns
        -------
        Predictions
            A `Prediction` for each meeting, in order; polars, pandas and Arrow accept it as a table.

        Raises
        ------
        UnknownName
            If the log has no such pool; or if the pool has no such player by that time, and `newcomers` is false.
        CannotSay
            If a side has several players, and the method rates games of two players.
        BadCut, BadValue, BadField, PlayedThemselves, MethodNotFound, BadParameter, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> (game,) = engine.predict("rapid", "elo:k=24", [("ann", "bo")])
        >>> [round(share, 4) for share in game.expected]
        [0.5345, 0.4655]
        >>> [(one.result, round(one.players["ann"]["rating"], 4)) for one in game.after]
        [('win', 1523.1724), ('draw', 1511.1724), ('loss', 1499.1724)]
        """
        arguments = _arguments(self.core, pool, method, meetings, at, known_at, facts, results, newcomers)
        return predict(*arguments, after=after)


def staged_meetings(
    core: Core,
    pool: str,
    method: str | Method | None,
    meetings: Iterable[Meeting],
    known_at: KnownAt = None,
    *,
    facts: Mapping[str, Fact] | Sequence[Mapping[str, Fact]] = (),
    newcomers: bool = False,
) -> Stage:
    """Appends hypothetical meetings after all known events; parameters and errors are those of `Engine.predict`."""
    return staged(*_arguments(core, pool, method, meetings, None, known_at, facts, (), newcomers))


def _arguments(
    core: Core, pool: str, method: str | Method | None, meetings: Iterable[Meeting], at: When | None,
    known_at: KnownAt, facts: Mapping[str, Fact] | Sequence[Mapping[str, Fact]], results: Sequence[Sequence[float]],
    newcomers: bool,
) -> tuple[Core, View, Method, list[Matchup], Instant | None]:  # fmt: skip
    """Returns the core and the view of the pool at the cut, the method, the meetings, and their time."""
    if isinstance(meetings, str) or not isinstance(meetings, Iterable):
        raise BadValue("meetings", meetings, 'must be meetings such as [("ann", "bo")]')
    rated = core.question(pool, method, at, known_at)[0] if method is None else core.method(method)
    listed, known = list(meetings), _as_known(core, core.position(known_at))
    each = _facts_of(facts, len(listed))
    matchups = [matchup(one, fact, results) for one, fact in zip(listed, each, strict=True)]
    view = known.view(pool)
    when = None if at is None else view.instant(at)
    if not newcomers:
        _check_known(known, view if when is None else view.cut(when), matchups, by_then=when is not None)
    return known, view, rated, matchups, when


def _facts_of(facts: Mapping[str, Fact] | Sequence[Mapping[str, Fact]], n: int) -> list[Mapping[str, Fact]]:
    """Returns the further facts of each of `n` meetings."""
    if isinstance(facts, Mapping):
        return [facts] * n
    if isinstance(facts, str) or not all(isinstance(one, Mapping) for one in facts):
        raise BadValue("facts", facts, "must be a mapping, or a mapping for each meeting")
    if len(facts) not in (0, n):
        raise BadValue("facts", len(facts), f"must be one mapping, or one for each of the {n} meetings; given are")
    return list(facts) or [{}] * n


def _as_known(core: Core, position: int) -> Core:
    """Returns a core whose log has only the events up to a position."""
    if position == core.log.head.position:
        return core
    log, decoded = SqliteLog(":memory:"), decoder_of(core.log)
    log.append(decoded(row) for row in core.log.rows(0, position))
    return Core(log, core.registry)


def _check_known(core: Core, view: View, matchups: Sequence[Matchup], *, by_then: bool) -> None:
    """Refuses players who are not in the view of a pool; `by_then` is for a view that ends at the meetings."""
    there = set(view.timeline.players.id[: view.n_players].tolist())
    for player in dict.fromkeys(player for one in matchups for player in one.players):
        found = core.log.book.find("player", player)
        if found is None or view.timeline.corrections.root(found) not in there:
            where = "" if found is None else f" in pool {view.pool}{' by then' if by_then else ''}"
            raise UnknownName("player", f"{player}{where}", near_names(player, view.names()), newcomer=True)

"""Likelihood of superiority: the chance that each of some players is stronger than each other one."""

from collections.abc import Iterable

import numpy as np
from attrs import frozen

from ratingcore import Engine
from ratingcore.errors import UnknownName
from ratingcore.plugin import BadValue, Floats, Ints
from ratingcore.plugin.analysis import (
    Key,
    RatingList,
    Replay,
    SupportedOrder,
    covariance_of,
    listed_of,
    near_names,
    player_key,
    replay_of,
    same_value,
    stronger,
    supported_order,
)
from ratingcore.plugin.reports import AsTable, Table

MOST = 2000
"""Largest number of players in a matrix."""


@frozen(eq=False)
class Superiority(AsTable):
    """Likelihood that the player of a row is stronger than the one of a column, of some players of a list.

    As a table, it has a row for each player, with a column for each other player.

    Parameters
    ----------
    player : tuple of str
        In order of rank.
    chance : (n, n) float64 in [0, 1]
        NaN on the diagonal, for the unrated, and for players whom no results connect.
    """

    player: tuple[str, ...]
    chance: Floats

    def __eq__(self, other: object) -> bool:
        return same_value(self, other)

    def __hash__(self) -> int:
        return hash(self.player)

    def __len__(self) -> int:
        return len(self.player)

    def as_table(self) -> Table:
        """A row per player."""
        columns: dict[str, object] = {"player": self.player}
        columns |= {f"over {name}": self.chance[:, n] for n, name in enumerate(self.player)}
        return Table("superiority", "Likelihood that the player is stronger than each other", columns)


def matrix(replay: Replay, rows: Ints) -> Floats:
    """(n, n) likelihoods that the player of a row is stronger than the one of a column; NaN on the diagonal."""
    if len(rows) > MOST:
        raise BadValue("players", len(rows), f"must be at most {MOST}: take the top of the list")
    rating, _ = listed_of(replay.method, replay.state, replay.at, rows)
    covariance = covariance_of(replay.method, replay.state, replay.at, rows, replay.covariance)
    own = np.diag(covariance)
    chance = stronger(rating[:, None] - rating, own[:, None] + own - 2.0 * covariance, replay.degrees)
    np.fill_diagonal(chance, np.nan)
    return chance


def superiority(engine: Engine, rating_list: RatingList, players: Iterable[Key] = ()) -> Superiority:
    """Returns the likelihood that each of some players is stronger than each other one, given the results so far.

    True ratings are taken as normal around the listed ones, with the deviations of the list; whole-pool methods such as
    bradley-terry also have their covariances. `engine.with_columns(listed, "superiority")`
    has the likelihood of each player over the next one of the list.

    Parameters
    ----------
    engine : Engine
    rating_list : RatingList
        A list of this log, by a method with deviations.
    players : iterable of str
        Up to 2,000 players to compare, in this order; all of the list if empty.

    Returns
    -------
    Superiority

    Raises
    ------
    CannotSay
        If the method has no deviations.
    UnknownName
        If a player is not on the list.
    ForeignList, FormulaChanged, CannotRebuild, BadValue

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> found = superiority(engine, engine.rating_list("rapid", "glicko"))
    >>> found.player, found.chance.round(3).tolist()
    (('ann', 'bo'), [[nan, 0.785], [0.215, nan]])
    """
    keys, replay = tuple(map(player_key, players)) or rating_list.player, replay_of(engine.core, rating_list)
    ids = dict(zip(rating_list.player, rating_list.id.tolist(), strict=True))
    for key in keys:
        if key not in ids:
            raise UnknownName("player", f"{key} on this list", near_names(key, list(rating_list.player)))
    rows = np.array([replay.view.row_of(ids[key]) for key in keys], dtype=np.int64)
    return Superiority(keys, matrix(replay, rows))


def order(engine: Engine, rating_list: RatingList, level: float = 0.95) -> SupportedOrder:
    """Returns the part of a list's order that its results support: places, tiers, and what would change them.

    Parameters
    ----------
    engine : Engine
    rating_list : RatingList
        A list of this log, by a method with deviations.
    level : float in (0, 1)
        Chance that no pair of the list is put in a false order.

    Raises
    ------
    CannotSay
        If the method has no deviations, or those by clusters have too few clusters of results.
    ForeignList, FormulaChanged, CannotRebuild, BadValue

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> games = [("ann", "bo", 1.0)] * 9 + [("bo", "cy", 0.5)] * 4 + [("bo", "ann", 1.0), ("cy", "ann", 0.5)]
    >>> receipt = engine.record(*(rc.GamePlayed(pool="p", played="2024-03-02", a=a, b=b, score=s) for a, b, s in games))
    >>> found = order(engine, engine.rating_list("p", "bradley-terry"))
    >>> found.player, found.first.tolist(), found.last.tolist(), found.sentence[:32]
    (('ann', 'cy', 'bo'), [1, 1, 2], [2, 3, 3], 'cy cannot be told apart from ann')
    """
    return supported_order(replay_of(engine.core, rating_list), rating_list, level)

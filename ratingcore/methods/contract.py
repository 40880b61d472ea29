"""The method contract: a frozen value with one verb over columns of games."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from math import inf, nan
from typing import Any, ClassVar, Self

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints, Need
from ratingcore.errors import BadValue, BrokenContract
from ratingcore.events import Instant
from ratingcore.methods.periods import Period
from ratingcore.methods.state import Column, State, carried
from ratingcore.methods.strengths import Strengths

Bools = NDArray[np.bool_]


class Cadence(Enum):
    """When a method rates games: a promise that the kit tests."""

    CONTINUOUS = "continuous"
    """Game by game: any slicing gives the same bits, only the players of a game move, and only their rows are read."""
    PERIODIC = "periodic"
    """Once per closed period, empty ones included; the order of games inside does not matter."""
    RETROSPECTIVE = "retrospective"
    """All games so far, from the starting state, each time."""


Change = tuple[Floats, Floats] | Floats
"""Aligned with the players: (a, b) for games, one number per member for sides."""


@frozen(eq=False)
class Forecast:
    """A forecast of games whose scores are withheld.

    Parameters
    ----------
    expected : (n,) float64
        Expected share of `a`; for sides one number a side, in the unit of the score.
    draw : (n,) float64 or None
        Chance of a draw: it completes the forecast to win, draw and loss.
    strengths : Strengths or None
        Of methods that read sides: who is expected ahead of whom, one row a side. To get the chances of some
        sides, make a `Sides` result of them, call `expected`, read `strengths.ahead(i, j)` and `strengths.tie(i, j)`,
        `i` and `j` being places of sides in that result. Without it sessions cannot be forecast, only listed.
    """

    expected: Floats
    draw: Floats | None = None
    strengths: Strengths | None = None


@frozen(eq=False)
class Rated:
    """The answer of a call of `rate`, aligned with its games.

    Parameters
    ----------
    state : State
        After the games.
    expected : (n,) float64
        Expected share of `a` before each game; for sides one number a side.
    change : (a, b) of (n,) float64, or (k,) float64
        Change of the rating of the players by each game.
    draw : (n,) float64 or None
        Chance of a draw.
    before : mapping of label to change
        Changes just before a game and not due to it: a season carry-over.
    after : mapping of label to (players,) float64
        Changes at the end of the call and not due to a game: rounding, a bonus.
    notes : mapping of name to (n,) float64
        Values that explanations show unchanged: the k used, a boost.
    strengths : callable or None
        Returns the `Strengths` of the sides just before each result, the same as `expected` returns; None for a method
        that reads games, and for results that are all games, where `expected` is enough. It is called right after
        `rate`, and only if needed, so that rating alone does not pay for it.
    left_out : mapping of str to int
        Reasons why the formula has no number for results between players with such ratings, and their counts. They
        move nobody, and their forecast is NaN. Lists count them by reason.
    """

    state: State
    expected: Floats
    change: Change
    draw: Floats | None = None
    before: Mapping[str, Change] = field(factory=dict)
    after: Mapping[str, Floats] = field(factory=dict)
    notes: Mapping[str, Floats] = field(factory=dict)
    strengths: Callable[[], Strengths] | None = None
    left_out: Mapping[str, int] = field(factory=dict)


@frozen(eq=False)
class Track:
    """The past of players in hindsight: rows of (player, day, columns).

    Parameters
    ----------
    player : (n,) int
    day : (n,) int64, microseconds since 1970
    columns : mapping of name to (n,) float64
    """

    player: Ints
    day: Ints
    columns: Mapping[str, Floats]


@frozen(eq=False)
class Solved:
    """The answer of a whole-pool method: hindsight, never offered as forecasts.

    Parameters
    ----------
    state : State
        As seen after all games.
    fitted : (n,) float64
        Fitted share of `a` of every game; for sides one number a side.
    track : Track or None
        Ratings of players in the past.
    covariance : callable or None
        Covariance of two ratings, by the rows of their players: NaN for the unrated; computed on demand. It
        determines how likely one is to be stronger than the other, which deviations alone do not.
    degrees : float
        Degrees of freedom of Student's t by which the deviations are read; infinite for the normal curve.
    left_out : mapping of str to int
        As in `Rated`: results for which the formula has no number.
    stopped : str
        Where the fit stopped before it had converged, in a few words: "after 2000 sweeps, changes of 0.3 points". Lists
        report it. Empty if it converged.
    coefficients : tuple of Coefficient
        What else than ratings decided results, and by how much. Lists say so.
    """

    state: State
    fitted: Floats
    track: Track | None = None
    covariance: Callable[[int, int], float] | None = None
    degrees: float = inf
    left_out: Mapping[str, int] = field(factory=dict)
    stopped: str = ""
    coefficients: "tuple[Coefficient, ...]" = ()


@frozen
class Coefficient:
    """How many rating points a difference in a field of results was worth, as all results tell it.

    Parameters
    ----------
    name : str
        The field.
    value : float, rating points
        For the side that has more of it by `per`.
    low, high : float, rating points
        Bounds of the 95 % interval; NaN if the results tell nothing of it.
    per : float
        The difference that it is for, in the unit of the field.

    Examples
    --------
    >>> str(Coefficient("style_length", 12.31, 8.2, 16.4, 287.41))
    'style_length is worth 12.3 points (8.2 to 16.4) for 287.4 more'
    """

    name: str
    value: float
    low: float
    high: float
    per: float

    def __str__(self) -> str:
        between = f" ({self.low:.1f} to {self.high:.1f})" if self.low == self.low else ""
        more = "" if self.per == 1.0 else f" for {self.per:.4g} more"
        return f"{self.name} is worth {self.value:.1f} points{between}{more}"

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> "Coefficient":
        """The coefficient that `as_row` wrote."""
        given: dict[str, Any] = {name: nan if value is None else value for name, value in row.items()}
        return cls(**given)

    @property
    def as_row(self) -> dict[str, Any]:
        """The facts by name; None for a bound that nobody knows."""
        low, high = (None if bound != bound else bound for bound in (self.low, self.high))
        return {"name": self.name, "value": self.value, "low": low, "high": high, "per": self.per}


@frozen
class Estimate:
    """A parameter estimated from results.

    Parameters
    ----------
    parameter : str
    value : float
        Value with which the results were predicted best.
    error : float, unit of the parameter
        Standard error; NaN if the results do not determine it.
    low, high : float
        Bounds of the 95 % interval; NaN like `error`.
    """

    parameter: str
    value: float
    error: float
    low: float
    high: float


@frozen(eq=False)
class Fitted:
    """A method with parameters estimated from results.

    Parameters
    ----------
    method : Method
        With the estimates as parameters.
    estimates : tuple of Estimate
        In the order in which they were asked for.
    likelihood : float
        Logarithm of the density of all results, each predicted before it is used.
    before : float
        The same of the method that was given.
    results : int
        Number of predicted results.
    stopped : str
        Where the search stopped before it had converged, in a few words; empty where it converged.
    """

    method: "Method"
    estimates: tuple[Estimate, ...]
    likelihood: float
    before: float
    results: int
    stopped: str = ""


class Method(ABC):
    """A way to rate: a frozen attrs class whose fields are the parameters.

    It is independent of logs, clocks, databases and other methods. A subclass defines `name`, `cadence`,
    its `columns` and how it rates; the core keeps periods, corrections, seeds, history, forecasts
    and explanations.
    """

    name: ClassVar[str]
    formula: ClassVar[int] = 1
    """Rises by one when the same log would give other numbers."""
    superseded: ClassVar[bool] = False
    """Whether a newer formula has the name. Texts then name this one with its number, `glicko@1`, and lists that were
    published with it are made again by it."""
    reads: ClassVar[type] = Games
    """`Games` or `Sides`."""
    facts_read: ClassVar[tuple[str, ...]] = ()
    """Facts of players that the method needs with some of its parameters, such as `born`: an erasure leaves them."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Named sets of parameters, chosen by `preset=` in a method text."""

    @property
    @abstractmethod
    def cadence(self) -> Cadence:
        """When the method rates games."""

    @property
    def excuses(self) -> Mapping[str, str]:
        """Laws of the kit that this value cannot keep, each with its reason."""
        return {}

    @property
    def needs(self) -> tuple[Need, ...]:
        """Further fields the method reads."""
        return ()

    @property
    def period(self) -> Period | None:
        """How a periodic method cuts time."""
        return None

    def refuses(self, games: Any) -> Mapping[str, Bools]:
        """Returns the results for which the formula has no number, by reason; empty by default.

        The core leaves them out, like results whose needed fields are absent, and lists report it. Only what a
        result itself holds may decide, never ratings or other results.

        Parameters
        ----------
        games : Games or Sides
            Results with the fields that the method needs.

        Returns
        -------
        mapping of str to (n,) bool
            The reason in a few words, as in "left out: 1 result (a team)".
        """
        return {}

    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """Columns of the state; one is `rating`."""

    @abstractmethod
    def rate(self, state: State, games: Any) -> Rated | Solved:
        """Rate the games; `Solved` from a retrospective method."""

    @abstractmethod
    def expected(self, state: State, games: Any) -> Forecast:
        """Forecasts of a state for games whose scores are withheld."""

    def show(self, state: State, at: Instant) -> Mapping[str, Floats]:
        """Columns listed on a day: by default the columns with digits, unchanged.

        The listed values of a player depend on their own row, and on columns of the pool if there are any: lines of a
        history are shown from the rows of their players alone. So permuted or fewer rows show the same, permuted or
        fewer, which the law `rows` checks. Only whole-pool methods may look at all rows.
        """
        listed = [c.name for c in self.columns() if c.digits is not None and c.per == "player"]
        if not set(listed) <= set(state.names):
            raise BrokenContract(self.name, "its columns are others at every call")
        return {name: state[name] for name in listed}

    def taking_over(self, old: "Method", state: State) -> State:
        """The state in which this rule begins, from that of the rule that holds before it in a pool.

        Columns of equal name, unit, shape, words and kind are carried over; players without a rating, and all other
        columns, begin at their start. So a unit says its scale: `months since 1970`. Columns without a unit are carried
        over between rules of one method only. A method that can begin with more overrides this.

        Parameters
        ----------
        old : Method
        state : State
            Of the old rule, with a row for everybody who has appeared.

        Raises
        ------
        BadValue
            If the ratings of the two differ in unit.

        Examples
        --------
        Elo begins with the ratings of Glicko, in points; deviations are dropped.
        """
        of_old, of_new = ({c.name: c for c in one.columns()}["rating"] for one in (old, self))
        same = old.name == self.name
        if of_old.meaning != of_new.meaning or not (same or of_new.unit):
            scales = [f"in {one.unit}" if one.unit else "on a scale of their own" for one in (of_old, of_new)]
            why = f"cannot begin with the ratings of {old.name}: those are {scales[0]}, its own {scales[1]}"
            raise BadValue("method", self.name, why)
        return carried(old.columns(), self.columns(), state, same=same)

    def fit(self, replay: Callable[["Method"], object], what: Sequence[str] = ()) -> Fitted | None:
        """Estimates parameters from results: only for methods whose formula gives the likelihood of a result.

        By default a method cannot: its parameters are searched for by the quality of its forecasts.

        Parameters
        ----------
        replay : callable
            Rates all results of a pool by the method it is given, through its `rate`, from the beginning on. That
            method may be one that holds this one, with other parameters, and watches what it rates.
        what : sequence of str
            Parameters to estimate; a choice of the method if empty.

        Raises
        ------
        BadParameter
            If a parameter cannot be estimated.
        """
        return None

    @classmethod
    def sweep(
        cls, settings: Sequence[Self], games: Any, given: Floats, cuts: Ints, *, single: bool = False
    ) -> Floats | None:
        """Log losses of many settings in one pass over the games: only for methods that have a fast way.

        By default a method has none, and each setting is replayed. Only speed depends on it:
        the kit compares it with replays.

        Parameters
        ----------
        settings : sequence of methods of this class
        games : Games or Sides
            In the form that the method reads, from the first one on, with all fields that any setting needs. Nobody
            sweeps a pool that has sessions.
        given : (players,) float64
            First ratings given from outside, before the first game; NaN where there is none.
        cuts : (m + 1,) int64
            Indices of games, the first 0 and the last their number, never decreasing.
        single : bool
            Single precision is enough: right to 1e-6 and not to 1e-9.

        Returns
        -------
        (settings, m) float64 in nats, or None
            Sum of the log losses of the forecasts between each two cuts; NaN in the rows of settings that cannot be
            part of a pass, None if none can.
        """
        return None


def opposed(change: Floats) -> tuple[Floats, Floats]:
    """The change of both sides when one wins what the other loses."""
    return change, np.negative(change)

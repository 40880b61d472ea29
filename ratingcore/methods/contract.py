"""Contract of rating methods: the base class `Method`, and the values that its calls return."""

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
    """Times at which a method rates games: a promise that the test kit checks."""

    CONTINUOUS = "continuous"
    """Game by game: any split into calls gives the same bits; a game reads and moves only the rows of its players."""
    PERIODIC = "periodic"
    """Once per closed period, empty ones included; the order of games in a period does not matter."""
    RETROSPECTIVE = "retrospective"
    """All games so far at once, each time from the initial state."""


Change = tuple[Floats, Floats] | Floats
"""Changes of ratings by results: a pair of arrays (a, b) for games, or one number per member for sides."""


@frozen(eq=False)
class Forecast:
    """Forecast of games whose scores are withheld.

    Parameters
    ----------
    expected : (n,) float64
        Expected share of `a`; for sides one number per side, in the unit of the score.
    draw : (n,) float64 or None
        Chance of a draw, from which the chances of win and loss follow.
    strengths : Strengths or None
        For methods that read sides: expected performances, one row per side. To get the chances of some sides, make a
        `Sides` result of them, call `expected`, and read `strengths.ahead(i, j)` and `strengths.tie(i, j)`, where `i`
        and `j` are indices of sides in that result. Without strengths, sessions cannot be forecast.
    """

    expected: Floats
    draw: Floats | None = None
    strengths: Strengths | None = None


@frozen(eq=False)
class Rated:
    """Return value of `rate`, with one row for each of its games.

    Parameters
    ----------
    state : State
        State after the games.
    expected : (n,) float64
        Expected share of `a` before each game; for sides one number per side.
    change : (a, b) of (n,) float64, or (k,) float64
        Change of each player's rating by each game.
    draw : (n,) float64 or None
        Chance of a draw.
    before : mapping of label to change
        Changes just before a game for another reason than the game, such as a new season.
    after : mapping of label to (players,) float64
        Changes at the end of the call for another reason than a game, such as rounding or a bonus.
    notes : mapping of name to (n,) float64
        Further values for explanations, which show them unchanged, such as K.
    strengths : callable or None
        Returns the `Strengths` of the sides just before each result, the same as `expected` returns; None for a method
        that reads games, and for results that are all games, where `expected` is enough. It is called right after
        `rate`, and only if needed, so that rating alone does not pay for it.
    left_out : mapping of str to int
        Number of results, by reason, for which the formula has no number because of the players' ratings. They change
        no rating, and their forecast is NaN. Lists count them by reason.
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
    """Past ratings of players as seen from now: rows of (player, day, columns).

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
    """Return value of `rate` of a whole-pool method; its shares are fitted to all results, so they are no forecasts.

    Parameters
    ----------
    state : State
        State after all games.
    fitted : (n,) float64
        Fitted share of `a` in every game; for sides one number per side.
    track : Track or None
        Past ratings of players.
    covariance : callable or None
        Returns the covariance of the ratings of two players, given by row; NaN for the unrated. The chance that one
        player is stronger than another depends on it, not only on the deviations.
    degrees : float
        Degrees of freedom if the deviations belong to Student's t; infinite for the normal curve.
    left_out : mapping of str to int
        Number of results, by reason, for which the formula has no number; as in `Rated`.
    stopped : str
        Where the fit stopped if it did not converge: "after 2000 sweeps, changes of 0.3 points". Lists report it.
        Empty if it converged.
    coefficients : tuple of Coefficient
        Fitted effects on results other than ratings. Lists report them.
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
    """Number of rating points that a difference in a field of results is worth, estimated from all results.

    Parameters
    ----------
    name : str
        Name of the field.
    value : float, rating points
        Advantage of the side whose field is larger by `per`.
    low, high : float, rating points
        Bounds of the 95 % interval; NaN if the results do not determine it.
    per : float
        Difference to which `value` applies, in the unit of the field.

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
        """Returns the coefficient that `as_row` wrote."""
        given: dict[str, Any] = {name: nan if value is None else value for name, value in row.items()}
        return cls(**given)

    @property
    def as_row(self) -> dict[str, Any]:
        """The attributes by name; None for a bound that is NaN."""
        low, high = (None if bound != bound else bound for bound in (self.low, self.high))
        return {"name": self.name, "value": self.value, "low": low, "high": high, "per": self.per}


@frozen
class Estimate:
    """A parameter estimated from results.

    Parameters
    ----------
    parameter : str
    value : float
        Value that predicts the results best.
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
        The method with the estimates as parameters.
    estimates : tuple of Estimate
        Estimates in the order in which they were requested.
    likelihood : float
        Log-likelihood of all results, each predicted before it is used.
    before : float
        Log-likelihood under the method that was given.
    results : int
        Number of predicted results.
    stopped : str
        Where the search stopped if it did not converge, in a few words; empty if it converged.
    """

    method: "Method"
    estimates: tuple[Estimate, ...]
    likelihood: float
    before: float
    results: int
    stopped: str = ""


class Method(ABC):
    """Base of rating methods: a method is a frozen attrs class whose fields are the parameters.

    A subclass defines `name`, `cadence`, `columns`, `rate` and `expected`. It needs no log, clock or database: the core
    does periods, corrections, seeds, histories and explanations.
    """

    name: ClassVar[str]
    formula: ClassVar[int] = 1
    """Number of the formula; raise it by one when a change gives other ratings for the same log."""
    superseded: ClassVar[bool] = False
    """Whether a newer formula has the same name. Texts then name this one with its number, `glicko@1`, and lists that
    were published with it are still rebuilt by it."""
    reads: ClassVar[type] = Games
    """`Games` or `Sides`."""
    facts_read: ClassVar[tuple[str, ...]] = ()
    """Facts of players, such as `born`, that the method reads with some of its parameters; an erasure keeps them."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Named sets of parameters, chosen by `preset=` in a method text."""

    @property
    @abstractmethod
    def cadence(self) -> Cadence:
        """When the method rates games."""

    @property
    def excuses(self) -> Mapping[str, str]:
        """Laws of the test kit that the method breaks with these parameters, each with the reason."""
        return {}

    @property
    def needs(self) -> tuple[Need, ...]:
        """Further fields that the method reads."""
        return ()

    @property
    def period(self) -> Period | None:
        """The periods of a periodic method; None for other methods."""
        return None

    def refuses(self, games: Any) -> Mapping[str, Bools]:
        """Returns masks of the results for which the formula has no number, by reason; empty by default.

        The core leaves these results out, like results that lack a needed field, and lists report it. The decision may
        depend only on the result itself, never on ratings or other results.

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
        """Rates the games; a retrospective method returns `Solved`, any other `Rated`."""

    @abstractmethod
    def expected(self, state: State, games: Any) -> Forecast:
        """Returns the forecast of games, whose scores are withheld, from a state."""

    def show(self, state: State, at: Instant) -> Mapping[str, Floats]:
        """Returns the columns of a list on a day: by default the columns with digits, unchanged.

        The listed values of a player may depend only on the player's own row, and on columns of the pool if there are
        any, because histories show the rows of some players alone. The law `rows` checks this with permuted and with
        fewer rows. Only whole-pool methods may look at all rows.
        """
        listed = [c.name for c in self.columns() if c.digits is not None and c.per == "player"]
        if not set(listed) <= set(state.names):
            raise BrokenContract(self.name, "its columns change from call to call")
        return {name: state[name] for name in listed}

    def taking_over(self, old: "Method", state: State) -> State:
        """Returns the state in which this rule begins, made from the final state of the pool's rule before it.

        Columns with equal name, unit, shape, labels and kind of row are carried over; all other columns, and players
        without a rating, begin at their initial values. So a unit must name its scale, as `months since 1970` does.
        Columns without a unit are carried over only between rules of one method. A method that can use more of the old
        state overrides this.

        Parameters
        ----------
        old : Method
        state : State
            State of the old rule, with a row for everybody who has appeared.

        Raises
        ------
        BadValue
            If the ratings of the two methods differ in unit.

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
        """Estimates parameters from results, for methods whose formula gives the likelihood of a result.

        Returns None by default: parameters are then chosen by the quality of forecasts.

        Parameters
        ----------
        replay : callable
            Rates all results of a pool, from the first one on, by the `rate` of the method that it is given. That
            method may wrap this one, with other parameters, to observe the results.
        what : sequence of str
            Parameters to estimate; the method chooses if empty.

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
        """Returns log losses of many settings in one pass over the games, for methods that can do this quickly.

        Returns None by default: each setting is then replayed. The numbers must be those of replays, which the test
        kit checks.

        Parameters
        ----------
        settings : sequence of methods of this class
        games : Games or Sides
            All games of a pool without sessions, in the form that the method reads, with all fields that any setting
            needs.
        given : (players,) float64
            First ratings from seeds before the first game; NaN where there is none.
        cuts : (m + 1,) int64
            Indices of games that never decrease: the first is 0, the last the number of games.
        single : bool
            Whether single precision is enough: errors up to 1e-6 instead of 1e-9.

        Returns
        -------
        (settings, m) float64 in nats, or None
            Sum of the log losses of the forecasts between each two cuts; NaN in the rows of settings that need a
            replay, None if all of them do.
        """
        return None


def opposed(change: Floats) -> tuple[Floats, Floats]:
    """Returns the changes of both sides when one side wins what the other loses."""
    return change, np.negative(change)

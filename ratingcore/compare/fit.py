"""Estimates parameters from the results of a pool, for methods whose formula gives the likelihood of a result."""

from collections.abc import Sequence

from attrs import field, frozen

from ratingcore.columns import Sides, View
from ratingcore.errors import BrokenContract, CannotFit, NothingForecast
from ratingcore.log import Head
from ratingcore.methods import Method
from ratingcore.methods.contract import Fitted
from ratingcore.methods.rule_histories import last_step
from ratingcore.methods.text import called, varied
from ratingcore.registry import Registry
from ratingcore.replay import fold


@frozen(eq=False)
class Fit:
    """Estimates of parameters, with the data and the method behind them.

    Parameters
    ----------
    pool : str
    head : str
        Head of the log that was read.
    given : str
        Text of the method before the fit.
    method : str
        Text of the method with the estimates, as questions and declarations take it.
    fitted : Fitted
    """

    pool: str
    head: str
    given: str
    method: str
    fitted: Fitted = field(repr=False)

    def __str__(self) -> str:
        made = self.fitted
        return (
            f"{made.results:,} result{'s' * (made.results != 1)} of pool {self.pool}, log-likelihood "
            f"{made.likelihood:.4f}, as given {made.before:.4f}\nmethod {self.method}"
            + (f"\nthe search stopped {made.stopped}" if made.stopped else "")
        )


def fit(registry: Registry, view: View, method: str | None = None, what: Sequence[str] = ()) -> Fit:
    """Estimates parameters of a method from the results of a view; see `Engine.fit`.

    Parameters
    ----------
    registry : Registry
        Registry that looks up method texts.
    view : View
    method : str or None
        If None, the installed method that can be fitted and reads the pool's kind of results, if it is the only one.
    what : sequence of str

    Raises
    ------
    CannotFit, BadParameter, NothingForecast, MethodNotFound, MethodError
    """
    able = fittable(registry)
    fitting = [name for name in able if (registry.methods[name].reads is Sides) == (view.n_sessions > 0)]
    given = method if method is not None else fitting[0] if len(fitting) == 1 else None
    if given is None:
        raise CannotFit("", able)
    made = registry.method(given)
    if not view.n_games + view.n_sessions:
        raise NothingForecast(view.pool, "no result was played by then")
    fitted = made.fit(lambda tried: fold(tried, view), what) if called(last_step(made)) in able else None
    if fitted is None:
        raise CannotFit(made.name, able)
    if not isinstance(fitted, Fitted):
        raise BrokenContract(made.name, f"fit must return Fitted, not {type(fitted).__name__}")
    text = varied(given, {estimate.parameter: f"{estimate.value!r}" for estimate in fitted.estimates})
    return Fit(view.pool, str(Head(view.known_at, view.digest)), given, text, fitted)


def fittable(registry: Registry) -> tuple[str, ...]:
    """Names of the methods whose parameters can be estimated, in alphabetical order."""
    return tuple(
        sorted(name for name, kind in registry.methods.items() if kind.fit is not Method.fit and not kind.superseded)
    )

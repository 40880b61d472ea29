"""Base of methods that wrap another method and behave like it, and errors that name the plugin at fault."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve

from ratingcore.columns.games import Floats, Need
from ratingcore.errors import PluginFails, RatingCoreError, in_words
from ratingcore.errors.plugin import from_outside
from ratingcore.events import Instant
from ratingcore.methods.contract import Bools, Cadence, Fitted, Forecast, Method, Rated, Solved
from ratingcore.methods.periods import Period
from ratingcore.methods.state import Column, State


class Wrapped(Method):
    """Base of methods that behave like the method they wrap, except for what a subclass changes."""

    method: Method

    @property
    def name(self) -> str:  # type: ignore[override]  # a class variable of methods, here taken from the wrapped one
        return self.method.name

    @property
    def formula(self) -> int:  # type: ignore[override]  # as above
        return self.method.formula

    @property
    def superseded(self) -> bool:  # type: ignore[override]  # as above
        return self.method.superseded

    @property
    def reads(self) -> type:  # type: ignore[override]  # as above
        return self.method.reads

    @property
    def cadence(self) -> Cadence:
        return self.method.cadence

    @property
    def needs(self) -> tuple[Need, ...]:
        return self.method.needs

    @property
    def facts_read(self) -> tuple[str, ...]:  # type: ignore[override]  # as above
        return self.method.facts_read

    @property
    def excuses(self) -> Mapping[str, str]:
        return self.method.excuses

    @property
    def period(self) -> Period | None:
        return self.method.period

    def refuses(self, games: Any) -> Mapping[str, Bools]:
        return self.method.refuses(games)

    def columns(self) -> tuple[Column, ...]:
        return self.method.columns()

    def rate(self, state: State, games: Any) -> Rated | Solved:
        return self.method.rate(state, games)

    def expected(self, state: State, games: Any) -> Forecast:
        return self.method.expected(state, games)

    def show(self, state: State, at: Instant) -> Mapping[str, Floats]:
        return self.method.show(state, at)

    def taking_over(self, old: Method, state: State) -> State:
        return self.method.taking_over(old, state)

    def fit(self, replay: Callable[[Method], object], what: Sequence[str] = ()) -> Fitted | None:
        def held(method: Method) -> Method:
            return evolve(self, method=method)  # type: ignore[misc]  # subclasses are attrs classes with this field

        fitted = self.method.fit(lambda method: replay(held(method)), what)
        return None if fitted is None else evolve(fitted, method=held(fitted.method))


def innermost(method: Method) -> Method:
    """Returns the method that computes: the innermost of methods that wrap one another."""
    while isinstance(method, Wrapped):
        method = method.method
    return method


class failing:  # noqa: N801  # it is used as a statement, once for every row of a file
    """Context manager that turns an error that no plugin should raise, even `sys.exit`, into `PluginFails`.

    Errors of ratingcore, of files and of memory, and a user's Ctrl-C pass unchanged.

    Parameters
    ----------
    plugin : Method or str
        The method that is called, or another name of the plugin for the error.
    """

    def __init__(self, plugin: Method | str) -> None:
        self._plugin = plugin

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> None:
        if error is None or isinstance(error, RatingCoreError | OSError | MemoryError) or from_outside(error):
            return
        plugin = self._plugin
        raise PluginFails(plugin if isinstance(plugin, str) else _named(plugin), in_words(error)) from error


def _named(method: Method) -> str:
    inner = innermost(method)
    return f"of {inner.name} (module {type(inner).__module__})"

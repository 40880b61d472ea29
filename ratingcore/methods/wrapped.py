"""A method that holds another one and answers for it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve

from ratingcore.columns.arrays import Floats
from ratingcore.columns.games import Need
from ratingcore.events import Instant
from ratingcore.methods.contract import Bools, Cadence, Fitted, Forecast, Method, Rated, Solved
from ratingcore.methods.periods import Period
from ratingcore.methods.state import Column, State


class Wrapped(Method):
    """Base of methods that answer as the method they hold, except for what a subclass changes."""

    method: Method

    @property
    def name(self) -> str:  # type: ignore[override]  # a class variable of a method, here of the one it holds
        return self.method.name

    @property
    def formula(self) -> int:  # type: ignore[override]  # as above
        return self.method.formula

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

    def fit(self, replay: Callable[[Method], object], what: Sequence[str] = ()) -> Fitted | None:
        def held(method: Method) -> Method:
            return evolve(self, method=method)  # type: ignore[misc]  # subclasses are attrs classes with this field

        fitted = self.method.fit(lambda method: replay(held(method)), what)
        return None if fitted is None else evolve(fitted, method=held(fitted.method))

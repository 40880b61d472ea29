"""Tunes a method on a log: settings become method texts, which are searched for the one that forecasts best."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import View
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.pairs import Paired, paired, paired_sessions
from ratingcore.compare.played_games import Played
from ratingcore.compare.played_sessions import PlayedSessions
from ratingcore.compare.ranges import Axis, axes, spelt
from ratingcore.compare.search import EVALUATIONS, WAYS, How, Setting, Trial, search
from ratingcore.compare.sweep import SESSION, Sweep, better, of_kind, session_loss
from ratingcore.compare.tuning import Tuned, kind_of
from ratingcore.compare.tuning import split as spans_of
from ratingcore.compare.workers import shared
from ratingcore.errors import BadGrid, BadParameter, NothingForecast
from ratingcore.events import When
from ratingcore.log import Head
from ratingcore.log.address import Address
from ratingcore.methods.periods import Period
from ratingcore.methods.text import split
from ratingcore.registry import Registry
from ratingcore.replay.readable_view import fitting

Days = tuple[When | None, When | None]
"""The first and the last day of a span, both included; None is as far as there are games."""


def tune(
    registry: Registry,
    view: View,
    method: str,
    grid: Mapping[str, Any],
    how: str = "grid",
    objective: str = "log_loss",
    *,
    train: Days | None = None,
    test: Days | None = None,
    n: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    refit: Period | None = None,
    address: Address | None = None,
) -> Tuned:
    """Find the parameters with which a method forecasts best; `Engine.tune` says more.

    Parameters
    ----------
    registry : Registry
        Where method texts are looked up.
    view : View
        The pool, uncut in played time.
    method : str
        The text of the baseline.
    address : Address or None
        What opens the log, for workers; None if nothing does.

    Raises
    ------
    BadGrid, BadSpans, UnknownScore, NothingForecast, BadParameter, MethodNotFound, MethodError
    """
    way, tried = _way(how, n, objective), axes(grid)
    registry.method(method)
    objective = of_kind(objective, view)
    _see_possible(registry, method, tried)
    spans = spans_of(view, train, test)
    through = max(span.end for span in spans) - 1
    head = Head(view.known_at, view.digest)
    asked = Sweep(
        (), spans, objective, through, refit,
        address=address, pool=view.pool, position=head.position, digest=head.digest,
    )  # fmt: skip
    run = _Run(registry, view, method, tried, asked)
    trials = search(partial(run.trials, jobs=jobs), tried, way, objective, n or EVALUATIONS, seed)
    if not any(trial.train_games for trial in trials):
        raise NothingForecast(view.pool, f"no {kind_of(objective)} of the span of training has a forecast")
    tuned = Tuned(view.pool, method, str(head), way, objective, tried, spans, run.baseline(), tuple(trials))
    cut = view.cut(through)
    return evolve(
        tuned,
        limits=tuple(_limits(registry, method, tried, tuned.best.setting)),
        left_out=tuple(fitting(registry.method(method), cut).odd.told(cut.through)),
        tested=run.tested(tuned.best.method),
    )


def _way(how: str, n: int | None, objective: str) -> How:
    """How settings are tried, if it and all that goes with it is possible."""
    better(objective)
    if n is not None and n < 1:
        raise BadGrid("", f"no setting would be tried: n is {n}")
    for way in WAYS:
        if way == how:
            return way
    raise BadGrid("", f"there is no way to try it named {how!r}", f"there are {', '.join(WAYS)}")


@frozen
class _Run:
    """One tuning: what settings are texts of, and what scores them."""

    registry: Registry
    view: View
    base: str
    tried: tuple[Axis, ...]
    asked: Sweep

    def trials(self, settings: Sequence[Setting], jobs: int | None) -> list[Trial]:
        """Settings with their scores."""
        return self._scored(settings, [_text(self.base, self.tried, setting) for setting in settings], jobs)

    def baseline(self) -> Trial:
        """The method as it was asked about."""
        (trial,) = self._scored([()], [self.base], None)
        return trial

    def _scored(self, settings: Sequence[Setting], texts: Sequence[str], jobs: int | None) -> list[Trial]:
        methods = [self.registry.method(text) for text in texts]  # so all are possible before one is rated
        scored = shared(evolve(self.asked, methods=tuple(texts)), methods, self.view, jobs)
        cells = (settings, texts, *scored.score.T.tolist(), *scored.games.T.astype(int).tolist())
        return [Trial(*row) for row in zip(*cells, strict=True)]

    def tested(self, best: str) -> Paired | None:
        """The best setting beside the baseline, on the games of testing; None where they are the same method."""
        one, other = self.registry.method(best), self.registry.method(self.base)
        if one == other:
            return None
        cut = self.view.cut(self.asked.through)
        if self.asked.objective.startswith(SESSION):
            return self._tested_on_sessions(best, cut)
        played, (start, end) = Played.of(cut), self.asked.spans[1]
        inside = (played.played >= start) & (played.played < end)
        new, was = (forecast(each, cut, self.asked.refit, text) for each, text in ((one, best), (other, self.base)))
        return paired(new, was, played, inside)

    def _tested_on_sessions(self, best: str, cut: View) -> Paired:
        """The same on the sessions of testing that both forecast."""
        played, (start, end) = PlayedSessions.of(cut), self.asked.spans[1]
        refit = self.asked.refit
        new, was = (session_loss(self.registry.method(text), cut, "log_loss", refit) for text in (best, self.base))
        some = (played.played >= start) & (played.played < end) & ~np.isnan(new) & ~np.isnan(was)
        month = played.month[some]
        return paired_sessions(best, self.base, (was - new)[some], month - month.min(initial=month.max(initial=0)))


def _text(base: str, tried: Sequence[Axis], setting: Setting) -> str:
    """The text of a setting: the method's own, with other values of what is tried."""
    name, given = split(base)
    given |= {axis.parameter: value for axis, value in zip(tried, setting, strict=True)}
    return f"{name}:{','.join(f'{parameter}={value}' for parameter, value in given.items())}"


def _see_possible(registry: Registry, base: str, tried: Sequence[Axis]) -> None:
    """See that each parameter is one of the method, and that its values, or both ends of its range, are possible."""
    names = [axis.parameter for axis in tried]
    if len(set(names)) < len(names):
        raise BadGrid(next(name for name in names if names.count(name) > 1), "is given twice")
    for axis in tried:
        for value in axis.values if axis.ends is None else map(spelt, axis.ends):
            try:
                registry.method(_text(base, [axis], (value,)))
            except BadParameter as problem:
                if problem.parameter == axis.parameter or len(tried) == 1:
                    raise  # else it may go together with another parameter that is tried


def _limits(registry: Registry, base: str, tried: Sequence[Axis], setting: Setting) -> Iterator[str]:
    """Parameters whose value lies on an edge beyond which the method allows none."""
    for number, axis in enumerate(tried):
        if axis.ends is None:
            continue
        low, high = axis.ends
        step = 0.01 * (high - low)
        for end, further in ((low, low - step), (high, high + step)):
            if abs(float(setting[number]) - end) <= axis.near:
                beyond = (*setting[:number], spelt(further), *setting[number + 1 :])
                try:
                    registry.method(_text(base, tried, beyond))
                except BadParameter:
                    yield axis.parameter

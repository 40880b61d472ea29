"""Tunes parameters of a method on one span of time, and tests them on another."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from math import isnan

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.columns import Floats, Span, View
from ratingcore.columns.games import same_value
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.pairs import Paired, paired, paired_sessions
from ratingcore.compare.played import Played, PlayedSessions
from ratingcore.compare.search import EVALUATIONS, WAYS, Axis, How, Setting, Trial, axes, search, spelt
from ratingcore.compare.sweep import SESSION, Progress, Sweep, better, of_kind, shared
from ratingcore.errors import BadGrid, BadParameter, BadSpans, NothingForecast
from ratingcore.events import DAY, When, iso, timed
from ratingcore.lists.workers import Pinned
from ratingcore.log import Head
from ratingcore.log.address import Address
from ratingcore.methods.periods import Period
from ratingcore.methods.text import varied
from ratingcore.registry import Registry
from ratingcore.replay.contract_check import readable_view
from ratingcore.report.table import AsTable, Table

TRAINED = 0.75
"""Default share of the games that are used for training."""


@frozen(eq=False, repr=False)
class Tuned(AsTable):
    """The result of tuning: the setting that was best in training, and its scores in testing.

    `str` describes it in sentences; iterating gives one row per setting.

    Parameters
    ----------
    pool : str
    method : str
        The baseline: the method as it was given, which tuning should improve.
    head : str
        Head of the log, `position:digest`.
    how : {"grid", "random", "optimise"}
    objective : str
        The score; less is better, except for accuracy.
    axes : tuple of Range or Choices
        The values to try for each parameter.
    spans : (Span, Span)
        Spans of training and of testing.
    default : Trial
        The scores of the baseline.
    trials : tuple of Trial
        Every setting, in the order in which they were tried.
    """

    pool: str
    method: str
    head: str
    how: How
    objective: str
    axes: tuple[Axis, ...]
    spans: tuple[Span, Span]
    default: Trial
    trials: tuple[Trial, ...]
    tested: Paired | None = None
    """The best setting compared with the baseline in testing; None if they are the same method."""
    limits: tuple[str, ...] = field(default=())
    """Parameters whose best value is at a limit set by the method itself."""
    left_out: tuple[str, ...] = field(default=())
    """How many results the baseline cannot read, and why: `1 result (no points)`."""

    def __eq__(self, other: object) -> bool:
        return same_value(self, other)

    def __hash__(self) -> int:
        return hash((self.pool, self.method, self.head))

    @cached_property
    def best(self) -> Trial:
        """The setting with the best score in training; the first if several are equal."""
        sign = better(self.objective)
        return max(self.trials, key=lambda trial: -np.inf if isnan(trial.train) else sign * trial.train)

    @property
    def gain(self) -> float:
        """How much better the best setting is than the baseline in testing; negative if it is worse."""
        return better(self.objective) * (self.best.test - self.default.test)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons for caution about the best setting."""
        return (*self._flat(), *self._at_edges(), *self._uneven(), *self._no_gain())

    def _flat(self) -> Iterator[str]:
        """Warns of parameters that make no difference."""
        for number, axis in enumerate(self.axes):
            groups: dict[Setting, list[tuple[str, float]]] = {}
            for trial in self.trials:
                rest = trial.setting[:number] + trial.setting[number + 1 :]
                groups.setdefault(rest, []).append((trial.setting[number], trial.train))
            sets = [group for group in groups.values() if len({value for value, _ in group}) > 1]
            if sets and all(abs(score - group[0][1]) <= 1e-12 for group in sets for _, score in group):
                yield f"{axis.parameter} makes no difference here: every value scores the same"

    def _at_edges(self) -> Iterator[str]:
        flat = {warning.partition(" ")[0] for warning in self._flat()}
        for axis, value in zip(self.axes, self.best.setting, strict=True):
            if axis.ends is None or axis.parameter in flat or axis.parameter in self.limits:
                continue
            for end, which, further in zip(axis.ends, ("lower", "upper"), ("lower", "higher"), strict=True):
                if abs(float(value) - end) <= axis.near:
                    yield (
                        f"the best {axis.parameter} is at the {which} edge of what was tried: {value} of {axis}; "
                        f"try {further} ones"
                    )

    def _uneven(self) -> Iterator[str]:
        if len({(trial.train_games, trial.test_games) for trial in (*self.trials, self.default)}) > 1:
            kind = _kind_of(self.objective)
            yield f"settings were scored on different {kind}s: some leave out players or results that others rate"

    def _no_gain(self) -> Iterator[str]:
        if self.tested is None:
            return
        if self.gain < 0:
            yield f"in testing the best setting is worse than {self.method} as given: keep {self.method}"
        elif self.tested.better is None:
            yield f"in testing, the best setting cannot be distinguished from {self.method} as given"

    def as_table(self) -> Table:
        """Returns a table with one row per setting: parameters, scores in training and testing, method text."""
        columns: dict[str, object] = {
            axis.parameter: _column([trial.setting[number] for trial in self.trials])
            for number, axis in enumerate(self.axes)
        }
        columns |= {
            f"{span}_{what}": np.array([getattr(trial, name) for trial in self.trials])
            for what, ending in ((self.objective, ""), ("games", "_games"))
            for span in ("train", "test")
            for name in (f"{span}{ending}",)
        }
        columns["method"] = tuple(trial.method for trial in self.trials)
        unit = f"nats a {_kind_of(self.objective)}" if self.objective.endswith(("log_loss", "winner")) else ""
        return Table("tuning", f"{self.method} tuned by {self.how}", columns, unit)

    def __len__(self) -> int:
        return len(self.trials)

    def __str__(self) -> str:
        best, default = self.best, self.default
        chosen = ", ".join(f"{axis.parameter}={value}" for axis, value in zip(self.axes, best.setting, strict=True))
        kind = _kind_of(self.objective)
        lines = [
            f"best of {len(self.trials)} settings of {self.method} in pool {self.pool}: {chosen}",
            *(
                f"{name} {_days(span)}, {games:,} {kind}s: {self.objective} {score:.6f}, as given {was:.6f}"
                for name, span, games, score, was in (
                    ("train", self.spans[0], best.train_games, best.train, default.train),
                    ("test ", self.spans[1], best.test_games, best.test, default.test),
                )
            ),
            *([f"test: {self.tested}"] if self.tested is not None else []),
            *(f"left out: {results}" for results in self.left_out),
            *(f"warning: {warning}" for warning in self.warnings),
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())
        return f"{lines}{self.as_table()._repr_html_()}"


def _kind_of(objective: str) -> str:
    """Returns the kind of result that an objective scores: game or session."""
    return "session" if objective.startswith(SESSION) else "game"


def _column(values: list[str]) -> Floats | tuple[str, ...]:
    """Returns the values of a parameter, as numbers if all of them are numbers."""
    try:
        return np.array([float(value) for value in values])
    except ValueError:
        return tuple(values)


def _days(span: Span) -> str:
    """Names the first and the last day of a span, both included."""
    first, last = (iso(at)[:10] for at in (span.start, span.end - 1))
    return f"{first} to {last}"


# which time


def spans_of(
    view: View, train: tuple[When | None, When | None] | None, test: tuple[When | None, When | None] | None
) -> tuple[Span, Span]:
    """Returns the spans of training and of testing, which must not overlap.

    If only one is given, the other follows from it: testing comes after training. If neither is given, training takes
    about three quarters of the results, up to the beginning of a day.

    Raises
    ------
    BadSpans
    """
    first, last = view.first_played, view.last_played
    if first is None or last is None:
        raise BadSpans(f"there are no games in pool {view.pool}")
    if train is None and test is None:
        middle = _middle(view, first, last)
        return Span(first, middle), Span(middle, last + 1)
    trained, tested = _span(train, view, first, last), _span(test, view, first, last)
    if train is None:
        trained = Span(min(first, tested.start), tested.start)
    elif test is None:
        tested = Span(trained.end, max(last + 1, trained.end))
    for name, span in (("train", trained), ("test", tested)):
        if span.start >= span.end:
            raise BadSpans(f"no time is left for {name}", "write both spans: train=(since, through), test=(...)")
    if trained.start < tested.end and tested.start < trained.end:
        both = _days(Span(max(trained.start, tested.start), min(trained.end, tested.end)))
        raise BadSpans(f"they have {both} in common", "test the setting on games that were not used to choose it")
    return trained, tested


def _span(days: tuple[When | None, When | None] | None, view: View, first: int, last: int) -> Span:
    """Returns a span of days, the last one included; missing ends become the first and the last game."""
    since, through = days or (None, None)
    start = first if since is None else view.instant(since)
    return Span(start, last + 1 if through is None else view.clock.cut(timed(through)) + 1)


def _middle(view: View, first: int, last: int) -> int:
    """Returns the beginning of the day before which about three quarters of the results were played."""
    played, _ = view.known()
    played = played[: view.n_games + view.n_sessions]
    day = int(played[int(TRAINED * len(played))]) // DAY * DAY
    if day <= first:
        raise BadSpans(
            "there are too few games, or all are of one day", "give the days to train on and the days to test on"
        )
    return day


Days = tuple[When | None, When | None]
"""The first and the last day of a span, both included; None for the first or the last game."""


def tune(
    registry: Registry,
    view: View,
    method: str,
    grid: Mapping[str, object],
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
    progress: Progress = lambda done: None,
    clusters: str | None = None,
) -> Tuned:
    """Finds the parameters with which a method forecasts best; see `Engine.tune`.

    Parameters
    ----------
    registry : Registry
        Registry that looks up method texts.
    view : View
        The pool, with all of its played time.
    method : str
        The text of the baseline.
    address : Address or None
        Address at which workers can open the log; None if there is none.
    progress : callable
        Called with the number of settings that are scored, whenever it grows.

    Raises
    ------
    BadGrid, BadSpans, UnknownScore, NothingForecast, BadParameter, MethodNotFound, MethodError
    """
    way, tried = _way(how, n, objective), axes(grid)
    registry.method(method)
    objective = of_kind(objective, view)
    _check_possible(registry, method, tried)
    spans = spans_of(view, train, test)
    through = max(span.end for span in spans) - 1
    head = Head(view.known_at, view.digest)
    task = Sweep((), spans, objective, through, refit, view.pool, None if address is None else Pinned(address, head))
    run = _Run(registry, view, method, tried, task, clusters or "")
    scored = 0

    def evaluate(settings: Sequence[Setting]) -> list[Trial]:
        nonlocal scored
        before, scored = scored, scored + len(settings)
        return run.trials(settings, jobs, lambda done: progress(before + done))

    trials = search(evaluate, tried, way, objective, n or EVALUATIONS, seed)
    if not any(trial.train_games for trial in trials):
        raise NothingForecast(view.pool, f"no {_kind_of(objective)} of the training span has a forecast")
    tuned = Tuned(view.pool, method, str(head), way, objective, tried, spans, run.baseline(), tuple(trials))
    cut = view.cut(through)
    return evolve(
        tuned,
        limits=tuple(_limits(registry, method, tried, tuned.best.setting)),
        left_out=tuple(readable_view(registry.method(method), cut).unreadable.sentences(cut.through)),
        tested=run.tested(tuned.best.method),
    )


def _way(how: str, n: int | None, objective: str) -> How:
    """Returns the kind of search; raises an error if it is unknown, or if the objective or `n` is."""
    better(objective)
    if n is not None and n < 1:
        raise BadGrid("", f"no setting would be tried: n is {n}")
    for way in WAYS:
        if way == how:
            return way
    raise BadGrid("", f"no search is named {how!r}", f"choose one of {', '.join(WAYS)}")


@frozen
class _Run:
    """Scores the settings of one tuning."""

    registry: Registry
    view: View
    base: str
    tried: tuple[Axis, ...]
    task: Sweep
    clusters: str = ""

    def trials(self, settings: Sequence[Setting], jobs: int | None, progress: Progress) -> list[Trial]:
        """Returns settings with their scores."""
        texts = [_text(self.base, self.tried, setting) for setting in settings]
        return self._scored(settings, texts, jobs, progress)

    def baseline(self) -> Trial:
        """Returns the method as given, with its scores."""
        (trial,) = self._scored([()], [self.base], None)
        return trial

    def _scored(
        self, settings: Sequence[Setting], texts: Sequence[str], jobs: int | None,
        progress: Progress = lambda done: None,
    ) -> list[Trial]:  # fmt: skip
        methods = tuple(map(self.registry.method, texts))  # refuse an impossible setting before any is rated
        scored = shared(evolve(self.task, methods=methods), self.view, jobs, progress)
        cells = (settings, texts, *scored.score.T.tolist(), *scored.games.T.astype(int).tolist())
        return [Trial(*row) for row in zip(*cells, strict=True)]

    def tested(self, best: str) -> Paired | None:
        """Compares the best setting with the baseline on the results of testing; None if they are the same method."""
        one, other = self.registry.method(best), self.registry.method(self.base)
        if one == other:
            return None
        cut = self.view.cut(self.task.through)
        new, was = (forecast(each, cut, self.task.refit, text) for each, text in ((one, best), (other, self.base)))
        start, end = self.task.spans[1]
        if self.task.objective.startswith(SESSION):
            seated = PlayedSessions.of(cut, self.clusters)
            return paired_sessions(new, was, seated, (seated.played >= start) & (seated.played < end))
        played = Played.of(cut, self.clusters)
        return paired(new, was, played, (played.played >= start) & (played.played < end))


def _text(base: str, tried: Sequence[Axis], setting: Setting) -> str:
    """Returns the text of a setting: the text of the method, with the values of this setting."""
    return varied(base, {axis.parameter: value for axis, value in zip(tried, setting, strict=True)})


def _check_possible(registry: Registry, base: str, tried: Sequence[Axis]) -> None:
    """Refuses unknown parameters, and values or ends of ranges that the method does not allow."""
    names = [axis.parameter for axis in tried]
    if len(set(names)) < len(names):
        raise BadGrid(next(name for name in names if names.count(name) > 1), "is given twice")
    for axis in tried:
        for value in axis.values if axis.ends is None else map(spelt, axis.ends):
            try:
                registry.method(_text(base, [axis], (value,)))
            except BadParameter as problem:
                if problem.parameter == axis.parameter or len(tried) == 1:
                    raise  # it may be valid only together with another parameter that is tried


def _limits(registry: Registry, base: str, tried: Sequence[Axis], setting: Setting) -> Iterator[str]:
    """Yields the parameters whose value lies at a limit of what the method allows."""
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

"""Tuning: the setting of a method that forecasts best in one span of time, tested in another."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np
from attrs import field, frozen

from ratingcore.columns import Span, View
from ratingcore.compare.pairs import Paired
from ratingcore.compare.ranges import Axis
from ratingcore.compare.search import How, Setting, Trial
from ratingcore.compare.sweep import SESSION, better
from ratingcore.errors import BadSpans
from ratingcore.events import DAY, When, iso, timed
from ratingcore.report.table import Table

TRAINED = 0.75
"""Share of the games in training, by default."""


@frozen(eq=False, repr=False)
class Tuned:
    """The result of tuning: the setting that was best in training, and its scores in testing.

    `str` gives it in sentences, iterating gives a row a setting, `table` the same as a table.

    Parameters
    ----------
    pool : str
    method : str
        The baseline: the method as it was given, whose parameters are the setting to beat.
    head : str
        Head of the log, `position:digest`.
    how : {"grid", "random", "optimise"}
    objective : str
        The score; less is better, except for accuracy.
    axes : tuple of Range or Choices
        The values tried of each parameter.
    spans : (Span, Span)
        Spans of training and of testing.
    default : Trial
        The baseline.
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
    """How many results the baseline cannot read, and why: `left out: 1 result (no points)`."""

    @cached_property
    def best(self) -> Trial:
        """The setting with the best score in training; the first of equals."""
        sign = better(self.objective)
        return max(self.trials, key=lambda trial: -np.inf if isnan(trial.train) else sign * trial.train)

    @property
    def gain(self) -> float:
        """How much the best setting is better than the baseline in testing; negative if it is worse."""
        return better(self.objective) * (self.best.test - self.default.test)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons not to take the best setting as it is."""
        return (*self._flat(), *self._at_edges(), *self._uneven(), *self._no_gain())

    def _flat(self) -> Iterator[str]:
        """Parameters that make no difference."""
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
            kind = kind_of(self.objective)
            yield f"settings were scored on different {kind}s: some leave players or results out that others rate"

    def _no_gain(self) -> Iterator[str]:
        if self.tested is None:
            return
        if self.gain < 0:
            yield f"in testing the best setting is worse than {self.method} as it was: keep that"
        elif self.tested.better is None:
            yield f"in testing nothing tells the best setting from {self.method} as it was"

    @cached_property
    def table(self) -> Table:
        """A row a setting: its parameters, its scores in training and in testing, its method text."""
        columns: dict[str, Any] = {
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
        unit = f"nats a {kind_of(self.objective)}" if self.objective.endswith(("log_loss", "winner")) else ""
        return Table("tuning", f"{self.method} tuned by {self.how}", columns, unit)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.trials)

    def __str__(self) -> str:
        best, default = self.best, self.default
        chosen = ", ".join(f"{axis.parameter}={value}" for axis, value in zip(self.axes, best.setting, strict=True))
        kind = kind_of(self.objective)
        lines = [
            f"best of {len(self.trials)} settings of {self.method} in pool {self.pool}: {chosen}",
            *(
                f"{name} {_days(span)}, {games:,} {kind}s: {self.objective} {score:.6f}, as it was {was:.6f}"
                for name, span, games, score, was in (
                    ("train", self.spans[0], best.train_games, best.train, default.train),
                    ("test ", self.spans[1], best.test_games, best.test, default.test),
                )
            ),
            *([f"test: {self.tested}"] if self.tested is not None else []),
            *self.left_out,
            *(f"warning: {warning}" for warning in self.warnings),
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        lines = "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())
        return lines + self.table._repr_html_()


def kind_of(objective: str) -> str:
    """What an objective is a score of: a game, or a session."""
    return "session" if objective.startswith(SESSION) else "game"


def _column(values: list[str]) -> Any:
    """Values of a parameter: as numbers if all of them are."""
    try:
        return np.array([float(value) for value in values])
    except ValueError:
        return tuple(values)


def _days(span: Span) -> str:
    """The days of a span, both included."""
    first, last = (iso(at)[:10] for at in (span.start, span.end - 1))
    return f"{first} to {last}"


# which time


def split(
    view: View, train: tuple[When | None, When | None] | None, test: tuple[When | None, When | None] | None
) -> tuple[Span, Span]:
    """The spans of training and of testing, which have no instant in common.

    If one is not given it follows from the other, because testing comes after training. If neither is, training takes
    three quarters of the games, up to the beginning of a day.

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
        raise BadSpans(f"they have {both} in common", "a setting is tested on games it was not chosen by")
    return trained, tested


def _span(days: tuple[When | None, When | None] | None, view: View, first: int, last: int) -> Span:
    """A span of days, the last included; open ends are the first and the last game."""
    since, through = days or (None, None)
    start = first if since is None else view.instant(since)
    return Span(start, last + 1 if through is None else view.clock.cut(timed(through)) + 1)


def _middle(view: View, first: int, last: int) -> int:
    """The beginning of the day before which three quarters of the results were played."""
    played, _ = view.known()
    played = played[: view.n_games + view.n_sessions]
    day = int(played[int(TRAINED * len(played))]) // DAY * DAY
    if day <= first:
        raise BadSpans("the games are too few, or of one day", "say which to train and which to test on")
    return day

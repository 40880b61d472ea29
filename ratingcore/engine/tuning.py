"""Parameters tuned on a log: settings become method texts, and workers anywhere score them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ratingcore.engine.core import Base
from ratingcore.errors import BadGrid, BadParameter, NothingForecast
from ratingcore.events import When
from ratingcore.lists.cuts import KnownAt
from ratingcore.log import Head, SqliteLog
from ratingcore.methods import Method
from ratingcore.methods.entry import Entering
from ratingcore.methods.periods import Period
from ratingcore.methods.text import split, text_of
from ratingcore.registry import Registry
from ratingcore.tables import View

if TYPE_CHECKING:
    from ratingcore.compare.pairs import Paired
    from ratingcore.compare.ranges import Axis
    from ratingcore.compare.search import Setting, Trial
    from ratingcore.compare.sweep import Sweep, Swept
    from ratingcore.compare.tuning import Tuned

Days = tuple[When | None, When | None]
"""The first and the last day of a span, both included; None is as far as there are games."""


class Tuning(Base):
    """Which parameters forecast best."""

    def tune(
        self,
        pool: str,
        method: str | Method,
        grid: Mapping[str, Any],
        how: str = "grid",
        objective: str = "log_loss",
        train: Days | None = None,
        test: Days | None = None,
        n: int | None = None,
        seed: int = 0,
        jobs: int | None = None,
        *,
        known_at: KnownAt = None,
        refit: Period | str | None = None,
    ) -> "Tuned":
        """Find the parameters with which a method forecasts best; each forecast is made strictly before its game.

        Settings are chosen by the span `train` and told with their score in the span `test`; every game before a span
        is rated, and none after it is looked at.

        Parameters
        ----------
        pool : str
        method : str or Method
            What it says of parameters that are not in the grid holds for every setting; as it stands it is the
            one to beat.
        grid : mapping of parameter to text or sequence
            `8:64:4` (from 8 to 64 in steps of 4), `8:64` (any number between), `0,20,40`, or values.
        how : {"grid", "random", "optimise"}
            Every combination; `n` of them at random; or downhill by scipy from the best of a few, `n` in all.
        objective : str
            `log_loss`, `brier`, `accuracy`, `deviance`, `ece`; of methods that tell how likely draws are also `rps`,
            `outcome_log_loss`, `outcome_brier`.
        train, test : (first day, last day) or None
            Both days included, either None. Without both, training takes the first three quarters of the games.
        n : int or None
            Settings that are tried at random or by an optimiser; 60 if None.
        seed : int
            What is drawn: the same seed gives the same settings.
        jobs : int or None
            Workers, as joblib counts them; None leaves it to `joblib.parallel_config`. They get the path of the log
            and its digest, never arrays: a log in memory, a what-if, and a method that is not installed are worked on
            here.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
        refit : Period, str or None
            How often a whole-pool method is fitted anew: `month` if None, `year`, ...

        Returns
        -------
        Tuned

        Raises
        ------
        BadGrid, BadSpans, UnknownScore, NothingForecast, BadParameter, MethodNotFound, UnknownName, BadCut, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     for day in range(1, 29):
        ...         day_of = {"pool": "p", "played": f"2024-02-{day:02d}"}
        ...         _ = engine.record(rc.GamePlayed(**day_of, a="ann", b="bo", score=float(day % 4 > 0)))
        ...     tuned = engine.tune("p", "elo", {"k": "10:40:10"})
        >>> tuned.best.method, len(tuned)
        ('elo:k=30', 4)
        """
        from ratingcore.compare.ranges import axes
        from ratingcore.compare.search import EVALUATIONS, WAYS, Trial, search
        from ratingcore.compare.sweep import Sweep, better
        from ratingcore.compare.tuning import Tuned
        from ratingcore.compare.tuning import split as spans_of

        if how not in WAYS:
            raise BadGrid("", f"there is no way to try it named {how!r}", f"there are {', '.join(WAYS)}")
        if n is not None and n < 1:
            raise BadGrid("", f"no setting would be tried: n is {n}")
        better(objective)
        base, tried = method if isinstance(method, str) else text_of(method), axes(grid)
        self.registry.method(base)
        _see_possible(self.registry, base, tried)
        view = self.view(pool, None, known_at)
        spans = spans_of(view, train, test)
        asked = Sweep(
            (), spans, objective, max(span.end for span in spans) - 1,
            Period.parse(refit) if isinstance(refit, str) else refit,
            path=str(self.log.path.resolve()) if isinstance(self.log, SqliteLog) else "",
            pool=view.pool, position=view.known_at, digest=view.digest,
        )  # fmt: skip

        def evaluate(settings: Sequence["Setting"]) -> list["Trial"]:
            texts = [_spelt_out(base, tried, setting) for setting in settings]
            for text in texts:  # all of them are seen to be possible before one is rated
                self.registry.method(text)
            scored = self._swept(evolve(asked, methods=tuple(texts)), view, jobs)
            cells = (settings, texts, *scored.score.T.tolist(), *scored.games.T.astype(int).tolist())
            return [Trial(*row) for row in zip(*cells, strict=True)]

        trials = search(evaluate, tried, how, objective, n or EVALUATIONS, seed)
        if not any(trial.train_games for trial in trials):
            raise NothingForecast(view.pool, "no game of the span of training has a forecast")
        told = self._swept(evolve(asked, methods=(base,)), view, None)
        was = Trial((), base, *told.score[0].tolist(), *told.games[0].astype(int).tolist())
        made = Tuned(
            view.pool, base, str(Head(view.known_at, view.digest)), how, objective, tried, spans, was, tuple(trials)
        )
        limits = tuple(_limits(self.registry, base, tried, made.best.setting))
        return evolve(made, limits=limits, tested=self._tested(made.best.method, asked, base, view))

    def _tested(self, best: str, asked: "Sweep", base: str, view: View) -> "Paired | None":
        """The best setting beside the one to beat, on the games of testing."""
        from ratingcore.compare.forecasts import forecast
        from ratingcore.compare.pairs import paired
        from ratingcore.compare.played_games import Played

        one, other = self.registry.method(best), self.registry.method(base)
        if one == other:
            return None
        cut = view.cut(asked.through)
        played, (start, end) = Played.of(cut), asked.spans[1]
        inside = (played.played >= start) & (played.played < end)
        new, was = (forecast(each, cut, asked.refit, text) for each, text in ((one, best), (other, base)))
        return paired(new, was, played, inside)

    def _swept(self, asked: "Sweep", view: View, jobs: int | None) -> "Swept":
        """Score settings, here or by workers."""
        from ratingcore.compare.sweep import Swept, sweep

        methods = [self.registry.method(text) for text in asked.methods]
        workers = _workers(jobs) if len(methods) > 1 and self._travels(methods) else 1
        if workers == 1:
            cut = view.cut(asked.through)
            return sweep(methods, cut, asked.spans, asked.objective, asked.refit, single=asked.single)
        from joblib import Parallel, delayed  # type: ignore[import-untyped]  # joblib has no types

        shares = min(len(methods), workers)  # one each, settings dealt out in turn: every piece opens the log
        parts = [evolve(asked, methods=asked.methods[share::shares]) for share in range(shares)]
        done = Parallel(n_jobs=jobs)(delayed(swept)(part) for part in parts)
        whole = Swept(*(np.empty((len(methods), len(asked.spans))) for _ in Swept._fields))
        for share, part in enumerate(done):
            whole.score[share::shares], whole.games[share::shares] = part
        return whole

    def _travels(self, methods: Sequence[Method]) -> bool:
        """Whether workers can find the log by its path and the methods by their texts."""
        if not isinstance(self.log, SqliteLog):
            return False
        installed = Registry.installed().methods
        kinds = (type(one.method if isinstance(one, Entering) else one) for one in methods)
        return all(installed.get(kind.name) is kind for kind in kinds)


def _spelt_out(base: str, tried: Sequence["Axis"], setting: "Setting") -> str:
    """The text of a setting: the method's own, with other values of what is tried."""
    name, given = split(base)
    given |= {axis.parameter: value for axis, value in zip(tried, setting, strict=True)}
    return f"{name}:{','.join(f'{parameter}={value}' for parameter, value in given.items())}"


def _see_possible(registry: Registry, base: str, tried: Sequence["Axis"]) -> None:
    """See that each parameter is one of the method, and that its values, or both ends of its range, are possible."""
    from ratingcore.compare.ranges import spelt

    names = [axis.parameter for axis in tried]
    if len(set(names)) < len(names):
        raise BadGrid(next(name for name in names if names.count(name) > 1), "is given twice")
    for axis in tried:
        for value in axis.values if axis.ends is None else map(spelt, axis.ends):
            try:
                registry.method(_spelt_out(base, [axis], (value,)))
            except BadParameter as problem:
                if problem.parameter == axis.parameter or len(tried) == 1:
                    raise  # else it may go together with another parameter that is tried


def _limits(registry: Registry, base: str, tried: Sequence["Axis"], setting: "Setting") -> Iterator[str]:
    """Parameters whose value lies on an edge beyond which the method allows none."""
    from ratingcore.compare.ranges import spelt

    for number, axis in enumerate(tried):
        if axis.ends is None:
            continue
        low, high = axis.ends
        step = 0.01 * (high - low)
        for end, further in ((low, low - step), (high, high + step)):
            if abs(float(setting[number]) - end) <= axis.near:
                try:
                    registry.method(
                        _spelt_out(base, tried, (*setting[:number], spelt(further), *setting[number + 1 :]))
                    )
                except BadParameter:
                    yield axis.parameter


def _workers(jobs: int | None) -> int:
    """How many workers there are."""
    from joblib import effective_n_jobs

    return int(effective_n_jobs(jobs))


def swept(asked: "Sweep") -> "Swept":
    """What a worker does: open the log, see that it is the one that was meant, and score.

    Raises
    ------
    BadCut
        If the log at that path has another history.
    """
    from ratingcore.compare.sweep import sweep
    from ratingcore.engine import open_engine

    with open_engine(asked.path, read_only=True) as engine:
        view = engine.view(asked.pool, None, Head(asked.position, asked.digest)).cut(asked.through)
        methods = [engine.registry.method(text) for text in asked.methods]
        return sweep(methods, view, asked.spans, asked.objective, asked.refit, single=asked.single)

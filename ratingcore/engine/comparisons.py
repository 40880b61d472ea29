"""Compares methods on one log, tunes their parameters, and fits them."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from attrs import evolve

from ratingcore._version import __version__
from ratingcore.compare.comparison import Comparison, compare
from ratingcore.compare.fit import Fit, fit
from ratingcore.compare.played import BurnIn
from ratingcore.compare.tuning import Days, Tuned, tune
from ratingcore.engine.core import Part
from ratingcore.events import When
from ratingcore.lists import rating_list
from ratingcore.lists.cuts import KnownAt
from ratingcore.lists.policy import ListPolicy, policy_of
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.methods.rule_histories import labelled
from ratingcore.methods.text import text_of
from ratingcore.replay import stand

COHORTS = ("gap", "strength", "experience", "year")


class Comparisons(Part):
    """Comparisons of methods: forecasts scored, parameters tuned and fitted."""

    def compare(
        self,
        pool: str,
        methods: Sequence[str | Method],
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        since: When | None = None,
        burn_in: str | BurnIn = "none",
        refit: str | Period | None = None,
        cohorts: Sequence[str] = COHORTS,
        players: Sequence[str] = (),
        reference: str | None = None,
        policy: ListPolicy | str | None = None,
        clusters: str | None = None,
        seed: int = 0,
        jobs: int | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Comparison:
        """Scores forecasts of several methods, each made strictly before its result, on the same results.

        Games and sessions are scored separately: `scores` are of games, `sessions` of sessions of any number of sides.

        Parameters
        ----------
        pool : str
        methods : sequence of str or Method
            `elo`, `elo:k=40`, or method values; `Old rule=elo:k=40` is called `Old rule` everywhere. A method that
            cannot forecast this pool is left out, with the reason.
        through : str, date, datetime or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log.
        since : str, date, datetime or None
            Time of the first results to score; earlier results are rated but not scored.
        burn_in : str or BurnIn
            First games that are rated but not scored: `each(30)`, `games(1000)`, `days(365)`.
        refit : str, Period or None
            How often retrospective methods are refitted: `month` if None, `quarter`, `year`, `days(7)`.
        cohorts : sequence of str
            `gap`, `strength`, `experience`, `year`, `event`, or any field of results or players.
        players : sequence of str
            Players whose ratings are followed; the five with most games if empty.
        reference : str or None
            The method with which the others are compared, as spelt or labelled in `methods`; None for the first.
        policy : ListPolicy, str or None
            Policy of the lists that are compared, such as `min_games=10,active=12 months`; None lists everybody.
            Forecasts are scored for all players.
        clusters : str or None
            Field of results, such as a judge or an opening: forecasts with one value of it may err together, and
            intervals allow for that; `day` is the day of a result. None allows for players and months.
        seed : int
            Seed of the bootstrap: the same seed gives the same intervals.
        jobs : int or None
            Number of workers, each of which forecasts by one method at a time; as for `tune`.
        progress : callable
            Called with the number of methods that have made their forecasts, whenever it grows.

        Returns
        -------
        Comparison
            Its tables of lists, curves, health and cohorts are computed on first use; the log must still be open then
            if a method reads facts of players.

        Raises
        ------
        SameMethod, NothingForecast, MethodNotFound, BadParameter, UnknownName, BadCut

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     for day in range(1, 29):
        ...         engine.record(
        ...             rc.GamePlayed(pool="p", played=f"2024-02-{day:02d}", a="ann", b="bo", score=1.0)
        ...         ) and None
        ...     compared = engine.compare("p", ["elo", "elo:k=40"])
        >>> compared.methods
        ('elo:k=40', 'elo')
        """
        core = self.core
        entries = list(map(core.registry.named, methods))
        view = core.view(pool, through, known_at)
        view.names()  # read now, since lists may be made after the log is closed
        view.book.hold(np.fromiter(view.called.values(), np.int64))
        listing = policy_of(policy)
        return compare(
            entries, view,
            lambda method: rating_list(stand(method, view), __version__, listing.of_method(method)), __version__,
            since=None if since is None else view.instant(since),
            burn_in=BurnIn.parse(burn_in) if isinstance(burn_in, str) else burn_in,
            refit=refit, cohorts=tuple(cohorts), reference=None if reference is None else labelled(reference)[0],
            policy=None if policy is None else listing, clusters=clusters, seed=seed,
            address=core.log.address, jobs=jobs,
            followed=[view.row(core.player_id(player)) for player in players], progress=progress,
        )  # fmt: skip

    def tune(
        self,
        pool: str,
        method: str | Method | None,
        grid: Mapping[str, object],
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
        clusters: str | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Tuned:
        """Finds the parameters with which a method forecasts best; each forecast is made strictly before its game.

        Settings are chosen by their score in the span `train`; their score in the span `test` is reported as well. All
        games before a span are rated, and games after it are ignored.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            The baseline; None for the method that the pool declares. Parameters outside `grid` stay fixed.
        grid : mapping of parameter to text or sequence
            `8:64:4` (from 8 to 64 in steps of 4), `8:64` (any number between), `0,20,40`, or values.
        how : {"grid", "random", "optimise"}
            Try every combination, `n` at random, or `n` in all by an optimiser of scipy that starts from the best of a
            few.
        objective : str
            `log_loss`, `brier`, `accuracy`, `deviance`, `ece`; for methods that forecast draws also `rps`,
            `outcome_log_loss`, `outcome_brier`; for sessions `session_log_loss`, `session_brier`, `session_rps`,
            `session_winner`; in a pool of sessions only, the first three also without `session_`.
        train, test : (first day, last day) or None
            First and last day, both included; None leaves an end open. Without both spans, training takes the first
            three quarters of the games.
        n : int or None
            Number of settings to try at random or by the optimiser; None for 60.
        seed : int
            Seed of the draws: the same seed gives the same settings.
        jobs : int or None
            Number of workers, as joblib counts them; None leaves it to `joblib.parallel_config`. They get the address
            and digest of the log, never arrays, so a log in memory and a what-if are processed in this process.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
        refit : Period, str or None
            How often a whole-pool method is fitted anew: `month` if None, `year`, ...
        clusters : str or None
            Field of results by which the interval of the test is made, as for `compare`.
        progress : callable
            Called with the number of scored settings, whenever it grows.

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
        log, view = self.core.log, self.core.view(pool, None, known_at)
        named = self.core.official(view, known_at).text if method is None else method
        label, base = labelled(named) if isinstance(named, str) else (text_of(named),) * 2
        tuned = tune(
            self.core.registry, view, base, grid, how, objective, train=train, test=test, n=n, seed=seed, jobs=jobs,
            refit=Period.parse(refit) if isinstance(refit, str) else refit,
            address=log.address, progress=progress, clusters=clusters,
        )  # fmt: skip
        return evolve(tuned, method=label)

    def fit(
        self,
        pool: str,
        method: str | Method | None = None,
        what: Sequence[str] = (),
        through: When | None = None,
        known_at: KnownAt = None,
    ) -> Fit:
        """Estimates parameters of a method from the likelihood of results, each predicted before it is used.

        Seeds and newcomers are treated as for a list of the same pool and method.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            The method to fit; parameters that are not estimated stay as given. None takes the only installed method
            that can be fitted and reads the results of the pool, games or sessions.
        what : sequence of str
            Parameters to estimate; chosen by the method if empty.
        through : str, date, datetime or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head, Published, RatingList or None

        Returns
        -------
        Fit

        Raises
        ------
        CannotFit
            If the method cannot be fitted.
        BadParameter
            If one of the parameters cannot be estimated.
        NothingForecast
            If the pool has no results at this cut.
        MethodNotFound, UnknownName, BadCut, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> with rc.open(":memory:") as engine:
        ...     for day, score in enumerate((57.0, 44.5, 52.0, 48.0, 61.5, 39.0), 1):
        ...         sides = [rc.Side(["ann", "bo"], score), rc.Side(["cy", "di"], 100.0 - score)]
        ...         _ = engine.record(rc.SessionPlayed(pool="club", played=f"2024-03-{day:02d}", sides=sides))
        ...     fit = engine.fit("club", "bridge-bayes:deviation=1", ["sigma1"])
        >>> [round(estimate.value, 2) for estimate in fit.fitted.estimates], fit.method
        ([7.53], 'bridge-bayes:deviation=1,sigma1=7.53...')
        """
        given = text_of(method) if isinstance(method, Method) else method
        return fit(self.core.registry, self.core.view(pool, through, known_at), given, what)

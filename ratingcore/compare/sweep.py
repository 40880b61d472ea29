"""Sweeps: many settings of a method scored on one archive, in one pass where the method has a quick way."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np
from attrs import field, frozen

from ratingcore.compare.forecasts import Forecasts, forecast
from ratingcore.compare.losses import losses
from ratingcore.compare.outcomes import outcomes
from ratingcore.compare.played_games import Played
from ratingcore.compare.scores import binary
from ratingcore.errors import BrokenContract, NothingForecast, UnknownScore
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.kernels import REPAYS_IMPORT, has_numba
from ratingcore.methods.periods import Period
from ratingcore.tables import Games, Need, Span, View
from ratingcore.tables.arrays import Floats, Ints

SCORES = ("log_loss", "brier", "accuracy", "deviance", "ece")
OUTCOMES = {"rps": "rps", "outcome_log_loss": "log_loss", "outcome_brier": "brier"}
"""Scores of win, draw and loss, for methods that tell how likely draws are, and what `outcomes` calls them."""
OBJECTIVES = (*SCORES, *OUTCOMES)
"""What a sweep can score settings by: the less the better, but for accuracy."""


@frozen
class Sweep:
    """Settings to score on an archive: what a worker is told. It travels anywhere, for it is all texts and numbers.

    Parameters
    ----------
    methods : tuple of str
        Method texts.
    spans : tuple of Span
        Stretches of played time to score, each apart.
    objective : str
        One of `OBJECTIVES`.
    through : int
        Last instant of played time that is looked at.
    refit : Period or None
        How often a whole-pool method is fitted anew.
    single : bool
        Whether single precision is enough.
    path, pool, position, digest
        The log, and its head when the sweep was asked for: another history is refused.
    """

    methods: tuple[str, ...]
    spans: tuple[Span, ...]
    objective: str
    through: Instant
    refit: Period | None = None
    single: bool = False
    path: str = field(default="", kw_only=True)
    pool: str = field(default="", kw_only=True)
    position: int = field(default=0, kw_only=True)
    digest: str = field(default="", kw_only=True)


class Swept(NamedTuple):
    """Scores of settings: a row a setting, a column a span; NaN where no game was forecast."""

    score: Floats
    """float64 (settings, spans)"""
    games: Floats
    """float64 (settings, spans): games that went into the score."""


def better(objective: str) -> int:
    """1 where more is better, -1 where less is.

    Raises
    ------
    UnknownScore
    """
    if objective not in OBJECTIVES:
        raise UnknownScore(objective, OBJECTIVES)
    return 1 if objective == "accuracy" else -1


def sweep(
    methods: Sequence[Method],
    view: View,
    spans: Sequence[Span],
    objective: str = "log_loss",
    refit: Period | None = None,
    *,
    single: bool = False,
) -> Swept:
    """Score settings on some spans of a view; the games before a span are rated all the same.

    Parameters
    ----------
    methods : sequence of Method
        Settings of one method, or of several.
    objective : str
        One of `OBJECTIVES`, of forecasts made strictly before each game.
    refit : Period or None
        How often a whole-pool method is fitted anew; None is every month.
    single : bool
        Whether single precision is enough, right to 1e-6, where a method has a pass of many settings.
    """
    better(objective)
    told = Swept(np.full((len(methods), len(spans)), np.nan), np.zeros((len(methods), len(spans))))
    alone = set(range(len(methods)))
    if objective == "log_loss":
        for which, found in _passes(methods, view, spans, single):
            told.score[which], told.games[which] = found
            alone -= set(which.tolist())
    if len(alone) * view.n_games >= REPAYS_IMPORT and has_numba():
        import_module("numba")  # each replay is too short to load it, all of them are not: kernels now find it loaded
    _keep_freed_memory()
    for number in sorted(alone):
        told.score[number], told.games[number] = _replayed(methods[number], view, spans, objective, refit)
    return told


def _keep_freed_memory() -> None:
    """Let glibc keep what one replay leaves for the next one: it does, up to the largest block it has seen freed.

    A sweep then takes two thirds of the time: fresh pages cost more than the games that are rated in them.
    """
    np.empty(_LARGEST_KEPT, dtype=np.uint8)


_LARGEST_KEPT = 32 * 2**20 - 2**14
"""Bytes; of larger blocks glibc always gives the memory back."""


# in one pass


def _passes(methods: Sequence[Method], view: View, spans: Sequence[Span], single: bool) -> Iterator[tuple[Ints, Swept]]:
    """What the methods that have a quick way say: indices of settings, and their scores."""
    for kind in dict.fromkeys(type(method) for method in methods):
        which = np.array([number for number, method in enumerate(methods) if type(method) is kind])
        if getattr(kind.sweep, "__func__", None) is Method.sweep.__func__ or len(which) < 2:  # type: ignore[attr-defined]  # of a class method
            continue
        found = pass_of([methods[number] for number in which], view, spans, single=single)
        if found is not None:
            able = ~np.isnan(found.score).all(axis=1) if len(spans) else np.zeros(len(which), dtype=bool)
            yield which[able], Swept(found.score[able], found.games[able])


def pass_of(methods: Sequence[Method], view: View, spans: Sequence[Span], *, single: bool = False) -> Swept | None:
    """Log losses of settings of one method in one pass; None if there is no pass for them on this view."""
    given, needs = _given(view), _needs(methods)
    plain = all(method.cadence is Cadence.CONTINUOUS and method.reads is Games for method in methods)
    if not plain or given is None or needs is None or view.n_sessions:
        return None
    games = view.games(needs, methods[0].name)
    bounds = np.searchsorted(games.played, np.array([[span.start, span.end] for span in spans], dtype=np.int64))
    cuts = np.unique(np.concatenate([[0, len(games)], bounds.ravel()]))
    swept = type(methods[0]).sweep(methods, games, given, cuts, single=single)
    if swept is None:
        return None
    if swept.shape != (len(methods), len(cuts) - 1):
        raise BrokenContract(methods[0].name, f"a sweep returned shape {swept.shape}")
    count = np.diff(bounds, axis=1).ravel().astype(np.float64)
    inside = [slice(*np.searchsorted(cuts, bound)) for bound in bounds]
    total = np.stack([swept[:, some].sum(axis=1) for some in inside], axis=1)
    mean = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return Swept(mean, np.broadcast_to(count, mean.shape))


def _given(view: View) -> Floats | None:
    """First rating of every player that has one from outside; None if a seed says more, or later."""
    seeds = view.seeds
    given = np.full(view.n_players, np.nan)
    if not len(seeds.played):
        return given
    debut = view.timeline.players.debut[: view.n_players]
    if seeds.values.keys() != {"rating"} or (seeds.played > debut[seeds.player]).any():
        return None
    for player, rating in zip(seeds.player.tolist(), seeds.values["rating"].tolist(), strict=True):
        given[player] = rating  # in order of time: the last one stands
    return given


def _needs(methods: Sequence[Method]) -> tuple[Need, ...] | None:
    """What one of the settings needs; None if two need a field otherwise."""
    wanted: dict[str, Need] = {}
    for need in (need for method in methods for need in method.needs):
        if wanted.setdefault(need.name, need) != need:
            return None
    return tuple(wanted.values())


# one by one


def _replayed(
    method: Method, view: View, spans: Sequence[Span], objective: str, refit: Period | None
) -> tuple[list[float], list[float]]:
    """Score of one setting on each span, and how many games went into it."""
    told, played = forecast(method, view, refit), Played.of(view)
    if objective in OUTCOMES and told.draw is None:
        raise NothingForecast(view.pool, f"{objective} is of win, draw and loss, {method.name} says nothing of draws")
    scores, games = [], []
    for span in spans:
        start, stop = np.searchsorted(played.played, [span.start, span.end]).tolist()
        some = start + np.flatnonzero(told.rated[start:stop])
        games.append(float(len(some)))
        scores.append(_score(told, played.score[some], some, objective) if len(some) else np.nan)
    return scores, games


def _score(told: Forecasts, score: Floats, some: Ints, objective: str) -> float:
    """One score of some of the games."""
    if objective in OUTCOMES:
        win, draw, loss = (chance[some] for chance in told.outcomes)
        return float(getattr(outcomes(win, draw, loss, score), OUTCOMES[objective]))
    if objective == "log_loss":
        return float(losses(told.expected[some], score).mean())
    return float(getattr(binary(told.expected[some], score), objective))

"""Scores many settings of a method on one pool, in one pass over the results if the method offers that."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import Games, Need, Sides, Span, View
from ratingcore.columns.games import Floats, Ints
from ratingcore.compare.forecasts import Forecasts, forecast, keep_freed_memory
from ratingcore.compare.losses import MEASURES, losses, outcomes, pair_losses, place_losses
from ratingcore.compare.played import Played, PlayedSessions
from ratingcore.compare.scores import binary
from ratingcore.errors import BrokenContract, NothingForecast, UnknownScore
from ratingcore.events import Instant
from ratingcore.lists.workers import Pinned, run_parts, workers
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.kernels import REPAYS_IMPORT, has_numba
from ratingcore.methods.periods import Period
from ratingcore.replay.contract_check import readable_view

SCORES = ("log_loss", "brier", "accuracy", "deviance", "ece")
OUTCOMES = {"rps": "rps", "outcome_log_loss": "log_loss", "outcome_brier": "brier"}
"""Objectives of win, draw and loss, for methods that forecast draws, and their fields of `OutcomeScores`."""
SESSION = "session_"
"""Prefix of objectives that are measures of sessions."""
OBJECTIVES = (*SCORES, *OUTCOMES, *(SESSION + measure for measure in MEASURES))
"""Scores that a sweep can use; less is better, except for accuracy."""


Progress = Callable[[int], None]
"""Function that is called with the number of settings scored so far."""


@frozen
class Sweep:
    """Settings to score on one pool, small enough to be sent to a worker on any machine.

    Parameters
    ----------
    methods : tuple of Method
        The settings.
    spans : tuple of Span
        Spans of played time, each scored separately.
    objective : str
        One of `OBJECTIVES`.
    through : int
        Last instant of played time that counts.
    refit : Period or None
        How often a whole-pool method is refitted.
    pool : str
    log : Pinned or None
        The log, at its head when the sweep was created; None if no worker can open it.
    """

    methods: tuple[Method, ...]
    spans: tuple[Span, ...]
    objective: str
    through: Instant
    refit: Period | None = None
    pool: str = ""
    log: Pinned | None = None


class Swept(NamedTuple):
    """Scores of settings: one row per setting, one column per span; NaN if no game was forecast."""

    score: Floats
    """float64 (settings, spans)"""
    games: Floats
    """float64 (settings, spans): games that went into the score."""


def better(objective: str) -> int:
    """Returns 1 if a higher score is better, -1 if a lower one is.

    Raises
    ------
    UnknownScore
    """
    if objective not in OBJECTIVES:
        raise UnknownScore(objective, OBJECTIVES)
    return 1 if objective == "accuracy" else -1


def of_kind(objective: str, view: View) -> str:
    """Returns the objective that fits the pool: if it has sessions only, `log_loss`, `brier` and `rps` mean theirs."""
    session = SESSION + objective
    return session if session in OBJECTIVES and view.n_sessions and not view.n_games else objective


def sweep(
    methods: Sequence[Method],
    view: View,
    spans: Sequence[Span],
    objective: str = "log_loss",
    refit: Period | None = None,
    progress: Progress = lambda done: None,
) -> Swept:
    """Scores settings on some spans of a view; results before a span are rated, too.

    Parameters
    ----------
    methods : sequence of Method
        Settings of one or several methods.
    objective : str
        One of `OBJECTIVES`, computed from forecasts made strictly before each game.
    refit : Period or None
        How often a whole-pool method is refitted; every month if None.
    progress : callable
        Called with the number of settings that are scored, whenever it grows.
    """
    better(objective)
    scored = Swept(np.full((len(methods), len(spans)), np.nan), np.zeros((len(methods), len(spans))))
    alone = set(range(len(methods)))
    if objective == "log_loss":
        for which, passed in _passes(methods, view, spans):
            scored.score[which], scored.games[which] = passed
            alone -= set(which.tolist())
            progress(len(methods) - len(alone))
    if len(alone) * view.n_games >= REPAYS_IMPORT and has_numba():
        import_module("numba")  # no single replay is worth the import, but all together are; kernels use what is loaded
    keep_freed_memory()
    for done, number in enumerate(sorted(alone), len(methods) - len(alone) + 1):
        scored.score[number], scored.games[number] = _replayed(methods[number], view, spans, objective, refit)
        progress(done)
    return scored


# settings that share a pass


def _passes(methods: Sequence[Method], view: View, spans: Sequence[Span]) -> Iterator[tuple[Ints, Swept]]:
    """Yields the indices and the scores of settings that can be swept together in one pass."""
    for which in map(np.array, together(methods, view)):
        swept = pass_of([methods[number] for number in which], view, spans) if len(which) > 1 else None
        if swept is not None:
            able = ~np.isnan(swept.score).all(axis=1) if len(spans) else np.zeros(len(which), dtype=bool)
            yield which[able], Swept(swept.score[able], swept.games[able])


def together(methods: Sequence[Method], view: View, objective: str = "log_loss") -> list[list[int]]:
    """Groups the indices of settings that one pass may score: same class, same results left out.

    A pass differs from replays in the last bits. So that results do not depend on the number of workers, groups are
    made from the whole list of settings.
    """
    if objective != "log_loss":
        return [[number] for number in range(len(methods))]
    fits = [readable_view(method, view) for method in methods]
    found: dict[Hashable, list[int]] = {}
    for number, method in enumerate(methods):
        replayed = method.cadence is not Cadence.CONTINUOUS or _has_no_pass(type(method))
        found.setdefault(number if replayed else (type(method), id(fits[number].timeline)), []).append(number)
    made: list[list[int]] = []
    for which in found.values():
        made += [which] if len(which) > 1 and _can_be_passed(fits[which[0]]) else [[number] for number in which]
    return made


def _has_no_pass(kind: type[Method]) -> bool:
    return getattr(kind.sweep, "__func__", None) is Method.sweep.__func__  # type: ignore[attr-defined]  # of a class method


def _can_be_passed(view: View) -> bool:
    return not view.n_sessions and _given(view) is not None


def pass_of(methods: Sequence[Method], view: View, spans: Sequence[Span], *, single: bool = False) -> Swept | None:
    """Computes the log losses of settings of one method in one pass; None if no pass is possible on this view."""
    fits = [readable_view(method, view) for method in methods]
    if any(one.timeline is not fits[0].timeline for one in fits):  # settings can differ in what they cannot read
        return None
    view = fits[0]
    given, needs = _given(view), _needs(methods)
    plain = all(method.cadence is Cadence.CONTINUOUS for method in methods)
    if not plain or given is None or needs is None or view.n_sessions:
        return None
    read = view.sides if methods[0].reads is Sides else view.games
    games: Games | Sides = read(needs, methods[0].name)
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
    """Returns every player's seeded rating at their first result; None if a seed is later or sets other columns."""
    seeds = view.seeds
    given = np.full(view.n_players, np.nan)
    if not len(seeds.played):
        return given
    debut = view.timeline.players.debut[: view.n_players]
    if seeds.values.keys() != {"rating"} or (seeds.played > debut[seeds.player]).any():
        return None
    for player, rating in zip(seeds.player.tolist(), seeds.values["rating"].tolist(), strict=True):
        given[player] = rating  # in order of time: the last one counts
    return given


def _needs(methods: Sequence[Method]) -> tuple[Need, ...] | None:
    """Returns the needs of all settings together; None if two settings declare a field differently."""
    wanted: dict[str, Need] = {}
    for need in (need for method in methods for need in method.needs):
        if wanted.setdefault(need.name, need) != need:
            return None
    return tuple(wanted.values())


# one by one


def _replayed(
    method: Method, view: View, spans: Sequence[Span], objective: str, refit: Period | None
) -> tuple[list[float], list[float]]:
    """Returns the score of one setting on each span, and the number of scored games or sessions in it."""
    if objective.startswith(SESSION):
        return _scores_of_sessions(method, view, spans, objective.removeprefix(SESSION), refit)
    forecasts, played = forecast(method, view, refit), Played.of(view)
    if objective in OUTCOMES and forecasts.draw is None:
        raise NothingForecast(view.pool, f"{objective} scores win, draw and loss, and {method.name} forecasts no draws")
    scores, games = [], []
    for span in spans:
        start, stop = np.searchsorted(played.played, [span.start, span.end]).tolist()
        some = start + np.flatnonzero(forecasts.rated[start:stop])
        games.append(float(len(some)))
        scores.append(_score(forecasts, played.score[some], some, objective) if len(some) else np.nan)
    return scores, games


def _scores_of_sessions(
    method: Method, view: View, spans: Sequence[Span], measure: str, refit: Period | None
) -> tuple[list[float], list[float]]:
    """Returns the score of one setting on the sessions of each span, and the number of scored sessions."""
    sessions, loss = PlayedSessions.of(view), session_loss(method, view, measure, refit)
    scores, many = [], []
    for span in spans:
        some = loss[slice(*np.searchsorted(sessions.played, [span.start, span.end]).tolist())]
        some = some[~np.isnan(some)]
        many.append(float(len(some)))
        scores.append(float(some.mean()) if len(some) else np.nan)
    return scores, many


def session_loss(method: Method, view: View, measure: str, refit: Period | None = None) -> Floats:
    """Returns one measure of a method's forecast of each session of a view; NaN if a player was unrated."""
    sessions, strengths = PlayedSessions.of(view), forecast(method, view, refit).strengths
    if strengths is None:
        why = f"{SESSION}{measure} scores sessions, and "
        why += f"{method.name} does not forecast their order of finish" if len(sessions) else "the pool has none"
        raise NothingForecast(view.pool, why)
    losses_of = pair_losses if measure in MEASURES[:2] else place_losses
    return losses_of(strengths, sessions.result, sessions.score)[MEASURES.index(measure) % 2]


def _score(forecasts: Forecasts, score: Floats, some: Ints, objective: str) -> float:
    """Computes one score on some of the games."""
    if objective in OUTCOMES:
        win, draw, loss = (chance[some] for chance in forecasts.outcomes)
        return float(getattr(outcomes(win, draw, loss, score), OUTCOMES[objective]))
    if objective == "log_loss":
        return float(losses(forecasts.expected[some], score).mean())
    return float(getattr(binary(forecasts.expected[some], score), objective))


# by workers


def shared(task: Sweep, view: View, jobs: int | None, progress: Progress = lambda done: None) -> Swept:
    """Scores the settings of a sweep, in this process or by workers.

    Parameters
    ----------
    task : Sweep
        Without a log that workers can open, its settings are scored in this process.
    view : View
        View of the sweep's pool.
    jobs : int or None
        Number of workers, as joblib counts them.
    progress : callable
        As for `sweep`.
    """
    methods = task.methods
    count = 1 if task.log is None else workers(jobs, len(methods))
    if count == 1:
        return _scored(task, view, progress)
    pieces = list(_dealt(together(methods, view.cut(task.through), task.objective), count))
    parts = [evolve(task, methods=tuple(methods[number] for number in piece)) for piece in pieces]
    whole = Swept(*(np.empty((len(methods), len(task.spans))) for _ in Swept._fields))
    done = 0
    for piece, part in zip(pieces, run_parts(swept, parts, min(len(parts), count)), strict=True):
        whole.score[piece], whole.games[piece] = part
        done += len(piece)
        progress(done)
    return whole


def _dealt(together: Sequence[Sequence[int]], count: int) -> Iterator[list[int]]:
    """Deals out the indices of settings to `count` workers, in few pieces, because every piece opens the log.

    No piece gets only one setting of a pass, because it would then be replayed.
    """
    alone = [number for numbers in together if len(numbers) == 1 for number in numbers]
    for numbers, least in [(alone, 1), *((numbers, 2) for numbers in together if len(numbers) > 1)]:
        shares = min(len(numbers) // least, count)
        yield from (list(numbers[share::shares]) for share in range(shares))


def swept(task: Sweep) -> Swept:
    """Scores the settings of a sweep in a worker, which opens the log by its address.

    Raises
    ------
    BadCut
        If the log at that address has another history.
    """
    assert task.log is not None, "only a log with an address is shared"
    with task.log.opened() as opened:
        return _scored(task, opened.view(task.pool, task.through))


def _scored(task: Sweep, view: View, progress: Progress = lambda done: None) -> Swept:
    return sweep(task.methods, view.cut(task.through), task.spans, task.objective, task.refit, progress)

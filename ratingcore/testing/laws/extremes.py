"""Laws at the limits of numbers: finite on extreme leagues, equal when compiled, inputs left unchanged."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ratingcore.columns import Games
from ratingcore.columns.games import Floats
from ratingcore.errors import BrokenContract, MethodError
from ratingcore.events import DAY, Event, GamePlayed, PlayerDescribed, RatingSeeded, SessionPlayed, Side
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.kernels import Kernel, has_numba
from ratingcore.replay import Replay, fold
from ratingcore.testing.law import (
    DoesNotApply,
    Violation,
    law,
    law_of_seasons,
    nth,
    on_season,
    outputs,
    same_columns,
    same_state,
    seeded,
)
from ratingcore.testing.random_seasons import FIRST, Form, form_of, plausible, player_facts, result_facts, seasons
from ratingcore.testing.season import POOL, Season, Stage
from ratingcore.testing.variants import rebuilt

Met = tuple[int, int, float]


@law()
def finite(method: Method) -> None:
    """Numbers stay finite on extremes.

    The extremes are huge gaps, a thousand wins in a row, one player against everybody, all equal, every score, and
    thousands of results of one pair. A method may refuse them with a `MethodError`, or report results as left out. A
    whole-pool method may leave players unrated if it has a column with labels.
    """
    form = form_of(method)
    for name, met, gap in _extremes(form):
        on_season(_finite_on(name), method, _season(method, form, met, gap))


def _finite_on(name: str) -> Callable[[Method, Season], None]:
    """Returns the check of one extreme; an overflow is reported with the results that caused it."""

    def finite(method: Method, season: Season) -> None:
        try:
            replay = fold(method, season.view, keep=True)
        except MethodError as refusal:
            if isinstance(refusal, BrokenContract):
                raise
            return
        except RuntimeWarning as warning:
            raise Violation(f"{name}: {warning}") from None
        _finite(name, method, season, replay)

    return finite


def _extremes(form: Form) -> Iterator[tuple[str, list[Met], float]]:
    rng = np.random.default_rng(3)
    scores = form.scores
    even = 0.5 if 0.5 in scores else 1.0
    circle = [(i, (i + step) % 6) for step in (1, 2) for i in range(6)]
    mixed = [(i, j, scores[int(rng.integers(len(scores)))]) for i, j in circle * 3]
    yield "all equal", [(i, j, even) for i, j in circle], 0.0
    yield "every score", [(i, j, score) for i, j in circle for score in (0.0, 1.0, 0.5, 0.3)], 0.0
    yield "a thousand wins in a row", [(0, 1, 1.0)] * 1000, 0.0
    yield "one who beats everybody", [(0, j, 1.0) for j in range(1, 80)], 0.0
    yield "one who loses to everybody", [(j, 0, 1.0) for j in range(1, 80)], 0.0
    yield "two thousand results of one pair", [(0, 1, float(rng.choice(scores))) for _ in range(2000)], 0.0
    yield "large gaps", mixed, 30.0
    yield "huge gaps", mixed, 3000.0


def _season(method: Method, form: Form, met: list[Met], gap: float) -> Season:
    rng = np.random.default_rng(4)
    names = sorted({i for i, _, _ in met} | {j for _, j, _ in met})
    events: list[Event] = []
    members = 1 if form.games else min(form.members)
    for i in names:
        for player in _team(i, members):
            facts = player_facts(method, form, rng)
            if facts:
                events.append(PlayerDescribed(pool=POOL, played=FIRST - DAY, player=player, data=facts))
    for number, (i, j, score) in enumerate(met):
        facts = result_facts(method, form, rng, score, number / len(met))
        one, other, when = _team(i, members), _team(j, members), FIRST + number * DAY // 4
        if form.games:
            events.append(GamePlayed(pool=POOL, played=when, a=one[0], b=other[0], score=score, data=facts))
        else:
            sides = [Side(one, form.score(score)), Side(other, form.score(1.0 - score))]
            events.append(SessionPlayed(pool=POOL, played=when, sides=sides, data=facts))
    if gap:
        events += _apart(method, [player for i in names for player in _team(i, members)], gap)
    return Season.of(events)


def _team(number: int, members: int) -> list[str]:
    return [f"p{number + 1}"] if members == 1 else [f"p{number + 1}{'abcdefgh'[m]}" for m in range(members)]


def _apart(method: Method, players: list[str], gap: float) -> list[Event]:
    """Makes seeds that are far from any rating that the method itself produces."""
    rating = [row["rating"] for season in seasons(method) for row in plausible(method, season)]
    middle, width = float(np.mean(rating)), max(float(np.std(rating)), 1e-6)
    return [
        RatingSeeded(
            pool=POOL, played=FIRST - DAY, player=player, values={"rating": middle + gap * width * (n % 3 - 1)}
        )
        for n, player in enumerate(players)
    ]


def _finite(name: str, method: Method, season: Season, replay: Replay) -> None:
    whole_pool = method.cadence is Cadence.RETROSPECTIVE
    excused = whole_pool and any(column.labels for column in method.columns())
    rating = replay.state["rating"]
    unrated = np.isnan(rating) & (excused | (np.isnan(replay.start) & ~seeded(replay)))
    for column in method.columns():
        numbers = replay.state[column.name]
        if column.per == "player" and column.digits is not None and not column.labels:
            wrong = ~np.isfinite(numbers.reshape(len(numbers), -1)).all(axis=1) & ~unrated
            for row in np.flatnonzero(wrong)[:1].tolist():
                raise Violation(f"{name}: {column.name} of {season.who(row)} is {numbers[row].tolist()!r}")
    outputs: dict[str, Floats | None] = {"fitted score": replay.fitted} if replay.moves is None else {
        "expected score": replay.moves.expected, "change": replay.moves.change,
    }  # fmt: skip
    if replay.remarks.left_out:
        outputs.pop("expected score", None)  # results left out have no forecast
    for what, numbers_of in outputs.items():
        if numbers_of is not None and not np.isnan(replay.start).any() and not unrated.any():
            for at in np.flatnonzero(~np.isfinite(numbers_of))[:1].tolist():
                raise Violation(f"{name}: {what} number {at + 1} is {float(numbers_of[at])!r}")


@law_of_seasons()
def compiled(method: Method, season: Season) -> None:
    """Compiled kernels and plain ones agree within 1e-9."""
    if not has_numba():
        raise DoesNotApply("numba is not installed")
    for stage in season.stages(method):
        with kernels_run(compiled=False) as ran:
            plain = method.rate(stage.state, stage.results)
        if not ran:
            raise DoesNotApply("the method runs no kernel")
        with kernels_run(compiled=True):
            machine = _compiled(method, stage)
        why = f"plain and compiled ({', '.join(sorted(ran))})"
        same_state(plain.state, machine.state, why, season.who, exact=False)
        same_columns(outputs(plain), outputs(machine), why, nth, exact=False)


def _compiled(method: Method, stage: Stage) -> Any:
    try:
        return method.rate(stage.state, stage.results)
    except Exception as error:  # numba's message is long; the line with the cause follows the stages
        if not type(error).__module__.startswith("numba"):
            raise
        lines = [
            line for line in str(error).splitlines() if line.strip() and not line.startswith(("Failed in", "During"))
        ]
        raise Violation(f"a kernel does not compile: {_plain(lines[0] if lines else '')}") from error


def _plain(line: str) -> str:
    """Returns the line without terminal colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line).strip()


@contextmanager
def kernels_run(*, compiled: bool) -> Iterator[set[str]]:
    """Context in which all kernels that are given arrays run compiled, or all run plain; yields their names."""
    ran: set[str] = set()
    was = Kernel.__call__

    def call(kernel: Kernel[..., Any], *args: Any, **kwargs: Any) -> Any:
        if kwargs or not any(isinstance(arg, np.ndarray) for arg in args):
            return was(kernel, *args, **kwargs)
        ran.add(kernel._function.__name__)
        return kernel.compiled(*args) if compiled else kernel._on_lists(args)

    Kernel.__call__ = call  # type: ignore[method-assign, assignment]  # put back below
    try:
        yield ran
    finally:
        Kernel.__call__ = was  # type: ignore[method-assign]  # as it was


@law_of_seasons()
def inputs(method: Method, season: Season) -> None:
    """A method does not change the arrays that it is given."""
    for stage in season.stages(method):
        results = rebuilt(stage.results)
        given = {**_columns(results), **{f"state {name}": stage.state[name] for name in stage.state.names}}
        before = {name: column.copy() for name, column in given.items()}
        method.rate(stage.state, results)
        same_columns(before, given, "after rating")
        method.expected(stage.state, results.withheld())
        method.show(stage.state, results.span.end)
        same_columns(before, given, "after forecasting and showing")
        for name, column in given.items():
            if column.flags.writeable:
                raise Violation(f"{name} was made writable")


def _columns(results: Any) -> dict[str, Floats]:
    names = ("a", "b", "score", "played", "position") if isinstance(results, Games) else (
        "result", "side", "player", "score", "played", "position", "games",
    )  # fmt: skip
    members = {} if isinstance(results, Games) else dict(results.members)
    columns = {name: getattr(results, name) for name in names}
    return columns | dict(results.facts) | members | dict(results.players)

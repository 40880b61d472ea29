"""The fold: runs a method over a view by its cadence, from a checkpoint where that is quicker."""

import math
import time
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns.games import Ints, Span
from ratingcore.columns.view import View
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method, Rated
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.periods import Period
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.state import State
from ratingcore.methods.strengths import Strengths
from ratingcore.methods.text import identity
from ratingcore.replay import checkpoint_store as rules
from ratingcore.replay.checkpoint import Checkpoint, facts_of, of_finished, resumable, taken
from ratingcore.replay.checkpoint_store import Checkpoints
from ratingcore.replay.contract_check import NO_REMARKS, Answers, Remarks, readable_view
from ratingcore.replay.history_columns import ColumnRecorder, Watch
from ratingcore.replay.moves import Keeper
from ratingcore.replay.period_calls import Call, periods, rated_through, seeds_wait
from ratingcore.replay.periodic import Periodic
from ratingcore.replay.replay import Replay, members_of
from ratingcore.replay.run import Continuous, WholePool, pairs_in
from ratingcore.replay.seeds import Planter
from ratingcore.replay.steps import handed_over, in_force, joined, opening


def fold(
    method: Method,
    view: View,
    *,
    keep: bool = False,
    after: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Replay:
    """Runs a method over a view without the results that it cannot read; the replay's view lacks those results, too.

    Parameters
    ----------
    keep : bool
        Whether to keep the expectation and the changes of every result besides the state. Whole-pool methods have
        none.
    after : Checkpoint or None
        State from which the replay begins; it then holds only later results. Only for methods that are `resumable`.
    watch : Watch or None
        Players whose further columns are kept with the moves; a method that rates game by game is then called more
        often.

    Raises
    ------
    MethodError
        If the view does not fit the method, the method cannot rate a result, or it breaks its contract.
    """
    method = in_force(method, view)
    return _folded(method, readable_view(method, view), keep=keep, after=after, watch=watch)


def _folded(
    method: Method, view: View, *, keep: bool = False, after: Checkpoint | None = None, watch: Watch | None = None,
    carry: bool = False,
) -> Replay:  # fmt: skip
    """Like `fold`, for a view that holds only readable results; `carry` keeps the games that wait for the next rule."""
    if isinstance(method, Book) and after is None:
        return joined(_steps(method, view, keep=keep, watch=watch, carry=carry))
    if method.cadence is Cadence.RETROSPECTIVE:
        return WholePool(method, view).replay()
    return _run(method, view, keep=keep, after=after, watch=watch, carry=carry).replay()


def _steps(
    method: Method, view: View, *, keep: bool = False, watch: Watch | None = None, carry: bool = False
) -> list[Replay]:  # fmt: skip
    """Returns the replays of the first rule of a history and of each of its steps."""
    if not isinstance(method, Book):
        return [_folded(method, view, keep=keep, watch=watch, carry=carry)]
    earlier, begun = _up_to_last_step(method, view, keep=keep, watch=watch)
    return [*earlier, _run(method, view, keep=keep, after=begun, watch=watch, carry=carry).replay()]


def _up_to_last_step(
    book: Book, view: View, *, keep: bool = False, watch: Watch | None = None
) -> tuple[list[Replay], Checkpoint]:  # fmt: skip
    """Returns the replays of all rules before the last step of a book, and the checkpoint at which that step begins."""
    enters = isinstance(book.method, Entering)
    earlier = _steps(book.before, handed_over(book, view), keep=keep, watch=watch, carry=enters)
    before = earlier[-1]
    return earlier, opening(book, view, before.state, before.remarks, before.trials)


def run_of(
    method: Method,
    view: View,
    *,
    keep: bool = False,
    after: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Continuous | Periodic:
    """Returns a run of a continuous or periodic method, for callers that look at the state on the way.

    For a rule with a history, it is the run of the last step.
    """
    view = readable_view(method, view)
    if isinstance(method, Book) and after is None:
        _, after = _up_to_last_step(method, view)
    return _run(method, view, keep=keep, after=after, watch=watch)


def _run(
    method: Method, view: View, *, keep: bool = False, after: Checkpoint | None = None, watch: Watch | None = None,
    carry: bool = False,
) -> Continuous | Periodic:  # fmt: skip
    kind = Continuous if method.cadence is Cadence.CONTINUOUS else Periodic
    return kind(method, view, keep=keep, after=after, watch=watch, carry=carry)


MONTH = Period("months", 1)


def walk_forward(method: Method, view: View, period: Period = MONTH, watch: Watch | None = None) -> Replay:
    """Returns a replay with forecasts of every result, from a fit of the results before its period.

    The changes are zero: a whole-pool method does not compute what one result moved.
    """
    view = readable_view(method, view)
    fitted = fold(method, view)
    results: Any = fitted.results
    keeper, answers = Keeper(results), Answers(method, method.columns())
    recorder = (
        None
        if watch is None
        else ColumnRecorder(method, watch, *members_of(results), results.played, view.n_players, 0)
    )
    for call in _calls(view, period, results):
        state = _fit(method, answers, view, results, call)
        part = results.part(call.start, call.stop, call.span)
        forecast = answers.forecast(method.expected(state, part.withheld()), part)
        members, _ = members_of(part)
        still = np.zeros(len(members))
        strengths = None if forecast.strengths is None else partial(_same, forecast.strengths)
        rated = Rated(state, forecast.expected, still, forecast.draw, strengths=strengths)
        keeper.keep(call.start, call.stop, rated)
        keeper.hold(call.start, call.stop, state["rating"][members])
        if recorder is not None:
            recorder.note(call.start, call.stop, state, None)
    return evolve(fitted, moves=keeper.moves(results, recorder))


def _same(strengths: Strengths) -> Strengths:
    return strengths


def _calls(view: View, period: Period, results: Any) -> list[Call]:
    """Returns a call for each closed period, and one for the results since the last of them."""
    calls = periods(view, period, results).calls
    done = calls[-1].stop if calls else 0
    if done == len(results):
        return calls
    since = calls[-1].span.end if calls else int(results.played[0])
    return [*calls, Call(done, len(results), Span(since, int(results.played[-1]) + 1), view.n_players)]


def _fit(method: Method, answers: Answers, view: View, results: Any, call: Call) -> State:
    """Returns the state fitted to the results before a call, with rows for the players of the call."""
    columns = method.columns()
    planter = Planter(view.seeds, columns)
    given = np.flatnonzero(view.seeds.played < call.span.end)
    state = State.start(columns, call.players, pairs_in(results, call.stop))
    planter.plant(state, given, 0, 0)
    span = Span(min(results.span.start, call.span.start), call.span.start)  # the span must not reveal later results
    part = results.part(0, call.start, span)
    return answers.solved(method.rate(state, part), state, part).state


def replay_with_forecasts(
    method: Method,
    view: View,
    watch: Watch | None = None,
    every: Period = MONTH,
    since: tuple[Instant, Checkpoints] | None = None,
) -> Replay:
    """Returns a replay with a forecast of every result, made strictly before it; a `Watch` keeps further columns.

    With `since`, an instant and checkpoints, a resumable method replays only the results from that instant on.
    """
    method = in_force(method, view)
    if isinstance(method, Book):
        view = readable_view(method, view)
        first, *later = _steps(method, view, keep=True, watch=watch)
        if first.method.cadence is Cadence.RETROSPECTIVE:  # it can only be the first rule
            first = walk_forward(first.method, first.view, every, watch)
        return joined([first, *later])
    if method.cadence is Cadence.RETROSPECTIVE:
        return walk_forward(method, view, every, watch)
    if since is not None:
        return replayed(method, view, since[1], keep=True, since=since[0], watch=watch)
    return fold(method, view, keep=True, watch=watch)


@frozen(eq=False)
class Standing:
    """Final state of a method run over a view, with the other facts that a list needs.

    Parameters
    ----------
    method : Method
    view : View
    state : State
        State after the last result that counts.
    at : int
        Instant of the state: the date of a list.
    games : (players,) int
        Number of results of each player.
    identity : str
        Identity of the method, by which checkpoints are found and lists are named; computed once.
    remarks : Remarks
        Remarks of the method on the run.
    """

    method: Method
    view: View
    state: State
    at: Instant
    games: Ints
    identity: str
    remarks: Remarks = NO_REMARKS


def stand(method: Method, view: View, checkpoints: Checkpoints | None = None, *, pinned: bool = False) -> Standing:
    """Runs a method over a view, starting from the nearest checkpoint.

    The result is the same with and without checkpoints, to the last bit.

    Parameters
    ----------
    checkpoints : Checkpoints or None
        Checkpoints to use, and to add to.
    pinned : bool
        Whether to keep a file of the final state, because a published list is made from it.
    """
    method = in_force(method, view)
    return _stand_readable(method, readable_view(method, view), checkpoints, pinned=pinned)


def _stand_readable(method: Method, view: View, checkpoints: Checkpoints | None, *, pinned: bool = False) -> Standing:
    """Like `stand`, for a view that holds only readable results."""
    name, n = identity(method), view.n_games + view.n_sessions
    if checkpoints is None or n < rules.WORTH:
        return _standing(_folded(method, view), name)
    checkpoint = checkpoints.nearest(method, view, name)
    began = time.perf_counter()
    made: list[Checkpoint] = []
    if resumable(method):
        if checkpoint is None and isinstance(method, Book):
            checkpoint = _opened(method, view, checkpoints)
        standing = _resumed(method, view, checkpoint, made, name)
    elif checkpoint is not None and checkpoint.date is not None:
        games = view.played_counts() if checkpoint.games is None else checkpoint.games
        standing = Standing(method, view, checkpoint.state, checkpoint.date, games, name, checkpoint.remarks)
    else:
        replay = _folded(method, view)
        standing = _standing(replay, name)
        made.append(of_finished(method, replay))
    if made:
        through = n - (checkpoint.results if checkpoint else 0)
        checkpoints.keep(name, view, made, through, time.perf_counter() - began)
    if pinned:
        checkpoints.pin(name, made[-1] if made else checkpoint)
    return standing


def _opened(book: Book, view: View, checkpoints: Checkpoints) -> Checkpoint:
    """Returns the checkpoint at which the last step of a book begins, using checkpoints of the rule before."""
    if isinstance(book.method, Entering) or readable_view(book.before, view).timeline is not view.timeline:
        return _up_to_last_step(book, view)[1]  # checkpoints lack waiting games, and their rows may be of other players
    before = _stand_readable(book.before, handed_over(book, view), checkpoints)
    return opening(book, view, before.state, before.remarks)


def _standing(replay: Replay, name: str) -> Standing:
    return Standing(replay.method, replay.view, replay.state, replay.at, replay.games, name, replay.remarks)


def reached(method: Method, view: View, checkpoints: Checkpoints) -> Checkpoint:
    """Returns the end of a view as a checkpoint, from which a resumable method can replay what follows."""
    view = readable_view(method, view)
    standing = _stand_readable(method, view, checkpoints)
    # the results of an open period are rated when the period closes, so they come after this checkpoint
    through = rated_through(method, view)
    checkpoint = taken(method, view, view.through, standing.state, remarks=standing.remarks)
    return evolve(checkpoint, through=through, seeded=view.through)


def replayed(
    method: Method,
    view: View,
    checkpoints: Checkpoints,
    *,
    keep: bool = False,
    since: Instant | None = None,
    watch: Watch | None = None,
) -> Replay:
    """Runs a method over a view, starting from its state just before `since` if that gives the same later lines.

    It does if the method is resumable, and the facts of players that it reads have not changed since.
    """
    method = in_force(method, view)
    view, begun = readable_view(method, view), method.day if isinstance(method, Book) else None
    after = None
    if since is not None and resumable(method) and since <= view.through and (begun is None or since > begun):
        earlier = view.cut(since - 1)
        # an empty view has no date and no checkpoint
        known = earlier.n_games + earlier.n_sessions + len(earlier.seeds.played)
        if (
            known
            and not seeds_wait(method, earlier)
            and facts_of(method, earlier, since - 1) == facts_of(method, view, since - 1)
        ):
            after = reached(method, earlier, checkpoints)
    return _folded(method, view, keep=keep, after=after, watch=watch)


def _resumed(method: Method, view: View, checkpoint: Checkpoint | None, made: list[Checkpoint], name: str) -> Standing:
    """Runs a method from a checkpoint to the end of a view, and adds new checkpoints to `made` on the way."""
    run = _run(method, view, after=checkpoint)
    stops = _few_enough(_stops(run, checkpoint), run)

    def see(at: Instant, state: State) -> None:
        made.append(taken(method, view, at, state, remarks=run.answers.remarks))

    state = run.stand(stops, see)
    games = _games(view, checkpoint)
    if made and made[-1].results == view.n_games + view.n_sessions:
        made[-1] = evolve(made[-1], games=games[: len(made[-1].state["rating"])].copy())
    return Standing(method, view, state, run.date, games, name, run.answers.remarks)


def _few_enough(stops: list[Instant], run: Continuous | Periodic) -> list[Instant]:
    """Returns as many stops as memory has room for, ever closer to each other towards the last."""
    rows = {"player": run.view.n_players, "pool": 1}
    size = 8 * sum(rows[c.per] * math.prod(c.shape) for c in run.columns if c.per != "pair")
    room = max(1, rules.memory(run.view) // (3 * max(size, 1)))
    if len(stops) <= room:
        return stops
    results = np.array([sum(run.view.started(stop)) for stop in stops])
    ratio = rules.PARTS ** (-1.0 / max(room - 1, 1))
    wanted = results[-1] * (1.0 - ratio ** np.arange(1, room))
    nearest = {int(np.abs(results[:-1] - place).argmin()) for place in wanted} | {len(stops) - 1}
    return [stops[at] for at in sorted(nearest)]


def _games(view: View, checkpoint: Checkpoint | None) -> Ints:
    """Returns the number of results of each player in the view."""
    if checkpoint is None or checkpoint.games is None:
        return view.played_counts()
    games = view.played_counts(checkpoint.through)
    games[: len(checkpoint.games)] += checkpoint.games
    return games


def _stops(run: Continuous | Periodic, checkpoint: Checkpoint | None) -> list[Instant]:
    """Returns the instants after which a replay leaves checkpoints, up to its end."""
    view, period = run.view, run.method.period
    n = view.n_games + view.n_sessions
    begun = 0 if checkpoint is None else checkpoint.results
    places = view.instants([at - 1 for at in rules.stops(begun, n, view.n_players)])
    if period is not None and isinstance(run, Periodic):
        # without a cut in the view, the last period may still go on
        ends = run.plan.ends if period.unit != "cuts" else run.plan.ends[:-1]
        chosen = np.searchsorted(ends, places, "right") - 1
        near = range(len(ends) - 3, len(ends))
        return [int(ends[at]) for at in sorted({*chosen.tolist(), *near}) if at >= 0]
    last = view.last_happened
    every = {*places, view.last_before(last), last}
    return sorted(at for at in every if at is not None and (checkpoint is None or at > checkpoint.through))

"""Replays for lists, which need no history: a method resumed over a view from the nearest checkpoint."""

import math
import time

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns.arrays import Ints
from ratingcore.columns.view import View
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.state import State
from ratingcore.methods.text import identity
from ratingcore.replay import checkpoint_store as rules
from ratingcore.replay.beside import Watch
from ratingcore.replay.checkpoint import BEFORE, Checkpoint, facts_of, resumable, taken, whole
from ratingcore.replay.checkpoint_store import Checkpoints
from ratingcore.replay.continuous import Continuous
from ratingcore.replay.fold import fold, run_of
from ratingcore.replay.periodic import Periodic
from ratingcore.replay.readable_view import fitting
from ratingcore.replay.record import Replay


@frozen(eq=False)
class Standing:
    """A method run over a view, as far as a list needs it.

    Parameters
    ----------
    method : Method
    view : View
    state : State
        After the last result that counts.
    at : int
        Instant the state stands for, the date of a list.
    games : (players,) int
        How many results each player took part in.
    identity : str
        Identity of the method, made once: checkpoints are found and lists are named by it.
    """

    method: Method
    view: View
    state: State
    at: Instant
    games: Ints
    identity: str


def stand(method: Method, view: View, checkpoints: Checkpoints | None = None, *, pinned: bool = False) -> Standing:
    """Run a method over a view, from the nearest checkpoint on.

    The result is the same with and without checkpoints, to the last bit.

    Parameters
    ----------
    checkpoints : Checkpoints or None
        Where to look for one, and where to leave new ones.
    pinned : bool
        Keep a file of the final state: a published list is made from it.
    """
    view, name = fitting(method, view), identity(method)
    n = view.n_games + view.n_sessions
    if checkpoints is None or n < rules.WORTH:
        replay = fold(method, view)
        return Standing(method, view, replay.state, replay.at, view.played_counts(), name)
    checkpoint = checkpoints.nearest(method, view, name)
    began = time.perf_counter()
    made: list[Checkpoint] = []
    if resumable(method):
        standing = _resumed(method, view, checkpoint, made, name)
    elif checkpoint is not None and checkpoint.date is not None:
        games = view.played_counts() if checkpoint.games is None else checkpoint.games
        standing = Standing(method, view, checkpoint.state, checkpoint.date, games, name)
    else:
        replay = fold(method, view)
        standing = Standing(method, view, replay.state, replay.at, view.played_counts(), name)
        made.append(whole(method, view, standing.state, standing.games, standing.at))
    if made:
        through = n - (checkpoint.results if checkpoint else 0)
        checkpoints.keep(name, view, made, through, time.perf_counter() - began)
    if pinned:
        checkpoints.pin(name, made[-1] if made else checkpoint)
    return standing


def reached(method: Method, view: View, checkpoints: Checkpoints) -> Checkpoint:
    """Returns the end of a view as a checkpoint, from which a resumable method can replay what follows."""
    view = fitting(method, view)
    standing = stand(method, view, checkpoints)
    through = view.through
    if method.cadence is Cadence.PERIODIC:  # what is played in a period that is open counts when it is closed
        closed = Periodic(method, view).last
        through = BEFORE if closed is None else closed
    return evolve(taken(method, view, view.through, standing.state), through=through, seeded=view.through)


def replayed(
    method: Method,
    view: View,
    checkpoints: Checkpoints,
    *,
    keep: bool = False,
    since: Instant | None = None,
    watch: Watch | None = None,
) -> Replay:
    """Run a method over a view, from where it stood just before `since` if that gives the same lines from there on.

    It does where the method can go on from a state, and where nothing that it reads of players was said since then.
    """
    view = fitting(method, view)
    after = None
    if since is not None and resumable(method) and since <= view.through:
        earlier = view.cut(since - 1)
        if facts_of(method, earlier, since - 1) == facts_of(method, view, since - 1):
            after = reached(method, earlier, checkpoints)
    return fold(method, view, keep=keep, after=after, watch=watch)


def _resumed(method: Method, view: View, checkpoint: Checkpoint | None, made: list[Checkpoint], name: str) -> Standing:
    """Runs a method from a checkpoint to the end of a view; adds the checkpoints on its way to `made`."""
    run = run_of(method, view, after=checkpoint)
    stops = _few_enough(_stops(run, checkpoint), run)
    state = run.stand(stops, lambda at, state: made.append(taken(method, view, at, state)))
    games = _games(view, checkpoint)
    if made and made[-1].results == view.n_games + view.n_sessions:
        made[-1] = evolve(made[-1], games=games[: len(made[-1].state["rating"])].copy())
    return Standing(method, view, state, run.date, games, name)


def _few_enough(stops: list[Instant], run: Continuous | Periodic) -> list[Instant]:
    """As many of the stops as there is room for their states: the last, and those after a half, three quarters, ..."""
    rows = {"player": run.view.n_players, "pool": 1}
    size = 8 * sum(rows[c.per] * math.prod(c.shape) for c in run.columns if c.per != "pair")
    room = max(1, rules.memory(run.view) // (2 * max(size, 1)))
    if len(stops) <= room:
        return stops
    results = np.array([sum(run.view.started(stop)) for stop in stops])
    wanted = results[-1] * (1.0 - 0.5 ** np.arange(1, room))
    nearest = {int(np.abs(results[:-1] - place).argmin()) for place in wanted} | {len(stops) - 1}
    return [stops[at] for at in sorted(nearest)]


def _games(view: View, checkpoint: Checkpoint | None) -> Ints:
    """How many results of the view each player took part in."""
    if checkpoint is None or checkpoint.games is None:
        return view.played_counts()
    games = view.played_counts(checkpoint.through)
    games[: len(checkpoint.games)] += checkpoint.games
    return games


def _stops(run: Continuous | Periodic, checkpoint: Checkpoint | None) -> list[Instant]:
    """Instants after which a replay leaves checkpoints, the end among them."""
    view, period = run.view, run.method.period
    n = view.n_games + view.n_sessions
    begun = 0 if checkpoint is None else checkpoint.results
    places = view.instants([at - 1 for at in rules.stops(begun, n)])
    if period is not None and isinstance(run, Periodic):
        ends = run.plan.ends if period.unit != "cuts" else run.plan.ends[:-1]  # after the last cut it may go on
        chosen = np.searchsorted(ends, places, "right") - 1
        near = range(len(ends) - 3, len(ends))
        return [int(ends[at]) for at in sorted({*chosen.tolist(), *near}) if at >= 0]
    last = view.last_happened
    every = {*places, view.last_before(last), last}
    return sorted(at for at in every if at is not None and (checkpoint is None or at > checkpoint.through))

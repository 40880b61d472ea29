"""A checkpoint: what a method had made of everything played through an instant, from which a replay can go on."""

import hashlib

import numpy as np
from attrs import frozen

from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.entry import Entering
from ratingcore.methods.state import State
from ratingcore.tables.arrays import Ints
from ratingcore.tables.view import FOREVER, View


@frozen(eq=False)
class Checkpoint:
    """The state of a method at an instant, as the reader of a log's first events knew what was played.

    Parameters
    ----------
    known_at : int
        How many events of the log the reader knew.
    digest : str
        Digest of those events.
    through : int
        Everything played, and every seed given, up to this instant is in the state, and nothing after it.
    results : int
        How many results that are.
    state : State
        Rows of the players who had appeared by then.
    games : (players,) int or None
        How many results each of them took part in, where it has been counted.
    facts : str
        What the method read of players by then, as `facts_of` has it.
    date : int or None
        The day its list stands for, if it is the end of a replay that cannot go on: it then serves the same cut in
        played time only.
    seeded : int or None
        Through when seeds are in the state, where that is later than `through`.
    """

    known_at: int
    digest: str
    through: Instant
    results: int
    state: State
    games: Ints | None
    facts: str = ""
    date: Instant | None = None
    seeded: Instant | None = None

    @property
    def size(self) -> int:
        """Bytes of its columns."""
        counted = 0 if self.games is None else self.games.nbytes
        return counted + sum(self.state[name].nbytes for name in self.state.names)

    def serves(self, view: View, method: Method) -> bool:
        """Whether a replay of a view may begin here: nothing of what is in it reads otherwise there.

        What two readers know is compared with every time each of them gives an event: its own, the one it was
        corrected to, and the one that was corrected later.
        """
        reached = self.through <= view.through if self.date is None else self.through == view.through
        if not reached or self.through > horizon(method, view) or view.same_before(self.known_at) <= self.through:
            return False
        return self.facts == facts_of(method, view, self.through)


def horizon(method: Method, view: View) -> Instant:
    """How far a replay of a view comes: a periodic method without a cut, to the end of the last period that began."""
    if method.period is None or method.period.unit == "event" or view.through != FOREVER:
        return view.through
    last = view.last_happened
    return -FOREVER if last is None else int(method.period.edges(last, last)[-1]) - 1


def resumable(method: Method) -> bool:
    """Whether a replay of a method can go on where another one stopped.

    A whole-pool method begins anew each time; rows of pairs, tournaments as periods and newcomers whose games are
    kept back depend on more than what was played by then.
    """
    if isinstance(method, Entering) or method.cadence is Cadence.RETROSPECTIVE:
        return False
    if any(column.per == "pair" for column in method.columns()):
        return False
    return method.period is None or method.period.unit != "event"


def facts_of(method: Method, view: View, through: Instant) -> str:
    """Digest of what a method reads of the players who had appeared by an instant; empty if it reads nothing."""
    columns = view.player_facts(method.needs, method.name)
    if not columns:
        return ""
    players = int(np.searchsorted(view.timeline.players.first, through, "right"))
    told = hashlib.sha256()
    for name in sorted(columns):
        told.update(name.encode() + columns[name][:players].tobytes())
    return told.hexdigest()


def taken(method: Method, view: View, through: Instant, state: State, games: Ints | None = None) -> Checkpoint:
    """A checkpoint of a state that has just been reached; it shares no memory with the state."""
    players = int(np.searchsorted(view.timeline.players.first, through, "right"))
    return Checkpoint(
        view.known_at, view.digest, through, sum(view.started(through)), state.leading(method.columns(), players),
        None if games is None else games[:players].copy(), facts_of(method, view, through),
    )  # fmt: skip


def whole(method: Method, view: View, state: State, games: Ints, date: Instant) -> Checkpoint:
    """A checkpoint of a replay that cannot go on."""
    results, facts = view.n_games + view.n_sessions, facts_of(method, view, view.through)
    return Checkpoint(view.known_at, view.digest, view.through, results, state, games, facts, date)

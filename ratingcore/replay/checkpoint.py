"""Checkpoint: the state of a method after everything played through an instant, from which a replay can continue."""

import hashlib

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Ints
from ratingcore.columns.view import FOREVER, View
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.first_ratings import Carried, Entering
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.state import State
from ratingcore.replay.contract_check import NO_REMARKS, Remarks
from ratingcore.replay.other_pools import planted
from ratingcore.replay.replay import Replay


@frozen(eq=False)
class Checkpoint:
    """The state of a method at an instant, for the reader of a log's first events.

    Parameters
    ----------
    known_at : int
        Number of events of the log that the reader knew.
    digest : str
        Digest of those events.
    through : int
        Instant up to which the state contains every result and seed; it contains nothing later.
    results : int
        Number of results up to this instant.
    state : State
        State with a row for each player who had appeared by this instant.
    games : (players,) int or None
        Number of results of each player, if counted.
    facts : str
        Digest of the facts of these players that the method reads, from `facts_of`.
    date : int or None
        Date of the list, for the end of a replay that cannot be resumed; the checkpoint then serves only a view with
        the same cut in played time.
    seeded : int or None
        Instant up to which the state contains seeds, if that is later than `through`.
    remarks : Remarks
        Remarks of the method on the run so far.
    left : (n,) int64 or None
        Positions of earlier results that the state lacks, for a rule that takes over from a rule by tournament.
    trials : Carried
        Games of newcomers that wait to make a first rating when a rule begins.
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
    remarks: Remarks = NO_REMARKS
    left: Ints | None = None
    trials: Carried = field(factory=dict)

    @property
    def size(self) -> int:
        """Size of the columns in bytes."""
        counted = 0 if self.games is None else self.games.nbytes
        return counted + sum(self.state[name].nbytes for name in self.state.names)

    def fits(self, method: Method, view: View) -> bool:
        """True if the state has the columns of the method, with a row for each player who had appeared by `through`."""
        shapes = {name: self.state[name].shape for name in self.state.names}
        declared = {column.name: column for column in method.columns()}
        players = int(np.searchsorted(view.timeline.players.first, self.through, "right"))
        rows = {"player": players, "pool": 1}
        if shapes.keys() != declared.keys() or (self.games is not None and self.games.shape != (players,)):
            return False
        return all(
            shapes[name][1:] == column.shape
            and self.state[name].dtype == np.float64
            and (column.per == "pair" or shapes[name][:1] == (rows[column.per],))
            for name, column in declared.items()
        )

    def serves(self, view: View, method: Method) -> bool:
        """True if a replay of a view may begin here, because everything up to `through` is the same for its reader.

        An event whose time was amended counts at its recorded time and at the time that each of the two readers knows:
        none of these may be up to `through`.
        """
        reached = self.through <= view.through if self.date is None else self.through == view.through
        if not reached or self.through > horizon(method, view) or view.same_before(self.known_at) <= self.through:
            return False
        return self.facts == facts_of(method, view, self.through)


def horizon(method: Method, view: View) -> Instant:
    """Returns the instant that a replay of a view reaches: its cut, or for a periodic method the end of a period."""
    if method.period is None or method.period.unit == "event" or view.through != FOREVER:
        return view.through
    last = view.last_happened
    return -FOREVER if last is None else int(method.period.edges(last, last)[-1]) - 1


def resumable(method: Method) -> bool:
    """True if a replay of a method can be resumed from a state.

    A whole-pool method starts anew each time. Methods with columns of pairs, with tournaments as periods, or with
    newcomers who enter by games need more than the state: these depend on more than the results up to that instant.
    """
    if isinstance(method, Book):
        earlier = (one for one, _ in method.before_steps)
        return resumable(method.method) and all(resumable(one) or _is_whole(one) for one in earlier)
    if isinstance(method, Entering) or method.cadence is Cadence.RETROSPECTIVE:
        return False
    if any(column.per == "pair" for column in method.columns()):
        return False
    return method.period is None or method.period.unit != "event"


def _is_whole(method: Method) -> bool:
    """True if a method computes all ratings at once from all results, so that no state of it is resumed."""
    return method.cadence is Cadence.RETROSPECTIVE


def facts_of(method: Method, view: View, through: Instant) -> str:
    """Returns a digest of the facts that a method reads about the players who had appeared by an instant.

    These include the ratings of another pool with which newcomers begin. Empty if the method reads no facts.
    """
    return _own_facts(method, view, through) + "".join(planted(method, view.cut(through)).values())


def _own_facts(method: Method, view: View, through: Instant) -> str:
    if isinstance(method, Book):
        return ",".join(_own_facts(one, view, through) for one, _ in method.steps).strip(",")
    columns = view.player_facts(method.needs, method.name)
    if not columns:
        return ""
    players = int(np.searchsorted(view.timeline.players.first, through, "right"))
    digest = hashlib.sha256()
    for name in sorted(columns):
        digest.update(name.encode() + columns[name][:players].tobytes())
    return digest.hexdigest()


def taken(
    method: Method, view: View, through: Instant, state: State, games: Ints | None = None, remarks: Remarks = NO_REMARKS
) -> Checkpoint:
    """Returns a checkpoint of a state just reached by a run; it shares no memory with the state."""
    players = int(np.searchsorted(view.timeline.players.first, through, "right"))
    return Checkpoint(
        view.known_at, view.digest, through, sum(view.started(through)), state.leading(method.columns(), players),
        None if games is None else games[:players].copy(), facts_of(method, view, through), remarks=remarks,
    )  # fmt: skip


def of_finished(method: Method, replay: Replay) -> Checkpoint:
    """Returns a checkpoint of a finished replay that cannot be resumed."""
    view, facts = replay.view, facts_of(method, replay.view, replay.view.through)
    return Checkpoint(
        view.known_at, view.digest, view.through, view.n_games + view.n_sessions, replay.state, replay.games, facts,
        replay.at, remarks=replay.remarks,
    )  # fmt: skip

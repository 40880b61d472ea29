"""A checkpoint: the state of a method after everything played through an instant, from which a replay can go on."""

import hashlib

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Ints
from ratingcore.columns.view import FOREVER, View
from ratingcore.events import Instant
from ratingcore.methods.books import Book
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.first_ratings import Carried, Entering
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
        The state contains everything played, and every seed given, up to this instant, and nothing later.
    results : int
        Number of those results.
    state : State
        Rows of the players who had appeared by then.
    games : (players,) int or None
        Number of results of each of them, if counted.
    facts : str
        Digest of the players' facts that the method read by then, from `facts_of`.
    date : int or None
        Date of its list, if it ends a replay that cannot be resumed: it then serves only the same cut in played
        time.
    seeded : int or None
        The instant through which seeds are in the state, where it is later than `through`.
    remarks : Remarks
        Remarks of the method on the run so far.
    left : (n,) int64 or None
        Positions of earlier results missing from the state, for a rule that begins with that of a rule by tournament.
    trials : Carried
        Games of newcomers that wait to make a first rating, where a rule begins.
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
        """Bytes of its columns."""
        counted = 0 if self.games is None else self.games.nbytes
        return counted + sum(self.state[name].nbytes for name in self.state.names)

    def fits(self, method: Method, view: View) -> bool:
        """True if its columns are those of the method, with a row for each player who had appeared by then."""
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
        """True if a replay of a view may begin here: its reader reads everything up to here as this one did.

        A changed event counts from the earliest of its times on: the time it was recorded with, and the times that
        corrections gave it for either reader.
        """
        reached = self.through <= view.through if self.date is None else self.through == view.through
        if not reached or self.through > horizon(method, view) or view.same_before(self.known_at) <= self.through:
            return False
        return self.facts == facts_of(method, view, self.through)


def horizon(method: Method, view: View) -> Instant:
    """The instant that a replay of a view reaches; without a cut, periodic methods reach the end of a period."""
    if method.period is None or method.period.unit == "event" or view.through != FOREVER:
        return view.through
    last = view.last_happened
    return -FOREVER if last is None else int(method.period.edges(last, last)[-1]) - 1


def resumable(method: Method) -> bool:
    """True if a replay of a method can be resumed from a state.

    A whole-pool method starts anew each time. Rows of pairs, tournaments as periods and the games of newcomers that
    are kept back depend on more than what was played by then.
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
    """True if a method makes all ratings anew from all results through a day."""
    return method.cadence is Cadence.RETROSPECTIVE


def facts_of(method: Method, view: View, through: Instant) -> str:
    """Digest of the facts that a method reads of the players who had appeared by an instant; empty for no facts.

    This includes the ratings of another pool with which newcomers begin.
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

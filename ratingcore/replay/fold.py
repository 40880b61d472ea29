"""The fold: a method run over a view by its cadence, with every seed planted in time."""

from ratingcore.columns.view import View
from ratingcore.methods.contract import Cadence, Method
from ratingcore.replay.beside import Watch
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.continuous import Continuous
from ratingcore.replay.periodic import Periodic
from ratingcore.replay.readable_view import fitting
from ratingcore.replay.record import Replay
from ratingcore.replay.whole_pool import WholePool


def fold(
    method: Method,
    view: View,
    *,
    keep: bool = False,
    after: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Replay:
    """Run a method over a view, without the results that it cannot read: the replay holds the view of the others.

    Parameters
    ----------
    keep : bool
        Keep what every result was expected to be and moved; else only the state. Whole-pool methods say neither.
    after : Checkpoint or None
        Where the replay begins: it then holds what came after it. Only for methods that are `resumable`.
    watch : Watch or None
        Whose further columns are kept with the moves; a method that rates game by game is then called more often.

    Raises
    ------
    MethodError
        If the view does not fit the method, a result is one it cannot rate, or it breaks its contract.
    """
    if method.cadence is Cadence.RETROSPECTIVE:
        return WholePool(method, fitting(method, view)).replay()
    return run_of(method, view, keep=keep, after=after, watch=watch).replay()


def run_of(
    method: Method,
    view: View,
    *,
    keep: bool = False,
    after: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Continuous | Periodic:
    """The run of a continuous or periodic method, for callers that look at the state on its way."""
    kind = Continuous if method.cadence is Cadence.CONTINUOUS else Periodic
    return kind(method, fitting(method, view), keep=keep, after=after, watch=watch)

"""Laws of the machine: compiled and plain kernels give the same numbers, and inputs are never written to."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ratingcore.columns import Games
from ratingcore.columns.arrays import Floats
from ratingcore.methods.contract import Method
from ratingcore.methods.kernels import Kernel, has_numba
from ratingcore.testing.assertions import nth, outputs, same_columns, same_state
from ratingcore.testing.law import DoesNotApply, Violation, law_of_seasons
from ratingcore.testing.season import Season, Stage
from ratingcore.testing.variants import rebuilt


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
    """The line without terminal colours."""
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
    """What is given to a method is as it was afterwards."""
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

"""Comparisons that raise a `Violation` which says what differs, where, and by which numbers."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ratingcore.columns.arrays import Floats, Ints
from ratingcore.methods.contract import Change, Method, Rated, Solved
from ratingcore.methods.state import State
from ratingcore.testing.law import Violation

TOLERANCE = 1e-9
"""Largest difference of two numbers that are equal in exact arithmetic, plus 1e-12 of their size."""

Who = Callable[[int], str]


def same(what: str, one: Any, other: Any, who: Who = str, *, exact: bool = True) -> None:
    """Raise `Violation` unless two columns hold the same bits, or the same numbers within the tolerance.

    Examples
    --------
    >>> same("rating", np.array([1.0, 2.0]), np.array([1.0, 2.5]), "ann bo".split().__getitem__)
    Traceback (most recent call last):
    ratingcore.testing.law.Violation: rating of bo is 2.0 and 2.5
    """
    one, other = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if one.shape != other.shape:
        raise Violation(f"{what} has shape {one.shape} and {other.shape}")
    rtol, atol = (0.0, 0.0) if exact else (1e-12, TOLERANCE)
    differs = ~np.isclose(one, other, rtol=rtol, atol=atol, equal_nan=True)
    if differs.any():
        at = tuple(int(i) for i in np.argwhere(differs)[0])
        where = who(at[0]) if at else "it"
        raise Violation(f"{what} of {where} is {float(one[at])!r} and {float(other[at])!r}")


def same_columns(
    one: Mapping[str, Floats], other: Mapping[str, Floats], why: str, who: Who = str, *, exact: bool = True
) -> None:
    """Raise `Violation` unless two sets of columns are the same."""
    if one.keys() != other.keys():
        raise Violation(f"{why}: there is {', '.join(one) or 'nothing'}, and then {', '.join(other) or 'nothing'}")
    for name in one:
        try:
            same(name, one[name], other[name], who, exact=exact)
        except Violation as found:
            raise Violation(f"{why}: {found}") from None


def same_state(one: State, other: State, why: str, who: Who = str, *, exact: bool = True) -> None:
    """Raise `Violation` unless two states are the same."""
    same_columns(columns(one), columns(other), why, who, exact=exact)


def columns(state: State) -> dict[str, Floats]:
    """The columns of a state by name."""
    return {name: state[name] for name in state.names}


def outputs(outcome: Rated | Solved) -> dict[str, Floats]:
    """Everything a call returned about its results, by name; one number a result or side, or a row (a, b)."""
    if isinstance(outcome, Solved):
        return {"fitted score": outcome.fitted}
    columns = {"expected score": outcome.expected, "change": paired(outcome.change)}
    if outcome.draw is not None:
        columns["chance of a draw"] = outcome.draw
    columns |= {label: paired(moved) for label, moved in outcome.before.items()}
    return columns | {f"note {name}": note for name, note in outcome.notes.items()}


def rated(method: Method, state: State, results: Any) -> Rated:
    """What `rate` of a continuous or periodic method returns."""
    outcome = method.rate(state, results)
    if not isinstance(outcome, Rated):
        raise Violation(f"rate returned {type(outcome).__name__}, not Rated")
    return outcome


def paired(change: Change) -> Floats:
    """A change as one column: rows of (a, b) for games."""
    return np.column_stack(change) if isinstance(change, tuple) else change


def among(rows: Ints, who: Who) -> Who:
    """A function from a place among some rows to the name of that row."""

    def name(number: int) -> str:
        return who(int(rows[number]))

    return name


def always(name: str) -> Who:
    """A function that gives everything the same name."""
    return lambda _: name


def nth(result: int) -> str:
    """The name of a result in messages."""
    return f"result {result + 1}"

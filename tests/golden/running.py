"""Runs cases through the methods that are built, and lists what differs."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from attrs import field, frozen

from ratingcore.errors import RatingCoreError
from tests.golden import duels, federations, fields, measures
from tests.golden.cases import Case, MalformedError
from tests.golden.comparing import differences

Adapter = Callable[..., dict[str, Any]]
BUILT: Mapping[str, Adapter] = {
    **duels.ADAPTERS,
    **federations.ADAPTERS,
    **fields.ADAPTERS,
    **measures.ADAPTERS,
    **(import_module("tests.golden.simulation").ADAPTERS if find_spec("ratingcore_laboratory") else {}),
    **(import_module("tests.golden.performances").ADAPTERS if find_spec("ratingcore_performance") else {}),
}
"""The adapter of each method that cases name."""


@frozen
class Outcome:
    """What the cases of one method gave."""

    method: str
    cases: int = 0
    failures: tuple[str, ...] = field(default=())
    failed: int = 0
    malformed: tuple[str, ...] = field(default=())

    @property
    def built(self) -> bool:
        return self.method in BUILT

    def __str__(self) -> str:
        passed = self.cases - self.failed - len(self.malformed) if self.built else 0
        counts = (self.cases, passed, self.failed, 0 if self.built else self.cases)
        names = ("cases", "passed", "failed", "not built")
        return f"{self.method:<20}" + "  ".join(f"{n:>4} {name}" for n, name in zip(counts, names, strict=True))


def run(cases: Iterable[Case]) -> list[Outcome]:
    """The outcome of each method, in the order in which the cases name them."""
    by_method: dict[str, list[Case]] = {}
    for case in cases:
        by_method.setdefault(case.method, []).append(case)
    return [_run_method(method, found) for method, found in by_method.items()]


def _run_method(method: str, cases: list[Case]) -> Outcome:
    failures, malformed, failed = [], [], 0
    for case in cases if method in BUILT else ():
        try:
            wrong = [f"{case.id}  {line}" for line in _failures(case)]
        except MalformedError as error:
            malformed.append(str(error))
        else:
            failures += wrong
            failed += bool(wrong)
    return Outcome(method, len(cases), tuple(failures), failed, tuple(malformed))


def _failures(case: Case) -> list[str]:
    try:
        got = answer(case)
    except RatingCoreError as error:
        return [f"refused: {error}, expected {dict(case.expected)!r}"]
    return [str(difference) for difference in differences(got, case.expected, case.tol)]


def answer(case: Case) -> dict[str, Any]:
    """What the method makes of the input; null is a key left out."""
    adapter = BUILT[case.method]
    given = {key: value for key, value in case.input.items() if value is not None}
    try:
        inspect.signature(adapter).bind(**given)
        return adapter(**given)
    except RatingCoreError:
        raise
    except (TypeError, ValueError, LookupError) as error:
        raise MalformedError(f"case {case.id} has an input that cannot be read: {error}") from error

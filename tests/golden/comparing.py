"""When a number that was computed is the number that was published."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen


@frozen
class Difference:
    """One value of a case that came out otherwise."""

    key: str
    got: Any
    expected: Any

    def __str__(self) -> str:
        return f"{self.key}: got {self.got!r}, expected {self.expected!r}"


def differences(got: Any, expected: Any, tol: float, key: str = "") -> Iterator[Difference]:
    """Where `got` is not `expected`: numbers within tol * max(1, |expected|), all else equal.

    What `got` holds beyond the keys expected is not looked at.

    Examples
    --------
    >>> [str(d) for d in differences({"e": 0.5, "new": [1.0, 2.0]}, {"e": 0.5, "new": [1.0, 3.0]}, 1e-9)]
    ['new[1]: got 2.0, expected 3.0']
    """
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for name, value in expected.items():
            yield from differences(got.get(name, "nothing"), value, tol, f"{key}.{name}" if key else name)
    elif isinstance(expected, list) and isinstance(got, list) and len(got) == len(expected):
        for n, value in enumerate(expected):
            yield from differences(got[n], value, tol, f"{key}[{n}]")
    elif _is_number(expected) and _is_number(got):
        if not abs(got - expected) <= tol * max(1.0, abs(expected)):
            yield Difference(key, got, expected)
    elif type(got) is not type(expected) or got != expected:
        yield Difference(key, got, expected)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)

"""Read-only dictionaries, for mappings inside values that users get."""

from collections.abc import Mapping
from typing import Any, Never, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ReadOnly(dict[K, V]):
    """A dictionary that refuses every change, but is read, compared, copied and pickled like any other.

    Examples
    --------
    >>> import copy, pickle
    >>> facts = ReadOnly({"round": 3})
    >>> facts == {"round": 3}, copy.deepcopy(facts) == facts, pickle.loads(pickle.dumps(facts)) == facts
    (True, True, True)
    >>> facts["round"] = 4
    Traceback (most recent call last):
        ...
    TypeError: this mapping is read-only: take dict(...) of it to change
    """

    __slots__ = ()

    def _refuse(self, *args: object, **kwargs: object) -> Never:
        raise TypeError("this mapping is read-only: take dict(...) of it to change")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type["ReadOnly[K, V]"], tuple[dict[K, V]]]:
        return type(self), (dict(self),)


def read_only(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns a read-only copy; used as the converter of fields that hold mappings."""
    return ReadOnly(facts)

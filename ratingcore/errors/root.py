"""The root class of all errors, and values as their messages quote them."""

from collections.abc import Mapping
from typing import ClassVar, dataclass_transform

_MOST = 400


def quoted(value: object) -> str:
    """A value in Python's spelling, shortened if long.

    Examples
    --------
    >>> quoted("1-1"), quoted(10**5000)
    ("'1-1'", 'a whole number of 16610 bits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of more than 4300 digits
        return f"a whole number of {value.bit_length()} bits" if isinstance(value, int) else type(value).__name__
    return text if len(text) <= _MOST else f"{text[: _MOST - 100]} ... ({len(text):,} characters)"


@dataclass_transform(eq_default=False)
class RatingCoreError(Exception):
    """Root of all errors of ratingcore, whose annotated fields are the facts of an error, given by place or by name.

    They are not attrs classes: building some seventy of them would take a fifth of the time of a first list.

    Examples
    --------
    >>> class LightsOut(RatingCoreError):
    ...     hall: str
    ...     hours: int = 1
    >>> LightsOut("A")
    LightsOut(hall='A', hours=1)
    """

    __match_args__: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[Mapping[str, object]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = cls.__annotations__
        cls.__match_args__ = tuple(dict.fromkeys((*cls.__match_args__, *own)))  # type: ignore[misc]  # of each class its own
        cls._defaults = {**cls._defaults, **{name: vars(cls)[name] for name in own if name in vars(cls)}}

    def __init__(self, *facts: object, **named: object) -> None:
        names, kind = self.__match_args__, type(self).__name__
        given = dict(zip(names, facts, strict=False))
        if (names and len(facts) > len(names)) or not named.keys() <= {*names} - given.keys():
            raise TypeError(f"{kind} takes {', '.join(names)}, each once")
        given = {**self._defaults, **given, **named}
        missing = [name for name in names if name not in given]
        if missing:
            raise TypeError(f"{kind} misses {', '.join(missing)}")
        vars(self).update(given)
        super().__init__(*([given[name] for name in names] if names else facts))

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({facts})" if facts else super().__repr__()

    @property
    def cause(self) -> str:
        """What it has in common with others that a report shows as one: its words, without the value they quote."""
        return str(self)

    @property
    def hint(self) -> str:
        """What to do next, or nothing: the `advice` of the class, or of the error if it depends on the place."""
        return str(getattr(self, "advice", ""))

    @property
    def suggestion(self) -> str:
        """What to do next for the keeper of the log: the hint, and similar names of players."""
        return self.hint


def facts(error: BaseException) -> dict[str, object]:
    """The facts of an error as JSON values: texts, numbers, lists; other values as text.

    Examples
    --------
    >>> from ratingcore.errors import UnknownName
    >>> facts(UnknownName("player", "bob", near=("bo",)))["near"]
    ['bo']
    """
    names = error.__match_args__ if isinstance(error, RatingCoreError) else ()
    return {name: _plain(getattr(error, name)) for name in names}


def _plain(value: object) -> object:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): _plain(one) for key, one in value.items()}
        case tuple() | list() | set() | frozenset():
            return [_plain(one) for one in value]
    return str(value)

"""The root class of all errors, and the quoting of values in their messages."""

from collections.abc import Mapping
from typing import ClassVar, dataclass_transform

_MOST = 400


def quoted(value: object) -> str:
    """Returns a value in Python notation, shortened if long.

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
    """Root of all errors of ratingcore; annotated fields are the facts of an error, given by position or by name.

    Errors are not attrs classes, because building about seventy of these would slow down every start.

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
        """Text by which reports group errors: the message, in subclasses without the quoted value."""
        return str(self)

    @property
    def hint(self) -> str:
        """What to do next, or an empty text: by default the `advice` of the error or of its class."""
        return str(getattr(self, "advice", ""))

    @property
    def suggestion(self) -> str:
        """What the keeper of the log should do next: the hint, in some errors with similar names of players."""
        return self.hint


def facts(error: BaseException) -> dict[str, object]:
    """Returns the facts of an error as JSON values; other values become texts.

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

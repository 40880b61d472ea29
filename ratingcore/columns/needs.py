"""A need: a further field that a method reads as numbers, besides players, score and time."""

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen


@frozen
class Need:
    """A field of results or of players that a method reads as numbers.

    Parameters
    ----------
    name : str
        Name of the field: `points_a`, `home`, `born`, ...
    of : {"result", "member", "player"}
        Whose field: aligned with the results, with everybody who sat down (only for methods that read sides), or with
        the rows of the state. The field of members is one text of a result, a number for each in the order of the
        sides and of their players: `1 2/3 1/3 1 1`.
    default : float or None
        What an absent field reads as. None: results without the field are left out and counted on the list, and a
        player without it is an error.
    words : mapping of str to float
        Numbers for texts, as `{"a": 1.0, "b": -1.0}`; a result with another text is left out, unless `other` is given.
    other : float or None
        What a text reads as that is none of the words: names of tournaments have no end.
    labels : bool
        Read the field as a label: equal values give equal numbers, and nothing else is meant.
    leaves_out : bool
        Results whose field is absent or cannot be read are another part of the pool: they are left out like others that
        cannot be read, but their players stay on the list, and the results count among theirs. Only for fields of
        results.
    above, least, most : float or None
        Bounds: a number that is not above, below the least or beyond the most is unreadable. Of members each must fit.
    """

    name: str
    of: Literal["result", "member", "player"] = "result"
    default: float | None = field(default=None, kw_only=True)
    words: Mapping[str, float] = field(factory=dict, kw_only=True)
    other: float | None = field(default=None, kw_only=True)
    labels: bool = field(default=False, kw_only=True)
    leaves_out: bool = field(default=False, kw_only=True)
    above: float | None = field(default=None, kw_only=True)
    least: float | None = field(default=None, kw_only=True)
    most: float | None = field(default=None, kw_only=True)

    def allows(self, number: float) -> bool:
        """Whether a number that was given lies within the bounds."""
        return (
            (self.above is None or number > self.above)
            and (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
        )

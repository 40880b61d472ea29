"""Rules for sharing the rating change of a side among its members."""

from math import isfinite, sqrt
from typing import Literal, Self

from attrs import frozen

from ratingcore.plugin import BadValue, Floats, Ints, kernel
from ratingcore.plugin.tails import decay

Kind = Literal["variance", "deviation", "equal", "rating"]

CODES = {"variance": 0, "deviation": 1, "equal": 2, "rating": 3}
"""Numbers of the kinds, for the kernels."""


@frozen
class Sharing:
    """A rule by which the members of a side share the change of its strength.

    Texts: `variance`, in proportion to prior variances, which is Bayes' rule; `deviation`, to their roots; `equal`;
    `rating(points)`, in proportion to `e^(rating / points)`: the stronger player takes more, or the weaker one if the
    points are negative. A member who played only part of the boards takes that part of a share.

    Examples
    --------
    >>> str(Sharing.parse("rating(-400)")), Sharing.parse("equal").points
    ('rating(-400)', 0.0)
    """

    kind: Kind = "variance"
    points: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a rule from text; `BadValue` for any other text."""
        kind, _, rest = text.strip().partition("(")
        try:
            points = float(rest.removesuffix(")")) if rest else 0.0
        except ValueError:
            points = float("nan")
        closed = rest.endswith(")") == (kind == "rating")
        if kind not in CODES or not closed or not isfinite(points) or (kind == "rating") != (points != 0.0):
            raise BadValue("sharing", text, "must be one of variance, deviation, equal, rating(points)")
        return cls(kind, points)  # type: ignore[arg-type]  # one of the kinds

    def __str__(self) -> str:
        return f"rating({self.points:.15g})" if self.kind == "rating" else self.kind

    @property
    def code(self) -> int:
        """Number of the kind."""
        return CODES[self.kind]


BAYES = Sharing()


@kernel
def share_out(
    change: Floats, total: float, low: int, high: int, player: Ints, rating: Floats, own: Floats, weight: Floats,
    code: int, points: float,
) -> None:  # fmt: skip
    """Shares a total among the members from `low` to before `high`, into `change`; `own` has their prior variances."""
    top = 0.0
    if code == 3:
        top = rating[player[low]] / points
        for m in range(low + 1, high):
            top = max(top, rating[player[m]] / points)
    whole = 0.0
    for m in range(low, high):
        part = weight[m]
        if code == 0:
            part *= own[m]
        elif code == 1:
            part *= sqrt(own[m])
        elif code == 3:
            part *= decay(top - rating[player[m]] / points)
        change[m] = part
        whole += part
    for m in range(low, high):
        change[m] = total * (change[m] / whole)

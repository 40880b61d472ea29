"""The form of results to draw for a method: scores, number of sides and members, unit."""

from attrs import frozen

from ratingcore.columns.sides import Sides
from ratingcore.methods.contract import Method


@frozen
class Form:
    """What results drawn for a method may look like.

    Parameters
    ----------
    scores : tuple of float
        Scores of a result of two sides.
    sides : tuple of int
        How many sides a session may have; empty if only games are drawn.
    members : tuple of int
        How many players may sit on a side of a session.
    games : bool
        Whether games of two players are drawn.
    unit : str
        Unit of the scores of sessions: "" for shares of the best score, or percent, imp.
    bare : bool
        Whether fields that have a default are left out.
    """

    scores: tuple[float, ...] = (0.0, 0.5, 1.0, 0.3)
    sides: tuple[int, ...] = ()
    members: tuple[int, ...] = (1,)
    games: bool = True
    unit: str = ""
    bare: bool = False

    def score(self, share: float) -> float:
        """A share as a score in the unit of sessions."""
        return {"percent": 100.0 * share, "imp": 40.0 * (share - 0.5)}.get(self.unit, share)


SCORES = (0.0, 0.5, 1.0, 0.3), (0.0, 0.5, 1.0), (0.0, 1.0)
"""Sets of scores, the richest first: a method may refuse some scores."""

SEATED = (
    Form(sides=(2, 3, 5), members=(1, 2, 3)),
    Form(sides=(2, 4), members=(2,), games=False),
    Form(sides=(2,), members=(2,), games=False),
    Form(sides=(3, 5), members=(1,), games=False),
    Form(),
)
"""Forms of sessions, with and without games among them."""

UNITS = ("percent", "imp")
"""Units of sessions; units that a method names are tried before shares."""


def forms(method: Method) -> list[Form]:
    """Forms to try on a method, the richest first."""
    seated = SEATED if method.reads is Sides else (Form(),)
    named = [unit for need in method.needs if need.name == "unit" for unit in UNITS if unit in need.words]
    units = dict.fromkeys([*named, "", *UNITS]) if method.reads is Sides else {"": None}
    return [
        Form(scores, form.sides, form.members, form.games, unit, bare)
        for form in seated
        for unit in units
        for bare in (False, True)
        for scores in SCORES
    ]

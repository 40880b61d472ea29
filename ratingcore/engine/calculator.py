"""The calculator's door: a method by its text, asked about two ratings; it needs no log."""

from collections.abc import Mapping

from ratingcore.columns.fields import Value
from ratingcore.events import When, instant
from ratingcore.events.values import number
from ratingcore.methods import Method
from ratingcore.methods.calculator import NOTHING, Pairing, Prospect, prospect
from ratingcore.registry import Registry


def expect(
    a: float,
    b: float,
    method: str | Method = "elo",
    *,
    fields: Mapping[str, Value] = NOTHING,
    of_a: Mapping[str, Value] = NOTHING,
    of_b: Mapping[str, Value] = NOTHING,
    played: When | None = None,
    registry: Registry | None = None,
) -> Prospect:
    """Returns what a method expects of a game between a player rated `a` and one rated `b`.

    Parameters
    ----------
    a, b : float, rating points
    method : str or Method
        `elo`, `elo:curve=normal,draw_band=20`, or a method value. It must rate games of two players, one by one or by
        period.
    fields : mapping of str to str, int or float
        Fields of the game that the method reads: `{"home": "a"}`.
    of_a, of_b : mapping of str to str, int or float
        Further columns of the method and fields of the player, of each side: `{"deviation": 80}`. What is not given
        stands at the start of its column.
    played : str, date, datetime, int or None
        Day of the game, for rules that go by the day; None for the latest rules.
    registry : Registry or None
        The installed plugins if None.

    Returns
    -------
    Prospect
        Expected score; win, draw and loss where the method gives them; `wins(games)` and `points(games)` for a series.

    Raises
    ------
    CannotSay, MethodNotFound, BadParameter, BadField, BadValue

    Examples
    --------
    >>> import ratingcore as rc
    >>> game = rc.expect(1834, 2179, "elo:curve=normal")
    >>> round(game.expected, 6)
    0.111278
    >>> wins = game.wins(10)
    >>> round(float(wins.exactly[3]), 6), round(float(wins.at_least[3]), 6)
    (0.072405, 0.090922)
    >>> white = rc.expect(1834, 2179, "elo:first_move=35", fields={"home": "a"})
    >>> round(white.expected, 6)
    0.143748
    """
    rated = (registry or Registry.installed()).method(method)
    when = Pairing(fields, of_a, of_b) if played is None else Pairing(fields, of_a, of_b, instant(played))
    return prospect(rated, number(a, "rating"), number(b, "rating"), when)

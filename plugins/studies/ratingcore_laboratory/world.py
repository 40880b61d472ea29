"""A world to simulate: its players, their strengths and games, results, arrivals and departures."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, ClassVar, Self

import attrs
from attrs import Attribute, field, frozen

from ratingcore.errors import NotOneOf
from ratingcore.plugin import BadParameter
from ratingcore.plugin.analysis import split
from ratingcore.validators import between, finite, not_negative, one_of, positive
from ratingcore_laboratory.results import EVOLUTIONS

CROWD = 1_000_000
"""Largest number of players at the start, and of those who come or go in a round."""


def _whole(low: int, high: int) -> Callable[[Any, "Attribute[int]", Any], None]:
    def check(world: "World", attribute: "Attribute[int]", value: object) -> None:
        if type(value) is not int or not low <= value <= high:
            why = f"must be a whole number from {low} to {high}: {value!r}"
            raise BadParameter(world.name, attribute.name, why)

    return check


@frozen
class World:
    """Parameters of a simulation; the defaults are scenario 1 of the source study [1]_.

    Parameters
    ----------
    players : int
        Players at the start.
    rounds : int
        Rounds that a run plays; a round is a month.
    games_mean : float >= 0
        Games a round of a player with appetite 1.
    base_mean, base_sd, base_least : float, rating points
        Distribution of the base strength: normal, clipped below.
    appetite_mean, appetite_sd, appetite_most : float
        Distribution of the appetite for games: normal, clipped to 0 and `appetite_most`.
    evolution : {"none", "sine", "abs_sine", "initial"}
        Change of the true rating with the games played, see `true_rating`.
    amplitude : float, rating points
    period : float > 0, games
    scale : float > 0, rating points
        Width of the true logistic curve.
    half_band : float from 0 to 50, percent
        Half of the band around the chance in which a game is drawn.
    group_width : float > 0, rating points
    groups : int
        Players are matched within their group of estimated ratings and its neighbours; the outer groups are open.
    reach : int
        Distance of neighbouring groups.
    tries : int
        Most draws of an opponent to find one who wants to play.
    joining_mean, joining_sd, leaving_mean, leaving_sd : float, players a round
    batch, batch_after : int
        Number of additional players who join all at once, and the round after which they do.
    entry_games : int
        Games that make the first rating of a newcomer, for contenders with entry by games.
    margin : float >= 0, points
        Standard deviation of the margin of a game, see `margins`; for methods that read points. At 0 there are none.
    seats : int
        Players of a side. With more than one, partners are drawn anew each round, and results are sessions of two
        sides whose scores are percentages.
    worth : float, percent a point
        Worth of a point in the sum of the true ratings of a side.
    noise : float > 0, percent
        Standard deviation of the score of a side.

    References
    ----------
    .. [1] A Czech bachelor thesis on the Elo measure, chapter 3, as in `README.md` here.

    Examples
    --------
    >>> World.parse("thesis-2:players=500").players, str(World(rounds=10))
    (500, 'thesis-1:rounds=10')
    """

    name: ClassVar[str] = "world"
    players: int = field(default=1000, validator=_whole(0, CROWD))
    rounds: int = field(default=50, validator=_whole(1, 10_000))
    games_mean: float = field(default=15.0, validator=between(0.0, 1e3))
    base_mean: float = field(default=1100.0, validator=finite)
    base_sd: float = field(default=400.0, validator=not_negative)
    base_least: float = field(default=0.0, validator=finite)
    appetite_mean: float = field(default=1.0, validator=between(-1e3, 1e3))
    appetite_sd: float = field(default=0.3, validator=between(0.0, 1e3))
    appetite_most: float = field(default=2.0, validator=between(0.0, 1e3))
    evolution: str = field(default="none", validator=one_of(*EVOLUTIONS))
    amplitude: float = field(default=200.0, validator=finite)
    period: float = field(default=312.0, validator=positive)
    scale: float = field(default=400.0, validator=positive)
    half_band: float = field(default=3.0, validator=not_negative)
    group_width: float = field(default=100.0, validator=positive)
    groups: int = field(default=24, validator=_whole(1, 100_000))
    reach: int = field(default=1, validator=_whole(0, 100_000))
    tries: int = field(default=6, validator=_whole(1, 1000))
    joining_mean: float = field(default=60.0, validator=between(-CROWD, CROWD))
    joining_sd: float = field(default=15.0, validator=between(0.0, CROWD))
    leaving_mean: float = field(default=60.0, validator=between(-CROWD, CROWD))
    leaving_sd: float = field(default=15.0, validator=between(0.0, CROWD))
    batch: int = field(default=0, validator=_whole(0, CROWD))
    batch_after: int = field(default=1, validator=_whole(1, 10_000))
    entry_games: int = field(default=15, validator=_whole(1, 10_000))
    margin: float = field(default=13.86, validator=not_negative)
    seats: int = field(default=1, validator=_whole(1, 100))
    worth: float = field(default=4.0 / 1500.0, validator=finite)
    noise: float = field(default=6.0, validator=positive)

    def __attrs_post_init__(self) -> None:
        if self.players == 0 and self.joining_mean <= 0.0 and self.joining_sd == 0.0:
            raise BadParameter(self.name, "players", "must be at least one where nobody joins: 0")
        if self.half_band > 50.0:
            raise BadParameter(self.name, "half_band", f"must be from 0 to 50: {self.half_band!r}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a world from text: a preset with parameters that differ from it.

        Raises
        ------
        BadValue, BadParameter
        """
        preset, _, rest = text.strip().partition(":")
        if preset not in PRESETS:
            raise NotOneOf.of("world", preset, PRESETS)
        _, given = split(f"{cls.name}:{rest}")
        types = {each.name: each.type for each in attrs.fields(cls)}
        values: dict[str, Any] = dict(PRESETS[preset])
        for parameter, value in given.items():
            if parameter == "k":
                raise BadParameter(cls.name, parameter, "is a parameter of methods, not of the world")
            if parameter not in types:
                raise BadParameter(cls.name, parameter, "is unknown", tuple(types))
            values[parameter] = _read(cls.name, parameter, types[parameter], value)
        return cls(**values)

    def __str__(self) -> str:
        """The shortest text that makes this world."""
        texts = []
        for name, values in PRESETS.items():
            preset = World(**values)
            differing = [
                each.name for each in attrs.fields(World) if getattr(self, each.name) != getattr(preset, each.name)
            ]
            texts.append((len(differing), name, ",".join(f"{word}={getattr(self, word)}" for word in differing)))
        _, name, spelt = min(texts)
        return f"{name}:{spelt}" if spelt else name


def _read(name: str, parameter: str, kind: Any, text: str) -> Any:
    try:
        value = kind(text)
    except ValueError:
        words = {int: "a whole number", float: "a number"}
        raise BadParameter(name, parameter, f"must be {words[kind]}: {text!r}") from None
    if kind is float and not isfinite(value):
        raise BadParameter(name, parameter, f"must be a finite number: {text!r}")
    return value


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "thesis-1": {},
    "thesis-2": {
        "players": 2000, "joining_mean": 100.0, "joining_sd": 40.0, "leaving_mean": 80.0, "leaving_sd": 30.0,
        "evolution": "sine",
    },
    "thesis-3": {
        "players": 5000, "joining_mean": 100.0, "joining_sd": 20.0, "leaving_mean": 100.0, "leaving_sd": 20.0,
        "evolution": "sine",
    },
}  # fmt: skip
"""The three scenarios of the study."""


def preset_of(world: World) -> str | None:
    """The preset of a world, whatever its number of rounds; None for any other world.

    Examples
    --------
    >>> preset_of(World.parse("thesis-2:rounds=7")), preset_of(World(players=7))
    ('thesis-2', None)
    """
    for name, values in PRESETS.items():
        preset = World(**values)
        if attrs.evolve(world, rounds=preset.rounds) == preset:
            return name
    return None

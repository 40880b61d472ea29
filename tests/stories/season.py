"""The season that the stories of a year are about: who plays whom in two pools, month by month."""

from calendar import monthrange
from random import Random

from ratingcore.events import DAY, GamePlayed, RatingSeeded, instant, iso

PLAYERS = ("ann", "bo", "cy", "Zoë", "O'Neil, D.", "Evangelina", "李", "gus")
MONTHS = range(1, 13)

METHODS = {"rapid": "elo:k=24", "club": "elo:k=30,period=month"}
"""Game by game in one pool, by the month in the other."""

POLICY = "min_games=2,active=months(6),provisional=9,digits=0,ties=games"
"""Who stands on the lists of the pool `club`."""


def name_of(month: int) -> str:
    """What the list of a month is called."""
    return f"2024-{month:02}"


def last_day(month: int) -> str:
    """The last day of a month."""
    return f"2024-{month:02}-{monthrange(2024, month)[1]}"


def seeds() -> list[RatingSeeded]:
    """Last year's ratings, of half the players."""
    return [
        RatingSeeded(
            uid=f"seed-{pool}-{n}", pool=pool, played="2024-01-01", player=player, values={"rating": 1400.0 + 60 * n}
        )
        for pool in METHODS
        for n, player in enumerate(PLAYERS[::2])
    ]


def games(pool: str, month: int) -> list[GamePlayed]:
    """Ten games of a month, the same whenever they are asked for; from November on without Evangelina."""
    there = [player for player in PLAYERS if month < 11 or player != "Evangelina"]
    chance = Random(f"{pool} {month}")
    first = instant(f"2024-{month:02}-01")
    made = []
    for n in range(10):
        a, b = chance.sample(there, 2)
        score = chance.choice([0.0, 0.5, 1.0])
        made.append(GamePlayed(uid=f"{pool}-{month}-{n}", pool=pool, played=first + 2 * n * DAY, a=a, b=b, score=score))
    return made


def late_tournament() -> list[GamePlayed]:
    """Six games of Easter that somebody sent in July."""
    return [
        GamePlayed(
            uid=f"easter-{n}", pool="rapid", played=instant("2024-03-29") + n // 2 * DAY, a=a, b=b, score=score,
            data={"event": "Easter Open", "round": 1 + n // 2},
        )
        for n, (a, b, score) in enumerate(
            [("ann", "bo", 0.0), ("cy", "gus", 1.0), ("ann", "cy", 0.5), ("bo", "gus", 1.0), ("ann", "gus", 1.0),
             ("bo", "cy", 0.0)]
        )
    ]  # fmt: skip


def under_another_name() -> list[GamePlayed]:
    """What gus played as August in the summer, in both pools."""
    return [
        GamePlayed(
            uid=f"august-{n}", pool=pool, played=f"2024-{7 + n // 2:02}-2{n}", a="August", b=b, score=score
        )
        for n, (pool, b, score) in enumerate(
            [("rapid", "ann", 1.0), ("club", "bo", 0.0), ("rapid", "Evangelina", 0.5), ("club", "李", 1.0)]
        )
    ]  # fmt: skip


class Calendar:
    """A clock for a log: whatever day the story turns to."""

    def __init__(self) -> None:
        self.today = "2024-01-01"

    def __call__(self) -> int:
        return instant(self.today)

    def turn_to(self, month: int, day: int = 1) -> None:
        """Turn to a day of a month; month 13 is the next January."""
        self.today = iso(instant(f"{2024 + month // 13}-{(month - 1) % 12 + 1:02}-{day:02}"))

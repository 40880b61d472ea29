"""Random histories of a league: few players and few days, so that ties, late games and corrections abound."""

from random import Random

from ratingcore.events import (
    DAY,
    Event,
    GamePlayed,
    MergeUndone,
    PlayerDescribed,
    PlayersMerged,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
)

POOLS = ("rapid", "blitz")
PLAYERS = tuple("abcdefghijklmn")
DAYS = 9


class League:
    """Gives events one after the other, all of them possible where they stand.

    Parameters
    ----------
    random : Random
        Every choice is its.
    sessions : bool
        Whether sessions are played too.
    """

    def __init__(self, random: Random, sessions: bool = False) -> None:
        self._random = random
        self._sessions = sessions
        self._players = PLAYERS[: random.choice([3, 5, 8, len(PLAYERS)])]
        self._corrected = random.choice([0.0, 0.15, 0.4, 0.6])
        self._late = random.choice([0.0, 0.1, 0.5])
        self._elsewhere = random.choice([0.0, 0.5])
        self._largest = random.choice([1, 3, 9])
        self._today = 0
        self._past: list[Event] = []

    def batch(self) -> list[Event]:
        """The events of one batch, nine at most."""
        return [self.event() for _ in range(self._random.randint(1, self._largest))]

    def event(self) -> Event:
        """One more event."""
        spoken_of = [event for event in self._past if event.kind != "merge"]
        makers = [self._game] * 8 + [self._seed] * self._random.randint(0, 2) + [self._described]
        if self._sessions:
            makers += [self._session] * 3
        if spoken_of and self._random.random() < self._corrected:
            makers = [self._void, self._void, self._amend, self._amend, self._amend, self._merge, self._unmerge]
        event = self._random.choice(makers)()
        self._past.append(event)
        return event

    def _uid(self) -> str:
        return f"e{len(self._past) + 1}"

    def _day(self) -> int:
        """Mostly today, and tomorrow comes; sometimes late, sometimes ahead of time."""
        if self._random.random() < self._late:
            day = self._random.randint(0, DAYS)
        else:
            self._today = min(DAYS, self._today + self._random.choice([0, 0, 0, 1]))
            day = self._today + self._random.choice([0, 0, 0, 0, 0, 1, 3])
        return day * DAY + self._random.choice([0, 0, 0, 1])

    def _where(self) -> dict[str, object]:
        pool = self._random.choice(POOLS) if self._random.random() < self._elsewhere else POOLS[0]
        return {"uid": self._uid(), "pool": pool, "played": self._day()}

    def _order(self) -> int:
        return self._random.choice([0, 0, 0, -1, 1])

    def _score(self) -> float:
        return self._random.choice([0.0, 0.5, 1.0, 0.3])

    def _game(self) -> Event:
        a, b = self._random.sample(self._players, 2)
        event = self._random.choice([None, None, "Open", "Cup", "Cup 2"])
        return GamePlayed(**self._where(), a=a, b=b, score=self._score(), order=self._order(), data={"event": event})

    def _sides(self) -> list[Side]:
        players = self._random.sample(self._players, self._random.randint(2, min(5, len(self._players))))
        sides, start = [], 0
        while start < len(players):
            left = len(players) - start
            size = self._random.randint(1, max(1, min(2, left if sides else left - 1)))
            sides.append(Side(players[start : start + size], self._random.choice([40.0, 50.0, 55.5])))
            start += size
        return sides

    def _session(self) -> Event:
        return SessionPlayed(**self._where(), sides=self._sides(), order=self._order())

    def _seed(self) -> Event:
        player = self._random.choice(self._players)
        values = {"rating": float(self._random.randint(1200, 1900))}
        return RatingSeeded(**self._where(), player=player, values=values, order=self._order())

    def _described(self) -> Event:
        born = self._random.choice([1950, 1990, 2000])
        return PlayerDescribed(**self._where(), player=self._random.choice(self._players), data={"born": born})

    def _of(self, *kinds: str) -> Event | None:
        """An earlier event of these kinds, the newer the likelier."""
        those = [event for event in self._past if event.kind in kinds]
        return those[-self._random.randint(1, min(len(those), self._random.choice([2, 99])))] if those else None

    def _void(self) -> Event:
        of = self._of("void", "amend", "unmerge") if self._random.random() < 0.5 else None
        of = of or self._of("game", "session", "seed", "player")
        return ResultVoided(uid=self._uid(), of=of.uid) if of else self._game()

    def _amend(self) -> Event:
        again = self._of("amend") if self._random.random() < 0.4 else None
        of = next(
            (event for event in self._past if again and event.uid == again.of), self._of("game", "session", "seed")
        )
        if of is None:
            return self._game()
        possible: dict[str, object] = {
            "played": self._day(), "order": self._order(), "pool": self._random.choice(POOLS),
        }  # fmt: skip
        if of.kind == "game":
            possible["score"] = self._score()
            possible["a"] = self._random.choice([name for name in self._players if name != of.b])
            others = [name for name in self._players if name not in (of.a, possible["a"])]
            possible["b"] = self._random.choice(others or [of.b])
            possible["event"] = self._random.choice(["Open", "Blitz", None])
        elif of.kind == "session":
            possible["sides"] = self._sides()
        else:
            possible["player"] = self._random.choice(self._players)
            possible["values"] = {"rating": float(self._random.randint(1200, 1900))}
        chosen = self._random.sample(sorted(possible), self._random.randint(1, 2))
        return ResultAmended(uid=self._uid(), of=of.uid, changes={name: possible[name] for name in chosen})

    def _merge(self) -> Event:
        keep, other = self._random.sample(self._players, 2)
        return PlayersMerged(uid=self._uid(), keep=keep, other=other)

    def _unmerge(self) -> Event:
        of = self._of("merge")
        return MergeUndone(uid=self._uid(), of=of.uid) if of else self._merge()

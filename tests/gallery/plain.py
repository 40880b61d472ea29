"""Elo and Glicko in plain Python on the files of two archives, without any code of ratingcore or of the gallery."""

import csv
import gzip
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

ARCHIVES = Path(__file__).parents[2] / "fixtures" / "archives"


class Game(NamedTuple):
    """A game as its row has it: the first team is at home unless the ground is neutral."""

    day: str
    a: str
    b: str
    score: float
    home: bool

    @property
    def month(self) -> int:
        """Months since year 0."""
        return int(self.day[:4]) * 12 + int(self.day[5:7]) - 1


def basketball() -> list[Game]:
    """The NBA archive."""
    with gzip.open(ARCHIVES / "nba" / "games.csv.gz", "rt", encoding="utf-8", newline="") as file:
        return [
            Game(row["date"], row["team1"], row["team2"], _score(row["score1"], row["score2"]), row["neutral"] == "0")
            for row in csv.DictReader(file)
        ]


def football() -> list[Game]:
    """The archive of international football."""
    with gzip.open(ARCHIVES / "football" / "results.csv.gz", "rt", encoding="utf-8", newline="") as file:
        return [
            Game(
                row["date"], row["home_team"], row["away_team"], _score(row["home_score"], row["away_score"]),
                row["neutral"] == "FALSE",
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def _score(mine: str, theirs: str) -> float:
    return 0.5 + 0.5 * ((int(mine) > int(theirs)) - (int(mine) < int(theirs)))


Forecast = tuple[Game, float]


def elo(games: list[Game], k: float, home: float) -> Iterator[Forecast]:
    """Every game with the share of the point that Elo expects before it."""
    rating: dict[str, float] = {}
    for game in games:
        a, b = rating.get(game.a, 1500.0), rating.get(game.b, 1500.0)
        p = 1.0 / (1.0 + 10.0 ** (-(a - b + home * game.home) / 400.0))
        yield game, p
        rating[game.a], rating[game.b] = a + k * (game.score - p), b - k * (game.score - p)


Q = math.log(10.0) / 400.0


def _g(deviation: float) -> float:
    return 1.0 / math.sqrt(1.0 + 3.0 * (Q * deviation / math.pi) ** 2)


def glicko(games: list[Game], c: float, deviation: float, home: float) -> Iterator[Forecast]:
    """The same by Glicko in calendar months: forecasts of a month are from the end of the one before."""
    known: dict[str, tuple[float, float, int]] = {}  # rating, deviation, month last played

    def grown(team: str, month: int) -> tuple[float, float]:
        rating, s, last = known.get(team, (1500.0, deviation, month - 1))
        return rating, min(math.sqrt(s * s + c * c * (month - last)), 350.0)

    for month, of_month in groupby(games, key=lambda game: game.month):
        played = list(of_month)
        before = {team: grown(team, month) for game in played for team in (game.a, game.b)}
        precision = dict.fromkeys(before, 0.0)
        surprise = dict.fromkeys(before, 0.0)
        for game in played:
            (a, s_a), (b, s_b) = before[game.a], before[game.b]
            gap = a - b + home * game.home
            yield game, 1.0 / (1.0 + math.exp(-Q * _g(math.hypot(s_a, s_b)) * gap))
            for team, other, mine, score in ((game.a, s_b, gap, game.score), (game.b, s_a, -gap, 1.0 - game.score)):
                expected = 1.0 / (1.0 + math.exp(-Q * _g(other) * mine))
                precision[team] += (Q * _g(other)) ** 2 * expected * (1.0 - expected)
                surprise[team] += _g(other) * (score - expected)
        for team, (rating, s) in before.items():
            variance = 1.0 / (1.0 / s**2 + precision[team])
            known[team] = (rating + Q * variance * surprise[team], math.sqrt(variance), month)


def log_loss(forecasts: Iterable[Forecast], since: str) -> tuple[int, float]:
    """How many games count from a day on, and their mean log loss.

    A game counts if both teams had played before its month: methods that are fitted once a month know no others.
    """
    first: dict[str, int] = {}
    losses = []
    for game, p in forecasts:
        met = [first.setdefault(team, game.month) < game.month for team in (game.a, game.b)]
        if game.day >= since and all(met):
            losses.append(-(game.score * math.log(p) + (1.0 - game.score) * math.log(1.0 - p)))
    return len(losses), math.fsum(losses) / len(losses)


PROGRAMS: dict[str, Callable[[], list[Game]]] = {"basketball": basketball, "international-football": football}

"""The rate of false claims in the first sentence of a comparison, over simulated reports on equally good methods.

Each method forecasts from the true strength of every player plus an error of its own. All errors are drawn from one
distribution, so no method is better than another, and a sentence that prefers one is false. In the last kind of report
one method gives chances that are too extreme, but names the winner as often; the sentence must not claim otherwise.
"""

from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

import ratingcore as rc
from bench.measure import Results
from bench.worlds import START
from ratingcore.columns.games import Floats
from ratingcore.columns.sides import Sides
from ratingcore.events import DAY, iso
from ratingcore.methods.contract import Cadence, Forecast, Method, Need, Rated
from ratingcore.methods.state import Column, State
from ratingcore.methods.strengths import Strengths


@frozen
class Told(Method):
    """A method that forecasts from strengths recorded as facts of the players, and rates nobody."""

    name = "told"
    cadence = Cadence.CONTINUOUS
    reads = Sides
    number: int
    bold: float = 1.0

    @property
    def needs(self) -> tuple[Need, ...]:
        return (Need(f"told_{self.number}", of="player", default=0.0),)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def rate(self, state: State, games: Any) -> Rated:
        made = self.expected(state, games)
        return Rated(state, made.expected, np.zeros(len(games.player)), strengths=lambda: self._strengths(games))

    def expected(self, state: State, games: Any) -> Forecast:
        strengths, sides = self._strengths(games), np.diff(games.result)
        return Forecast(np.repeat(1.0 / sides, sides) if (sides != 2).any() else _shares(strengths), None, strengths)

    def _strengths(self, games: Sides) -> Strengths:
        each = self.bold * games[self.needs[0].name][games.player]
        mean = np.add.reduceat(each, games.side[:-1]) if len(each) else each
        return Strengths(mean, np.full(len(mean), 0.5), "logistic")


def _shares(strengths: Strengths) -> Floats:
    first = np.arange(0, len(strengths), 2)
    ahead = strengths.ahead(first, first + 1)
    return np.stack([ahead, 1.0 - ahead], axis=1).ravel()


class Kind(NamedTuple):
    """A kind of report: the size of its league, and the methods compared."""

    sides: int
    results: int
    methods: tuple[Told, ...]
    players: int = 60
    months: int = 24


KINDS = {
    "games, two methods": Kind(2, 1200, (Told(0), Told(1))),
    "games, five methods": Kind(2, 1200, tuple(map(Told, range(5)))),
    "sessions of six, two methods": Kind(6, 200, (Told(0), Told(1))),
    "sessions of six, five methods": Kind(6, 200, tuple(map(Told, range(5)))),
    "games, as many winners named": Kind(2, 1200, (Told(0), Told(1, bold=2.0))),
}


def sentence(kind: Kind, random: np.random.Generator) -> str:
    """Simulates a league and returns the first sentence of its comparison."""
    strength = random.normal(0.0, 1.0, kind.players)
    month = np.exp(random.normal(0.0, 0.3, kind.months))
    often = np.exp(random.normal(0.0, 0.4, kind.players))
    with rc.open(":memory:") as engine:
        for player, own in enumerate(strength.tolist()):
            facts = {f"told_{method.number}": own + float(random.normal(0.0, 0.4)) for method in kind.methods}
            engine.record(rc.PlayerDescribed(pool="p", played=iso(START - DAY), player=f"p{player}", data=facts))
        played: list[rc.Event] = []
        for number in range(kind.results):
            at = number * kind.months / kind.results
            who = random.choice(kind.players, kind.sides, replace=False, p=often / often.sum())
            came = np.argsort(np.argsort(strength[who] * month[int(at)] + random.gumbel(size=kind.sides))).tolist()
            when = iso(START + int(at * 30.4 * DAY))
            if kind.sides == 2:
                a, b = (f"p{one}" for one in who.tolist())
                score = 0.5 if random.random() < 0.2 else float(came[0])
                played.append(rc.GamePlayed(uid=f"g{number}", pool="p", played=when, a=a, b=b, score=score))
                continue
            sides = [rc.Side([f"p{one}"], float(place)) for one, place in zip(who.tolist(), came, strict=True)]
            played.append(rc.SessionPlayed(uid=f"s{number}", pool="p", played=when, sides=sides, order=number))
        engine.record(*played)
        return engine.compare("p", kind.methods).answer


def is_false(name: str, sentence: str) -> bool:
    """Whether a sentence claims a difference that does not exist."""
    return "names the winner" in sentence if "winners" in name else "nothing to choose between them" not in sentence


def run(results: Results, games: int) -> None:
    """Print the rate of false sentences, bound by 5 of 100, for games, sessions and several methods."""
    reports = max(40, games // 12_500)
    for name, kind in KINDS.items():
        wrong = [is_false(name, sentence(kind, np.random.default_rng((1, number)))) for number in range(reports)]
        results.row(f"false sentences: {name}, {reports} reports", 100.0 * float(np.mean(wrong)), "of 100", 5.0)

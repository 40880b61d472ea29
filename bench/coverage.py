"""The coverage of a comparison's intervals on sessions, simulated over leagues of three kinds."""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import ratingcore as rc
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.pairs import paired_sessions
from ratingcore.compare.played import PlayedSessions
from ratingcore.compare.uncertainty import MeanEstimate
from ratingcore.events import DAY

START = 1_577_836_800_000_000  # 2020-01-01
METHODS = ("weng-lin", "weng-lin:beta=8")


class Kind(NamedTuple):
    """A kind of league: the number and size of its sessions, and how much persons and months differ.

    Parameters
    ----------
    players, sessions, sides, members : int
    months : int
        Months over which the sessions are spread.
    surprise : float
        How much the noise of results differs from month to month, as the deviation of its logarithm.
    regulars : float
        How much more often some persons play than others, as the deviation of the logarithm.
    """

    players: int
    sessions: int
    sides: int
    members: int
    months: int
    surprise: float
    regulars: float


KINDS = {
    "six singles": Kind(40, 120, 6, 1, 30, 0.3, 0.3),
    "four pairs, partners change": Kind(48, 120, 4, 2, 30, 0.3, 0.3),
    "contests of twenty": Kind(100, 90, 20, 1, 30, 0.3, 0.5),
}


def league(kind: Kind, random: np.random.Generator) -> list[rc.SessionPlayed]:
    """Simulates the sessions of a league."""
    strength = random.normal(0.0, 1.0, kind.players)
    erratic = np.exp(random.normal(0.0, 0.5, kind.players))
    often = np.exp(random.normal(0.0, kind.regulars, kind.players))
    noise = np.exp(random.normal(0.0, kind.surprise, kind.months))
    played = []
    for number in range(kind.sessions):
        at = number * kind.months / kind.sessions
        seats = random.choice(kind.players, kind.sides * kind.members, replace=False, p=often / often.sum())
        who = seats.reshape(kind.sides, kind.members)
        day = strength + noise[int(at)] * erratic * random.normal(size=kind.players)
        sides = [
            rc.Side([f"p{i}" for i in row], float(came))
            for row, came in zip(who.tolist(), day[who].sum(axis=1), strict=True)
        ]
        when = rc.events.iso(START + int(at * 30.4 * DAY))
        played.append(rc.SessionPlayed(uid=f"s{number}", pool="p", played=when, sides=sides, order=number))
    return played


def estimates(kind: Kind, leagues: int, seed: int = 1) -> Iterator[MeanEstimate]:
    """Yields the estimated difference of two methods in each of `leagues` leagues."""
    for number in range(leagues):
        with rc.open(":memory:") as engine:
            engine.record(*league(kind, np.random.default_rng((seed, number))))
            view = engine.core.view("p")
            one, other = (forecast(engine.registry.method(text), view, text=text) for text in METHODS)
            played = PlayedSessions.of(view)
            settled = np.arange(len(played)) >= len(played) // 4
            yield paired_sessions(one, other, played, settled, rounds=0).estimate


def coverage(kind: Kind, leagues: int) -> tuple[float, float]:
    """Returns the share of leagues whose interval contains the mean of all: as reported, and by months alone."""
    made = list(estimates(kind, leagues))
    truth = float(np.mean([each.mean for each in made if each.mean is not None]))

    def share(intervals: list[tuple[float, float] | None]) -> float:
        return float(np.mean([low <= truth <= high for low, high in filter(None, intervals)]))

    return share([each.interval for each in made]), share([each.interval_by_periods for each in made])


def main() -> None:
    """Print the coverage of each kind of league."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leagues", type=int, default=400)
    leagues = parser.parse_args().leagues
    for name, kind in KINDS.items():
        both, months = coverage(kind, leagues)
        print(f"{name:30} intervals of 95 % hold the truth in {both:.3f} of {leagues} leagues; by months {months:.3f}")


if __name__ == "__main__":
    main()

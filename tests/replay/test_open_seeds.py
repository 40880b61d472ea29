"""Seeds inside a tournament that goes on when a step of a rule begins, by the step's act and by plain loops."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest

from ratingcore.events import DAY, GamePlayed, RatingSeeded, iso
from ratingcore.replay import checkpoint_store
from tests.columns.making import POOL, engine, game, seed
from tests.replay.leagues import installed


class Step(NamedTuple):
    """A step as a text has it, and as a loop reads it."""

    day: int
    by: str
    k: float
    once: str
    act: Callable[[float], float]

    @property
    def text(self) -> str:
        by = f" by event {self.by}" if self.by else ""
        once = f" once={self.once}" if self.once else ""
        return f" then elo:period=event,k={self.k} from {iso(self.day * DAY)}{by}{once}"


def raised(level: float, share: float) -> tuple[str, Callable[[float], float]]:
    return f"raised({level},{share})", lambda rating: max(rating, rating + share * (level - rating))


NOTHING: tuple[str, Callable[[float], float]] = ("", lambda rating: rating)


def in_a_loop(events: Sequence[GamePlayed | RatingSeeded], steps: Sequence[Step], through: int) -> dict[str, float]:
    """Elo a tournament at a time, in the order in which they ended, through the end of a day.

    An act is done to all ratings on its day, and to seeds given before it in tournaments that go on. A result before
    a seed of its tournament is rated without it.
    """
    games = [event for event in events if isinstance(event, GamePlayed)]
    given = [(one.played, one.player, one.values["rating"]) for one in events if isinstance(one, RatingSeeded)]
    seeds = sorted(given, key=lambda one: one[0])
    spans: dict[str, list[int]] = {}
    for one in games:
        spans.setdefault(str(one.data["event"]), []).append(one.played)
    rating: dict[str, float] = {}
    done, acted = -1, 0
    for name in sorted((name for name in spans if max(spans[name]) <= through), key=lambda name: max(spans[name])):
        start, end = min(spans[name]), max(spans[name])
        pending = [one for one in seeds if done < one[0] <= end]
        while acted < len(steps) and steps[acted].day * DAY <= end:
            act, day = steps[acted].act, steps[acted].day * DAY
            rating = {player: act(value) for player, value in rating.items()}
            pending = [(at, player, act(value) if at < day else value) for at, player, value in pending]
            acted += 1
        mine = sorted((one for one in games if one.data["event"] == name), key=lambda one: one.played)
        firsts = {player: one.played for one in reversed(mine) for player in (one.a, one.b)}
        rating |= {player: value for at, player, value in pending if at <= firsts.get(player, at)}
        inside = [(at, player, value) for at, player, value in pending if at > firsts.get(player, at)]
        k = 20.0
        for step in steps:
            k = step.k if (start if step.by == "start" else end) >= step.day * DAY else k
        begun, gained = dict(rating), dict.fromkeys(rating, 0.0)
        for one in mine:
            while inside and inside[0][0] <= one.played:
                _, player, value = inside.pop(0)
                begun[player], gained[player] = value, 0.0
            a, b = begun.setdefault(one.a, 1500.0), begun.setdefault(one.b, 1500.0)
            surprise = k * (one.score - 1.0 / (1.0 + 10.0 ** ((b - a) / 400.0)))
            gained[one.a] = gained.get(one.a, 0.0) + surprise
            gained[one.b] = gained.get(one.b, 0.0) - surprise
        for _, player, value in inside:
            begun[player], gained[player] = value, 0.0
        rating = {player: value + gained.get(player, 0.0) for player, value in begun.items()}
        done = end
    pending = [one for one in seeds if done < one[0] <= through]
    for step in (step for step in steps[acted:] if step.day * DAY <= through):
        rating = {player: step.act(value) for player, value in rating.items()}
        pending = [(at, player, step.act(value) if at < step.day * DAY else value) for at, player, value in pending]
    return rating | {player: value for _, player, value in pending}


def random_events(rng: np.random.Generator) -> list[GamePlayed | RatingSeeded]:
    """Eight tournaments, many at a time, whose ends are of different days, and seeds all over them."""
    events: list[GamePlayed | RatingSeeded] = []
    ends: set[int] = set()
    for tournament in range(8):
        start = int(rng.integers(0, 40))
        days = start + np.cumsum(rng.integers(1, 7, int(rng.integers(2, 6))))
        while int(days[-1]) in ends:
            days[-1] += 1
        ends.add(int(days[-1]))
        for number, day in enumerate(days.tolist()):
            a, b = rng.choice(6, 2, replace=False)
            at, score = day + 0.01 * tournament + 0.001 * number, float(rng.choice([0, 0.5, 1]))
            events.append(game(at, f"p{a}", f"p{b}", score, data={"event": f"t{tournament}"}))
    events += [
        seed(float(rng.integers(1, 40)) + 0.5, f"p{rng.integers(6)}", float(rng.integers(1100, 1900))) for _ in range(6)
    ]
    return events


def random_steps(rng: np.random.Generator) -> list[Step]:
    """One to three steps, often on days that are near."""
    days = sorted({int(day) for day in int(rng.integers(5, 40)) + rng.integers(0, 9, int(rng.integers(1, 4)))})
    made = []
    for number, day in enumerate(days):
        once, act = raised(float(rng.integers(1400, 2000)), 0.5) if rng.random() < 0.5 else NOTHING
        made.append(Step(day, str(rng.choice(["", "end", "start"])), 30.0 + 10.0 * number, once, act))
    return made


@pytest.mark.parametrize("number", range(6))
def test_seeds_of_open_tournaments_are_rated_as_in_a_loop(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With acts and with two steps in one tournament, results before a seed were rated from it."""
    monkeypatch.setattr(checkpoint_store, "WORTH", 1)
    rng = np.random.default_rng(number)
    events, steps = random_events(rng), random_steps(rng)
    eng = installed(engine(*events))
    text = "elo:period=event" + "".join(step.text for step in steps)
    for day in (*sorted(rng.integers(5, 50, 3).tolist()), 80):
        listed = eng.rating_list(POOL, text, through=iso(day * DAY))
        expected = in_a_loop(events, steps, (day + 1) * DAY - 1)
        assert {row["player"]: row["rating"] for row in listed} == pytest.approx(expected, abs=1e-4)
    for row in listed:
        told = eng.explain(POOL, row["player"], text)
        moved = sum(line.contribution or 0.0 for line in told.lines)
        assert told.closing == pytest.approx((told.opening or 0.0) + moved, abs=1e-6)


@pytest.mark.parametrize("once", ["", " once=raised(2000,0.5)"])
def test_who_is_on_no_list_of_the_day_begins_as_the_new_rule_has_it(once: str) -> None:
    """Newcomers of a tournament that goes on began as the rule before had it, and with the act."""
    eng = installed(engine(*(game(day, "ann", "bo", data={"event": "open"}) for day in (40, 80))))
    text = "elo:period=event then elo:period=event,initial=1200 from 1970-03-01"
    assert {row["player"]: row["rating"] for row in eng.rating_list(POOL, text + once)} == {"ann": 1220, "bo": 1180}
    made = eng.explain(POOL, "ann", text + once)
    assert sum(line.contribution or 0.0 for line in made.lines) + (made.opening or 0.0) == pytest.approx(1220)

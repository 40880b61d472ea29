"""Rules with a history against a single rule; forecasts of newcomers' games with and without another pool."""

import tempfile
from collections.abc import Mapping
from itertools import count
from math import log as log_of_share
from pathlib import Path
from typing import Any

import numpy as np

import ratingcore as rc
from bench.measure import Results, seconds
from bench.worlds import MINUTE, START, ColumnLog, World, log_of, view_of, world
from ratingcore.engine import Engine
from ratingcore.events import DAY, iso
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from ratingcore.replay import fold, stand

PLAYERS, TOURNAMENTS, ROUNDS, FIELD = 400, 160, 5, 24
"""Sizes of each pool in the simulation of newcomers."""


def run(results: Results, games: int) -> None:
    """Print the costs of five steps (with moves, from checkpoints) and the log loss of newcomers' games."""
    made = world(games)
    view = view_of(ColumnLog(made))
    registry = Registry.installed()
    days = [iso((START + MINUTE * games * part // 5) // DAY * DAY) for part in range(1, 5)]
    text = "elo" + "".join(f" then elo:k={20 + number} from {day}" for number, day in enumerate(days, 1))
    one, book = registry.method("elo"), registry.method(text)
    for steps_text, keep, bound in (
        ("five steps", False, 1.3),
        ("five steps with the moves of all games kept", True, 2.0),
    ):
        plain, steps = seconds(lambda k=keep: fold(one, view, keep=k), lambda k=keep: fold(book, view, keep=k))
        fits = max(bound, (plain + 0.02) / plain) if not keep else bound
        results.row(
            f"{steps_text}, {games:,} games", steps / plain, "x one rule", fits, note=f"{1000 * plain:.0f} ms one rule"
        )
    with tempfile.TemporaryDirectory() as folder:
        _changed_last_step(results, made, Path(folder), text)
    _newcomers(results)


def _changed_last_step(results: Results, made: World, folder: Path, text: str) -> None:
    """Measures a list by a rule whose last step has changed, from checkpoints of the steps before it."""
    with SqliteLog(log_of(made, folder=folder)) as log:
        engine = Engine(log, Registry.installed())
        view = engine.core.view("world")
        checkpoints = engine.core.columns.checkpoints_of(view)
        method, numbers = engine.core.method(text), count(1000)
        before, _, last = text.rpartition(" then ")
        day = last.rpartition(" from ")[2]

        def changed() -> object:
            other = engine.core.method(f"{before} then elo:k=3{next(numbers)} from {day}")
            return stand(other, view, checkpoints)

        stand(method, view, checkpoints)
        whole, step = seconds(lambda: stand(method, view), changed)
    bound = max(0.5, 0.02 / whole)  # the fixed costs of a list outweigh a short history
    results.row("a changed last step of five, from checkpoints", step / whole, "x all steps", bound)


def _newcomers(results: Results) -> None:
    """Prints the log loss of rapid games with a newcomer: without and with ratings of standard chess."""
    rng = np.random.default_rng(35)
    skill = rng.normal(1500.0, 300.0, PLAYERS)
    events, event_of = [], dict[str, str]()
    for pool, later in (("standard", 0), ("rapid", 365)):  # standard chess is a year old when rapid chess begins
        truth = skill + rng.normal(0.0, 80.0, PLAYERS)
        for number in range(TOURNAMENTS):
            field = rng.choice(PLAYERS, FIELD, replace=False)
            for round_ in range(ROUNDS):
                for a, b in rng.permutation(field).reshape(-1, 2).tolist():
                    score = float(rng.random() < 1.0 / (1.0 + 10.0 ** ((truth[b] - truth[a]) / 400.0)))
                    played, uid = START + (number * 5 + later) * DAY + round_ * MINUTE, f"{pool}-{len(events)}"
                    event_of[uid] = f"{pool} {number}"
                    facts = {"data": {"event": event_of[uid]}, "uid": uid}
                    events.append(rc.GamePlayed(pool=pool, played=played, a=f"p{a}", b=f"p{b}", score=score, **facts))
    with rc.open(":memory:") as engine:
        engine.record(*events)
        alone, beside = (
            _lost(list(engine.forecasts("rapid", f"elo:k=32{entry}")), event_of)
            for entry in ("", ",entry=from(standard)")
        )
    print(
        f"  games with a newcomer: {alone:.3f} nats by their pool alone, {beside:.3f} with the rating of another pool"
    )
    results.row("newcomers with the rating of another pool", beside / alone, "x the nats without", 0.9)


def _lost(rows: list[Mapping[str, Any]], event_of: Mapping[str, str]) -> float:
    """Returns the mean log loss of games in which a player is in their first tournament."""
    first: dict[str, str] = {}
    lost = []
    for row in rows:
        event = event_of[row["uid"]]
        if event in {first.setdefault(row[side], event) for side in "ab"}:
            right = row["expected"] if row["score"] == 1.0 else 1.0 - row["expected"]
            lost.append(-log_of_share(right))
    return float(np.mean(lost))

"""Histories of all players at once say what the history of each says."""

from math import nan
from pathlib import Path
from random import Random

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.errors import RatingCoreError
from ratingcore.explain import Line, history
from ratingcore.explain.lines import Lines, lines
from ratingcore.replay import Replay
from tests.laws.histories import POOLS, League

ROOT = Path(__file__).parents[2]

METHODS = (
    "elo", "elo:period=month", "elo:period=days(2)", "elo:preset=fide", "elo-margin:preset=football",
    "periodic:period=days(5)", "elo:entry=trial(2)", "elo:period=days(3),entry=pooled(2,1)", "adaptive-k", "berkin",
    "egf", "elo:period=event", "dwz", "bridge-bayes", "chess-bayes", "berkin-change",
)  # fmt: skip


def read(found: Lines, replay: Replay) -> list[list[Line]]:
    """Columns as lines, by row of the state."""
    name = replay.view.name
    change, rating = found.running(replay.start, np.zeros(replay.view.n_players))
    by_row: list[list[Line]] = [[] for _ in range(replay.view.n_players)]
    for n in range(len(found)):
        who, score, expected = int(found.opponent[n]), float(found.score[n]), float(found.expected[n])
        by_row[int(found.player[n])].append(
            Line(
                int(found.played[n]), int(found.position[n]) or None,
                found.words[-1 - who] if who < 0 else name(who), None if score != score else score,
                None if expected != expected else expected, float(change[n]), float(rating[n]),
            )
        )  # fmt: skip
    return by_row


def same(one: list[Line], other: list[Line]) -> bool:
    def plain(line: Line) -> tuple[object, ...]:
        return tuple(None if cell != cell else cell for cell in line)  # a table has one word for both

    return [plain(line) for line in one] == [plain(line) for line in other]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sessions", [False, True])
def test_columns_hold_every_line_of_every_history(method: str, sessions: bool) -> None:
    held = 0
    for seed in range(12):
        random = Random(f"{method}{seed}")
        league = League(random, sessions)
        with rc.open(":memory:") as engine:
            for _ in range(random.randint(1, 25)):
                try:
                    engine.record(*league.batch())
                except RatingCoreError:  # not every correction is possible
                    continue
            for pool in set(POOLS) & set(engine.pools()):
                if not engine.view(pool).n_players:
                    continue
                try:
                    replay = engine.replay(pool, method, keep=True)
                except RatingCoreError:  # not every method rates every log
                    continue
                found = read(lines(replay), replay)
                for row in range(replay.view.n_players):
                    told = history(replay, row)
                    assert same(found[row], told), (seed, row, found[row], told)
                    held += len(told)
    assert held or sessions or method == "berkin"  # a whole pool has no past


def test_a_player_without_a_rating_is_rated_by_what_has_waited() -> None:
    lines = Lines(
        *(np.array(column) for column in ([0, 0, 0, 1], [1, 2, 3, 1], [1, 2, 0, 1], [1, 1, -1, 0])),
        *(np.array(column) for column in ([1.0, 1.0, nan, 0.0], [0.5, 0.5, nan, 0.5], [5.0, 6.0, 1500.0, 7.0])),
        np.array([0, 0, 2, 0]), ["first rating"],
    )  # fmt: skip
    change, rating = lines.running(np.array([nan, 1400.0]), np.array([2.0, 0.0]))
    assert change.tolist() == [5.0, 6.0, 1500.0, 7.0]
    assert [None if x != x else x for x in rating.tolist()] == [None, None, 1513.0, 1407.0]

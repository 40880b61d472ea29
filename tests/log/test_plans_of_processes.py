"""Plans of several processes: a kill in mid-apply tears nothing, and of two decisions about a game one is refused."""

import random
import time
from pathlib import Path

from ratingcore.log import SqliteLog, verify
from tests.log.jobs import PLANNED
from tests.log.making import game, told
from tests.log.workers import Workers

KILLS = 6
"""Kills in mid-apply; kills between two of them come on top."""


def test_a_plan_that_is_killed_in_mid_apply_is_applied_whole_or_not_at_all(workers: Workers, tmp_path: Path) -> None:
    path, chance = tmp_path / "club.db", random.Random(1)
    hit = rounds = known = 0
    while hit < KILLS:
        rounds += 1
        assert rounds < 5 * KILLS, "too few kills hit a plan"
        begun, end = False, chance.randrange(1, 4)
        applier = workers.start("apply_for_ever", str(path))
        for word, *facts in applier:
            begun = word == "begun"
            if begun and (end := end - 1) == 0:
                time.sleep(chance.random() * 0.03)
                applier.kill()
            elif not begun:
                (known,) = facts
        hit += begun
        with SqliteLog(path) as log:
            head = log.head.position
            assert head in (known, known + PLANNED)
            assert all(batch.last - batch.first + 1 == PLANNED for batch in log.batches())
            assert verify(log).batches == head // PLANNED
            known = head


def test_of_two_processes_that_decide_about_the_same_games_at_once_one_wins_each(
    workers: Workers, tmp_path: Path
) -> None:
    path, games = tmp_path / "club.db", 40
    with SqliteLog(path) as log:
        log.append([game(f"g-{n}", f"p{n}", "bo") for n in range(games)])
    at = time.time() + 0.5
    deciders = [workers.start("decide_at", str(path), score, at) for score in (0.0, 0.5)]
    said = [{uid: word for word, uid in decider} for decider in deciders]
    assert [set(one) for one in said] == [{f"g-{n}" for n in range(games)}] * 2
    for uid in said[0]:
        assert sorted(one[uid] for one in said) == ["recorded", "refused"]
    with SqliteLog(path) as log:
        amended = {event.of: event.changes["score"] for event in told(log)[games:]}  # type: ignore[attr-defined]  # amendments
        assert log.head.position == 2 * games
        assert amended == {uid: 0.0 if word == "recorded" else 0.5 for uid, word in said[0].items()}
        assert verify(log).batches == games + 1

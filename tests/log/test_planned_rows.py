"""What a plan of a file tells of each row is what its application records, in every store."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.log.lookup import uid_at
from tests.plans.test_rows import NAMES, POOL, check, rows_of

CHOICES = ("2024-03-02", "2024-03-03", "soon"), NAMES, NAMES, ("1-0", "0-1", "1/2", "bye")
"""Days, players and scores of rows."""
ISSUES: list[dict[str, Any]] = [{}, {"amend": True}, {}, {"reissue": "games.csv", "voids": 1.0}]


@pytest.mark.parametrize("ids", [False, True])
def test_rows_become_what_the_plan_told(address: Callable[[str], str], ids: bool) -> None:
    """New, known, corrected, voided and contradicting rows."""
    random = Random(7)
    with rc.open(address("club")) as engine:
        for turn, asked in enumerate(ISSUES):
            cells = [tuple(random.choice(some) for some in CHOICES) for _ in range(12)]
            plan = engine.plan.import_file(rows_of(cells, ids), POOL, **{"name": "games.csv", **asked})
            check(engine, plan)
            if turn == 1:
                engine.void(uid_at(engine.log, 1), why="a default")
            again = engine.import_file(rows_of(cells, ids), POOL, **{"name": "games.csv", **asked})
            assert not again.changes, "once more it changes nothing"

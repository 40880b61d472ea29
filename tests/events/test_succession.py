"""Corrections one after another read as those up to each of them read at once, in work that grows with their number."""

from random import Random

import pytest

from ratingcore.events import Row
from ratingcore.events.corrections import Corrections, Succession, readings
from tests.events.test_corrections import GAME, amend, void


def muddle(random: Random, n: int) -> list[Row]:
    """Amendments of a game, voids of it, and voids of anything that was said so far."""
    rows: list[Row] = []
    for position in range(2, n + 2):
        said = [row.position for row in rows] or [1]
        what = random.random()
        if what < 0.4:
            changes = {random.choice("xyz"): random.randrange(9), "score": random.choice([0.0, 0.5, 1.0])}
            rows.append(amend(position, 1, **changes))
        else:
            rows.append(void(position, random.choice([1, said[-1], random.choice(said)])))
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_each_step_reads_as_all_corrections_up_to_it(seed: int) -> None:
    rows = muddle(Random(seed), 30)
    at_once = [Corrections.of(rows[: n + 1]).read(GAME) for n in range(len(rows))]
    assert list(readings(GAME, rows)) == at_once


@pytest.mark.parametrize(
    "rows",
    [
        [void(n, n - 1) for n in range(2, 402)],
        [amend(n, 1, score=0.5) for n in range(2, 402)],
        [amend(2, 1, score=0.5), *(void(n, 2) for n in range(3, 402))],
        [row for n in range(2, 402, 2) for row in (amend(n, 1, score=0.5), void(n + 1, n))],
    ],
    ids=["a chain of voids", "amendments", "voids of one amendment", "amendments taken back"],
)
def test_what_turns_over_grows_with_the_number_of_corrections_and_no_faster(rows: list[Row]) -> None:
    succession = Succession(rows)
    turned = sum(1 for row in rows for _ in succession.take(row))
    assert turned <= 3 * len(rows)
    at_once = Corrections.of(rows).read(GAME)
    *_, last = readings(GAME, rows)
    assert last == at_once

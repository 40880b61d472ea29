"""The history of corrections: as whom everyone counts after each of them is what the log says at once."""

from random import Random

import pytest

from ratingcore.events import Row
from ratingcore.events.corrections import Corrections
from ratingcore.explain.correction_history import CorrectionHistory
from tests.events.test_corrections import merge, unmerge, void


def muddle(random: Random, n: int) -> list[Row]:
    """Merges of nine players, unmerges, and voids of anything that was said of them."""
    rows: list[Row] = []
    for position in range(1, n + 1):
        merges = [row.position for row in rows if row.kind == "merge"]
        if random.random() < 0.5 or not merges:
            keep, other = random.sample(range(1, 10), 2)
            rows.append(merge(position, keep, other))
        elif random.random() < 0.5:
            rows.append(unmerge(position, random.choice(merges)))
        else:
            rows.append(void(position, random.choice([row.position for row in rows])))
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_the_turns_of_players_lead_to_whom_they_count_as(seed: int) -> None:
    rows = muddle(Random(seed), 24)
    history = CorrectionHistory(rows)
    turns = list(history.turns(range(1, 12)))
    for player in range(1, 12):
        root, told = player, {turn.row.position: turn for turn in turns if player in turn.players}
        for n, row in enumerate(rows, 1):
            now = Corrections.of(rows[:n]).root(player)
            turn = told.get(row.position)
            assert (now != root) == (turn is not None)
            if turn is not None:
                assert (turn.was, turn.now) == (root, now)
            root = now
            assert history.root(row.position, player) == now


def test_one_player_has_a_turn_a_merge_however_many_others_are_merged_with_them() -> None:
    star = CorrectionHistory([merge(n, 1, n + 1) for n in range(1, 500)])
    chain = CorrectionHistory([merge(n, n + 1, n) for n in range(1, 500)])
    assert sum(len(turn.players) for turn in star.turns(range(1, 501))) == 499
    assert sum(len(turn.players) for turn in chain.turns([1])) == 499
    assert [turn.row.position for turn in chain.turns([400])] == list(range(400, 500))

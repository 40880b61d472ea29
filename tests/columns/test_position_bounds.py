"""Bounds of positions: what they tell of a column is what looking at every game tells."""

from random import Random

import numpy as np
import pytest

from ratingcore.columns import position_bounds
from ratingcore.columns.position_bounds import PositionBounds


def test_bounds_tell_what_looking_at_every_game_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_bounds, "BLOCK", 5)
    for seed in range(60):
        random = Random(seed)
        positions = random.sample(range(60), 40) if seed % 2 else sorted(random.sample(range(60), 40))
        bounds = PositionBounds()
        for _ in range(20):  # columns with the same first games, longer and shorter
            column = np.array(positions[: random.randint(0, 40)], dtype=np.int64)
            than = random.randint(-1, 60)
            later = [at for at, position in enumerate(column.tolist()) if position > than]
            known = [at for at, position in enumerate(column.tolist()) if position <= than]
            assert bounds.first_later(column, than) == (later[0] if later else None)
            end = bounds.end(column, than)
            assert max(known, default=-1) < end <= max(max(known, default=-5) + 5, 0)

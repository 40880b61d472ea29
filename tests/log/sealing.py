"""Seals games in a log as an import by columns does."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ratingcore.events import GamePlayed
from ratingcore.log.chain import Batch, sealed_digest
from ratingcore.log.segments import LEAST, Segment, texts_of
from tests.log.making import game

DAY = 86_400_000_000


@lru_cache(maxsize=16)
def season(first: int, count: int = LEAST, pool: str = "rapid") -> tuple[GamePlayed, ...]:
    """Games with ids that a file could give, some of them on one day, of players who meet again."""
    return tuple(
        game(
            f"{(number * 7919) % 10**7:07d}{chr(97 + number % 26)}", f"p{number % 97}", f"q{number % 89}",
            (number * 31 % 5) / 4, played=(19_000 + number // 50) * DAY, pool=pool,
        )
        for number in range(first, first + count)
    )  # fmt: skip


def seal(log: Any, games: Sequence[GamePlayed], source: str = "") -> None:
    """Appends games as one sealed batch; the log has a batch of rows already."""
    with log.writing():
        last, draft = log.last_batch(), log.draft
        assert last is not None, "the key of a log is in its first batch"
        before = draft.count
        draft.begin(last.last + 1)
        pool = draft.getter("pool")(games[0].pool)
        ids = draft.numbers("player", [name for one in games for name in (one.a, one.b)])
        origin = draft.getter("source")(source) if source else None
        names = draft.since(before)
        columns = [[getattr(one, field) for one in games] for field in ("played", "score")]
        segment = Segment(
            last.last + 1, pool, np.array(columns[0], np.int64), np.array(ids[::2], np.int32),
            np.array(ids[1::2], np.int32), np.array(columns[1]), texts_of([one.uid for one in games]),
        )  # fmt: skip
        batch = Batch(segment.first, segment.last, max(log.now(), last.recorded), origin, "")
        digest = sealed_digest(last.digest, batch, names, segment)
        log.write_segment(batch._replace(digest=digest), names, segment)

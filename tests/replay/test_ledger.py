"""The ledger of a replay: ratings line by line, of those who had one and of those who had none."""

from math import nan

import numpy as np
import pytest
from ratingcore_elo import Elo

from ratingcore.methods import Method
from ratingcore.replay import fold
from ratingcore.replay.ledger import RESULT, SEED, SETTLED, TRACKED, Ledger, of_moves
from ratingcore.replay.moves import Moves, Settled
from tests.columns.making import POOL, engine, game
from tests.laws.methods import TALLY
from tests.replay.test_fold import league
from tests.replay.toys import Monthly, Unrated, Walk, Whole


def test_what_an_unrated_player_collects_counts_once_a_call_settles_a_rating() -> None:
    kind = np.array([RESULT, RESULT, SETTLED, RESULT, RESULT, SEED])
    none = np.zeros(6, dtype=np.int64)
    lines = Ledger(
        kind, none, none, np.array([0, 0, 0, 1, 2, 2]), np.array([5.0, 6.0, 1500.0, 7.0, 8.0, 1600.0]),
        np.zeros(6), np.zeros(6), (),
    ).resumed(np.array([nan, 1400.0, nan]), np.array([2.0, 0.0, 0.0]))  # fmt: skip
    assert lines.change.tolist()[:5] == [5.0, 6.0, 1500.0, 7.0, 8.0]
    assert [None if x != x else x for x in lines.rating.tolist()] == [None, None, 1513.0, 1407.0, None, 1600.0]
    assert lines.counted().tolist() == [True, True, True, True, False, True]


def test_a_seed_without_a_rating_lets_an_unrated_player_wait_on() -> None:
    """What was collected before it stayed in the rating, but the explanation told it was lost."""
    kind, none = np.array([RESULT, SEED, SETTLED]), np.zeros(3, dtype=np.int64)
    lines = Ledger(kind, none, none, none, np.array([5.0, nan, 1500.0]), np.zeros(3), np.zeros(3), ())
    lines = lines.resumed(np.array([nan]), np.zeros(1))
    assert lines.rating[-1] == 1505.0
    assert lines.counted().all()


def test_what_counted_for_one_first_rating_does_not_count_for_a_second() -> None:
    kind, none = np.array([RESULT, SETTLED, SEED, RESULT, SETTLED]), np.zeros(5, dtype=np.int64)
    lines = Ledger(kind, none, none, none, np.array([5.0, 1500.0, nan, 7.0, 1400.0]), np.zeros(5), np.zeros(5), ())
    lines = lines.resumed(np.array([nan]), np.zeros(1))
    assert [None if x != x else x for x in lines.rating.tolist()] == [None, 1505.0, None, None, 1407.0]


METHODS = (Walk(), Monthly(), Monthly(cut="days(3)"), Elo(), Unrated())


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_the_ledger_of_some_players_holds_their_lines_of_the_whole(method: Method) -> None:
    replay = fold(method, league().core.view(POOL), keep=True)
    whole = replay.ledger()
    for players in ([0], [1, 4], list(range(replay.view.n_players)), []):
        some = replay.ledger(np.array(players, dtype=np.int64))
        same = whole.take(np.isin(whole.player, players))
        assert len(some) or not len(same)
        for column in ("kind", "source", "player", "moved", "before", "rating", "change"):
            assert getattr(some, column).tobytes() == getattr(same, column).tobytes(), column
        assert [some.labels[n] for n in some.label if n >= 0] == [same.labels[n] for n in same.label if n >= 0]


def test_of_sessions_too() -> None:
    replay = fold(TALLY, league(sessions=True, games=60).core.view(POOL), keep=True)
    whole, some = replay.ledger(), replay.ledger(np.array([2]))
    assert some.rating.tobytes() == whole.take(whole.player == 2).rating.tobytes()
    assert replay.rating_before.tobytes() == whole.before_results.tobytes()


def test_of_a_whole_pool_method_the_track_is_listed() -> None:
    replay = fold(Whole(), engine(game(1, "a", "b"), game(2, "a", "b")).core.view(POOL))
    ledger = replay.ledger(np.array([0]))
    assert (ledger.kind.tolist(), ledger.change.tolist()) == ([TRACKED], [1.0])
    assert ledger.labels == ("as seen from now",)


def test_a_method_may_label_each_of_70000_periods_in_words_of_its_own() -> None:
    """Labels were kept as 16 bits: the 32,769th read as another one."""
    labels = [f"month {number}" for number in range(70_000)]
    replay = fold(Elo(), engine(game(1, "a", "b")).core.view(POOL), keep=True)
    after = [Settled(label, 1, number, 0, np.array([1.0, 0.0])) for number, label in enumerate(labels)]
    moves = Moves(np.array([0.5]), np.array([3.0, -3.0]), None, {}, None, after, {})
    ledger = of_moves(replay.member, replay.member_start, moves, replay.sown, np.array([1500.0, 1500.0]))
    settled = ledger.take(ledger.kind == SETTLED)
    assert [settled.labels[code] for code in settled.label.tolist()] == labels
    assert settled.source.tolist() == list(range(70_000))
    assert settled.rating.tolist() == [1504.0 + number for number in range(70_000)]

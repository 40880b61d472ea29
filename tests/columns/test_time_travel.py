"""From one timeline to another: whatever the way, it equals building from scratch, column by column."""

from random import Random

import pytest

from ratingcore.columns import known_at
from ratingcore.columns.time_travel import Latest, difference
from ratingcore.events import Event, GamePlayed, MergeUndone, PlayersMerged, ResultAmended, ResultVoided
from tests.columns.making import POOL, columns, engine, game, kinds, names, positions, scratch, seed, session
from tests.laws.histories import League

FIRST = [game(1, "ann", "bo", uid="g-1"), game(2, "cy", "ann", uid="g-2"), game(3, "bo", "cy", uid="g-3")]
LATER: dict[str, list[Event]] = {
    "nothing of this pool": [game(4, "ann", "bo", pool="other")],
    "a game in order": [game(4, "ann", "bo")],
    "a stranger": [game(4, "dee", "ann")],
    "two strangers in one game, and again": [game(4, "eve", "dee"), game(5, "dee", "eve")],
    "a game on the same day": [game(3, "ann", "bo")],
    "a game on the same day that comes before": [game(3, "ann", "bo", order=-1)],
    "a late game": [game(0, "cy", "bo")],
    "a late game of a stranger": [game(1.5, "dee", "ann")],
    "many late games": [game(day / 10, "cy", "dee") for day in range(30)],
    "a voided game": [ResultVoided(of="g-2")],
    "an amended score": [ResultAmended(of="g-2", changes={"score": 0.5})],
    "an amended day": [ResultAmended(of="g-1", changes={"played": "1970-01-09"})],
    "a game amended out of the pool": [ResultAmended(of="g-1", changes={"pool": "other"})],
    "a game amended into the pool": [
        game(2, "dee", "ann", pool="other", uid="x"), ResultAmended(of="x", changes={"pool": POOL}),
    ],
    "a merge": [PlayersMerged(keep="bo", other="ann")],
    "a merge that is taken back": [PlayersMerged(uid="m", keep="bo", other="ann"), MergeUndone(of="m")],
    "a chain of merges": [PlayersMerged(keep="ann", other="bo"), PlayersMerged(keep="cy", other="ann")],
    "a seed before": [seed(0, "ann")],
    "a seed after": [seed(9, "ann")],
    "a seed of a stranger": [seed(2, "dee")],
    "a session": [session(2, ("de", 50.0), ("fg", 40.0), ("h", 10.0))],
    "a void of a void": [ResultVoided(uid="v", of="g-1"), ResultVoided(of="v")],
    "an amendment of a game that comes with it": [
        game(4, "dee", "ann", uid="x"), ResultAmended(of="x", changes={"b": "bo"}),
    ],
    "a void of a game that comes with it": [game(4, "dee", "ann", uid="x"), ResultVoided(of="x")],
}  # fmt: skip


@pytest.mark.parametrize("later", LATER.values(), ids=LATER.keys())
def test_growing_and_cutting_back_equal_building_from_scratch(later: list[Event]) -> None:
    log = engine(*FIRST, *later).log
    whole = scratch(log)
    for position in range(log.head.position + 1):
        part = scratch(log, position)
        assert columns(known_at(part, log, log.head.position)) == columns(whole), position
        assert columns(known_at(whole, log, position)) == columns(part), position
        assert kinds(known_at(part, log, log.head.position)) == kinds(whole), position


def test_from_anywhere_to_anywhere_in_random_histories_equals_building_from_scratch() -> None:
    for number in range(60):
        random = Random(number)
        league = League(random, sessions=number % 2 == 0)
        log = engine(*(league.event() for _ in range(25))).log
        if log.book.find("pool", "rapid") is None:
            continue
        timeline = scratch(log, pool="rapid")
        for _ in range(12):
            position = random.randint(0, 25)
            timeline = known_at(timeline, log, position)
            assert columns(timeline) == columns(scratch(log, position, "rapid")), (number, position)


def test_what_was_found_of_earlier_readers_holds_when_the_log_grows() -> None:
    """An earlier reader is compared by way of the head before: never later than compared directly, mostly the same."""
    asked = same = 0
    for number in range(30):
        league, eng, latest = League(Random(number)), engine(), None
        for position in range(1, 26):
            eng.record(league.event())
            if eng.log.book.find("pool", "rapid") is None:
                continue
            since = latest.grown(difference(latest.timeline, eng.log, position).since) if latest else None
            latest = Latest(scratch(eng.log, pool="rapid"), eng.log, since=since)
            afresh = Latest(latest.timeline, eng.log)
            for earlier in range(max(0, position - 5), position):
                assert latest.same_before(earlier) <= afresh.same_before(earlier), (number, position, earlier)
                asked, same = asked + 1, same + (latest.same_before(earlier) == afresh.same_before(earlier))
    assert same > 0.9 * asked > 0


def test_a_stranger_before_a_seed_that_waits_is_numbered_before_it() -> None:
    """Growing put newcomers behind players whom seeds or sessions of a later day had brought."""
    eng = engine(game(5, "ann", "bo"), seed(10, "cy"))
    assert names(eng) == ["ann", "bo", "cy"]
    eng.record(game(6, "dee", "eve"))
    assert names(eng) == ["ann", "bo", "dee", "eve", "cy"]
    assert names(eng, "1970-01-08") == ["ann", "bo", "dee", "eve"]


def test_a_first_game_before_a_known_session_becomes_the_debut() -> None:
    eng = engine(game(1, "a", "b"), session(10, ("c", 1.0), ("d", 0.0)))
    eng.core.view(POOL)
    eng.record(game(6, "c", "a"))
    timeline = eng.core.view(POOL).timeline
    assert columns(timeline) == columns(scratch(eng.log))


def test_a_game_before_a_session_of_the_same_moment_numbers_its_players_first() -> None:
    eng = engine(session(3, ("c", 1.0), ("d", 0.0), order=2))
    eng.core.view(POOL)
    eng.record(game(3, "a", "b", order=1))
    assert names(eng) == ["a", "b", "c", "d"]


def test_two_amendments_can_make_a_player_his_own_opponent_and_then_the_game_is_left_out() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "ann", "bo", uid="g"))
    eng.log.append([ResultAmended(of="g", changes={"a": "cy"})])
    eng.core.view(POOL)
    eng.log.append([ResultAmended(of="g", changes={"b": "cy"})])
    assert positions(eng) == [1]
    assert columns(eng.core.view(POOL).timeline) == columns(scratch(eng.log))
    eng.amend("g", {"b": "dee"})
    assert positions(eng) == [1, 2]


def test_a_merge_leaves_out_games_of_the_two_until_it_is_taken_back() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "ann", "cy"))
    eng.record(PlayersMerged(uid="m", keep="ann", other="bo"))
    assert positions(eng) == [2]
    assert sorted(eng.core.view(POOL).timeline.self_pairings) == [1]
    eng.void("m")
    assert positions(eng) == [1, 2]
    assert not eng.core.view(POOL).timeline.self_pairings


def test_looking_further_back_than_the_first_event_of_a_pool_finds_nothing() -> None:
    eng = engine(game(1, "x", "y", pool="other"), game(1, "ann", "bo"))
    view = eng.core.view(POOL, known_at=1)
    assert (view.n_games, view.n_players, view.names()) == (0, 0, [])
    assert eng.core.view(POOL, known_at=0).n_games == 0


def test_a_game_in_order_shares_the_columns_of_seeds_and_sessions() -> None:
    eng = engine(game(1, "ann", "bo"), seed(1, "ann"))
    before = eng.core.view(POOL).timeline
    eng.record(game(2, "ann", "bo"))
    after = eng.core.view(POOL).timeline
    assert after.seeds is before.seeds
    assert after.sessions is before.sessions


def test_an_amendment_of_a_game_says_nothing_before_it_was_recorded() -> None:
    eng = engine(GamePlayed(uid="g", pool=POOL, played=0, a="ann", b="bo", score=1.0))
    eng.amend("g", {"score": 0.0})
    assert eng.core.view(POOL, known_at=1).timeline.games.score.tolist() == [1.0]
    assert eng.core.view(POOL).timeline.games.score.tolist() == [0.0]


def test_a_game_of_one_player_is_not_left_out_before_the_log_learnt_of_it() -> None:
    """Where only such games followed the cut, those later than it were left out of the list too."""
    eng = engine(game(1, "ann", "bo"), PlayersMerged(keep="bo", other="anne"), game(2, "ann", "cy"))
    eng.record(PlayersMerged(keep="ann", other="anna"))
    at_cut = eng.log.head.position
    eng.record(game(3, "ann", "anna"), game(4, "x", "y", pool="other"))
    assert len(eng.core.view(POOL).self_pairings()) == 1
    assert len(eng.core.view(POOL, known_at=at_cut).self_pairings()) == 0
    assert columns(eng.core.view(POOL, known_at=at_cut).timeline) == columns(scratch(eng.log, at_cut))

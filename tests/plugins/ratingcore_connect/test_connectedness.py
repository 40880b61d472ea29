"""What connects a pool, against taking results away."""

from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest
from ratingcore_connect import Connectedness, connectedness

from ratingcore.compare.network import Seats, network
from ratingcore.engine import Engine
from ratingcore.events import Event, GamePlayed, SessionPlayed
from tests.columns.making import POOL, engine, game, seed, session


def found(eng: Engine, **cuts: object) -> Connectedness:
    return connectedness(eng.core.view(POOL, **cuts))  # type: ignore[arg-type]  # cuts


def test_two_clubs_that_never_met_are_two_components_the_larger_first() -> None:
    told = found(engine(game(1, "a", "b"), game(2, "c", "d"), game(3, "d", "e"), game(4, "c", "d", 0.5)))
    assert [(c.players, c.results, c.strong) for c in told.components] == [(("c", "d", "e"), 3, 2), (("a", "b"), 1, 2)]


def test_one_game_between_clubs_is_a_bridge_with_its_position_and_the_smaller_side() -> None:
    clubs = [game(1, *pair) for pair in ("ab", "bc", "ca", "de", "ef", "fg", "gd")]
    told = found(engine(*clubs, game(2, "g", "a")))
    assert [(b.between, b.results, b.position, b.parted, b.side) for b in told.bridges] == [
        (("a", "g"), 1, 8, 3, ("a", "b", "c"))
    ]


def test_a_pair_that_met_twice_is_a_bridge_of_two_results_and_of_no_position() -> None:
    (bridge,) = found(engine(game(1, "a", "b"), game(2, "b", "a"))).bridges
    assert (bridge.results, bridge.position, bridge.parted) == (2, None, 1)


def test_strong_parts_say_who_won_and_lost_nothing_outside() -> None:
    told = found(engine(game(1, "a", "b"), game(2, "b", "c", 0.5), game(3, "c", "d")))
    assert [(s.players, s.results, s.above, s.below) for s in told.strong] == [
        (("b", "c"), 1, False, False), (("a",), 0, True, False), (("d",), 0, False, True),
    ]  # fmt: skip


def test_a_field_in_which_everybody_scored_is_neither_above_nor_below_anything() -> None:
    (strong,) = found(engine(game(1, "a", "b", 0.5))).strong
    assert (strong.above, strong.below, strong.component) == (False, False, 1)


def test_a_session_is_a_bridge_between_those_whom_only_it_connects() -> None:
    told = found(engine(game(1, "a", "b"), game(2, "c", "d"), session(3, ("ac", 3.0), ("bd", 1.0))))
    assert told.strong == ()
    assert [(b.between, b.position, b.parted) for b in told.bridges] == [(("a", "c", "b", "d"), 3, 2)]


def test_a_player_with_nothing_but_a_seed_is_unplayed() -> None:
    told = found(engine(game(1, "a", "b"), seed(2, "z")))
    assert told.unplayed == ("z",)
    assert [c.players for c in told.components] == [("a", "b")]


def test_both_cuts_count() -> None:
    eng = engine(game(1, "a", "b"), game(3, "c", "d"), game(5, "b", "c"))
    assert len(found(eng).components) == 1
    assert len(found(eng, through="1970-01-05").components) == 2
    assert len(found(eng, known_at=1).components) == 1


def test_nothing_played_is_nothing_told() -> None:
    told = found(engine(seed(1, "a")))
    assert (told.components, told.bridges, told.strong, told.unplayed) == ((), (), (), ("a",))


# against an oracle


def members(event: Event) -> list[str]:
    if isinstance(event, GamePlayed):
        return [event.a, event.b]
    assert isinstance(event, SessionPlayed)
    return [player for side in event.sides for player in side.players]


def parts(events: list[Event], everybody: set[str]) -> set[frozenset[str]]:
    """Components by merging sets."""
    sets = [{player} for player in everybody]
    for event in events:
        touched = [one for one in sets if one & set(members(event))]
        sets = [one for one in sets if one not in touched] + [set().union(*touched)]
    return {frozenset(one) for one in sets}


def strong_parts(events: list[Event], everybody: set[str]) -> set[frozenset[str]]:
    """Strong parts by closing who scored against whom."""
    scored = {(p, p) for p in everybody}
    for event in events:
        assert isinstance(event, GamePlayed)
        scored |= ({(event.a, event.b)} if event.score > 0 else set()) | (
            {(event.b, event.a)} if event.score < 1 else set()
        )
    for k in sorted(everybody):
        scored |= {(i, j) for i in everybody for j in everybody if (i, k) in scored and (k, j) in scored}
    return {frozenset(j for j in everybody if {(i, j), (j, i)} <= scored) for i in everybody}


def bridges(events: list[Event], everybody: set[str]) -> dict[tuple[frozenset[str], int], int]:
    """Of each pair and session that holds something together: who sits there, how many results, how many it parts."""
    whole = parts(events, everybody)
    groups: dict[object, list[Event]] = {}
    for number, event in enumerate(events):
        key = frozenset(members(event)) if isinstance(event, GamePlayed) else number
        groups.setdefault(key, []).append(event)
    told = {}
    for gone in groups.values():
        left = parts([event for event in events if event not in gone], everybody)
        pieces = left - whole
        if pieces:
            told[frozenset(members(gone[0])), len(gone)] = sum(map(len, pieces)) - max(map(len, pieces))
    return told


@pytest.mark.parametrize("seed_number", range(12))
@pytest.mark.parametrize("sessions", [False, True])
def test_random_pools_are_told_as_they_fall_apart(seed_number: int, sessions: bool) -> None:
    random = Random(seed_number)
    names = "abcdefghijkl"[: random.randint(3, 12)]
    events: list[Event] = []
    for number in range(random.randint(1, 16)):
        if sessions and random.random() < 0.4:
            seated = random.sample(names, random.randint(2, min(4, len(names))))
            events.append(session(number, *((player, 1.0) for player in seated), uid=f"e{number}"))
        else:
            a, b = random.sample(names, 2)
            events.append(game(number, a, b, random.choice([0.0, 0.5, 1.0]), uid=f"e{number}"))
    everybody = {player for event in events for player in members(event)}
    told = found(engine(*events))
    assert {frozenset(c.players) for c in told.components} == parts(events, everybody)
    assert sum(c.results for c in told.components) == len(events)
    seen = {(frozenset(b.between), b.results): b.parted for b in told.bridges}
    assert seen == bridges(events, everybody)
    assert len(seen) == len(told.bridges)
    if not any(isinstance(event, SessionPlayed) for event in events):
        assert {frozenset(s.players) for s in told.strong} == strong_parts(events, everybody)


def test_a_long_chain_is_walked_without_end_of_stack() -> None:
    names = [f"p{n:05}" for n in range(3000)]
    told = found(engine(*(game(1, a, b) for a, b in pairwise(names))))
    assert len(told.bridges) == 2999
    assert told.bridges[0].parted == 1500
    assert len(told.bridges[0].side) == 5


def test_many_games_between_all_leave_no_bridge() -> None:
    assert found(engine(*(game(1, a, b) for a, b in combinations("abcdefgh", 2)))).bridges == ()


def test_bridges_are_those_that_the_connectedness_of_a_view_names() -> None:
    random = np.random.default_rng(3)
    for size in (8, 16, 24):
        names = [chr(ord("a") + i) for i in range(size)]
        events = [
            game(1 + n, names[i], names[j]) for n, (i, j) in enumerate(random.integers(0, size, (size, 2))) if i != j
        ]
        events += [session(1000 + n, ("".join(names[n : n + 2]), 2.0), (names[n + 3], 1.0)) for n in range(2)]
        view = engine(*events).core.view(POOL)
        told = connectedness(view)
        found = network(*Seats(view).between(0, 2**60))
        assert found.bridges == len(told.bridges)
        assert found.components == len(told.components)
        assert found.largest == len(told.components[0].players) / found.players

"""Corrections resolved: what was taken back says nothing, later amendments stand, merges are unions."""

import json
from random import Random
from typing import Any

import pytest

from ratingcore.events import Row, corrections
from ratingcore.events.corrections import Corrections


def correction(position: int, kind: str, ref: int | None = None, **more: Any) -> Row:
    data = more.pop("set", None)
    row = Row(
        position,
        f"c{position}",
        kind,
        None,
        None,
        0,
        None,
        None,
        None,
        ref,
        json.dumps({"set": data}) if data else None,
    )
    return row._replace(**more)


def void(position: int, ref: int) -> Row:
    return correction(position, "void", ref)


def amend(position: int, ref: int, **changes: Any) -> Row:
    return correction(position, "amend", ref, set=changes)


def merge(position: int, keep: int, other: int) -> Row:
    return correction(position, "merge", a=keep, b=other)


def unmerge(position: int, ref: int) -> Row:
    return correction(position, "unmerge", ref)


GAME = Row(1, "g", "game", 7, 100, 0, 11, 12, 1.0, None, '{"home":"a","round":3}')


def test_a_log_without_corrections_reads_as_it_is() -> None:
    assert Corrections.of([]) == Corrections()
    assert Corrections.of([GAME]).read(GAME) is GAME


@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        ([void(2, 1)], False),
        ([void(2, 1), void(3, 2)], True),
        ([void(2, 1), void(3, 2), void(4, 3)], False),
        ([void(2, 1), void(3, 1)], False),
        ([void(2, 1), void(3, 1), void(4, 2)], False),
        ([void(2, 1), void(3, 1), void(4, 2), void(5, 3)], True),
        ([void(2, 1), void(3, 2), void(4, 2), void(5, 3)], True),
        ([void(2, 9)], True),
    ],
)
def test_a_void_of_a_void_revives_what_the_first_one_took_back(rows: list[Row], counts: bool) -> None:
    assert (Corrections.of(rows).read(GAME) is not None) == counts


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        ([amend(2, 1, score=0.5)], 0.5),
        ([amend(2, 1, score=0.5), amend(3, 1, score=0.0)], 0.0),
        ([amend(2, 1, score=0.5), amend(3, 1, score=0.0), void(4, 3)], 0.5),
        ([amend(2, 1, score=0.5), amend(3, 1, score=0.0), void(4, 2)], 0.0),
        ([amend(2, 1, score=0.5), void(3, 2)], 1.0),
        ([amend(2, 1, score=0.5), void(3, 2), void(4, 3)], 0.5),
        ([amend(2, 1, score=0.5), void(3, 2), amend(4, 1, score=0.25), void(5, 3)], 0.25),
        ([amend(2, 1, score=0.5), amend(3, 1, played=50)], 0.5),
    ],
)
def test_the_last_amendment_that_stands_wins_field_by_field(rows: list[Row], score: float) -> None:
    now = Corrections.of(rows).read(GAME)
    assert now is not None
    assert now.score == score


def test_an_amendment_leaves_what_it_does_not_name_and_none_takes_away() -> None:
    now = Corrections.of([amend(2, 1, home=None, city="Leeds", a=13, pool=8, order=2, played=99)]).read(GAME)
    assert now == GAME._replace(pool=8, played=99, order=2, a=13, data='{"city":"Leeds","round":3}')


def test_the_player_of_a_seed_is_amended_where_it_stands() -> None:
    seed = Row(1, "s", "seed", 7, 100, 0, 11, None, None, None, '{"values":{"rating":1.0,"deviation":2.0}}')
    now = Corrections.of([amend(2, 1, player=13), amend(3, 1, values={"rating": 5.0})]).read(seed)
    assert now == seed._replace(a=13, data='{"values":{"rating":5.0}}')


def test_an_amended_result_that_is_voided_is_void() -> None:
    found = Corrections.of([amend(2, 1, score=0.5), void(3, 1)])
    assert found.read(GAME) is None
    assert not found.changes


@pytest.mark.parametrize(
    ("rows", "roots"),
    [
        ([merge(1, 1, 2)], {2: 1}),
        ([merge(1, 1, 2), merge(2, 2, 3)], {2: 1, 3: 1}),
        ([merge(1, 2, 3), merge(2, 1, 2)], {2: 1, 3: 1}),
        ([merge(1, 1, 2), merge(2, 3, 2)], {1: 3, 2: 3}),
        ([merge(1, 1, 2), merge(2, 2, 1)], {2: 1}),
        ([merge(1, 1, 2), merge(2, 3, 4), merge(3, 2, 4)], {2: 1, 3: 1, 4: 1}),
        ([merge(1, 1, 2), merge(2, 2, 3), unmerge(3, 1)], {3: 2}),
        ([merge(1, 1, 2), unmerge(2, 1)], {}),
        ([merge(1, 1, 2), unmerge(2, 1), void(3, 2)], {2: 1}),
        ([merge(1, 1, 2), merge(2, 1, 2), unmerge(3, 1)], {2: 1}),
    ],
)
def test_merges_are_unions_of_those_that_stand(rows: list[Row], roots: dict[int, int]) -> None:
    found = Corrections.of(rows)
    assert dict(found.roots) == roots
    assert found.root(9) == 9


def test_two_readers_differ_where_something_reads_otherwise() -> None:
    early = Corrections.of([amend(10, 1, score=0.5), void(11, 2), merge(12, 1, 2)])
    late = Corrections.of(
        [
            amend(10, 1, score=0.5), void(11, 2), merge(12, 1, 2), void(13, 11), amend(14, 3, score=0.0),
            amend(15, 1, score=0.5), merge(16, 2, 3),
        ]
    )  # fmt: skip
    assert early.touched(late) - {11} == {2, 3} == late.touched(early) - {11}
    assert early.moved(late) == {3} == late.moved(early)


class _Counted(list[int]):
    """Members of a group that count how many of them are moved into another."""

    moved = 0

    def __iter__(self) -> Any:
        type(self).moved += len(self)
        return super().__iter__()


@pytest.mark.parametrize("n", [256, 1024])
@pytest.mark.parametrize(
    "pair",
    [lambda i, n: (i + 1, i), lambda i, n: (n + 1, i), lambda i, n: (i, i + 1), lambda i, n: (i, n + 1)],
    ids=["a chain that ends with the newest", "all into one", "a chain that ends with the oldest", "one into all"],
)
def test_merges_move_each_player_a_few_times_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch, pair: Any, n: int
) -> None:
    """Every merge of a chain went through all players merged before: 16,000 took 8 seconds."""
    monkeypatch.setattr(_Counted, "moved", 0)
    group = corrections._Group
    monkeypatch.setattr(corrections, "_Group", lambda root, members: group(root, _Counted(members)))
    found = Corrections.of([merge(100_000 + i, *pair(i, n)) for i in range(1, n + 1)])
    assert len(found.roots) == n
    assert len(set(found.roots.values())) == 1
    assert 0 < _Counted.moved <= 2 * n * n.bit_length()


def some_corrections(pick: Random, count: int) -> list[Row]:
    """Corrections of five results and six players, and now and then of one another."""
    rows: list[Row] = []
    for position in range(10, 10 + count):
        earlier = [row for row in rows if pick.random() < 0.1]
        about = pick.choice(earlier).position if earlier else pick.randint(1, 5)
        keep, other = pick.sample(range(11, 17), 2)
        rows.append(
            pick.choice((
                void(position, about), merge(position, keep, other),
                amend(position, pick.randint(1, 5), **{pick.choice(("a", "score", "round")): pick.randint(11, 16)}),
            ))
        )  # fmt: skip
    return rows


@pytest.mark.parametrize("seed", range(25))
def test_corrections_go_on_from_those_before_as_if_all_were_resolved_at_once(seed: int) -> None:
    pick = Random(seed)
    rows = some_corrections(pick, 12)
    at = pick.randint(0, 12)
    before, behind = rows[:at], rows[at:]
    gone_on = Corrections.of(before).then(behind)
    of_corrections = {row.position for row in rows} & {row.ref for row in behind}
    assert (gone_on is None) == bool(of_corrections)
    assert gone_on in (None, Corrections.of(rows))
    assert gone_on is None or gone_on.positions == Corrections.of(rows).positions

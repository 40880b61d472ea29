"""The top of a rating list: its first rows, without the rest being ordered or named."""

from typing import Any

import pytest

from ratingcore.engine import Engine
from ratingcore.errors import BadValue
from tests.columns.making import engine, game, seed
from tests.lists.listing import REGISTRY, listed, seeded
from tests.replay.toys import Unrated


@pytest.mark.parametrize("policy", [None, "digits=-1,ties=games", "min_games=1,provisional=3,ties=dense"])
@pytest.mark.parametrize("top", [1, 3, 5, 12, 40])
def test_the_top_of_a_list_is_its_first_rows(top: int, policy: str | None) -> None:
    eng = engine(
        *(seed(0, f"p{n}", 1500.0 + n % 4 * 3.2) for n in range(12)),
        *(game(n, f"p{n * n % 12}", f"p{(n + 1) % 12}") for n in range(1, 9) if n * n % 12 != (n + 1) % 12),
    )
    whole, part = listed(eng, policy=policy), listed(eng, policy=policy, top=top)
    assert list(part) == list(whole)[:top]
    assert list(part.with_exact()) == list(whole.with_exact())[:top]
    assert (len(part) + part.more, part.provenance) == (len(whole), whole.provenance)
    assert part.table(top) == whole.table(top)
    if not part.more:
        assert part.digest == whole.digest


def test_the_unrated_follow_in_the_top_of_a_list() -> None:
    eng = engine(game(1, "zoe", "ann"), game(2, "bo", "cy"), seed(3, "cy", 900.0), seed(3, "bo", -50.0))
    assert listed(eng, Unrated(), top=3).player == ("cy", "bo", "ann")


def test_what_is_said_of_all_players_is_refused_of_the_top() -> None:
    eng = seeded(zoe=1500, ann=1500, bo=1600)
    whole, part = listed(eng), listed(eng, top=2)
    for question in (
        lambda: part.digest,
        lambda: part.seal,
        lambda: part.document("json"),
        lambda: part.diff(whole),
        lambda: whole.diff(part),
        lambda: whole.since(part),
        lambda: Engine(eng.log, REGISTRY).publish(part, "march"),
    ):
        with pytest.raises(BadValue, match="leaves out 1 players; make the list without it"):
            question()
    assert eng.log.head.position == 3
    assert [row["rank_change"] for row in part.since(whole)] == [0, 0]


@pytest.mark.parametrize("top", [0, -1, True, 1.0, "10"])
def test_a_top_is_a_number_of_players(top: Any) -> None:
    with pytest.raises(BadValue, match="top is no whole number from 1"):
        listed(seeded(ann=1500), top=top)


def test_the_top_of_a_list_names_only_its_players() -> None:
    eng = seeded(**{f"p{n}": 1500 + n for n in range(50)})
    asked: list[int] = []
    book: Any = eng.log.names_book
    keys = book.keys
    book.keys = lambda numbers: asked.extend(numbers) or keys(numbers)
    assert listed(eng, top=3).player == ("p49", "p48", "p47")
    assert len(set(asked) - {1}) == 3  # the pool has a name too

"""Fields of members: one text of a result, a number for each who sat down."""

import pytest

import ratingcore as rc
from ratingcore.columns import Need, Sides
from ratingcore.errors import BadField, MissingField

WEIGHTS = Need("weights", of="member", default=1.0)
PAIRS = [rc.Side(["ann", "bo", "cy"], 60.0), rc.Side(["di", "ed"], 40.0)]


def read(*given: object, need: Need = WEIGHTS) -> Sides:
    """Sessions that say this of their members, a game after each of them."""
    with rc.open(":memory:") as engine:
        for number, text in enumerate(given, 1):
            data = {} if text is None else {"weights": text}
            engine.record(
                rc.SessionPlayed(pool="club", played=f"2024-03-{2 * number:02d}", sides=PAIRS, data=data),  # type: ignore[arg-type]  # any value
                rc.GamePlayed(pool="club", played=f"2024-03-{2 * number + 1:02d}", a="ann", b="di", score=1.0),
            )
        return engine.core.view("club").sides((need,), "toy")


def test_members_have_a_number_each_in_the_order_of_the_sides() -> None:
    sides = read("1 2/3 1/3 0.5 .5", None)
    third = 1.0 / 3.0
    assert sides["weights"].tolist() == [1.0, 2.0 * third, third, 0.5, 0.5, *[1.0] * 9]
    assert sides.games.tolist() == [False, True, False, True]


def test_numbers_stay_with_their_members_however_results_are_cut_and_ordered() -> None:
    sides = read("1 2 3 4 5", "6 7 8 9 10")
    assert sides.part(1, 3)["weights"].tolist() == [1.0, 1.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    assert sides.part(1, 3).games.tolist() == [True, False]
    assert sides.take(sides.position[[2, 0]] - 1)["weights"].tolist() == [
        6.0,
        7.0,
        8.0,
        9.0,
        10.0,
        1.0,
        2.0,
        3.0,
        4.0,
        5.0,
    ]
    assert sides.withheld()["weights"].tolist() == sides["weights"].tolist()
    assert sides.withheld().games.tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 1", "must have 5 numbers, one for each player in the order of the sides, not 2"),
        (1, "must have 5 numbers, one for each player in the order of the sides, not 1"),
        ("1 1 1 1 half", "must have numbers like 1, 0.5 or 2/3, not half"),
        ("1 1 1 1 1/0", "must have numbers like 1, 0.5 or 2/3, not 1/0"),
        ("1 1 1 1 nan", "must have finite numbers, not nan"),
    ],
)
def test_what_is_no_list_of_numbers_is_named_with_its_place(text: object, why: str) -> None:
    with pytest.raises(BadField, match="at position 3") as caught:
        read(None, text)
    assert caught.value.why == why


def test_a_field_of_members_without_a_default_must_be_there() -> None:
    with pytest.raises(MissingField, match="missing at position 3"):
        read("1 1 1 1 1", None, need=Need("weights", of="member"))

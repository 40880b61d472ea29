"""The book of names: ids for keys, keys for ids, and nothing left of what failed."""

import pytest

from ratingcore.log import ERASED, Name
from ratingcore.log.chain import commitment
from ratingcore.log.names import Names
from tests.log.making import Salts


@pytest.fixture
def book() -> Names:
    book = Names((), Salts())
    book.begin(1)
    for kind, key in (("pool", "rapid"), ("player", "ann"), ("player", "bo")):
        book.getter(kind)(key)
    return book


def test_a_name_that_is_missing_gets_the_next_id(book: Names) -> None:
    player = book.getter("player")
    assert [player(key) for key in ("bo", "cy", "bo", "cy", "ann")] == [3, 4, 3, 4, 2]
    assert [book.key(number) for number in (1, 2, 3, 4)] == ["rapid", "ann", "bo", "cy"]
    assert [name.id for name in book.since(3)] == [4]


def test_a_name_is_bound_by_its_own_salt_to_the_batch_it_came_with(book: Names) -> None:
    book.begin(17)
    name = book.add("player", "cy")
    assert name == Name(4, "player", "cy", f"{4:032x}", commitment("player", "cy", f"{4:032x}"), 17)


def test_finding_a_name_does_not_add_it(book: Names) -> None:
    assert book.find("player", "nobody") is book.find("pool", "ann") is None
    assert len(book.all) == 3


def test_what_is_forgotten_can_be_added_again_under_the_same_id(book: Names) -> None:
    player = book.getter("player")
    assert player("cy") == 4
    book.forget(3)
    assert book.find("player", "cy") is None
    assert (player("di"), player("cy")) == (4, 5)
    book.forget(99)
    assert len(book.all) == 5


def test_an_erased_name_has_an_id_and_no_key(book: Names) -> None:
    erased = [name._replace(key=None, salt=None) if name.key == "ann" else name for name in book.all]
    again = Names(erased, Salts())
    assert again.key(2) == ERASED.format(2) == "(erased 2)"
    assert again.find("player", "ann") is None
    assert again.getter("player")("ann") == 4  # somebody new
    again.forget(1)
    assert [name.key for name in again.all] == ["rapid"]

"""Names upon a book: what is new, and what is gone, stays here until the transaction is committed."""

import gc
from weakref import ref

import pytest

from ratingcore.log import ERASED
from ratingcore.log.names import Names
from ratingcore.log.names_upon import NamesUpon
from tests.log.making import Salts


@pytest.fixture
def under() -> Names:
    book = Names((), Salts())
    book.begin(1)
    for kind, key in (("pool", "rapid"), ("player", "ann"), ("player", "bo"), ("player", "late")):
        book.getter(kind)(key)
    return book


@pytest.fixture
def book(under: Names) -> NamesUpon:
    book = NamesUpon(under, 3, Salts())
    book.begin(7)
    return book


def test_names_below_are_found_up_to_the_count_and_new_ones_follow(book: NamesUpon, under: Names) -> None:
    player = book.getter("player")
    assert [player(key) for key in ("ann", "cy", "late", "cy", "bo")] == [2, 4, 5, 4, 3]
    assert book.keys([5, 1, 2]) == ["late", "rapid", "ann"]
    assert [name.key for name in book.names()] == ["rapid", "ann", "bo", "cy", "late"]
    assert book.commitments([2, 4]) == [under.all[1].digest, book.fresh[0].digest]
    assert book.count == 5
    assert [book.count_at(position) for position in (0, 1, 6, 7)] == [0, 3, 3, 5]
    assert under.count == 4


def test_names_that_are_expected_are_those_that_are_found(book: NamesUpon, under: Names) -> None:
    book.erase([3])
    assert book.expect("player", ["ann", "bo", "late", "cy", "ann"]) == {"cy"}
    under.getter("player")("cy")  # somebody else adds them later
    player = book.getter("player")
    assert [player(key) for key in ("ann", "bo", "late", "cy", "ann")] == [2, 4, 5, 6, 2]
    assert book.keys([2, 3, 4, 5, 6]) == ["ann", "(erased 3)", "bo", "late", "cy"]
    assert book.expect("player", ["cy", "bo"]) == set()


def test_what_is_forgotten_gets_the_same_id_again(book: NamesUpon) -> None:
    player = book.getter("player")
    assert (player("cy"), player("di")) == (4, 5)
    book.forget(4)
    assert [name.key for name in book.since(3)] == ["cy"]
    assert (player("ev"), player("di")) == (5, 6)
    book.forget(3)
    assert book.find("player", "cy") is None
    assert player("ev") == 4


def test_an_erasure_is_seen_here_only(book: NamesUpon, under: Names) -> None:
    player = book.getter("player")
    player("ann")
    new = player("cy")
    book.erase([2, new])
    assert book.keys([2, 3, new]) == [ERASED.format(2), "bo", ERASED.format(new)]
    assert [number in book.erased for number in (2, 3, new)] == [True, False, True]
    assert [name.key for name in book.names()] == ["rapid", None, "bo", None]
    assert book.find("player", "ann") is None
    assert player("ann") == 5  # somebody new
    assert under.key(2) == "ann"


def test_restored_names_must_be_new(book: NamesUpon) -> None:
    with pytest.raises(ValueError, match="ann"):
        book.restore([book.names()[1]])


def test_what_was_expected_is_not_looked_for_again(
    book: NamesUpon, under: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fixed slowness: each new name of a batch was a question of its own to the database."""
    assert book.expect("player", ["ann", "cy", "di"]) == {"cy", "di"}
    asked: list[str] = []
    exactly = under.exactly
    monkeypatch.setattr(under, "exactly", lambda kind, key: asked.append(key) or exactly(kind, key))
    assert [book.getter("player")(key) for key in ("ann", "cy", "di", "cy")] == [2, 4, 5, 4]
    assert not asked


def test_a_book_goes_when_nobody_holds_it_without_a_search_for_cycles(under: Names) -> None:
    """An import switches the search off: a batch in a cycle would stay until the last one of a file of any size."""
    book = NamesUpon(under, 3, Salts())
    book.getter("player")("cy")
    left, was = ref(book), gc.isenabled()
    gc.disable()
    try:
        del book
        assert left() is None
    finally:
        if was:
            gc.enable()


def test_new_names_that_are_let_go_count_and_take_no_memory(book: NamesUpon) -> None:
    assert [name.id for name in book.add_all("player", ["cy", "di"])] == [4, 5]
    book.let_go()
    assert (book.count, book.fresh) == (5, [])
    assert book.add("player", "eve").id == 6
    assert [name.key for name in book.since(5)] == ["eve"]


def test_names_upon_a_draft_are_not_let_go(book: NamesUpon) -> None:
    upon = NamesUpon(book, book.count, Salts())
    upon.add_all("player", ["cy"])
    upon.let_go()
    assert [name.key for name in upon.fresh] == ["cy"]

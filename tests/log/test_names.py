"""The book of names, and drafts upon it: what is new, and what is gone, stays in a draft until it is committed."""

import gc
from weakref import ref

import pytest

from ratingcore.log import ERASED, Name
from ratingcore.log.chain import commitment
from ratingcore.log.names import NameDraft
from ratingcore.log.stored_names import StoredNames
from tests.log.making import Salts, empty_book


@pytest.fixture
def three() -> NameDraft:
    book = empty_book()
    book.begin(1)
    for kind, key in (("pool", "rapid"), ("player", "ann"), ("player", "bo")):
        book.getter(kind)(key)
    return book


def test_a_name_that_is_missing_gets_the_next_id(three: NameDraft) -> None:
    player = three.getter("player")
    assert [player(key) for key in ("bo", "cy", "bo", "cy", "ann")] == [3, 4, 3, 4, 2]
    assert [three.key(number) for number in (1, 2, 3, 4)] == ["rapid", "ann", "bo", "cy"]
    assert [name.id for name in three.since(3)] == [4]


def test_a_name_is_bound_by_its_own_salt_to_the_batch_it_came_with(three: NameDraft) -> None:
    three.begin(17)
    name = three.add("player", "cy")
    assert name == Name(4, "player", "cy", f"{4:032x}", commitment("player", "cy", f"{4:032x}"), 17)


def test_finding_a_name_does_not_add_it(three: NameDraft) -> None:
    assert three.find("player", "nobody") is three.find("pool", "ann") is None
    assert len(three.fresh) == 3


def test_an_erased_name_has_an_id_and_no_key(three: NameDraft) -> None:
    erased = [name._replace(key=None, salt=None) if name.key == "ann" else name for name in three.fresh]
    again = empty_book()
    again.restore(erased)
    assert again.key(2) == ERASED.format(2) == "(erased 2)"
    assert again.find("player", "ann") is None
    assert again.getter("player")("ann") == 4  # somebody new
    again.forget(1)
    assert [name.key for name in again.fresh] == ["rapid"]


@pytest.fixture
def under() -> NameDraft:
    book = empty_book()
    book.begin(1)
    for kind, key in (("pool", "rapid"), ("player", "ann"), ("player", "bo"), ("player", "late")):
        book.getter(kind)(key)
    return book


@pytest.fixture
def book(under: NameDraft) -> NameDraft:
    book = NameDraft(under, 3, Salts())
    book.begin(7)
    return book


def test_names_below_are_found_up_to_the_count_and_new_ones_follow(book: NameDraft, under: NameDraft) -> None:
    player = book.getter("player")
    assert [player(key) for key in ("ann", "cy", "late", "cy", "bo")] == [2, 4, 5, 4, 3]
    assert book.keys([5, 1, 2]) == ["late", "rapid", "ann"]
    assert [name.key for name in book.names()] == ["rapid", "ann", "bo", "cy", "late"]
    assert book.commitments([2, 4]) == [under.fresh[1].digest, book.fresh[0].digest]
    assert book.count == 5
    assert [book.count_at(position) for position in (0, 1, 6, 7)] == [0, 3, 3, 5]
    assert under.count == 4


def test_names_that_are_expected_are_those_that_are_found(book: NameDraft, under: NameDraft) -> None:
    book.erase([3])
    assert book.known("player", ["ann", "bo", "late", "cy", "ann"]) == {"ann": 2}
    under.getter("player")("cy")  # somebody else adds them later
    player = book.getter("player")
    assert [player(key) for key in ("ann", "bo", "late", "cy", "ann")] == [2, 4, 5, 6, 2]
    assert book.keys([2, 3, 4, 5, 6]) == ["ann", "(erased 3)", "bo", "late", "cy"]
    assert book.known("player", ["cy", "bo"]).keys() == {"cy", "bo"}


def test_what_is_forgotten_gets_the_same_id_again(book: NameDraft) -> None:
    player = book.getter("player")
    assert (player("cy"), player("di")) == (4, 5)
    book.forget(4)
    assert [name.key for name in book.since(3)] == ["cy"]
    assert (player("ev"), player("di")) == (5, 6)
    book.forget(3)
    assert book.find("player", "cy") is None
    assert player("ev") == 4


def test_an_erasure_is_seen_here_only(book: NameDraft, under: NameDraft) -> None:
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


def test_restored_names_must_be_new(book: NameDraft) -> None:
    with pytest.raises(ValueError, match="ann"):
        book.restore([book.names()[1]])


def test_what_was_expected_is_not_looked_for_again(
    book: NameDraft, under: NameDraft, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fixed slowness: each new name of a batch was a question of its own to the database."""
    assert book.known("player", ["ann", "cy", "di"]) == {"ann": 2}
    asked: list[str] = []
    exactly = under.exactly
    monkeypatch.setattr(under, "exactly", lambda kind, key: asked.append(key) or exactly(kind, key))
    assert [book.getter("player")(key) for key in ("ann", "cy", "di", "cy")] == [2, 4, 5, 4]
    assert not asked


def test_a_book_goes_when_nobody_holds_it_without_a_search_for_cycles(under: NameDraft) -> None:
    """An import switches the search off: a batch in a cycle would stay until the last one of a file of any size."""
    book = NameDraft(under, 3, Salts())
    book.getter("player")("cy")
    left, was = ref(book), gc.isenabled()
    gc.disable()
    try:
        del book
        assert left() is None
    finally:
        if was:
            gc.enable()


def test_new_names_that_are_let_go_count_and_take_no_memory() -> None:
    book = NameDraft(StoredNames(lambda *statement: []), 3, Salts())
    assert [name.id for name in book.add_all("player", ["cy", "di"])] == [4, 5]
    book.let_go()
    assert (book.count, book.fresh) == (5, [])
    assert book.add("player", "eve").id == 6
    assert [name.key for name in book.since(5)] == ["eve"]


def test_names_upon_a_draft_are_not_let_go(book: NameDraft) -> None:
    upon = NameDraft(book, book.count, Salts())
    upon.add_all("player", ["cy"])
    upon.let_go()
    assert [name.key for name in upon.fresh] == ["cy"]

"""A look: head and names of one moment, the same over every store."""

from ratingcore.log import EMPTY
from ratingcore.log.overlay import OverlayLog
from tests.log.conftest import Store
from tests.log.making import fill, game


def test_a_look_tells_head_names_and_erasures(log: Store) -> None:
    look = log.look()
    assert (look.head, look.names, look.erasures) == (EMPTY, 0, 0)
    fill(log)
    look = log.look()
    assert (look.head, look.names, look.erasures) == (log.head, len(log.names()), 0)
    with log.writing():
        log.erase([2, 3])
    assert log.look().erasures == 2
    assert log.look().book.key(2) == "(erased 2)"


def test_a_look_goes_on_to_find_what_comes_later(log: Store) -> None:
    fill(log)
    look = log.look()
    log.append([game("later", "somebody new")])
    assert look.book.find("player", "somebody new") == log.id_of("player", "somebody new")
    assert look != log.look()


def test_a_what_if_looks_the_same_for_ever(log: Store) -> None:
    fill(log)
    trial = OverlayLog(log, [game("supposed", "nina")])
    look = trial.look()
    log.append([game("later", "otto")])
    assert trial.look() == look
    assert look.head == trial.head
    assert look.book.find("player", "otto") is None

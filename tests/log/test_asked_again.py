"""What is asked again at the same head is looked up, over every store, and never for another state of the log."""

import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

import ratingcore as rc
from ratingcore.engine import answer_cache
from ratingcore.errors import UnknownName
from ratingcore.events.corrections import Corrections
from ratingcore.log.lookup import corrections_of
from tests.log.making import game

ELO = "elo:k=24"


@pytest.fixture
def engine(address: Callable[[str], str]) -> Iterator[rc.Engine]:
    with rc.open(address("club")) as made:
        made.record(game("g-1", "ann", "bo"), game("g-2", "bo", "cy"))
        yield made


def asked(engine: rc.Engine) -> rc.RatingList:
    return engine.rating_list("rapid", ELO)


CHANGES: dict[str, Callable[[rc.Engine], object]] = {
    "a game": lambda engine: engine.record(game("g-3", "ann", "cy")),
    "a game of another pool": lambda engine: engine.record(game("g-3", "ann", "cy", pool="blitz")),
    "a void": lambda engine: engine.void("g-1", why="default"),
    "a merge": lambda engine: engine.merge("ann", "cy"),
    "a name that people see": lambda engine: engine.rename("ann", "Ann Lee"),
    "a zone": lambda engine: engine.declare("rapid", zone="Europe/Prague"),
    "an erasure": lambda engine: engine.erase("ann"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "by another process"])
def test_an_answer_stays_until_the_log_changes(
    engine: rc.Engine, address: Callable[[str], str], change: Callable[[rc.Engine], object], elsewhere: bool
) -> None:
    before, lines = asked(engine), engine.history("rapid", "bo", ELO)
    etag = before.etag
    assert asked(engine) is before
    assert engine.history("rapid", "bo", ELO) == lines
    with rc.open(address("club")) as other:
        assert asked(other).etag == etag == pickle.loads(pickle.dumps(before)).etag
        change(other if elsewhere else engine)
        now = asked(engine)
        assert now is not before
        assert (now, now.etag, now.player) == (asked(other), asked(other).etag, asked(other).player)
        assert engine.history("rapid", "bo", ELO) == other.history("rapid", "bo", ELO)
    assert now.etag != etag


def test_a_transaction_that_is_undone_leaves_no_answer(engine: rc.Engine) -> None:
    before = asked(engine)
    with suppress(ZeroDivisionError), engine.log.writing():
        engine.record(game("g-3", "dee", "eve"))
        assert len(asked(engine)) == 5
        raise ZeroDivisionError
    engine.record(game("g-3", "fay", "gus"))
    assert set(asked(engine).player) == {"ann", "bo", "cy", "fay", "gus"}
    assert len(before) == 3


def test_every_word_of_a_question_counts(engine: rc.Engine) -> None:
    one = engine.rating_list("rapid", ELO, known_at=1)
    assert len(one) == 2
    assert one.etag != asked(engine).etag
    top = engine.rating_list("rapid", ELO, top=1)
    assert (len(top), len(asked(engine)), len(engine.rating_list("rapid", ELO, top=2))) == (1, 3, 2)
    with pytest.raises(rc.RatingCoreError, match="top"):
        engine.rating_list("rapid", ELO, top=True)
    assert len({top.etag, asked(engine).etag, asked(engine).with_exact().etag}) == 3


def test_lists_are_held_while_there_is_room(engine: rc.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "ROWS", 5)
    first = asked(engine)
    engine.rating_list("rapid", "elo")
    assert asked(engine) is not first
    assert asked(engine) == first


def test_what_is_known_of_one_player_is_their_line_of_the_list(engine: rc.Engine) -> None:
    engine.record(
        rc.PlayerDescribed(pool="rapid", player="ann", played="2024-01-01", called="Ann Lee", data={"club": "A"}),
        rc.PlayerDescribed(pool="rapid", player="ann", played="2024-06-01", data={"club": "B", "born": 1990}),
        rc.PlayerDescribed(pool="blitz", player="ann", played="2024-01-01", data={"title": "GM"}),
    )
    ann = engine.player("rapid", "ann", ELO)
    row = next(iter(asked(engine)))
    assert (ann.player, ann.called, ann.rank, ann.rating, ann.games) == tuple(
        row[name] for name in ("player", "called", "rank", "rating", "games")
    )
    told = next(facts for facts in engine.players("rapid") if facts["player"] == "ann")
    assert {"player": ann.player, "called": ann.called, **ann.facts} == told
    assert engine.player("rapid", "ann", ELO, through="2024-05-01").facts == {"club": "A"}
    engine.merge("cy", "ann")
    assert engine.player("rapid", "ann", ELO).player == "cy"
    off = engine.player("rapid", "bo", ELO, policy="min_games=5")
    assert (off.player, off.rank, off.rating, off.games) == ("bo", None, None, None)
    with pytest.raises(UnknownName):
        engine.player("rapid", "zoe", ELO)


def test_corrections_that_were_read_in_a_transaction_which_failed_are_forgotten(engine: rc.Engine) -> None:
    log = engine.log
    engine.void("g-1")
    assert corrections_of(log) == Corrections.of(log.rows())
    with suppress(ZeroDivisionError), log.writing():
        engine.revive("g-1")
        engine.amend("g-2", {"score": 0.5})
        assert corrections_of(log) == Corrections.of(log.rows())
        _ = 1 / 0
    for change in (lambda: engine.merge("ann", "cy"), lambda: engine.void("g-2"), lambda: engine.revive("g-1")):
        change()
        assert corrections_of(log) == Corrections.of(log.rows())

"""Pools that declare what they take: results that do not fit are refused when they are recorded."""

from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BadValue, BoardNotDeclared, DoesNotFit, RowsRefused
from ratingcore.log import load_lines
from ratingcore.replay.declared import declared, misfits

POINTS = {"points_a": 3, "points_b": 1}


def game(uid: str, pool: str = "cup", **data: object) -> rc.GamePlayed:
    return rc.GamePlayed(uid=uid, pool=pool, played="2024-03-02", a="ann", b="bo", score=1.0, data=data)  # type: ignore[arg-type]  # facts


def session(uid: str) -> rc.SessionPlayed:
    sides = [rc.Side(["ann", "cy"], 1.0), rc.Side(["bo"], 0.0)]
    return rc.SessionPlayed(uid=uid, pool="cup", played="2024-03-02", sides=sides)


@pytest.fixture
def engine() -> rc.Engine:
    made = rc.open(":memory:")
    made.declare("cup", fits="elo-margin")
    return made


def test_what_does_not_fit_is_refused_and_nothing_of_its_batch_is_recorded(engine: rc.Engine) -> None:
    with pytest.raises(
        DoesNotFit, match="pool cup takes results that elo-margin can read, and bare is not one: no points"
    ):
        engine.record(game("fine", **POINTS), game("bare"))
    with pytest.raises(DoesNotFit, match="odd is not one: session"):
        engine.record(session("odd"))
    with pytest.raises(DoesNotFit, match="unreadable points"):
        engine.record(game("odd", points_a="many", points_b=1))
    assert engine.log.head.position == 1
    assert engine.record(game("fine", **POINTS), game("other", pool="any")).accepted == 2


def test_an_amendment_may_not_take_away_what_the_pool_needs(engine: rc.Engine) -> None:
    engine.record(game("g", **POINTS), game("bare", pool="any"))
    for uid, changes in (("g", {"points_a": None}), ("bare", {"pool": "cup"})):
        with pytest.raises(DoesNotFit, match=f"{uid} is not one: no points"):
            engine.amend(uid, changes)
    engine.amend("g", {"points_a": 4})
    engine.amend("bare", {"pool": "cup", **POINTS})
    assert engine.rating_list("cup", "elo-margin", strict=True).left_out == {}
    assert len(engine.rating_list("cup", "elo-margin")) == 2


def test_an_amendment_in_one_batch_with_its_game_is_seen_as_it_makes_it(engine: rc.Engine) -> None:
    engine.record(game("g", **POINTS), rc.ResultAmended(of="g", changes={"points_b": 2}))
    with pytest.raises(DoesNotFit):
        engine.record(game("h", **POINTS), rc.ResultAmended(of="h", changes={"points_b": None}))


def test_what_was_recorded_before_stays_and_is_still_a_duplicate() -> None:
    with rc.open(":memory:") as engine:
        engine.record(game("old"), game("fine", **POINTS))
        engine.declare("cup", fits="elo-margin")
        assert engine.record(game("old")).duplicates == 1
        assert engine.rating_list("cup", "elo-margin").left_out == {"no points": 1}


def test_a_declaration_is_replaced_and_known_as_of_a_cut(engine: rc.Engine) -> None:
    engine.declare("cup", fits="elo")
    engine.record(game("bare"))
    engine.declare("cup")
    engine.record(session("s"))
    stood = [declared(engine.log, "cup", at) for at in range(6)]
    assert [one and one.fits for one in stood] == [None, "elo-margin", "elo", "elo", "", ""]
    assert declared(engine.log, "nowhere") is None
    first = rc.PoolDeclared(pool="new", fits="elo-margin")
    assert list(misfits(engine.log, [game("a", "new"), first, game("b", "new")], engine.registry.method)) == [2]


def test_an_import_refuses_the_rows_that_do_not_fit_and_takes_the_others(engine: rc.Engine, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("played,a,b,score,points_a,points_b\n2024-03-02,ann,bo,1,3,1\n2024-03-09,bo,cy,1,,\n")
    with pytest.raises(RowsRefused, match="no points"):
        engine.import_file(file, pool="cup", strict=True)
    report = engine.import_file(file, pool="cup")
    assert (report.accepted, [(line, why) for line, why, _ in report.refused]) == (
        1, [(3, "no points: pool cup takes only results that elo-margin can read")],
    )  # fmt: skip
    again = engine.import_file(file, pool="cup", reissue=True)
    assert (again.accepted, again.duplicates, len(again.refused)) == (0, 1, 1)
    assert engine.log.head.position == 2


def test_a_declaration_survives_export_verification_and_reopening(tmp_path: Path) -> None:
    with rc.open(tmp_path / "one.db") as one:
        one.declare("cup", fits="elo-margin")
        one.record(game("g", **POINTS))
        one.verify()
        with rc.open(":memory:") as other:
            load_lines(other.log, one.export())
            assert other.log.head == one.log.head
            with pytest.raises(DoesNotFit):
                other.record(game("bare"))
    with rc.open(tmp_path / "one.db") as again, pytest.raises(DoesNotFit):
        again.record(game("bare"))


def test_an_amendment_is_recorded_of_a_game_in_which_amendments_made_both_players_one() -> None:
    """It raised `PlayedThemselves` where any pool of the log was declared, and only there."""
    with rc.open(":memory:") as engine:
        engine.declare("cup", zone="Europe/Prague")
        engine.record(game("g"))
        for changes in ({"b": "cy"}, {"a": "cy"}, {"a": "ann"}):
            receipt = engine.record(rc.ResultAmended(of="g", changes=changes))
        assert receipt.accepted == 1
        assert {row["player"] for row in engine.rating_list("cup")} >= {"ann", "cy"}


def board(**fields: str) -> rc.PoolDeclared:
    return rc.PoolDeclared(uid="declared", pool="board", of="main", results="kind=cup", **fields)


def test_a_board_at_a_cut_before_its_declaration_is_refused_in_words() -> None:
    """It was an empty list, as if nobody had a result of the board."""
    with rc.open(":memory:") as engine:
        engine.record(game("g", "main", kind="cup"), game("h", "main"))
        engine.record(board())
        assert engine.rating_list("board", known_at=3).games.tolist() == [1, 1]
        for pool in ("board", "board[round=1]"):
            with pytest.raises(BoardNotDeclared, match="board was not declared by position 2: it was declared at 3"):
                engine.rating_list(pool, known_at=2)
        engine.record(game("x", "later"))
        assert list(engine.rating_list("later", known_at=2)) == []  # a pool has no results before the first one


def test_the_events_of_a_log_with_boards_are_recorded_into_another_in_one_batch() -> None:
    """A board of a pool that the same batch brings was refused: the log knew no pool of the name."""
    with rc.open(":memory:") as one, rc.open(":memory:") as other:
        one.record(game("g", "main", kind="cup"), game("own", "board"))
        one.void("own")
        one.record(board(), game("h", "main", kind="cup"))
        one.record(rc.PoolDeclared(pool="b2", of="main", results="kind=x"), game("i", "main", kind="x"))
        other.record(*(event for _, event in one.events()))
        for pool in ("main", "board", "b2"):
            assert list(other.rating_list(pool)) == list(one.rating_list(pool))


def test_a_batch_declares_no_board_on_a_board_nor_of_a_pool_with_results_of_the_batch() -> None:
    with rc.open(":memory:") as engine:
        for events, what in (
            ((game("g", "main"), board(), rc.PoolDeclared(pool="b2", of="board", results="n=1")), "is a board"),
            ((game("g", "main"), game("own", "board"), board()), "has results or seeds of its own"),
            ((game("g", "main"), rc.ResultAmended(of="g", changes={"pool": "board"}), board()), "has results or seeds"),
        ):
            with pytest.raises(BadValue, match=what):
                engine.record(*events)
        with pytest.raises(DoesNotFit, match="own cannot be recorded in board: it takes its results and seeds from"):
            engine.record(game("g", "main"), board(), game("own", "board"))
        assert engine.log.head.position == 0


def test_a_pool_of_which_all_results_were_voided_can_become_a_board_and_they_stay_void() -> None:
    """It was refused for good; so was what takes the void of a board's declaration back."""
    with rc.open(":memory:") as engine:
        engine.record(game("g", "main", kind="cup"), game("own", "board"), game("moved"))
        engine.amend("moved", {"pool": "board"}, own_uid="there")
        engine.amend("moved", {"pool": "main"}, own_uid="back")
        with pytest.raises(BadValue, match="take them back, or use another name"):
            engine.record(board())
        engine.void("own", own_uid="void")
        engine.record(board())
        listed = list(engine.rating_list("board"))
        assert [row["games"] for row in listed] == [1, 1]
        for uid in ("void", "back"):
            with pytest.raises(DoesNotFit, match="it takes its results and seeds from pool main"):
                engine.void(uid)
        with pytest.raises(DoesNotFit):
            engine.revive("own")
        engine.apply(engine.plan.undeclare("declared", own_uid="undeclared"))
        engine.revive("own")
        with pytest.raises(BadValue, match="results or seeds of its own"):
            engine.apply(engine.plan.undeclare("undeclared"))
        engine.void("own")
        engine.apply(engine.plan.undeclare("undeclared"))
        assert list(engine.rating_list("board")) == listed

"""Explanations as values: rows, sums, and two of them side by side with the reasons."""

from typing import Any

import pytest
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.events import DAY, MergeUndone, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.explain.explanation import Explanation, ExplanationDiff
from tests.columns.making import POOL, engine, game, seed, session
from tests.replay.toys import Monthly, Walk

ELO = Elo()


def against(eng: Engine, player: str, known_at: int, method: Any = ELO, **cuts: Any) -> ExplanationDiff:
    """As known then against as known now, which adds up."""
    then = eng.explain(POOL, player, method, known_at=known_at, **cuts)
    diff = then.diff(eng.explain(POOL, player, method, **cuts))
    assert abs(diff.residual) < 1e-9
    return diff


def brief(diff: ExplanationDiff) -> list[tuple[str, str | None, str]]:
    return [(line.change, line.line.uid, "; ".join(map(str, line.causes)) or "follows") for line in diff.lines]


def test_rows_open_and_close_and_have_every_column() -> None:
    eng = engine(game(1, "a", "b", uid="g"))
    told = eng.explain(POOL, "a", Walk())
    rows = list(told)
    assert [row["line"] for row in rows] == ["opening", "result", "closing"]
    assert rows[0]["rating"] == 100.0
    assert rows[1] == {
        "line": "result", "played": "1970-01-02", "uid": "g", "opponent": "b", "partners": None, "opposition": 100.0,
        "score": 1.0, "expected": 0.5, "k": 10.0, "contribution": 5.0, "rating": 105.0, "corrected": None,
        "corrections": None, "by": None, "why": None,
    }  # fmt: skip
    assert (told.total, told.residual, len(told.lines)) == (5.0, 0.0, 1)


def test_lines_without_an_event_have_their_label() -> None:
    eng = engine(game(1, "a", "b"), seed(40, "a", 500.0), game(41, "b", "a"))
    lines = eng.explain(POOL, "a", Monthly()).lines
    assert [(line.kind, line.opponent, line.contribution) for line in lines] == [
        ("result", "b", 5), ("line", "lost", -1), ("seed", "seed", 396), ("result", "b", -5), ("line", "lost", -1),
    ]  # fmt: skip


def test_a_corrected_line_carries_a_mark_and_the_rows_say_who_and_why() -> None:
    eng = engine(
        game(1, "a", "b", uid="g"),
        ResultAmended(of="g", uid="amendment-1", changes={"score": 0.5}, why="the scoresheet", by="cy"),
        ResultAmended(of="g", uid="amendment-2", changes={"score": 0.0}, why="a protest", by="cy"),
    )
    told = eng.explain(POOL, "a", ELO)
    (row,) = [row for row in told if row["line"] == "result"]
    assert row["corrected"] == "amended amendmen (score 1 -> 0.5); amended amendmen (score 0.5 -> 0)"
    assert (row["corrections"], row["by"], row["why"]) == ("amendment-1 amendment-2", "cy", "the scoresheet; a protest")
    assert "amended amendmen" in str(told)
    assert "corrected" not in str(eng.explain(POOL, "a", ELO, known_at=1)), "as it was known then"
    assert "corrected" in eng.explain(POOL, "b", ELO).brief()[0]


def test_a_revived_result_tells_its_story() -> None:
    eng = engine(game(1, "a", "b", uid="g"), ResultVoided(of="g", uid="v"), ResultVoided(of="v", uid="r"))
    (line,) = eng.explain(POOL, "a", ELO).lines
    assert line.corrected() == "voided v; revived r"


def test_a_voided_result_is_gone_and_what_follows_is_marked() -> None:
    eng = engine(
        game(1, "a", "b", uid="g1"), game(2, "a", "c", uid="g2"), game(3, "d", "e", uid="g3"),
        ResultVoided(of="g1", uid="v", why="not played", by="cy"),
    )  # fmt: skip
    diff = against(eng, "a", 3)
    assert brief(diff) == [("gone", "g1", "voided v"), ("changed", "g2", "follows")]
    assert [line.follows for line in diff.lines] == [False, True]
    assert diff.lines[0].difference == -10.0
    assert diff.closing == pytest.approx(sum(line.difference for line in diff.lines))
    assert "voided: v, at position 4, recorded " in str(diff)
    assert "; why: not played; by: cy" in str(diff)
    back = diff.new.diff(diff.old)
    assert brief(back) == [("new", "g1", "voided v"), ("changed", "g2", "follows")]
    assert against(eng, "d", 3).lines == ()


def test_results_of_opponents_follow_too() -> None:
    eng = engine(game(1, "b", "c", uid="g1"), game(2, "a", "b", uid="g2"), ResultVoided(of="g1", uid="v"))
    assert brief(against(eng, "a", 2)) == [("changed", "g2", "follows")]


def test_every_way_a_line_can_differ_has_its_cause() -> None:
    eng = engine(
        game(1, "a", "b", uid="score"), game(2, "a", "b", uid="date"), game(3, "a", "b", uid="player"),
        game(4, "a", "b", uid="pool"), game(5, "c", "b", uid="came"), game(6, "a", "b", uid="revived"),
        ResultVoided(of="revived", uid="v"),
    )  # fmt: skip
    known = eng.log.head.position
    eng.record(
        ResultAmended(of="score", uid="m1", changes={"score": 0.0}),
        ResultAmended(of="date", uid="m2", changes={"played": int(3.5 * DAY)}),
        ResultAmended(of="player", uid="m3", changes={"a": "d"}),
        ResultAmended(of="pool", uid="m4", changes={"pool": "elsewhere"}),
        ResultAmended(of="came", uid="m5", changes={"a": "a"}),
        ResultVoided(of="v", uid="r"),
        game(0, "a", "b", uid="late"),
    )
    assert brief(against(eng, "a", known)) == [
        ("new", "late", "recorded late late"),
        ("changed", "score", "amended m1 (score 1 -> 0)"),
        ("gone", "player", "amended m3 (a a -> d)"),
        ("changed", "date", "amended m2 (played 1970-01-03 -> 1970-01-04T12:00:00Z)"),
        ("gone", "pool", "amended m4 (pool club -> elsewhere)"),
        ("new", "came", "amended m5 (a c -> a)"),
        ("new", "revived", "revived r"),
    ]


def test_merges_of_the_player_and_of_an_opponent_are_causes() -> None:
    eng = engine(
        game(1, "ann", "bo", uid="g1"), game(2, "anna", "cy", uid="g2"), game(3, "ann", "bob", uid="g3"),
        PlayersMerged(keep="ann", other="anna", uid="p"), PlayersMerged(keep="bo", other="bob", uid="q"),
    )  # fmt: skip
    assert brief(against(eng, "ann", 3)) == [
        ("new", "g2", "merged p (player anna -> ann)"), ("changed", "g3", "merged q (player bob -> bo)"),
    ]  # fmt: skip
    assert [line[:2] for line in brief(against(eng, "anna", 3))] == [
        ("new", "g1"), ("changed", "g2"), ("new", "g3"),
    ]  # fmt: skip
    assert all(not line.follows for line in against(eng, "anna", 3).lines)
    merged = [[one.uid for one in line.corrections] for line in eng.explain(POOL, "ann", ELO).lines]
    assert merged == [[], ["p"], []]
    eng.record(MergeUndone(of="p", uid="u"))
    assert [line.corrections for line in eng.explain(POOL, "anna", ELO).lines] == [()]
    assert brief(against(eng, "ann", 5))[0] == ("gone", "g2", "merge taken back u (player ann -> anna)")
    assert brief(against(eng, "ann", 3)) == [("changed", "g3", "merged q (player bob -> bo)")]


def test_what_was_taken_back_in_between_changes_nothing() -> None:
    eng = engine(game(1, "a", "b", uid="g"), ResultVoided(of="g", uid="v"), ResultVoided(of="v", uid="r"))
    diff = against(eng, "a", 1)
    assert (len(diff.lines), diff.same, diff.closing) == (0, 1, 0.0)


def test_what_a_correction_did_not_make_is_not_put_down_to_it() -> None:
    """A merge only renamed the opponent, and a void before it moved the rating: the line said `merged` alone."""
    eng = engine(
        game(1, "a", "b", uid="g1"), game(2, "a", "c", uid="g2"),
        ResultVoided(of="g1", uid="v"), PlayersMerged(keep="d", other="c", uid="p"),
    )  # fmt: skip
    rows = [row["because"] for row in against(eng, "a", 2)][1:-1]
    assert rows == ["voided v", "merged p (player c -> d); follows"]
    renamed = eng.explain(POOL, "a", ELO, known_at=3).diff(eng.explain(POOL, "a", ELO))
    assert [row["because"] for row in renamed][1:-1] == ["merged p (player c -> d)"]


def test_a_line_before_the_first_day_moves_the_opening() -> None:
    eng = engine(game(1, "a", "b", uid="g1"), game(9, "a", "b", uid="g2"), ResultVoided(of="g1", uid="v"))
    diff = against(eng, "a", 2, since=5 * DAY)
    assert brief(diff) == [("changed", "g2", "follows")]
    assert diff.opening == -10.0
    rows = list(diff)
    assert [row["change"] for row in rows] == ["opening", "changed", "closing"]
    assert rows[0]["difference"] + rows[1]["difference"] == pytest.approx(rows[2]["difference"])
    assert all(tuple(row) == diff.columns for row in rows)


def test_lines_with_labels_are_compared_by_label_and_time() -> None:
    eng = engine(game(1, "a", "b", uid="g1"), game(2, "a", "b", uid="g2"), ResultVoided(of="g2", uid="v"))
    diff = against(eng, "a", 2, Monthly())
    assert brief(diff) == [("gone", "g2", "voided v")]
    carried = against(eng, "a", 2, Walk())
    assert [(line.change, line.line.opponent) for line in carried.lines] == [("gone", "back"), ("gone", "b")]


def test_sessions_that_are_adjusted_are_causes() -> None:
    from tests.laws.methods import TALLY

    eng = engine(session(1, ("ab", 60.0), ("cd", 40.0), uid="t"))
    sides = session(0, ("ab", 58.0), ("cd", 42.0)).sides
    eng.record(ResultAmended(of="t", uid="m", changes={"sides": sides}, by="the director"))
    assert brief(against(eng, "c", 1, TALLY)) == [
        ("changed", "t", "amended m (sides a + b 60, c + d 40 -> a + b 58, c + d 42)"),
    ]  # fmt: skip


def test_a_session_of_many_sides_is_told_in_short() -> None:
    from tests.laws.methods import TALLY

    sides = [(f"{one}{two}", 50.0) for one, two in zip("abcdefghijk", "lmnopqrstuv", strict=True)]
    eng = engine(session(1, *sides, uid="t"))
    eng.record(ResultAmended(of="t", uid="m", changes={"sides": session(0, *reversed(sides)).sides}))
    (correction,) = eng.explain(POOL, "a", TALLY).lines[0].corrections
    assert str(correction).startswith("amended m (sides a + l 50, b + m 50, ")
    assert len(str(correction)) < 150
    was, _ = correction.fields["sides"]
    assert was.endswith("k + v 50"), "the fields are whole"


def test_lines_that_differ_are_in_the_order_of_rating() -> None:
    """A late game that was rated first on its day came below the line that follows from it."""
    with rc.open(":memory:") as opened:
        game = {"pool": "p", "played": "2024-03-02", "a": "ann", "score": 1.0}
        for uid, other, order in (("second", "cy", 2), ("gone", "di", 3), ("first", "bo", 1)):
            opened.record(rc.GamePlayed(uid=uid, b=other, order=order, **game))  # type: ignore[arg-type]  # various types
        opened.void("gone")
        now, before = opened.explain("p", "ann", "elo"), opened.explain("p", "ann", "elo", known_at=2)
        assert [line.line.uid for line in before.diff(now).lines] == ["first", "second", "gone"]


def test_nothing_differs_from_itself() -> None:
    eng = engine(game(1, "a", "b"))
    told = eng.explain(POOL, "a", ELO)
    diff = told.diff(told)
    assert (len(diff.lines), diff.opening, diff.closing, diff.residual) == (0, 0.0, 0.0, 0.0)
    assert told == eng.explain(POOL, "a", ELO)
    assert isinstance(told, Explanation)


def test_another_method_is_not_taken_for_a_consequence() -> None:
    eng = engine(game(1, "a", "b"))
    diff = eng.explain(POOL, "a", ELO).diff(eng.explain(POOL, "a", Elo(k=40.0)))
    assert [row["because"] for row in diff][1:-1] == ["another method or day"]
    assert "methods elo@1(k=20.0" in str(diff)

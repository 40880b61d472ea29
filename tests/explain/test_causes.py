"""Causes: whatever was said of an event is found, through every chain, with its actor, reason and times."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ratingcore.engine import Engine
from ratingcore.events import MergeUndone, PlayersMerged, ResultAmended, ResultVoided
from ratingcore.events.corrections import Corrections
from ratingcore.explain.correction_history import Causes, Correction, lasting
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import game, seed, session

Made = Callable[..., Engine]


@pytest.fixture(params=["memory", "sqlite"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Made:
    """An engine on a log whose clock counts batches; every event is a batch."""
    ticks = count(1)

    def tick() -> int:
        return next(ticks) * 1_000_000

    log = SqliteLog(":memory:", clock=tick) if request.param == "memory" else SqliteLog(tmp_path / "log.db", clock=tick)

    def make(*events: Any) -> Engine:
        eng = Engine(log, Registry())
        for event in events:
            eng.record(event)
        return eng

    return make


def said(eng: Engine, *positions: int, low: int = 0, high: int | None = None, **more: Any) -> list[Correction]:
    causes = Causes(eng.log, eng.log.book.key)
    found = causes.between(low, eng.log.head.position if high is None else high, positions, **more)
    return [cause for position in positions for cause in found.get(position, ())]


def brief(causes: list[Correction]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(cause.uid, cause.outcome, dict(cause.fields)) for cause in causes]


def void(of: str, uid: str) -> ResultVoided:
    return ResultVoided(of=of, uid=uid)


def amend(of: str, uid: str, **changes: Any) -> ResultAmended:
    return ResultAmended(of=of, uid=uid, changes=changes)


def test_a_correction_has_its_actor_its_reason_and_both_times(made: Made) -> None:
    eng = made(game(1, "a", "b", uid="g"), ResultVoided(of="g", uid="v", why="not played", by="the arbiter"))
    (cause,) = said(eng, 1)
    assert cause == Correction("voided", "v", 2, 2_000_000, {}, "the arbiter", "not played")
    assert str(cause) == "voided v"


def test_an_amendment_tells_every_field_before_and_after(made: Made) -> None:
    eng = made(
        game(1, "a", "b", uid="g", data={"event": "Open", "round": 3}),
        amend("g", "m", score=0.5, a="c", played="1970-01-09", event="Cup", round=None, home="a"),
    )
    assert brief(said(eng, 1)) == [(
        "m", "amended",
        {"played": ("1970-01-02", "1970-01-09"), "a": ("a", "c"), "score": (1.0, 0.5), "event": ("Open", "Cup"),
         "round": (3, None), "home": (None, "a")},
    )]  # fmt: skip


def test_amended_twice_each_tells_what_it_changed(made: Made) -> None:
    eng = made(game(1, "a", "b", uid="g"), amend("g", "m1", score=0.5), amend("g", "m2", score=0.0))
    assert brief(said(eng, 1)) == [
        ("m1", "amended", {"score": (1.0, 0.5)}), ("m2", "amended", {"score": (0.5, 0.0)}),
    ]  # fmt: skip
    assert brief(said(eng, 1, low=2)) == [("m2", "amended", {"score": (0.5, 0.0)})]
    assert brief(said(eng, 1, high=2)) == [("m1", "amended", {"score": (1.0, 0.5)})]


def test_chains_are_followed_to_the_result_in_the_end(made: Made) -> None:
    eng = made(
        game(1, "a", "b", uid="g"), amend("g", "m", score=0.5), void("m", "v1"), void("v1", "v2"), void("v2", "v3"),
    )  # fmt: skip
    assert brief(said(eng, 1)) == [
        ("m", "amended", {"score": (1.0, 0.5)}),
        ("v1", "amendment taken back", {"score": (0.5, 1.0)}),
        ("v2", "amended again", {"score": (1.0, 0.5)}),
        ("v3", "amendment taken back", {"score": (0.5, 1.0)}),
    ]
    assert brief(said(eng, 1, low=4)) == [("v3", "amendment taken back", {"score": (0.5, 1.0)})]


def test_a_result_that_is_voided_and_revived_tells_both(made: Made) -> None:
    eng = made(game(1, "a", "b", uid="g"), void("g", "v"), void("v", "r"))
    assert brief(said(eng, 1)) == [("v", "voided", {}), ("r", "revived", {})]


def test_a_second_void_says_nothing_new(made: Made) -> None:
    eng = made(game(1, "a", "b", uid="g"), void("g", "v1"), void("g", "v2"), void("v1", "r"))
    assert brief(said(eng, 1)) == [("v1", "voided", {})]


def test_what_is_amended_while_it_is_voided_is_told(made: Made) -> None:
    eng = made(game(1, "a", "b", uid="g"), void("g", "v"), amend("g", "m", score=0.0), void("v", "r"))
    assert brief(said(eng, 1, low=2)) == [("m", "amended", {"score": (1.0, 0.0)}), ("r", "revived", {})]


def test_seeds_and_sessions_are_told_in_their_own_words(made: Made) -> None:
    eng = made(
        seed(1, "a", uid="s"), session(2, ("ab", 60.0), ("cd", 40.0), uid="t"),
        amend("s", "m1", values={"rating": 1700.0}, player="b"),
        amend("t", "m2", sides=session(0, ("ac", 55.0), ("bd", 45.0)).sides),
    )  # fmt: skip
    assert brief(said(eng, 1, 2)) == [
        ("m1", "amended", {"player": ("a", "b"), "values": ("rating 1600", "rating 1700")}),
        ("m2", "amended", {"sides": ("a + b 60, c + d 40", "a + c 55, b + d 45")}),
    ]


def test_merges_are_told_of_the_events_of_whoever_counts_as_another(made: Made) -> None:
    eng = made(
        game(1, "ann", "bo", uid="g1"), game(2, "anna", "cy", uid="g2"),
        PlayersMerged(keep="ann", other="anna", uid="p", by="me"), MergeUndone(of="p", uid="u"), void("u", "w"),
    )  # fmt: skip
    counted = {"player": ("anna", "ann")}
    assert brief(said(eng, 1)) == []
    assert brief(said(eng, 2)) == [
        ("p", "merged", counted),
        ("u", "merge taken back", {"player": ("ann", "anna")}),
        ("w", "merged again", counted),
    ]  # fmt: skip
    assert [cause.by for cause in said(eng, 2, high=3)] == ["me"]


def test_an_explanation_has_only_the_merges_that_last(made: Made) -> None:
    """A fixed fault: a merge by mistake, and its undoing, stayed beside each result of the player for ever."""
    eng = made(
        game(1, "ann", "bo", uid="g1"), game(2, "anna", "cy", uid="g2"),
        PlayersMerged(keep="ann", other="anna", uid="p"), MergeUndone(of="p", uid="u"),
    )  # fmt: skip
    assert lasting(said(eng, 2)) == ()
    eng.record(void("u", "w"), amend("g2", "m", score=0.0))
    assert [one.uid for one in lasting(said(eng, 2))] == ["w", "m"]


def test_of_several_merges_only_the_one_taken_back_is_left_out(made: Made) -> None:
    eng = made(
        game(1, "a", "x", uid="g"), game(2, "b", "x"), game(3, "c", "x"),
        PlayersMerged(keep="b", other="a", uid="p1"), PlayersMerged(keep="c", other="b", uid="p2"),
        MergeUndone(of="p2", uid="u2"),
    )  # fmt: skip
    assert [one.uid for one in lasting(said(eng, 1))] == ["p1"]


def test_merges_of_merges_are_told_step_by_step(made: Made) -> None:
    eng = made(
        game(1, "a", "x", uid="g"), game(2, "b", "x"), game(3, "c", "x"), game(4, "y", "z"),
        PlayersMerged(keep="b", other="a", uid="p1"), PlayersMerged(keep="c", other="b", uid="p2"),
        PlayersMerged(keep="y", other="z", uid="p3"),
    )  # fmt: skip
    assert brief(said(eng, 1)) == [
        ("p1", "merged", {"player": ("a", "b")}), ("p2", "merged", {"player": ("b", "c")}),
    ]  # fmt: skip
    assert brief(said(eng, 2)) == [("p2", "merged", {"player": ("b", "c")})]


def test_without_others_only_the_merges_of_the_player_are_told(made: Made) -> None:
    eng = made(
        game(1, "ann", "bob", uid="g1"), game(2, "anna", "bob", uid="g2"), game(3, "bo", "cy"),
        PlayersMerged(keep="ann", other="anna", uid="p1"), PlayersMerged(keep="bo", other="bob", uid="p2"),
    )  # fmt: skip
    ann = eng.core.player_id("ann")
    assert [cause.uid for cause in said(eng, 1, player=ann, others=False)] == []
    assert [cause.uid for cause in said(eng, 2, player=ann, others=False)] == ["p1"]
    assert [cause.uid for cause in said(eng, 2, player=ann)] == ["p1", "p2"]
    anna = eng.core.player_id("anna")
    assert [cause.uid for cause in said(eng, 1, player=anna)] == ["p1", "p2"], "asked by another name"


def test_the_score_is_that_of_the_player_who_is_asked_for(made: Made) -> None:
    """`score 0 -> 0.5` stood in a line whose scores were 1 and 0.5."""
    eng = made(
        game(1, "cy", "ann", 0.0, uid="g"), amend("g", "m", score=0.5),
        amend("g", "turned", a="ann", b="cy", score=1.0), PlayersMerged(keep="anna", other="ann", uid="p"),
    )  # fmt: skip
    for name, scores in {"cy": [(0.0, 0.5), (0.5, 0.0)], "ann": [(1.0, 0.5), (0.5, 1.0)]}.items():
        told = brief(said(eng, 1, player=eng.core.player_id(name)))
        assert [fields["score"] for uid, _, fields in told if uid != "p"] == scores
    assert brief(said(eng, 1))[0] == ("m", "amended", {"score": (0.0, 0.5)}), "as it was recorded"


def test_the_score_is_not_turned_where_only_the_player_changes(made: Made) -> None:
    eng = made(
        game(1, "cy", "ann", 0.0, uid="g"), PlayersMerged(keep="al", other="ann", uid="p"),
        MergeUndone(of="p", uid="u"), amend("g", "n", score=0.5), amend("g", "m", b="bo"),
    )  # fmt: skip
    for name in ("ann", "bo", "cy"):
        assert brief(said(eng, 1, player=eng.core.player_id(name)))[-1] == ("m", "amended", {"b": ("ann", "bo")})
    merged = brief(said(eng, 1, low=2, high=4, player=eng.core.player_id("al")))
    assert merged == [("u", "merge taken back", {"player": ("al", "ann")}), ("n", "amended", {"score": (1.0, 0.5)})]


def test_other_events_and_other_cuts_have_no_causes(made: Made) -> None:
    eng = made(game(1, "a", "b", uid="g1"), game(2, "a", "b", uid="g2"), void("g1", "v"))
    assert said(eng, 2) == []
    assert said(eng, 1, low=3) == []
    assert said(eng, 1, high=2) == []
    assert said(made(), 1, high=0) == []


def test_what_is_recorded_late_is_its_own_cause(made: Made) -> None:
    eng = made(game(1, "a", "b", uid="g1"), game(0, "a", "b", uid="g2"))
    late = Causes(eng.log, eng.log.book.key).late(2, "g2")
    assert (late.outcome, late.uid, late.position, late.recorded) == ("recorded late", "g2", 2, 2_000_000)


@pytest.mark.parametrize("n", [100, 400])
@pytest.mark.parametrize("kind", ["amendments", "a chain of voids", "merges into one"])
def test_corrections_are_read_a_few_times_each_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch, n: int, kind: str
) -> None:
    """Explaining a game resolved all corrections anew for each of them: 10,000 amendments took 220 seconds."""
    eng = Engine(SqliteLog(":memory:"), Registry())
    eng.record(game(1, "a", "b", uid="g"))
    said_of_it: dict[str, list[Any]] = {
        "amendments": [amend("g", f"m{i}", score=(i % 3) / 2) for i in range(n)],
        "a chain of voids": [void(f"v{i - 1}" if i else "g", f"v{i}") for i in range(n)],
        "merges into one": [PlayersMerged(keep="a", other=f"x{i}", uid=f"m{i}") for i in range(n)],
    }
    if kind == "merges into one":
        eng.record(*(game(2 + i, f"x{i}", "b") for i in range(n)))
    eng.record(*said_of_it[kind])
    resolved = [0]
    of = Corrections.of

    def counted(rows: Any) -> Corrections:
        some = list(rows)
        resolved[0] += len(some)
        return of(some)

    monkeypatch.setattr(Corrections, "of", counted)
    assert said(eng, *range(1, eng.log.head.position + 1))
    assert resolved[0] <= 6 * n

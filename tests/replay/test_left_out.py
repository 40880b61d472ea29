"""Results that a need leaves out are counted, and the list says so."""

import ratingcore as rc
from ratingcore.replay.left_out import left_out


def session(uid: str, day: int, unit: str, *scores: float) -> rc.SessionPlayed:
    sides = [rc.Side(pair, score) for pair, score in zip([("n", "s"), ("e", "w"), ("x", "y")], scores, strict=False)]
    return rc.SessionPlayed(uid=uid, pool="club", played=f"2024-03-{day:02}", sides=sides, data={"unit": unit})


def test_a_session_in_imps_in_a_pool_of_percents_is_left_out_and_counted() -> None:
    with rc.open(":memory:") as engine:
        engine.record(session("one", 1, "percent", 55.0, 50.0, 45.0), session("two", 3, "percent", 40.0, 60.0, 50.0))
        alone = engine.rating_list("club", "bridge-bayes")
        engine.record(session("odd", 2, "imp", 12.0, -12.0))
        mixed = engine.rating_list("club", "bridge-bayes")
        assert mixed.provenance.left_out == (("result with unit imp, the first at position 3", 1),)
        assert [mixed.rating(player) for player in "nsewxy"] == [alone.rating(player) for player in "nsewxy"]
        assert "left out 1 (result with unit imp, the first at position 3)" in str(mixed)
        engine.amend("odd", {"pool": "teams"})
        assert engine.rating_list("club", "bridge-bayes").provenance.left_out == ()


def test_what_comes_after_the_cut_is_not_left_out() -> None:
    with rc.open(":memory:") as engine:
        engine.record(session("one", 1, "percent", 55.0, 50.0, 45.0), session("odd", 9, "imp", 12.0, -12.0))
        method = engine.registry.method("bridge-bayes")
        assert left_out(method, engine.view("club", "2024-03-08")) == ()
        assert len(left_out(method, engine.view("club", "2024-03-09"))) == 1


def test_a_result_that_is_left_out_has_no_line_in_a_history() -> None:
    with rc.open(":memory:") as engine:
        engine.record(session("odd", 1, "imp", 12.0, -12.0), session("one", 2, "percent", 55.0, 50.0, 45.0))
        assert [line.score for line in engine.history("club", "n", "bridge-bayes")] == [55.0]

"""One odd result never takes a list down: it is left out, counted and told, and no rating moves."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from attrs import frozen

import ratingcore as rc
from ratingcore.errors import BrokenContract, OddResults
from ratingcore.lists.compilation import rating_list
from ratingcore.log.lookup import row_of
from ratingcore.plugin import Bools, Cadence, Column, Floats, Forecast, Games, Method, Need, Rated, State
from ratingcore.replay import checkpoint_store, fold
from ratingcore.replay.contract_check import left_out, readable_view, refused

GAMES = ["ann bo 1", "cy ann 0", "bo cy 0.5", "di ann 0", "bo di 1", "cy di 1", "ann cy 0.5", "di bo 0.5"]


def game(uid: str, day: int, a: str, b: str, score: float, **data: Any) -> rc.GamePlayed:
    played = int(np.datetime64("2024-01-01", "us").astype(np.int64)) + day * 86_400_000_000
    return rc.GamePlayed(uid=uid, pool="p", played=played, a=a, b=b, score=score, data=data)


def fits(uid: str, day: int, a: str, b: str, score: float) -> rc.GamePlayed:
    points = {"points_a": 1 + 2 * score, "points_b": 3 - 2 * score, "event": f"cup {day // 20}"}
    return game(uid, day, a, b, score, **points)


def season() -> list[rc.GamePlayed]:
    rows = (row.split() for row in GAMES * 4)
    return [fits(f"g{n}", 5 * n, a, b, float(score)) for n, (a, b, score) in enumerate(rows)]


def session(uid: str, day: int, *sides: str) -> rc.SessionPlayed:
    played = int(np.datetime64("2024-01-01", "us").astype(np.int64)) + day * 86_400_000_000
    named = [rc.Side(side.split(), float(n)) for n, side in enumerate(sides)]
    return rc.SessionPlayed(uid=uid, pool="p", played=played, sides=named)


SESSION = session("odd", 33, "new ann", "other bo")
WHOLE_POOL = ["whr", "bradley-terry", "berkin", "trueskill-through-time"]
METHODS = ["elo", "elo-margin", "glicko", "glicko2", "periodic", "fesa", "dwz", "egf", "adaptive-k", "chess-bayes",
           "elo:entry=trial(2)", "elo:period=quarter", *WHOLE_POOL]  # fmt: skip


def ratings(engine: rc.Engine, method: str, **cut: Any) -> list[tuple[Any, ...]]:
    made = engine.rating_list("p", method, **cut)
    return [tuple(row.values()) for row in made]


def known(engine: rc.Engine, texts: list[str]) -> list[str]:
    return [text for text in texts if text.partition(":")[0] in engine.registry.methods]


def test_a_session_among_games_moves_no_rating_by_any_method_that_reads_games() -> None:
    with rc.open(":memory:") as alone, rc.open(":memory:") as mixed:
        alone.record(*season())
        mixed.record(*season(), SESSION)
        for method in known(alone, METHODS):
            made = mixed.rating_list("p", method)
            assert [tuple(row.values()) for row in made] == ratings(alone, method), method
            assert made.left_out == {"session": 1}
            assert "left out: 1 result (session)" in made.provenance.lines()
            assert made.provenance.at == alone.rating_list("p", method).provenance.at


ODD: list[tuple[str, rc.GamePlayed | rc.SessionPlayed, str]] = [
    ("elo-margin", game("odd", 33, "new", "ann", 1.0), "no points"),
    ("elo-margin", game("odd", 0, "new", "other", 1.0, points_a="many", points_b=1), "unreadable points"),
    ("elo-margin:home=50", fits("odd", 33, "new", "ann", 1.0), ""),
    (
        "world-football-elo",
        game("odd", 200, "new", "ann", 1.0, points_a=2, points_b=1, importance=-1),
        "unreadable importance",
    ),
    ("adaptive-k", game("odd", 33, "new", "ann", 0.3, points_a=1, points_b=0), "neither win, draw nor loss"),
    ("chess-bayes", game("odd", 33, "new", "ann", 0.3), "neither win, draw nor loss"),
    ("bradley-terry:ties=davidson", game("odd", 33, "new", "ann", 0.3), "neither win, draw nor loss"),
    ("egf", game("odd", 33, "new", "ann", 1.0, handicap=-1), "a handicap"),
    ("codeforces", session("odd", 33, "new ann", "other bo"), "a team"),
    ("elo-mmr", session("odd", 33, "new ann", "other bo"), "a team"),
    ("weng-lin", game("odd", 33, "new", "ann", 1.0, weights="1 7"), "unreadable weights"),
    ("trueskill", game("odd", 33, "new", "ann", 1.0, weights="1 1 1"), "unreadable weights"),
]


@pytest.mark.parametrize(("method", "odd", "why"), ODD, ids=[f"{method} {why}" for method, _, why in ODD])
def test_an_odd_result_moves_no_rating_and_its_reason_is_told(method: str, odd: Any, why: str) -> None:
    with rc.open(":memory:") as alone, rc.open(":memory:") as mixed:
        if not known(alone, [method]):
            pytest.fail(f"{method} is not bundled")
        alone.record(*season())
        mixed.record(*season()[:9], odd, *season()[9:])
        made = mixed.rating_list("p", method)
        if not why:
            assert made.left_out == {}
            return
        assert [tuple(row.values()) for row in made] == ratings(alone, method)
        assert [count for reason, count in made.left_out.items() if reason.startswith(why)] == [1]
        with pytest.raises(OddResults) as caught:
            mixed.rating_list("p", method, strict=True)
        assert "odd (" in str(caught.value)
        assert " odd" in caught.value.hint
        assert alone.rating_list("p", method, strict=True).digest == made.digest


def test_bridge_leaves_out_games_and_sides_of_unequal_size() -> None:
    good = [session(f"s{n}", n, "a b", "c d") for n in range(3)]
    with rc.open(":memory:") as alone, rc.open(":memory:") as mixed:
        alone.record(*good)
        mixed.record(game("one", 0, "a", "x", 1.0), *good, session("two", 1, "a b", "c"))
        made = mixed.rating_list("p", "bridge-bayes")
        assert [tuple(row.values()) for row in made] == ratings(alone, "bridge-bayes")
        assert made.left_out == {"a game, not a session": 1, "sides of unequal size": 1}


def test_amending_or_voiding_the_odd_one_gives_the_list_that_it_should_be() -> None:
    with rc.open(":memory:") as engine, rc.open(":memory:") as right:
        engine.record(*season(), game("odd", 33, "new", "ann", 1.0))
        right.record(*season(), fits("odd", 33, "new", "ann", 1.0))
        engine.amend("odd", dict(row_of(right.log, "odd").facts))
        assert ratings(engine, "elo-margin") == ratings(right, "elo-margin")
        assert engine.rating_list("p", "elo-margin").left_out == {}
        assert engine.rating_list("p", "elo-margin", known_at=33).left_out == {"no points": 1}
        engine.void("odd", why="not played")
        assert engine.rating_list("p", "elo-margin", strict=True).left_out == {}


def test_from_checkpoints_and_files_lists_are_those_made_from_scratch(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_store, "WORTH", 4)
    monkeypatch.setattr(checkpoint_store, "CLOSEST", 2)
    path = tmp_path / "club.db"
    random = np.random.default_rng(5)
    events = season()
    with rc.open(path) as engine:
        for number in random.permutation(len(events)).tolist():
            odd = game(f"o{number}", int(random.integers(0, 150)), f"n{number}", "ann", 1.0)
            engine.record(events[number], *([odd] if number % 3 == 0 else []), *([SESSION] if number == 7 else []))
            cut = None if number % 2 else int(events[number].played)
            for text in ("elo-margin", "elo:period=month", "elo"):
                method = engine.registry.method(text)
                if number % 5 == 0 and cut is None:
                    with rc.open(path) as again:
                        assert ratings(again, text) == ratings(engine, text)
                try:
                    listed = engine.rating_list("p", text, cut)
                except rc.errors.MethodError:
                    assert text == "elo-margin"  # nothing that it can read has come yet
                    continue
                plain = rating_list(fold(method, engine.core.view("p", cut)), "x")
                assert listed.digest == plain.digest
        assert engine.core.check_caches().damaged == ()


def test_histories_explanations_and_top_know_nothing_of_the_odd_one() -> None:
    with rc.open(":memory:") as alone, rc.open(":memory:") as mixed:
        alone.record(*season())
        mixed.record(game("odd", 0, "new", "ann", 1.0), *season())
        mixed.record(session("s", -1, "yo xi", "zed"))
        for engine in (alone, mixed):
            engine.publish(engine.rating_list("p", "elo-margin"), "first")
        lines = [
            [tuple(line._replace(position=0)) for line in e.history("p", "ann", "elo-margin")] for e in (alone, mixed)
        ]
        assert lines[0] == lines[1]
        assert mixed.history("p", "bo", "glicko")[0].columns == alone.history("p", "bo", "glicko")[0].columns
        one, two = (engine.explain("p", "ann", "elo-margin", since="2024-02-01") for engine in (alone, mixed))
        assert one.brief() == two.brief()
        assert two.facts()[2:4] == ["left out: 1 result (session)", "left out: 1 result (no points)"]
        assert ratings(mixed, "elo-margin", top=2) == ratings(alone, "elo-margin", top=2)
        assert mixed.explain("p", "new", "elo-margin").lines == ()
        assert mixed.prove(mixed.published_list("first").document("json"))


def test_documents_say_what_was_left_out_and_others_stay_as_they_are() -> None:
    with rc.open(":memory:") as alone, rc.open(":memory:") as mixed:
        alone.record(*season())
        mixed.record(*season(), SESSION)
        for form in ("csv", "json", "markdown"):
            assert "left_out" not in alone.rating_list("p", "elo").document(form)
            assert "left out" not in alone.rating_list("p", "elo").document(form)
        assert "# left out: 1 result (session)\n" in mixed.rating_list("p", "elo").document("csv")
        document = mixed.rating_list("p", "elo").document("json")
        assert '"left_out": {"session": 1}' in document
        assert mixed.prove(document)
        assert not mixed.prove(document.replace('{"session": 1}', '{"session": 2}'))


@frozen
class Fussy(Method):
    """A stranger's method that needs an audience, and refuses whitewashes."""

    name = "fussy"
    cadence = Cadence.CONTINUOUS
    needs = (Need("audience"),)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 0.0),)

    def refuses(self, games: Games) -> Mapping[str, Bools]:
        return {"nobody came": games["audience"] == 0.0}

    def rate(self, state: State, games: Games) -> Rated:
        assert (games["audience"] > 0.0).all()
        rating = state.copy("rating")
        np.add.at(rating, games.a, games["audience"])
        half: Floats = np.full(len(games), 0.5)
        return Rated(state.replace(rating=rating), half, (games["audience"].copy(), np.zeros(len(games))))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))


def test_a_method_of_strangers_gets_only_what_it_reads() -> None:
    with rc.open(":memory:") as engine:
        engine.record(
            game("1", 1, "ann", "bo", 1.0, audience=3), game("2", 2, "cy", "bo", 1.0),
            game("3", 3, "di", "bo", 1.0, audience=0), SESSION, game("5", 5, "bo", "ann", 1.0, audience=2),
        )  # fmt: skip
        view = engine.core.view("p")
        replay = fold(Fussy(), view, keep=True)
        assert replay.view.names() == ["ann", "bo"]
        assert replay.state["rating"].tolist() == [3.0, 2.0]
        assert readable_view(Fussy(), view).unreadable.counts(view.through) == {
            "no audience": 1,
            "nobody came": 1,
            "session": 1,
        }


@pytest.mark.parametrize(
    "given", [None, {"why": np.zeros(3)}, {"why": np.zeros(2, dtype=bool)}, {3: np.zeros(3, dtype=bool)}, {"": None}]
)
def test_what_a_method_refuses_must_be_a_mask_a_reason(given: Any) -> None:
    with pytest.raises(BrokenContract, match="fussy"):
        refused("fussy", given, 3)


def test_an_error_names_five_and_counts_the_others() -> None:
    with rc.open(":memory:") as engine:
        engine.record(*season(), *(game(f"o{n}", n, "new", "ann", 1.0) for n in range(8)))
        with pytest.raises(OddResults, match=r"8 results of pool p: o0 .*o4 \(no points\), and 3 more"):
            engine.rating_list("p", "elo-margin", strict=True)


def bridge(uid: str, day: int, unit: str, *scores: float) -> rc.SessionPlayed:
    sides = [rc.Side(pair, score) for pair, score in zip([("n", "s"), ("e", "w"), ("x", "y")], scores, strict=False)]
    return rc.SessionPlayed(uid=uid, pool="club", played=f"2024-03-{day:02}", sides=sides, data={"unit": unit})


def test_a_session_in_imps_in_a_pool_of_percents_is_left_out_and_counted() -> None:
    with rc.open(":memory:") as engine:
        engine.record(bridge("one", 1, "percent", 55.0, 50.0, 45.0), bridge("two", 3, "percent", 40.0, 60.0, 50.0))
        alone = engine.rating_list("club", "bridge-bayes")
        engine.record(bridge("odd", 2, "imp", 12.0, -12.0))
        mixed = engine.rating_list("club", "bridge-bayes")
        assert mixed.provenance.left_out == (("result with unit imp, the first at position 3", 1),)
        assert [mixed.rating(player) for player in "nsewxy"] == [alone.rating(player) for player in "nsewxy"]
        assert "left out 1 (result with unit imp, the first at position 3)" in str(mixed)
        engine.amend("odd", {"pool": "teams"})
        assert engine.rating_list("club", "bridge-bayes").provenance.left_out == ()


def test_what_comes_after_the_cut_is_not_left_out() -> None:
    with rc.open(":memory:") as engine:
        engine.record(bridge("one", 1, "percent", 55.0, 50.0, 45.0), bridge("odd", 9, "imp", 12.0, -12.0))
        method = engine.registry.method("bridge-bayes")
        assert left_out(method, engine.core.view("club", "2024-03-08")) == ()
        assert len(left_out(method, engine.core.view("club", "2024-03-09"))) == 1


def test_a_result_that_is_left_out_has_no_line_in_a_history() -> None:
    with rc.open(":memory:") as engine:
        engine.record(bridge("odd", 1, "imp", 12.0, -12.0), bridge("one", 2, "percent", 55.0, 50.0, 45.0))
        assert [line.score for line in engine.history("club", "n", "bridge-bayes")] == [55.0]

"""`ratingcore performance`: performance ratings over a span or an event, by the ratings before each game."""

import json
from pathlib import Path
from typing import Any

import pytest

from ratingcore import GamePlayed, RatingSeeded, SessionPlayed, Side
from ratingcore import open as open_log
from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]

THREE = (("1850", 1850.0, 0.0), ("1620", 1620.0, 0.0), ("1190", 1190.0, 1.0))
"""Games: opponents, their ratings, the score against them."""


@pytest.fixture
def three(club: Path) -> Path:
    """A log with those games, half of them with the newcomer as b, on three days of March."""
    path = club.with_name("three.db")
    with open_log(path) as engine:
        for day, (name, rating, score) in enumerate(THREE, 1):
            seed = {"rating": rating}
            engine.record(RatingSeeded(uid=f"s{day}", pool="p", played="2024-01-01", player=name, values=seed))
            sides = {"a": "new", "b": name, "score": score} if day % 2 else {"a": name, "b": "new", "score": 1 - score}
            data = {"event": "Open"} if day < 3 else {}
            engine.record(GamePlayed(uid=f"g{day}", pool="p", played=f"2024-03-0{day}", data=data, **sides))
    return path


def rows(run: Run, *words: str) -> list[dict[str, Any]]:
    named = () if "--method" in words else ("--method", "elo")
    ran = run("performance", *words, *named, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)  # type: ignore[no-any-return]  # rows as they were written


def test_the_six_answers_of_the_text(run: Run, three: Path) -> None:
    """The same three games, six answers."""
    found = rows(run, "three.db", "new")
    assert list(found[0]) == ["kind", "games", "opposition", "score", "rating", "status"]
    assert {row["kind"]: round(row["rating"], 6) for row in found} == {
        "linear": 1420.0, "table": 1428.333333, "normal": 1431.505256,
        "logistic": 1432.921335, "true_logistic": 1374.659737, "true_normal": 1381.829633,
    }  # fmt: skip
    assert {(row["games"], row["score"], row["status"]) for row in found} == {(3, 1.0, "ok")}


def test_a_perfect_score_is_unbounded_and_has_no_number(run: Run, three: Path) -> None:
    found = rows(run, "three.db", "new", "--since", "2024-03-03")
    by_kind = {row["kind"]: (row["rating"], row["status"]) for row in found}
    assert by_kind["true_normal"] == by_kind["true_logistic"] == (None, "unbounded")
    assert (by_kind["table"], by_kind["linear"]) == ((1990.0, "ok"), (1590.0, "ok"))
    capped = rows(run, "three.db", "new", "--since", "2024-03-03", "--kind", "normal", "--cap", "766")
    assert [row["rating"] for row in capped] == [1956.0]


def test_a_span_and_an_event_choose_the_games(run: Run, three: Path) -> None:
    (two,) = rows(run, "three.db", "new", "--event", "Open", "--kind", "linear")
    assert (two["games"], two["opposition"], two["score"]) == (2, 1735.0, 0.0)
    (one,) = rows(run, "three.db", "new", "--since", "2024-03-02", "--through", "2024-03-02", "--kind", "table")
    assert (one["games"], one["opposition"]) == (1, 1620.0)


def test_an_amended_event_counts_as_it_reads_now(run: Run, three: Path) -> None:
    with open_log(three) as engine:
        engine.amend("g3", {"event": "Open"}, why="forgotten")
    assert rows(run, "three.db", "new", "--event", "Open", "--kind", "linear")[0]["games"] == 3


def test_opponents_have_the_rating_they_had_before_the_game(run: Run, three: Path) -> None:
    """The second game counts the opponent as the first one left him, under the method that was asked for."""
    with open_log(three) as engine:
        engine.record(GamePlayed(uid="g4", pool="p", played="2024-03-04", a="new", b="1190", score=1.0))
    last = ["three.db", "new", "--since", "2024-03-04", "--kind", "linear"]
    assert rows(run, *last, "--method", "elo:k=0")[0]["opposition"] == 1190.0
    assert rows(run, *last, "--method", "elo:k=40")[0]["opposition"] < 1189.0


def test_mistakes_are_told_with_what_to_do(run: Run, three: Path) -> None:
    code, out, err = run("performance", "three.db", "new", "--event", "Closed")
    assert (code, out) == (2, "")
    assert err == "error: new played no game in the event: Closed\n\nhint: the events of new are Open\n"
    code, _, err = run("performance", "three.db", "new", "--since", "2025-01-01")
    assert (code, err.splitlines()[0]) == (2, "error: new played no game in this span")
    assert run("performance", "three.db", "nw").err.startswith("error: the log has no player named: nw\n\nhint: did")
    assert run("performance", "three.db", "new", "--kind", "best").code == 2


def test_unrated_opponents_are_left_out_with_a_note(run: Run, three: Path) -> None:
    with open_log(three) as engine:
        engine.record(GamePlayed(uid="g5", pool="p", played="2024-03-05", a="new", b="other", score=1.0))
    words = ["performance", "three.db", "new", "--method", "periodic:initial=none", "--kind", "linear"]
    ran = run(*words)
    assert ran.code == 0
    assert ran.out.splitlines()[1].split(",")[1] == "3"
    assert ran.err == "note: left out, with an unrated opponent: 1 of 4 games\n"
    assert run(*words, "--since", "2024-03-05").err.startswith("error: new met no rated opponent in these games")


def test_games_of_an_open_period_are_left_out_with_a_note(run: Run, three: Path) -> None:
    with open_log(three) as engine:
        engine.record(GamePlayed(uid="g6", pool="p", played="2024-04-02", a="new", b="1190", score=1.0))
    words = ["--method", "elo:period=month", "--through", "2024-04-15", "--kind", "linear"]
    ran = run("performance", "three.db", "new", *words)
    assert ran.out.splitlines()[1].split(",")[:2] == ["linear", "3"]
    assert ran.err == "note: left out, not rated by elo yet: 1 of 4 games\n"


def test_methods_of_sides_are_refused(run: Run) -> None:
    with open_log("bridge.db") as engine:
        sides = [Side(["ann", "bo"], 54.2), Side(["cy", "di"], 45.8)]
        engine.record(SessionPlayed(pool="club", played="2024-03-02", sides=sides))
    assert run("performance", "bridge.db", "ann").err.startswith("error: elo reads games of two players")
    code, _, err = run("performance", "bridge.db", "ann", "--method", "bridge-bayes")
    assert code == 2
    assert err.startswith(
        "error: bridge-bayes reads sides, and performance ratings need games of two players\n\nhint: "
    )


def test_without_a_method_the_declared_question_is_asked(run: Run, club: Path) -> None:
    """Where none is declared elo answers, and that is said."""
    note = "note: no method is declared for this pool: elo is used\n"
    unnamed, elo = run("performance", club, "ann"), run("performance", club, "ann", "--method", "elo")
    assert (unnamed.code, unnamed.out, unnamed.err) == (0, elo.out, note + elo.err)
    run("declare", club, "--method", "elo:k=24")
    assert run("performance", club, "ann") == run("performance", club, "ann", "--method", "elo:k=24") != elo


def test_ratings_and_points_need_no_log(run: Run) -> None:
    """Problem 8 of the article, three points of ten games against 1800; and the three games of the text."""
    ran = run("performance-of", "1800:3/10", "-f", "json")
    assert (ran.code, ran.err) == (0, "")
    by_kind = {row["kind"]: row for row in json.loads(ran.out)}
    assert round(by_kind["normal"]["rating"], 6) == round(by_kind["true_normal"]["rating"], 6) == 1651.677137
    assert (by_kind["table"]["rating"], round(by_kind["logistic"]["rating"], 6)) == (1651.0, 1652.809286)
    assert (by_kind["linear"]["games"], by_kind["linear"]["score"]) == (10, 3.0)
    (three,) = json.loads(
        run("performance-of", "1850:0", "1620:0", "1190:1", "--kind", "true_logistic", "-f", "json").out
    )
    assert round(three["rating"], 6) == 1374.659737


@pytest.mark.parametrize("text", ["1800", "1800:2", "1800:3/0", "1800:11/10", "1.8.0:1", "eighteen:1", ":1", "1800:"])
def test_what_is_no_rating_with_points_is_refused(run: Run, text: str) -> None:
    ran = run("performance-of", text)
    assert ran.code == 2
    assert f"expected RATING:POINTS/GAMES, found: {text}" in ran.err

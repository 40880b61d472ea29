"""Answers are values: caches and task queues pickle them, programs copy and compare them."""

import copy
import pickle
from collections.abc import Callable
from datetime import date
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import ratingcore as rc

ENGINE = rc.open(":memory:")


def game(day: int) -> rc.GamePlayed:
    """A game of a day in March, of three players in turn."""
    b = "bo" if day % 2 else "cy"
    facts = {"round": day}
    return rc.GamePlayed(
        pool="rapid", played=f"2024-03-{day:02d}", a="ann", b=b, score=day % 3 / 2, uid=f"g-{day}", data=facts
    )


GAMES = [game(day) for day in range(1, 20)]
RECEIPT = ENGINE.record(*GAMES)
LIST = ENGINE.rating_list("rapid", "elo:k=24")
SESSION = rc.SessionPlayed(
    pool="bridge",
    played="2024-03-01",
    sides=[rc.Side(players=("a", "b"), score=1.0), rc.Side(players=("c",), score=0.0)],
)


def published_lists() -> object:
    """What was published in another log: a list here would have another head."""
    with rc.open(":memory:") as engine:
        engine.record(*GAMES)
        engine.publish(engine.rating_list("rapid", "elo"), "March")
        return engine.published()


ANSWERS: dict[str, Callable[[], object]] = {
    "a game": lambda: GAMES[0],
    "a session": lambda: SESSION,
    "a receipt": lambda: RECEIPT,
    "a list": lambda: LIST,
    "a list with changes": lambda: LIST.since(ENGINE.rating_list("rapid", "elo:k=24", through="2024-03-05")),
    "a list with deviations": lambda: ENGINE.rating_list("rapid", "glicko2"),
    "a difference": lambda: LIST.diff(ENGINE.rating_list("rapid", "elo:k=24", through="2024-03-05")),
    "a history": lambda: ENGINE.history("rapid", "ann", "elo"),
    "an explanation": lambda: ENGINE.explain("rapid", "ann", "glicko"),
    "two explanations": lambda: ENGINE.explain("rapid", "ann", "elo").diff(ENGINE.explain("rapid", "ann", "elo:k=9")),
    "published lists": published_lists,
    "an impact": lambda: ENGINE.impact("g-3", method="elo"),
    "a comparison": lambda: ENGINE.compare("rapid", ["elo", "elo:k=40"]),
    "predictions": lambda: ENGINE.predict("rapid", "elo", [("ann", "bo"), ("ann", "cy")]),
    "a prediction": lambda: ENGINE.predict("rapid", "elo", [("ann", "bo")])[0],
    "a sweep": lambda: ENGINE.tune("rapid", "elo", {"k": [8, 16, 24]}),
    "forecasts": lambda: ENGINE.forecasts("rapid", "elo"),
}


@pytest.mark.parametrize("asked", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_pickled_copied_and_compared(asked: Callable[[], object]) -> None:
    answer = asked()
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert copy.deepcopy(answer) == answer


TABLES = (
    "a list with changes", "a list with deviations", "a difference", "a history", "an explanation", "two explanations",
    "published lists", "an impact", "a comparison", "predictions", "a prediction", "a sweep", "forecasts", "events",
    "players",
)  # fmt: skip
"""Answers that are tables."""
READ: dict[str, Callable[[], object]] = {**ANSWERS, "events": ENGINE.events, "players": ENGINE.players}


def as_text(cell: object) -> object:
    """A cell of a data frame as it is in a row: days and times are texts."""
    return cell.isoformat().replace("+00:00", "Z") if isinstance(cell, date) else cell


@pytest.mark.parametrize("name", TABLES)
def test_polars_pandas_arrow_and_notebooks_take_a_table_as_it_is(name: str) -> None:
    """Its rows are mappings; those of histories, events and published lists were not."""
    answer: Any = READ[name]()
    arrow = pyarrow.table(answer)
    assert polars.DataFrame(answer).rows() == [tuple(row.values()) for row in arrow.to_pylist()]
    pandas.testing.assert_frame_equal(pandas.DataFrame(answer), pandas.DataFrame.from_arrow(answer), check_dtype=False)
    if name != "predictions":  # each is a table
        rows = answer.with_exact() if isinstance(answer, rc.RatingList) else answer
        days = [{key: as_text(cell) for key, cell in row.items()} for row in arrow.to_pylist()]
        assert list(map(dict, rows)) == days
        assert [[row[name] for name in day] for row, day in zip(rows, days, strict=True)] == [
            list(day.values()) for day in days
        ]
    assert answer._repr_html_().count("<tr>") > len(arrow)


def test_another_answer_is_not_equal() -> None:
    assert ENGINE.rating_list("rapid", "elo:k=24") == LIST
    assert ENGINE.rating_list("rapid", "elo:k=25") != LIST
    assert ENGINE.rating_list("rapid", "elo:k=24", through="2024-03-18") != LIST
    assert ENGINE.impact("g-3", method="elo") != ENGINE.impact("g-4", method="elo")


def test_a_pickled_list_needs_no_log() -> None:
    with rc.open(":memory:") as engine:
        engine.record(*GAMES)
        listed = engine.rating_list("rapid", "elo:k=24")
        text, seal, packed = str(listed), listed.seal, pickle.dumps(listed)
    whole: rc.RatingList = pickle.loads(packed)
    assert (str(whole), whole.seal, whole.digest) == (text, seal, LIST.digest)


def test_facts_of_an_event_cannot_be_changed() -> None:
    with pytest.raises(TypeError, match="read-only"):
        GAMES[0].data["round"] = 2  # type: ignore[index]  # a mapping cannot be written to


def test_a_line_and_an_event_are_still_the_tuples_that_they_were() -> None:
    line, logged = ENGINE.history("rapid", "ann", "elo")[0], ENGINE.events(1)[0]
    assert (line[2], line[-1], line[1:3]) == (line.opponent, line.rating, (1, "bo"))
    row, event = logged
    assert (logged[0], logged[1], logged["position"], logged["uid"]) == (row, event, 2, event.uid)
    with pytest.raises(KeyError):
        line["deviation"]


def test_answers_that_are_several_values_equal_lists_of_them() -> None:
    with rc.open(":memory:") as engine:
        assert engine.published() == []
        engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        history = engine.history("p", "ann", "elo")
        assert history == list(history)
        assert history == history[:]
        assert history != history[:0]


def test_every_answer_of_rows_is_a_sequence_of_them() -> None:
    with rc.open(":memory:") as engine:
        games = [(f"g-{n}", f"2024-03-{n + 1:02d}", *pair) for n, pair in enumerate(["ab", "bc", "ca", "ad"])]
        for uid, played, a, b in games:
            engine.record(rc.GamePlayed(uid=uid, pool="rapid", played=played, a=a, b=b, score=1.0))
        listed = engine.rating_list("rapid", "elo")
        answers = {
            "list": listed, "explain": engine.explain("rapid", "a", "elo"), "impact": engine.impact("g-0"),
            "compare": engine.compare("rapid", ["elo", "periodic"]),
            "tune": engine.tune("rapid", "elo", {"k": [10, 20]}),
            "forecasts": engine.forecasts("rapid", "elo"), "players": engine.players(),
            "diff": engine.rating_list("rapid", "elo", "2024-03-02").diff(listed),
            "predict": engine.predict("rapid", "elo", [("a", "b"), ("b", "d")]),
        }  # fmt: skip
        for name, answer in answers.items():
            rows = list(answer)
            assert len(answer) == len(rows) > 1, name
            assert [answer[0], answer[-1], *answer[1:]] == [rows[0], rows[-1], *rows[1:]], name
            assert len(polars.DataFrame(answer)) == len(rows), name

"""Files that come again with corrected rounds or grounds: the list is that of the corrected file alone."""

from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import Conflict
from ratingcore.log.lookup import as_read, uid_at

DAYS = 8
"""Cases of one file: each day has three games of players of its own."""
PAIRS = [f"2024-01-0{day},{a}{day},{b}{day}" for day in range(1, DAYS + 1) for a, b in ("xy", "yz", "zx")]
ROUNDS = st.sampled_from(["", "1", "2", "QF", "Final", "tb"])
ORDERS = st.sampled_from(["", "", "1", "2", "3"])
ROWS = st.lists(st.tuples(ROUNDS, ORDERS, st.sampled_from(["1", "0.5"])), min_size=3 * DAYS, max_size=3 * DAYS)
WAYS: tuple[dict[str, Any], ...] = ({"amend": True}, {"reissue": True})
METHOD = "elo:k=20"


def table(rows: list[tuple[str, str, str]], ordered: bool, ids: bool) -> str:
    lines = ["played,a,b,round,score" + ",order" * ordered + ",uid" * ids]
    for number, (pair, (turn, order, score)) in enumerate(zip(PAIRS, rows, strict=True)):
        lines.append(f"{pair},{turn},{score}" + f",{order}" * ordered + f",u{number}" * ids)
    return "\n".join(lines) + "\n"


def came(engine: Engine, text: str, **way: Any) -> Any:
    """The report of a file of this text."""
    stream = BytesIO(text.encode())
    stream.name = "f.csv"  # type: ignore[attr-defined]  # as an opened file has it
    return engine.import_file(stream, "p", HOME if "home_team" in text else None, **way)


def listed(engine: Engine, method: str = METHOD) -> dict[str, float]:
    made = engine.rating_list("p", method)
    return dict(zip(made.player, made.exact["rating"], strict=True))


def orders(engine: Engine, count: int) -> list[int]:
    return [as_read(engine.log, uid_at(engine.log, at + 1)).order for at in range(count)]  # type: ignore[union-attr]


@settings(max_examples=25, deadline=None)
@given(ROWS, ROWS, st.booleans(), st.booleans(), st.sampled_from(WAYS))
def test_a_corrected_file_gives_the_list_that_it_gives_alone(
    first: list[tuple[str, str, str]], then: list[tuple[str, str, str]], ordered: bool, ids: bool, way: dict[str, Any]
) -> None:
    """A round that was taken away, or had no order before, kept the order of the first file."""
    corrected = table(then, ordered, ids)
    with rc.open(":memory:") as engine, rc.open(":memory:") as alone:
        came(engine, table(first, ordered, ids))
        came(engine, corrected, **way)
        came(alone, corrected)
        assert listed(engine) == listed(alone)
        again = came(engine, corrected, **way)
        assert (again.duplicates, again.amended) == (len(PAIRS), 0)


@pytest.mark.parametrize("way", WAYS)
def test_an_order_set_by_hand_stays_when_the_round_is_corrected(way: dict[str, Any]) -> None:
    text = "played,a,b,score,round,uid\n2024-01-01,ann,bo,1,1,u1\n2024-01-01,bo,cy,1,2,u2\n"
    with rc.open(":memory:") as engine:
        came(engine, text)
        engine.amend("u1", {"order": 7})
        came(engine, text.replace("1,1,u1", "1,tb,u1").replace("1,2,u2", "1,,u2"), **way)
        assert orders(engine, 2) == [7, 0]


def test_a_round_amended_by_hand_takes_its_order_along() -> None:
    text = "played,a,b,score,round,uid\n2024-01-01,ann,bo,1,2,u1\n2024-01-01,bo,cy,1,1,u2\n2024-01-01,cy,di,1,3,u3\n"
    with rc.open(":memory:") as engine, rc.open(":memory:") as alone:
        came(engine, text)
        came(alone, text.replace("1,2,u1", "1,1,u1").replace("1,1,u2", "1,2,u2"))
        (planned,) = engine.plan.amend("u1", {"round": 1}).events
        assert dict(planned.changes) == {"round": 1, "order": 1000}  # type: ignore[attr-defined]
        engine.amend("u1", {"round": 1}, own_uid="c1")
        engine.amend("u2", {"round": 2})
        assert listed(engine) == listed(alone)
        head = engine.log.head
        engine.amend("u1", {"round": 1}, own_uid="c1")  # a retry
        assert engine.log.head == head
        engine.amend("u3", {"order": 7})
        engine.amend("u3", {"round": 5}, own_uid="c3")
        engine.amend("u3", {"order": 5000})
        engine.amend("u3", {"round": 5}, own_uid="c3")
        assert orders(engine, 3) == [1000, 2000, 5000]
        with pytest.raises(Conflict):
            engine.amend("u1", {"round": 3}, own_uid="c1")


HOME = {"a": "home_team", "b": "away_team", "points_a": "home_score", "points_b": "away_score"}
GROUND = (
    "played,home_team,away_team,home_score,away_score,neutral\n"
    "2024-01-01,ann,bo,2,1,FALSE\n2024-01-02,bo,cy,2,1,FALSE\n"
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_corrected_neutral_ground_corrects_who_was_at_home(way: dict[str, Any], turned: bool) -> None:
    """The report said that no column says home, and kept it; the same file was changed again after it."""
    texts = [GROUND, GROUND.replace("2,1,FALSE", "2,1,TRUE", 1)]
    first, corrected = reversed(texts) if turned else texts
    with rc.open(":memory:") as engine, rc.open(":memory:") as alone:
        came(engine, first)
        report = came(engine, corrected, **way)
        assert (report.amended, [note for note in report.warnings if "home (" in note]) == (1, [])
        came(alone, corrected)
        assert listed(engine, "elo-margin:home=60") == listed(alone, "elo-margin:home=60")
        again = came(engine, corrected)
        assert (again.duplicates, again.read) == (2, 2)

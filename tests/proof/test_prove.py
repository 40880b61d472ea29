"""Proof of documents: true ones hold, every edit is found, and what is not a document is refused as such."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.errors import BadDocument
from ratingcore.lists.policy import rows_digest
from ratingcore.log import SqliteLog, load_lines
from ratingcore.log.lookup import uid_at
from ratingcore.plugin import Cadence, Column, Floats, Forecast, Games, Method, Rated, State, hookimpl
from ratingcore.proof import Proof
from ratingcore.registry import Registry
from tests.columns.making import POOL, game, seed

REGISTRY = Registry.installed()
Facts = dict[str, Any]


@pytest.fixture
def eng() -> Engine:
    """Seven players; cy and dee are equal, eve and flo are equal in everything, gus has played nothing."""
    made = Engine(SqliteLog(":memory:"), REGISTRY)
    made.record(
        game(1, "ann", "bo"), game(2, "cy", "dee", 0.5), game(3, "eve", "flo", 0.5), game(3, "eve", "flo", 0.5),
        seed(4, "gus", 1450.0),
    )  # fmt: skip
    return made


def document(eng: Engine, name: str = "", **asked: Any) -> Facts:
    read: Facts = json.loads(eng.rating_list(POOL, Elo(), **asked).document("json", name))
    return read


def failed(proof: Proof) -> list[str]:
    return [check.what for check in proof.checks if not check.holds]


def test_a_document_as_it_was_written_holds(eng: Engine) -> None:
    for asked in ({}, {"through": "1970-01-03"}, {"known_at": 2}, {"known_at": 0}, {"policy": "min_games=2,digits=0"}):
        found = eng.rating_list(POOL, Elo(), **asked)  # type: ignore[arg-type]  # cuts and policies by name
        proof = eng.prove(found.document("json"))
        assert proof
        assert proof.holds
        assert [check.what for check in proof.checks] == ["head", "method", "facts", "rows", "seal", "digest"]
        assert (proof.different, proof.erased, proof.unchecked) == ((), 0, ())
        assert eng.prove(json.loads(found.document("json"))) == eng.prove(found.document("json").encode()) == proof


def test_it_holds_whatever_the_log_learns_later(eng: Engine) -> None:
    written = document(eng)
    eng.record(game(1, "zoe", "ann"), seed(0, "bo"))
    eng.void(uid_at(eng.log, 1))
    eng.merge("ann", "eve")
    assert eng.prove(written)
    assert len(eng.rating_list(POOL, Elo())) == 7


def test_in_an_export_that_was_loaded_elsewhere_it_holds(eng: Engine) -> None:
    written = document(eng)
    other = Engine(SqliteLog(":memory:"), REGISTRY)
    load_lines(other.log, eng.export())
    assert other.prove(written)


def resealed(facts: Facts) -> None:
    """Make the digest fit the rows, as a careful forger does."""
    facts["digest"] = rows_digest(facts["columns"], facts["rows"])


def rated(facts: Facts) -> None:
    facts["rows"][0][2] += 0.0001


def renamed(facts: Facts) -> None:
    facts["rows"][0][1] = "zoe"


def swapped(facts: Facts) -> None:
    facts["rows"][0][1], facts["rows"][1][1] = facts["rows"][1][1], facts["rows"][0][1]


def dropped(facts: Facts) -> None:
    del facts["rows"][2]


def doubled(facts: Facts) -> None:
    facts["rows"].append(list(facts["rows"][-1]))


def invented(facts: Facts) -> None:
    facts["rows"].insert(0, [1, "zoe", 2000.0, 1])


def huge(facts: Facts) -> None:
    facts["rows"][0][2] = 10**400


def reordered(facts: Facts) -> None:
    facts["rows"].reverse()


def tie_reordered(facts: Facts) -> None:
    rows = facts["rows"]
    first = next(n for n in range(len(rows) - 1) if rows[n][0] == rows[n + 1][0])
    rows[first], rows[first + 1] = rows[first + 1], rows[first]


def ranked(facts: Facts) -> None:
    facts["rows"][1][0] = 1


def counted(facts: Facts) -> None:
    facts["rows"][1][3] += 1


def emptied(facts: Facts) -> None:
    facts["rows"] = []


@pytest.mark.parametrize(
    "edit",
    [rated, renamed, swapped, dropped, doubled, invented, huge, reordered, tie_reordered, ranked, counted, emptied],
    ids=lambda edit: edit.__name__,
)
def test_a_document_whose_rows_were_edited_fails(eng: Engine, edit: Callable[[Facts], None]) -> None:
    written = document(eng)
    edit(written)
    assert failed(eng.prove(written)) == ["rows", "digest"]
    resealed(written)
    proof = eng.prove(written)
    assert failed(proof) == ["rows"]
    assert proof.different
    assert not proof.erased
    assert not proof


@pytest.mark.parametrize(
    ("path", "value", "checks"),
    [
        (("seal",), "0" * 64, ["seal"]),
        (("seal",), "", ["seal"]),
        (("digest",), "0" * 64, ["digest"]),
        (("provenance", "head"), "5:" + "0" * 64, ["head"]),
        (("provenance", "head"), "99:" + "0" * 64, ["head"]),
        (("provenance", "pool"), "other", ["pool"]),
        (("provenance", "method"), "elo@2(k=20.0)", ["method"]),
        (("provenance", "method"), "elo@1(q=20.0)", ["method"]),
        (("provenance", "method"), "elo@1(k=-1)", ["method"]),
        (("provenance", "method"), "none@1()", ["method"]),
        (("provenance", "method"), "elo", ["method"]),
        (("provenance", "method"), "elo@1(k=24.0)", ["rows", "seal"]),
        (("provenance", "through"), "1970-01-03", ["facts", "rows", "seal"]),
        (("provenance", "as_of"), "1970-01-05", ["facts"]),
        (("provenance", "policy"), "digits=0", []),
        (("provenance", "policy"), "min_games=2", ["facts", "rows", "seal"]),
        (("provenance", "policy"), "by=night", ["policy"]),
        (("provenance", "left_off"), {"fewer than 9 games": 3}, ["facts"]),
        (("columns",), ["rank", "player", "rating", "results"], ["rows"]),
        (("list",), "2024-03", ["name"]),
    ],
)
def test_a_document_whose_facts_were_edited_fails(
    eng: Engine, path: tuple[str, ...], value: Any, checks: list[str]
) -> None:
    written = document(eng)
    place = written
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert failed(eng.prove(written)) == checks


def test_the_first_rows_that_differ_are_told_with_the_cells_that_do(eng: Engine) -> None:
    written = document(eng)
    written["rows"][0][2:] = [1600.0, 7]
    assert written["rows"].pop() == [7, "gus", 1450.0, 0]
    proof = eng.prove(written)
    assert [str(row) for row in proof.different] == [
        "ann: in the document rating 1600.0, games 7; from the log rating 1510.0, games 1",
        "gus: in the document nothing; from the log rank 7, rating 1450.0, games 0",
    ]
    assert dict(zip(("check", "holds"), list(next(iter(proof)).values())[:2], strict=True)) == {
        "check": "head", "holds": "yes",
    }  # fmt: skip
    assert "FAILS  rows: 2 rows differ\n" in str(proof)


def test_many_rows_that_differ_are_counted_and_the_first_told() -> None:
    eng = Engine(SqliteLog(":memory:"), REGISTRY)
    eng.record(*(game(1, f"a{n}", f"b{n}") for n in range(20)))
    written = document(eng)
    for row in written["rows"]:
        row[3] = 9
    proof = eng.prove(written)
    assert len(proof.different) == 10
    assert "40 rows differ" in str(proof)
    assert str(proof).endswith("... and 30 more rows that differ")


# erasure


def erase(eng: Engine, *players: str) -> None:
    with eng.log.writing():
        eng.log.erase([eng.core.player_id(player) for player in players])


@pytest.mark.parametrize("players", [("ann",), ("eve",), ("eve", "flo"), ("cy", "dee", "gus"), ("ann", "bo", "cy")])
def test_rows_whose_names_were_erased_since_are_counted_and_hold(eng: Engine, players: tuple[str, ...]) -> None:
    written = document(eng)
    erase(eng, *players)
    proof = eng.prove(written)
    assert proof
    assert proof.erased == len(players)
    assert f"{len(players)} but for a name erased since" in str(proof)


def test_a_document_written_after_an_erasure_holds_after_the_next(eng: Engine) -> None:
    erase(eng, "eve")
    written = document(eng)
    assert (eng.prove(written).holds, eng.prove(written).erased) == (True, 0)
    erase(eng, "flo", "ann")
    assert (eng.prove(written).holds, eng.prove(written).erased) == (True, 2)


@pytest.mark.parametrize("edit", [rated, dropped, doubled, invented, reordered, ranked, counted, emptied])
def test_an_erasure_does_not_hide_an_edit(eng: Engine, edit: Callable[[Facts], None]) -> None:
    written = document(eng)
    erase(eng, "ann", "gus", "flo")
    edit(written)
    resealed(written)
    assert "rows" in failed(eng.prove(written))


def test_a_player_who_is_there_cannot_stand_for_one_who_was_erased(eng: Engine) -> None:
    written = document(eng)
    row = next(row for row in written["rows"] if row[1] == "eve")
    erase(eng, "eve")
    row[1] = "bo"
    resealed(written)
    proof = eng.prove(written)
    assert failed(proof) == ["rows"]
    assert proof.erased == 0


# what is added, what is to come


def test_columns_that_were_added_are_not_checked_and_said_to_be(eng: Engine) -> None:
    found = eng.rating_list(POOL, Elo())
    proof = eng.prove(found.since(found).with_grades(str).document("json"))
    assert proof
    assert proof.unchecked == ("rank_before", "rank_change", "rating_change", "grade")
    full = eng.prove(found.with_exact().document("json"))
    assert (bool(full), full.unchecked) == (True, ("rating_exact",))


def test_what_a_later_version_may_add_is_left_alone(eng: Engine) -> None:
    written = document(eng)
    written["approved"] = {"by": ["someone"]}
    written["provenance"]["moon"] = "full"
    assert eng.prove(written)
    del written["provenance"]["policy"], written["provenance"]["left_off"]
    assert eng.prove(written)


# no documents


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "7", '"list"', "{}", '{"provenance": {}}', "rank,player\n1,ann\n", "\ufeff",
        "[" * 100_000, b"\xff\xfe\x00", b"SQLite format 3\x00", '{"a": 1, "a": 2}',
    ],
)  # fmt: skip
def test_what_is_no_document_is_said_to_be_none(eng: Engine, text: str | bytes) -> None:
    with pytest.raises(BadDocument, match="this is not the document of a rating list: ") as caught:
        eng.prove(text)
    assert caught.value.hint


def test_a_document_that_gives_its_rows_twice_is_none(eng: Engine) -> None:
    """People might read the first rows, and the last ones would be proved."""
    text = eng.rating_list(POOL, Elo()).document("json")
    with pytest.raises(BadDocument, match="the key 'rows' occurs twice in one object"):
        eng.prove('{"rows": [],' + text.lstrip().removeprefix("{"))


def test_a_truncated_document_is_none(eng: Engine) -> None:
    text = eng.rating_list(POOL, Elo()).document("json", "x")
    for end in range(0, len(text.rstrip()) - 1, 17):
        with pytest.raises(BadDocument):
            eng.prove(text[:end])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rows", 0, 2), float("nan")), (("rows", 0, 2), float("inf")), (("rows", 0, 2), True), (("rows", 0, 2), [1.0]),
        (("rows", 0), [1]), (("rows", 0), "ann"), (("rows",), "ann"), (("rows",), None), (("rows",), {}),
        (("columns",), ["rank", "rating"]), (("columns",), ["player", "player", "a", "b"]), (("columns", 0), 1),
        (("seal",), None), (("digest",), 5), (("provenance",), []), (("provenance", "pool"), None),
        (("provenance", "head"), "5"), (("provenance", "head"), "x:" + "0" * 64),
        (("provenance", "head"), "²:" + "0" * 64),
        (("provenance", "head"), "-1:" + "0" * 64), (("provenance", "through"), "soon"),
        (("provenance", "as_of"), None),
        (("provenance", "through"), 5), (("provenance", "left_off"), 3), (("list",), 5), (("rows", 0, 1), "\ud800"),
        (("provenance", "pool"), "\ud800"),
    ],
)  # fmt: skip
def test_a_document_with_what_none_holds_is_none(eng: Engine, path: tuple[Any, ...], value: Any) -> None:
    written = document(eng)
    place: Any = written
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(BadDocument):
        eng.prove(written)
    with pytest.raises(BadDocument):
        eng.prove(json.dumps(written))


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none_are_refused_as_text(eng: Engine, token: str) -> None:
    text = eng.rating_list(POOL, Elo()).document("json").replace("1510.0", token)
    assert token in text
    with pytest.raises(BadDocument):
        eng.prove(text)


def test_a_document_of_another_log_fails_by_its_head(eng: Engine) -> None:
    other = Engine(SqliteLog(":memory:"), REGISTRY)
    other.record(game(1, "ann", "bo"), game(2, "cy", "dee", 0.5))
    proof = eng.prove(document(other))
    assert failed(proof) == ["head"]
    assert "is not part of this log" in proof.checks[0].detail
    assert "the log ends at position 2" in other.prove(document(eng)).checks[0].detail


@frozen
class Edge(Method):
    """Rates everybody at the edge of the fourth decimal; one bit of the processor, `by`, decides on which side."""

    name = "edge"
    cadence = Cadence.CONTINUOUS
    by: ClassVar[float] = 0.0

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def rate(self, state: State, games: Games) -> Rated:
        nothing = np.zeros(len(games))
        return Rated(state, nothing + 0.5, (nothing, nothing))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))

    def show(self, state: State, at: float) -> dict[str, Floats]:
        rating = state["rating"] + np.arange(len(state["rating"]))
        rating[:2] = 1500.00004999995 + np.array([self.by, 0.0])
        return {"rating": rating}


@pytest.mark.parametrize(("there", "here", "edges"), [(1e-9, -1e-9, 1), (-1e-9, 1e-9, 1), (1e-9, 1e-9, 0)])
def test_a_number_on_the_edge_of_a_rounding_holds_on_another_processor(
    monkeypatch: pytest.MonkeyPatch, there: float, here: float, edges: int
) -> None:
    registry = Registry()
    registry.register(SimpleNamespace(ratingcore_methods=hookimpl(lambda: [Edge])), "edge")
    made = Engine(SqliteLog(":memory:"), registry)
    made.record(game(1, "ann", "bo"), game(2, "cy", "dee"))
    monkeypatch.setattr(Edge, "by", there)
    written = made.rating_list(POOL, "edge").document("json")
    made.publish(made.rating_list(POOL, "edge"), name="there")
    monkeypatch.setattr(Edge, "by", here)
    proof = made.prove(written)
    assert proof.holds, str(proof)
    assert ("1 number lies on the edge of a rounding" in str(proof)) == bool(edges)
    facts = json.loads(written)
    facts["rows"][0][facts["columns"].index("rating")] += 0.0002
    assert not made.prove(facts).holds

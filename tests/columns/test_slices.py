"""Slices of pools and boards: what their lists are, and what is refused."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore import Engine
from ratingcore.cli.main import cli
from ratingcore.columns.slices import Condition, Slice, conditions_of
from ratingcore.errors import BadValue, DoesNotFit, UnknownList, UnknownName

METHODS = ("bradley-terry:prior_games=1", "elo", "glicko", "whr", "periodic")
FITS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "arena[category=coding]": lambda data: data.get("category") == "coding",
    "arena[category!=coding & n>=3]": lambda data: data.get("category") == "math" and data["n"] >= 3,
}


def season(seed: int) -> list[rc.Event]:
    """Results with fields, seeds, and corrections of both: by void, amendment and merge."""
    random = np.random.default_rng(seed)
    made: list[rc.Event] = []
    for n in range(40):
        a, b = random.choice(7, 2, replace=False).tolist()
        data: dict[str, Any] = {"n": int(random.integers(0, 6))}
        if random.random() < 0.9:
            data["category"] = str(random.choice(["coding", "math"]))
        day = f"2024-03-{1 + int(random.integers(0, 28)):02}"
        score = float(random.choice([0.0, 0.5, 1.0]))
        made.append(rc.GamePlayed(uid=f"g{n}", pool="arena", played=day, a=f"p{a}", b=f"p{b}", score=score, data=data))
    made.insert(20, rc.RatingSeeded(uid="s", pool="arena", played="2024-03-05", player="p1", values={"rating": 1800.0}))
    made += [rc.ResultVoided(uid=f"v{n}", of=f"g{n}", why="void") for n in random.choice(20, 4, replace=False).tolist()]
    for n in random.choice(np.arange(20, 40), 4, replace=False).tolist():
        changed = {"category": "math" if n % 2 else "coding"}
        made.append(rc.ResultAmended(uid=f"a{n}", of=f"g{n}", changes=changed, why="w"))
    made.append(rc.PlayersMerged(uid="m", keep="p5", other="p6", why="one"))
    return made


def of_those_alone(events: list[rc.Event], fits: Callable[[dict[str, Any]], bool]) -> Engine:
    """A log with the results of a slice only, as they read in the end, and with everything else."""
    data = {one.uid: dict(one.data) for one in events if isinstance(one, rc.GamePlayed)}
    for one in events:
        if isinstance(one, rc.ResultAmended):
            data[one.of] |= one.changes
    gone = {uid for uid, facts in data.items() if not fits(facts)}
    engine = rc.open(":memory:")
    engine.record(*(one for one in events if one.uid not in gone and getattr(one, "of", "") not in gone))
    return engine


@pytest.mark.parametrize("text", FITS)
@pytest.mark.parametrize("seed", range(3))
def test_a_list_of_a_slice_is_that_of_a_log_with_those_results_only(text: str, seed: int) -> None:
    events = season(seed)
    whole, alone = rc.open(":memory:"), of_those_alone(events, FITS[text])
    whole.record(*events)
    results = Slice.parse(text)
    assert results is not None
    whole.declare("board", of="arena", results=results.results)
    for method in METHODS:
        for through in (None, "2024-03-15"):
            wanted = list(alone.rating_list("arena", method, through))
            assert list(whole.rating_list(text, method, through)) == wanted
            assert list(whole.rating_list("board", method, through)) == wanted


def test_a_slice_has_one_text_whatever_the_order_and_the_quotes() -> None:
    engine = rc.open(":memory:")
    engine.record(*season(1))
    one, other = "arena[n >= 3 & category='coding']", "arena[category=coding & n>=3]"
    listed = [engine.rating_list(text, "elo") for text in (one, other)]
    assert listed[0].pool == listed[1].pool == other
    assert listed[0].digest == listed[1].digest != engine.rating_list("arena", "elo").digest


def test_a_value_in_quotes_may_hold_what_separates() -> None:
    found = Slice.parse("arena[judge='Smith & Co [x]' & note=\"it's\"]")
    assert found is not None
    assert [one.value for one in found.conditions] == ["Smith & Co [x]", "it's"]
    assert Slice.parse(str(found)) == found


@pytest.mark.parametrize("text", ["judge=z'", "judge='z", "judge=O'Neil", 'judge=z"', "judge=z' & n>=3"])
def test_a_quote_without_its_other_one_is_refused(text: str) -> None:
    """The quote was dropped without a word, and the list was that of another value."""
    with pytest.raises(BadValue, match="has an opening quote without a closing one"):
        conditions_of(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("judge=z]", "has ] after judge=z: put quotes around the whole value"),
        ("judge=[z", "has [ after judge=: put quotes around the whole value"),
        ("b=1][c=2", "has ] after b=1: put quotes around the whole value"),
        ("judge='a'b", "has b after judge='a': put quotes around the whole value"),
        ("judge=a&&n>=3", "has no condition such as category=coding on one side of an &"),
        ("& judge=a", "has no condition such as category=coding on one side of an &"),
        ("judge=", "must be a condition such as sex=w or born>=2005"),
    ],
)
def test_what_is_no_condition_is_refused_at_its_place(text: str, why: str) -> None:
    """A bracket or a closed quote in the middle was part of the value, and an & too many was dropped."""
    with pytest.raises(BadValue, match=re.escape(why)):
        conditions_of(text)


KEPT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
SIGNS = st.text("\"'[]&=!<>|\\\n /%?#", max_size=6)


@settings(max_examples=40)
@given(st.lists(KEPT | SIGNS, min_size=2, max_size=2, unique_by=str.casefold))
@example(["", "''"])
@example(["z]", "\\'\""])
def test_a_value_of_any_text_is_asked_for_and_declared_by_its_canonical_text(values: list[str]) -> None:
    engine = rc.open(":memory:")
    for name, value in zip("ab", values, strict=True):
        played = {"pool": "arena", "played": "2024-03-02", "a": f"{name}1", "b": f"{name}2", "score": 1.0}
        engine.record(rc.GamePlayed(**played, data={"judge": value}))
    part = Slice("arena", (Condition("judge", "=", values[0]),))
    listed = engine.rating_list(str(part), "elo")
    assert (listed.player, listed.pool, Slice.parse(listed.pool)) == (("a1", "a2"), str(part), part)
    engine.declare("board", of="arena", results=part.results, method="elo")
    assert list(engine.rating_list("board")) == list(listed)


def test_a_value_of_signs_is_an_argument_of_commands(tmp_path: Path) -> None:
    log, value = str(tmp_path / "a.db"), "z] & 'it''s' \\ \n \"="
    with rc.open(log) as engine:
        for judge, a in ((value, "ann"), ("other", "cy")):
            game = rc.GamePlayed(pool="arena", played="2024-03-02", a=a, b="bo", score=1.0, data={"judge": judge})
            engine.record(game)
    part = Slice("arena", (Condition("judge", "=", value),))
    made = CliRunner().invoke(cli, ["list", log, "--pool", str(part), "--method", "elo", "-f", "csv"])
    assert ("ann" in made.output, "cy" in made.output) == (True, False), made.output


def test_a_value_may_have_both_kinds_of_quotes() -> None:
    engine, value = rc.open(":memory:"), "\"it's\" & 'so'"
    for judge in (value, "it's"):
        vote = rc.GamePlayed(pool="arena", played="2024-03-02", a="ann", b="bo", score=1.0, data={"judge": judge})
        engine.record(vote)
    text = "arena[judge='\"it''s\" & ''so''']"
    assert engine.rating_list(text, "elo").games.tolist() == [1, 1]
    assert engine.rating_list(text, "elo").pool == text


def test_a_field_that_no_result_has_and_a_condition_that_is_none_are_refused() -> None:
    engine = rc.open(":memory:")
    engine.record(*season(1))
    with pytest.raises(UnknownName, match="field of results named: categroy in pool arena"):
        engine.rating_list("arena[categroy=coding]", "elo")
    with pytest.raises(UnknownName, match="pool named: arema"):
        engine.rating_list("arema[category=coding]", "elo")
    with pytest.raises(UnknownName, match=r"pool named: arena\[coding\]"):
        engine.rating_list("arena[coding]", "elo")
    assert engine.rating_list("arena[category=poetry]", "elo").player == ("p1",)  # who has a seed


def test_a_pool_that_is_called_like_a_slice_stays_what_it_is() -> None:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(pool="cup[group=a]", played="2024-03-02", a="ann", b="bo", score=1.0))
    engine.record(rc.GamePlayed(pool="cup", played="2024-03-02", a="cy", b="dee", score=1.0))
    assert engine.rating_list("cup[group=a]", "elo").player == ("ann", "bo")


def test_nothing_is_recorded_in_a_slice_or_a_board() -> None:
    engine = rc.open(":memory:")
    engine.record(*season(1))
    engine.declare("coding", of="arena", results="category=coding", method="elo:k=24")
    game = rc.GamePlayed(uid="x", pool="coding", played="2024-04-01", a="p1", b="p2", score=1.0)
    with pytest.raises(DoesNotFit, match="x cannot be recorded in coding: it takes its results and seeds from pool ar"):
        engine.record(game)
    with pytest.raises(DoesNotFit, match=r"it is a slice: its results are those of pool arena"):
        engine.record(rc.GamePlayed(uid="y", pool="arena[n=1]", played="2024-04-01", a="p1", b="p2", score=1.0))
    with pytest.raises(BadValue, match="is spelt like a slice of a pool: name it without brackets"):
        engine.declare("arena[1]", method="elo")
    with pytest.raises(BadValue, match="is a board"):
        engine.declare("sub", of="coding", results="n=1")
    engine.record(rc.GamePlayed(pool="other arena", played="2024-04-01", a="p1", b="p2", score=1.0, data={"n": 1}))
    with pytest.raises(BadValue, match="has results or seeds of its own"):
        engine.declare("arena", of="other arena", results="n=1")
    with pytest.raises(BadValue, match="must be a condition"):
        engine.declare("other", of="arena", results="coding")


def test_a_board_answers_its_own_question_and_is_published_proven_and_restated(tmp_path: Path) -> None:
    with rc.open(tmp_path / "a.db") as engine:
        engine.record(*season(2))
        engine.declare("coding", of="arena", results="category=coding", method="elo:k=24", digits=0)
        march = engine.rating_list("coding")
        assert march.provenance.method.startswith("elo@1(k=24.0")
        engine.publish(march, name="2024-03")
        published = march.document("json")
        for row in engine.log.rows_at(engine.core.view("coding").known()[1][:3].tolist()):
            engine.void(row.uid, why="judge withdrawn")
        then, now = engine.rating_list("coding", known_at="2024-03"), engine.rating_list("coding")
        assert list(then) == list(march) != list(now)
    (tmp_path / "list.json").write_text(published)
    made = CliRunner().invoke(cli, ["prove", str(tmp_path / "list.json"), str(tmp_path / "a.db")])
    assert made.exit_code == 0, made.output


def test_a_slice_of_a_board_is_rated_as_the_board_declares() -> None:
    """It was by the rule of the pool below, or by plain elo, and was said to be undeclared."""
    with rc.open(":memory:") as engine:
        engine.record(*season(2))
        engine.declare("arena", method="elo:k=7")
        engine.declare("coding", of="arena", results="category=coding", method="elo:k=24", digits=0)
        engine.declare("bare", of="arena", results="category=coding")
        board, part = engine.rating_list("coding"), engine.rating_list("coding[n>=0]")
        assert list(part) == list(board)
        assert part.provenance.method == board.provenance.method
        assert (part.provenance.policy, part.provenance.undeclared) == (board.provenance.policy, False)
        for name in ("bare[n>=0]", "arena[n>=0]"):
            assert engine.rating_list(name).provenance.method.startswith("elo@1(k=7.0")


def test_meetings_of_a_slice_are_predicted_by_its_list() -> None:
    events = season(1)
    engine, alone = rc.open(":memory:"), of_those_alone(events, FITS["arena[category=coding]"])
    engine.record(*events)
    found = engine.predict("arena[category=coding]", "elo", [("p1", "p2")])
    wanted = alone.predict("arena", "elo", [("p1", "p2")])
    assert found[0].expected == wanted[0].expected
    assert found[0].after == wanted[0].after


@pytest.mark.parametrize("method", METHODS)
def test_a_slice_as_known_then_is_that_of_the_log_then(method: str) -> None:
    events = season(4)
    whole, then = rc.open(":memory:"), rc.open(":memory:")
    whole.record(*events)
    then.record(*events[:44])
    text = "arena[category=coding]"
    assert list(whole.rating_list(text, method, known_at=44)) == list(then.rating_list(text, method))


def test_a_judge_is_withdrawn_from_every_board_and_known_then_still_there(tmp_path: Path) -> None:
    """`void --pool` with a slice takes its results back, and `log --pool` lists them with what is about them."""
    log = str(tmp_path / "a.db")
    with rc.open(log) as engine:
        engine.record(*season(3))
        engine.declare("coding", of="arena", results="category=coding", method="elo")
        before = {pool: list(engine.rating_list(pool)) for pool in ("coding", "arena")}
        position, count = engine.log.head.position, engine.core.view("arena[n=2]").n_games

    def run(*words: str) -> str:
        made = CliRunner().invoke(cli, list(words))
        assert made.exit_code == 0, made.output
        return made.output

    assert "chosen" in run("void", log, "--pool", "arena[n=2]", "--why", "judge withdrawn", "--dry-run", "-m", "elo")
    listed = run("log", log, "--pool", "arena[n=2]", "--kind", "game", "-f", "csv").splitlines()
    assert len(listed) == 1 + count
    run("void", log, "--pool", "arena[n=2]", "--why", "judge withdrawn")
    with rc.open(log) as engine:
        for pool, rows in before.items():
            assert list(engine.rating_list(pool, known_at=position)) == rows != list(engine.rating_list(pool))
            wanted = list(
                engine.rating_list("arena[n!=2 & category=coding]" if pool == "coding" else "arena[n!=2]", "elo")
            )
            assert list(engine.rating_list(pool)) == wanted


def test_a_judge_who_was_withdrawn_stays_so_when_the_file_comes_again(tmp_path: Path) -> None:
    """A void of a slice decides about each result: it is not a file that was taken back, and may come anew."""
    log, votes = str(tmp_path / "a.db"), tmp_path / "votes.csv"
    rows = (f"2024-03-{i % 28 + 1:02},{'abc'[i % 3]},{'bcd'[i % 3]},1,j{i % 4}" for i in range(40))
    votes.write_text("played,a,b,score,judge\n" + "\n".join(rows) + "\n", encoding="utf-8")
    with rc.open(log) as engine:
        engine.import_file(votes, pool="arena")
        engine.declare("third", of="arena", results="judge=j3", method="elo")
        chosen = engine.plan.chosen(pool="arena[judge=j3]")
        assert engine.plan.chosen(pool="third") == chosen  # a board is the slice it is of
        engine.apply(engine.plan.void_all(chosen, why="judge withdrawn"))
        withdrawn = list(engine.rating_list("arena", "elo"))
        report = engine.import_file(votes, pool="arena")
        assert (report.accepted, report.rows.counts()["voided"]) == (0, 10)
        assert list(engine.rating_list("arena", "elo")) == withdrawn


def test_the_impact_of_a_result_on_a_board_is_that_on_its_list() -> None:
    engine = rc.open(":memory:")
    engine.record(*season(2))
    engine.declare("coding", of="arena", results="category=coding", method="elo")
    row = next(iter(engine.log.rows_at(engine.core.view("coding").known()[1][-1:].tolist())))
    for pool in ("coding", "arena[category=coding]"):
        made = engine.impact(row.uid, pool, "elo")
        assert {made.pool, len(made) > 0} == {pool, True}
    assert len(engine.impact(row.uid, "arena[category=math]", "elo")) == 0


def test_a_slice_is_published_as_a_board_only() -> None:
    engine = rc.open(":memory:")
    engine.record(*season(2))
    with pytest.raises(BadValue, match="must be a whole pool or a declared board: declare the slice as a board first"):
        engine.publish(engine.rating_list("arena[n=1]", "elo"), name="2024-03")


def test_what_is_imported_into_a_board_is_refused_and_pools_show_its_slice(tmp_path: Path) -> None:
    log, file = str(tmp_path / "a.db"), tmp_path / "games.csv"
    with rc.open(log) as engine:
        engine.record(*season(1))
        engine.declare("coding", of="arena", results="category=coding", method="elo")
    file.write_text("a,b,score,played\nx,y,1,2024-01-01\n", encoding="utf-8")
    for pool in ("coding", "arena[n=1]"):
        made = CliRunner().invoke(cli, ["import", log, str(file), "--pool", pool])
        assert made.exit_code == 1
        assert f"refused, line 2: nothing is recorded in pool {pool}: it " in made.output
    shown = CliRunner().invoke(cli, ["pools", log, "-f", "csv"]).output
    assert "coding,6," in shown
    assert ",arena[category=coding]" in shown


def test_a_board_by_a_field_that_no_result_has_is_not_declared() -> None:
    with rc.open(":memory:") as engine:
        engine.record(*season(1))
        with pytest.raises(UnknownName, match="no field of results named: categ in pool arena"):
            engine.declare("coding", of="arena", results="categ=coding")
        assert engine.pools() == ["arena"]


def test_the_results_of_a_board_are_voided_by_its_name_alone(tmp_path: Path) -> None:
    """It asked for a source, although a slice was enough."""
    log = str(tmp_path / "a.db")
    with rc.open(log) as engine:
        engine.record(*season(3))
        engine.declare("coding", of="arena", results="category=coding", method="elo")
        count, others = engine.core.view("coding").n_games, engine.core.view("arena[category!=coding]").n_games
    made = CliRunner().invoke(cli, ["void", log, "--pool", "coding", "--why", "a leaked test"])
    assert made.exit_code == 0, made.output
    assert f"chosen: {count} of kind game" in made.output
    with rc.open(log) as engine:
        assert engine.core.view("coding").n_games == 0
        assert engine.core.view("arena[category!=coding]").n_games == others
    whole = CliRunner().invoke(cli, ["void", log, "--pool", "arena"])
    assert whole.exit_code == 2
    assert "expected UID..., or --source PATTERN, or --positions N-M" in whole.output


@pytest.mark.parametrize("pool", ["coding", "arena[category=coding]"])
def test_the_results_of_a_slice_or_a_board_are_exported(pool: str) -> None:
    """A table of a board was empty, and a slice was no pool."""
    engine = rc.open(":memory:")
    engine.record(*season(2))
    engine.declare("coding", of="arena", results="category=coding", method="elo")
    uids = [line.split(",")[1] for line in b"".join(engine.written("results", pool=pool)).decode().splitlines()[1:]]
    view = engine.core.view("arena[category=coding]")
    assert uids == [row.uid for row in engine.log.rows_at(sorted(view.known()[1].tolist()))]
    assert 0 < len(uids) < engine.core.view("arena").n_games


def test_no_list_of_a_slice_is_published_and_asking_for_one_says_so() -> None:
    """It was a failure of ours."""
    engine = rc.open(":memory:")
    engine.record(*season(2))
    engine.declare("coding", of="arena", results="category=coding", method="elo")
    engine.publish(engine.rating_list("coding"), name="2024-03")
    assert engine.published_list("2024-03", "coding").pool == "coding"
    with pytest.raises(UnknownList, match="no list was published as: 2024-03"):
        engine.published_list("2024-03", "arena[category=coding]")


def test_a_result_for_a_slice_is_refused_with_a_way_out_that_works(tmp_path: Path) -> None:
    """The hint was to declare what the slice takes, which is refused."""
    log = str(tmp_path / "a.db")
    with rc.open(log) as engine:
        engine.record(*season(1))
    given = ["record", log, "p1", "p2", "1", "--played", "2024-04-01", "--pool", "arena[n=1]"]
    assert "hint: name the pool without the conditions" in CliRunner().invoke(cli, given).output
    assert CliRunner().invoke(cli, [*given[:-1], "arena"]).exit_code == 0

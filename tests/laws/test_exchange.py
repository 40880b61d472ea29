"""What is written as results comes back from an import as it was: every field of every result, in every form."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.events import GamePlayed, SessionPlayed, Side
from ratingcore.registry import Registry

INSTALLED = Registry.installed()

NAMES = st.sampled_from(sorted(INSTALLED.result_fields() | {"id", "session", "venue", "home", "boards_by_side"}))
WORDS = st.text(st.characters(categories=["Lu", "Ll"], codec="latin-1"), min_size=1, max_size=8).filter(
    lambda word: word not in ("true", "false")  # a cell of a table has no quotes: they come back as what they mean
)
VALUES = st.one_of(
    st.booleans(), st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9).map(lambda n: n / 1000), WORDS,
    st.sampled_from(["nan", "1 2/3", "007", "true story", "a,b;c", 'the "Cup"', "+", "2024-03-02"]),
)  # fmt: skip
FACTS = st.dictionaries(NAMES, VALUES, max_size=6)


def events_of(engine: rc.Engine) -> dict[str, object]:
    return {event.uid: event for _, event in engine.events() if isinstance(event, GamePlayed | SessionPlayed)}


def brought_back(before: rc.Engine, file: Path) -> rc.Engine:
    """A log of what another one wrote into a file."""
    file.write_bytes(b"".join(before.written("results", file.name)))
    after = rc.open(":memory:")
    report = after.import_file(file)
    assert report.refused == []
    return after


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "xlsx"])
@settings(max_examples=20, deadline=None)
@given(games=st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, 0.3]), FACTS), min_size=1, max_size=5))
def test_every_field_goes_out_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, form: str, games: list[tuple[float, dict[str, object]]]
) -> None:
    with rc.open(":memory:") as before:
        for number, (score, facts) in enumerate(games):
            day = f"2024-03-{number + 1:02}"
            before.record(GamePlayed(uid=f"g-{number}", pool="p", played=day, a="ann", b="bo", score=score, data=facts))
        with brought_back(before, tmp_path_factory.mktemp("out") / f"results.{form}") as after:
            assert events_of(after) == events_of(before)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_sessions_come_back_with_the_order_of_their_sides(tmp_path: Path, form: str) -> None:
    sides = [Side(["ann", "bo"], 40.0), Side(["cy", "di"], 60.0), Side(["eve", "flo"], 50.0)]
    facts = {"boards": 24, "first_line": 1, "weights": "1 1 1 1 1/2 1/2", "home": "n"}
    with rc.open(":memory:") as before:
        before.record(SessionPlayed(uid="s-1", pool="p", played="2024-03-02", sides=sides, data=facts))
        before.record(GamePlayed(uid="g-1", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        with brought_back(before, tmp_path / f"results.{form}") as after:
            assert events_of(after) == events_of(before)


def test_a_list_of_national_teams_is_the_same_after_a_round_trip(tmp_path: Path) -> None:
    facts = {"points_a": 2, "points_b": 1, "tournament": "FIFA World Cup", "stage": "final", "window": "no",
             "neutral": True, "shootout": "a"}  # fmt: skip
    with rc.open(":memory:") as before:
        before.record(GamePlayed(uid="g", pool="men", played="2022-12-18", a="ARG", b="FRA", score=1.0, data=facts))
        with brought_back(before, tmp_path / "results.csv") as after:
            for method in ("world-football-elo", "fifa"):
                ours, theirs = (engine.rating_list("men", method) for engine in (before, after))
                assert theirs.digest == ours.digest


def test_a_table_of_others_gives_the_fields_of_installed_methods_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "matches.csv"
    file.write_text("played,a,b,score,tournament,referee\n2022-12-18,ARG,FRA,1/2,FIFA World Cup,Marciniak\n")
    with rc.open(":memory:") as engine:
        report = engine.import_file(file, "men")
        (event,) = events_of(engine).values()
    assert isinstance(event, GamePlayed)
    assert (dict(event.data), report.unused_columns) == ({"tournament": "FIFA World Cup"}, ["referee"])

"""Results between two names that are merged into one player are told, and left out of lists by name."""

from pathlib import Path

import ratingcore as rc
from ratingcore.corrections.merge import self_pairings
from tests.log.making import game


def test_results_between_merged_names_are_found_and_counted(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(game("g-1", "ann", "bo"), game("g-2", "anna", "cy"))
        assert list(self_pairings(engine.log)) == []
        engine.merge("ann", "anna")
        engine.record(game("g-3", "ann", "anna", played="2024-04-02"))
        session = rc.SessionPlayed(
            pool="bridge", played="2024-03-02", sides=[rc.Side(["ann", "bo"], 60), rc.Side(["cy", "anna"], 40)]
        )
        engine.record(session)
        assert list(self_pairings(engine.log)) == [4, 5]
        assert list(self_pairings(engine.log, 4)) == [5]
        made = engine.rating_list("rapid", "elo").provenance
        assert made.left_out == (("game between two names of one player, the first at position 4", 1),)
        assert engine.rating_list("rapid", "elo", through="2024-03-31").provenance.left_out == ()
        engine.amend("g-3", {"b": "di"})
        assert engine.rating_list("rapid", "elo").provenance.left_out == ()


def test_an_import_warns_of_them(tmp_path: Path) -> None:
    file = tmp_path / "may.csv"
    file.write_text("played,a,b,score\n2024-05-01,ann,anna,1-0\n2024-05-02,ann,bo,1-0\n", encoding="utf-8")
    with rc.open(":memory:") as engine:
        engine.record(game("g-1", "ann", "bo"), game("g-2", "anna", "cy"))
        engine.merge("ann", "anna")
        (warning,) = engine.import_file(file, pool="rapid").warnings
    assert warning.startswith("1 result is between two names that are merged into one player")


def test_the_last_result_of_a_log_is_looked_at_too() -> None:
    with rc.open(":memory:") as engine:
        engine.record(game("g-1", "ann", "bo"), game("g-2", "anna", "cy"))
        engine.merge("ann", "anna")
        engine.record(game("g-3", "ann", "anna", played="2024-04-02"))
        assert engine.log.head.position == 4
        assert list(self_pairings(engine.log)) == [4]
        assert list(self_pairings(engine.log, 3)) == [4]
        assert list(self_pairings(engine.log, 4)) == []

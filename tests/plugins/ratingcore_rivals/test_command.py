"""`ratingcore superiority`: a row and a column a player."""

import json
from pathlib import Path

import pytest
from ratingcore_rivals import superiority

from ratingcore import open as open_log
from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]


def test_the_matrix_is_that_of_the_engine(run: Run, club: Path) -> None:
    code, out, _ = run("superiority", "club.db", "-m", "glicko", "-f", "json")
    assert code == 0
    with open_log(club) as engine:
        found = superiority(engine, engine.rating_list("rapid", "glicko"))
    rows = json.loads(out)
    assert [row["player"] for row in rows] == list(found.player)
    assert rows[0][f"over {found.player[1]}"] == pytest.approx(found.chance[0, 1])
    assert rows[0][f"over {found.player[0]}"] is None


def test_a_table_has_a_column_a_place(run: Run, club: Path) -> None:
    out = run("superiority", "club.db", "-m", "glicko", "cy", "ann", "-f", "table").out
    assert out.splitlines()[0].split() == ["place", "player", "1", "2"]
    assert [line.split()[1] for line in out.splitlines()[1:]] == ["cy", "ann"]
    top = run("superiority", "club.db", "-m", "glicko", "--top", 1, "-f", "csv").out
    assert len(top.splitlines()) == 2


def test_a_method_without_deviations_is_refused_with_a_hint(run: Run, club: Path) -> None:
    code, out, err = run("superiority", "club.db", "-m", "elo")
    assert (code, out) == (2, "")
    assert "hint: glicko, bradley-terry, whr" in err


def test_an_order_is_a_row_a_player_with_a_sentence_below(run: Run, club: Path) -> None:
    code, out, err = run("order", "club.db", "-m", "glicko", "-f", "json")
    rows = json.loads(out)
    assert code == 0
    assert list(rows[0]) == ["rank", "player", "rating", "first", "last", "tier", "ahead"]
    assert "can be told apart (at 95% confidence for all pairs at once)" in err
    table = run("order", "club.db", "-m", "glicko", "--level", "0.5", "-f", "table").out
    assert "(at 50% confidence for all pairs at once)" in table

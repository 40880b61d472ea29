"""The gallery's numbers of two archives against a program that shares no code with it."""

import re

import pytest

from gallery.__main__ import HERE
from gallery.archives import ARCHIVES
from gallery.comparing import Result, Row

from .plain import PROGRAMS, Forecast, Game, elo, glicko, log_loss

SPLITS = {archive.key: archive.split for archive in ARCHIVES}


@pytest.mark.parametrize("key", PROGRAMS)
@pytest.mark.parametrize("label", ["elo, no home", "elo, home", "glicko"])
def test_plain_python_meets_the_log_loss_of_the_gallery(key: str, label: str) -> None:
    result = Result.read(HERE / "results" / f"{key}.json")
    row = result.row(label)
    assert row is not None
    scored, loss = log_loss(_forecasts(row, PROGRAMS[key]()), SPLITS[key])
    assert scored == result.scored
    assert loss == pytest.approx(row.log_loss, abs=6e-7)


def _forecasts(row: Row, games: list[Game]) -> "list[Forecast]":
    """The plain program with the parameters that the gallery chose."""
    told = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", row.text)}
    if row.text.startswith("elo:"):
        return list(elo(games, told["k"], told.get("first_move", 0.0)))
    return list(glicko(games, told["c"], told["deviation"], told["first_move"]))

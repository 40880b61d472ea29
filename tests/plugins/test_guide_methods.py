"""The further methods of `docs/writing` do what is said of them: they are loaded as written, checked and used."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.plugin import Method
from ratingcore.testing import check_method
from tests.plugins.test_ten_minutes import files_of_guides


def module_of(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of a file of the guide."""
    text = files_of_guides()[f"{name}.py"]
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def method_of(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Method:
    """The method of a file of the guide."""
    (kind,) = module_of(name, folder, monkeypatch).ratingcore_methods()
    made: Method = kind()
    return made


@pytest.mark.parametrize(("name", "silent"), [("ratingcore_teams", False), ("ratingcore_zermelo", True)])
def test_a_method_of_the_guide_keeps_the_laws(
    name: str, silent: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = check_method(method_of(name, tmp_path, monkeypatch), further=())
    assert report.passed, "\n".join(report.lines())
    (ahead,) = (result for result in report.results if result.law == "ahead")
    assert ahead.verdict == ("does not apply" if silent else "ok")


def test_the_method_of_sides_rates_lists_and_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    teams = method_of("ratingcore_teams", tmp_path, monkeypatch)
    with rc.open(":memory:") as engine:
        for number, cup in enumerate(("league", "friendly", "final")):
            sides = [rc.Side(("ann", "bo"), 3.0), rc.Side(("cy",), 1.0), rc.Side(("di",), 1.0)]
            engine.record(
                rc.SessionPlayed(pool="quiz", played=f"2024-03-{number + 1:02d}", sides=sides, data={"cup": cup})
            )
        first = next(row for row in engine.forecasts("quiz", teams) if row["player"] == "ann")
        listed = engine.rating_list("quiz", teams)
        compared = engine.compare("quiz", [teams, "weng-lin"])
    assert first["change"] == pytest.approx(24.0 * (1.0 - 0.5))  # ahead of both, of whom it expected one half
    ann = next(row for row in listed if row["player"] == "ann")
    assert ann["met"] == 6
    assert ann["surer"] < ann["rating"]
    assert compared.sessions["sessions"] == (3, 3)


def test_the_method_over_the_whole_pool_has_the_published_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from attrs import evolve

    zermelo: Any = method_of("ratingcore_zermelo", tmp_path, monkeypatch)
    with rc.open(":memory:") as engine:
        for day, score in enumerate((1.0, 1.0, 1.0, 0.0), 1):
            engine.record(rc.GamePlayed(pool="two", played=f"2024-03-{day:02d}", a="ann", b="bo", score=score))
        listed = {row["player"]: row["rating"] for row in engine.rating_list("two", evolve(zermelo, draws=1e-9))}
    assert listed["ann"] - listed["bo"] == pytest.approx(2 * 95.424251, abs=1e-3)  # Bradley-Terry, three to one

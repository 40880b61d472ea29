"""`ratingcore plot`: pictures that are what their names say, and mistakes told before any work."""

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from ratingcore_pages.plot import expected_scores

from ratingcore import GamePlayed
from ratingcore import open as open_log
from ratingcore.report.style import FEW, Picture
from ratingcore.report.table import Table
from tests.cli.conftest import Run

GAPS = np.arange(-400.0, 401.0, 10.0)
KINDS = ("curves", "calibration", "distribution", "health")


def words(svg: str) -> str:
    return " ".join(text for node in ElementTree.fromstring(svg).iter() for text in [node.text] if text)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_picture_on_stdout_with_labelled_axes(run: Run, club: Path, kind: str) -> None:
    code, out, err = run("plot", club, kind, "-m", "elo")
    assert (code, err) == (0, "")
    said = words(out)
    assert f"rapid: {kind}" in said
    assert {"curves": "date", "calibration": "expected score, share of the point"}.get(kind, "") in said


def test_the_names_of_players_stand_in_the_picture(run: Run, club: Path) -> None:
    said = words(run("plot", club, "curves", "ann", "bo (guest)", "--method", "elo", "--method", "elo:k=40").out)
    assert all(name in said for name in ("ann", "bo (guest)", "elo:k=40"))
    assert "cy" not in said.split()


def test_a_name_that_no_xml_may_hold_is_drawn_with_a_stand_in(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log of an older version may hold such a name: the process that drew it was aborted by the library."""
    with monkeypatch.context() as older, open_log(tmp_path / "old.db") as engine:
        older.setattr("ratingcore.events.bounds.flaw", lambda *_: "")
        engine.record(GamePlayed(pool="rapid", played="2024-03-02", a="ann\ufffe", b="bo", score=1.0))
    assert "ann\ufffd" in words(run("plot", "old.db", "curves", "-m", "elo").out)


def test_a_rating_with_a_deviation_stands_in_a_band(run: Run, club: Path) -> None:
    plain, banded = (run("plot", club, "curves", "ann", "-m", method).out for method in ("elo", "glicko"))
    assert "mark-area" in banded
    assert "mark-area" not in plain


def test_a_file_is_png_or_svg_as_it_is_named(run: Run, club: Path) -> None:
    assert run("plot", club, "distribution", "--to", "d.PNG").code == 0
    assert run("plot", club, "distribution", "-m", "elo", "--to", "d.svg").err.startswith("d.svg: ")
    assert (club.parent / "d.PNG").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (club.parent / "d.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_curve_of_methods_needs_no_log(run: Run, tmp_path: Path) -> None:
    code, out, err = run("plot", "curve", "-m", "elo", "-m", "elo:curve=normal,draw_band=50", "-m", "berkin")
    assert code == 0
    assert err == "left out: " + (
        "berkin cannot say what to expect of two ratings: it rates a whole pool at once, from all its results\n"
    )
    said = words(out)
    assert all(text in said for text in ("elo:curve=normal,draw_band=50", "expected score, share of the point"))
    with_log = run("plot", "none.db", "curve", "-m", "elo")
    assert with_log.err == "note: a curve shows methods without a log, so none.db is not read\n"
    assert with_log.out == run("plot", "curve", "-m", "elo").out
    assert run("plot", "curve", "--to", "curve.png").code == 0
    assert (tmp_path / "curve.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_opponent_of_a_curve_matters_where_the_level_does(run: Run) -> None:
    low, high = (run("plot", "curve", "-m", "egf", "--opponent", level).out for level in (500, 2000))
    assert "egf" in words(low)
    assert low != high


def test_more_curves_than_can_be_told_apart_are_left_out_with_a_note(run: Run) -> None:
    methods = [word for scale in range(300, 1000, 100) for word in ("-m", f"elo:scale={scale}")]
    assert run("plot", "curve", *methods).err == "left out, since a picture has room for 6 curves: elo:scale=900\n"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("club.db", "curve", "ann"), "a curve shows methods without a log: ann"),
        (("curve", "--pool", "rapid"), "a curve shows methods without a log: --pool"),
        (("curve", "-m", "berkin"), "there is nothing to draw: no method makes a forecast from two ratings"),
        (("club.db",), "missing argument 'KIND'"),
        (("club.db", "health", "--opponent", "1500"), "--opponent is an option of curve, not of health"),
        ((), "missing argument 'LOG'"),
    ],
)
def test_mistakes_about_curves_are_told(run: Run, club: Path, asked: tuple[str, ...], told: str) -> None:
    code, out, err = run("plot", *asked)
    assert (code, out) == (2, "")
    assert told in err


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("curves", "nobody"), "no player named: nobody"),
        (("health", "ann"), "players can be named for curves"),
        (("curves", "--to", "picture.pdf"), "neither a .png nor a .svg file: picture.pdf"),
        (("curves", "--to", "club.svg"), "this path exists already: club.svg"),
        (("curves", "--through", "2020-01-01"), "there is nothing to draw of pool rapid"),
        (("calibration", "--through", "2020-01-01"), "rapid"),
        (("pie",), "'pie' is not one of"),
    ],
)
def test_mistakes_are_told(run: Run, club: Path, asked: tuple[str, ...], told: str) -> None:
    (club.parent / "club.svg").write_text("mine")
    code, out, err = run("plot", club, *asked)
    assert (code, out) == (2, "")
    assert told in err
    assert (club.parent / "club.svg").read_text() == "mine"


def test_a_terminal_gets_no_letters_of_a_picture(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    code, out, err = run("plot", club, "curves")
    assert (code, out) == (2, "")
    assert "--to picture.png" in err


def test_without_the_packages_it_says_what_to_install(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    code, out, err = run("plot", club, "curves")
    assert (code, out) == (2, "")
    assert err.endswith('[report]"\n')


def test_a_method_that_shows_nonsense_is_named(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a method shows was drawn without being looked at."""
    from ratingcore_elo import Elo

    monkeypatch.setattr(Elo, "show", lambda self, state, at: {"rating": [1.0]})
    code, out, err = run("plot", club, "distribution")
    assert (code, out, "elo" in err) == (1, "", True), err


def table(*methods: str) -> Table:
    columns = {
        "method": tuple(method for method in methods for _ in GAPS),
        "gap": np.tile(GAPS, len(methods)),
        "expected": np.concatenate([0.5 + GAPS / (1000.0 * (n + 1)) for n in range(len(methods))]),
    }
    return Table("expected_scores", "Expected scores", columns)


def cells(picture: Picture) -> list[dict[str, Any]]:
    """The rows from which a picture is drawn."""
    (rows,) = picture.chart.to_dict()["datasets"].values()
    return list(rows)


def test_every_method_has_a_curve_with_marks_at_gaps_of_its_own() -> None:
    (picture,) = expected_scores(table("elo", "dwz"))
    assert picture.description == "Expected score against gap; at 200 points: elo 0.7, dwz 0.6."
    rows = cells(picture)
    assert len(rows) == 2 * len(GAPS)
    marked = [{row["gap"] for row in rows if row["method"] == name and "mark" in row} for name in ("elo", "dwz")]
    assert marked[0]
    assert not marked[0] & marked[1]


def test_more_methods_than_can_be_told_apart_are_not_drawn() -> None:
    (picture,) = expected_scores(table(*(f"elo:k={k}" for k in range(FEW + 2))))
    drawn = {row["method"] for row in cells(picture)}
    assert drawn == {f"elo:k={k}" for k in range(FEW)}


def test_one_method_gives_the_picture_its_title_and_none_gives_no_picture() -> None:
    assert expected_scores(table("elo"))[0].title == "expected score against gap: elo"
    assert expected_scores(table("elo", "dwz"))[0].title == "expected score against gap"
    assert expected_scores(Table("expected_scores", "Expected scores", {"method": (), "gap": (), "expected": ()})) == []

"""An explanation as a page: its numbers are the command's, corrections are marked, and what changed since is said."""

import csv
import io
from pathlib import Path

from tests.cli.conftest import Run
from tests.plugins.ratingcore_pages.leagues import HOSTILE, league
from tests.plugins.ratingcore_pages.test_pages import cells


def test_the_lines_of_the_page_are_those_of_the_command(run: Run, tmp_path: Path) -> None:
    league(str(tmp_path / "club.db")).close()
    assert run("explain", "club.db", "ann", "--to", "ann.html").code == 0
    html = (tmp_path / "ann.html").read_text()
    rows = list(csv.DictReader(io.StringIO(run("explain", "club.db", "ann", "--format", "csv").out)))
    shown = [row for row in cells(html) if len(row) == 7][1:]
    for row, texts in zip(rows[1:-1], shown, strict=True):
        change = texts[5].replace("\N{MINUS SIGN}", "-")
        assert (texts[0], texts[1]) == (row["played"], row["opponent"])
        assert abs(float(change) - float(row["contribution"])) < 0.01
        assert abs(float(texts[6]) - float(row["rating"])) < 0.01
    for row in (rows[0], rows[-1]):
        assert f"<dd>{float(row['rating']):.2f}<small>" in html
    assert HOSTILE not in html
    assert "Nothing in it differs today." in html


def test_corrections_are_marked_and_what_they_changed_is_said(run: Run, tmp_path: Path) -> None:
    engine = league(str(tmp_path / "club.db"))
    engine.void("g-1-0", why="played by a substitute", by="secretary")
    engine.amend("g-2-0", {"score": 0.0}, why="wrong result")
    engine.close()
    assert run("explain", "club.db", "ann", "--to", "ann.html").code == 0
    html = (tmp_path / "ann.html").read_text()
    assert "wrong result" in html
    changed = html.partition("was published</h2>")[2]
    assert "played by a substitute" in changed
    lines = run("explain", "club.db", "ann", "--against", "March", "-t", "2024-03-05", "-f", "csv").out.splitlines()
    assert len([row for row in cells(changed) if len(row) == 5]) - 1 == len(lines) - 3
    assert run("explain", "club.db", "ann", "--language", "de", "--to", "de.html").code == 0
    assert "Seit die Liste <bdi>March</bdi>" in (tmp_path / "de.html").read_text()

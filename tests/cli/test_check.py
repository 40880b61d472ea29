"""`ratingcore check`: a line a law, and the exit code."""

from pathlib import Path

import pytest

from ratingcore.testing import Report, Result

from .conftest import Run


def test_check_tells_a_line_a_law_and_fails_with_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def report(verdict: str) -> Report:
        return Report("elo", (Result("finite", "elo", verdict, "because"),))  # type: ignore[arg-type]  # a verdict

    monkeypatch.setattr("ratingcore.testing.check_method", lambda method: report("ok"))
    code, out, err = run("check", "elo:k=40")
    assert (code, err, len(out.splitlines())) == (0, "", 1)
    monkeypatch.setattr("ratingcore.testing.check_method", lambda method: report("FAILED"))
    code, out, err = run("check", "elo")
    assert (code, len(out.splitlines())) == (1, 1)
    assert err == "error: elo breaks laws of the method contract\n"


def test_a_reader_is_checked_on_files_of_its_format(run: Run) -> None:
    Path("games.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1\n2024-03-09,bo,ann,0.5\n")
    code, out, err = run("check", "--reader", "csv", "games.csv")
    assert (code, out.count("ok ")) == (0, 5), out + err
    assert run("check", "--reader", "nothing", "games.csv").code == 2
    assert run("check", "elo", "dwz").code == 2
    Path("none.csv").write_text("a,b\n")
    code, out, _ = run("check", "--reader", "csv", "none.csv")
    assert (code, "FAILED" in out) == (1, True)

"""`ratingcore check`: a line a law, and the exit code."""

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

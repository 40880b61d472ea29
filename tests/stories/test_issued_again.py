"""The story of files that come again: uploads of tournaments in any order, and rows that are pasted twice."""

import json
import random
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

__all__ = ["run"]

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "opengotha"
UPLOADS = sorted(FOLDER.glob("*_*.xml"), key=lambda path: path.stem.partition("_")[2])


def listed(run: Run, log: str, *cut: object) -> str:
    """The list of a log, as bytes of JSON lines would be."""
    code, out, err = run("list", log, "--format", "jsonl", *cut)
    assert code == 0, err
    return out


def counted(out: str) -> dict[str, int]:
    """The sums of the reports of an import."""
    reports = json.loads(out)
    reports = reports if isinstance(reports, list) else reports.get("files", [reports])
    keys = ("read", "accepted", "amended", "duplicates", "unrated", "refused", "voided", "renamed")
    sums = {key: sum(_count(report[key]) for report in reports if key in report) for key in keys}
    parts = ("accepted", "amended", "duplicates", "unrated", "refused")
    assert sums["read"] == sum(sums[key] for key in parts)
    return sums


def _count(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_count, value.values()))
    return value if isinstance(value, int) else len(value)  # type: ignore[arg-type]  # rows with their reasons


@pytest.mark.parametrize("seed", [1, 2])
def test_nineteen_uploads_in_any_order_are_one_history(run: Run, seed: int) -> None:
    assert len(UPLOADS) == 19
    mixed = random.Random(seed).sample(UPLOADS, 19)
    code, out, err = run("import", "go.db", *mixed, "--pool", "go", "--format", "json")
    assert code == 0, err
    sums = counted(out)
    assert [sums[key] for key in ("accepted", "amended", "voided", "renamed", "refused")] == [361, 7, 4, 2, 0]
    before = listed(run, "go.db")
    for path in mixed:
        code, out, err = run("import", "go.db", path, "--pool", "go", "--format", "json")
        again = counted(out)
        assert (code, again["accepted"], again["amended"], again["voided"]) == (0, 0, 0, 0), err
    assert listed(run, "go.db") == before


@pytest.mark.parametrize("chain", ["lipowy", "ceiba", "maple"])
def test_after_each_upload_the_results_are_those_of_the_upload_alone(run: Run, chain: str) -> None:
    lists: dict[str, str] = {}
    for number, path in enumerate(one for one in UPLOADS if one.stem.startswith(chain)):
        code, _, err = run("import", "go.db", path, "--pool", "go")
        assert code == 0, err
        run("import", f"alone-{number}.db", path, "--pool", "go")
        assert results(run, "go.db") == results(run, f"alone-{number}.db")
        for head, then in lists.items():
            assert listed(run, "go.db", "--known-at", head) == then
        if results(run, "go.db"):  # the first uploads of one tournament have none
            lists[err.rpartition("head ")[2].strip()] = listed(run, "go.db")
    assert len(lists) > 3


def results(run: Run, log: str) -> list[str]:
    """The results that a log has now, whatever their uids and places."""
    rows = map(json.loads, run("export", log, "-", "--to", "results:form=jsonl").out.splitlines())
    return sorted(json.dumps({**row, "position": 0, "uid": ""}, sort_keys=True) for row in rows)


def test_a_row_that_was_pasted_twice_is_told_and_comes_once_more_as_nothing(run: Run) -> None:
    head, row = "played,a,b,score\n", "2024-03-02,ann,bo,1\n"
    Path("games.csv").write_text(head + row + row)
    assert run("import", "club.db", "games.csv", "--pool", "p").code == 0
    code, out, _ = run("import", "club.db", "games.csv", "--pool", "p")
    assert (code, "0 accepted" in out, "2 duplicates" in out) == (0, True, True), out

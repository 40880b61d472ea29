"""`ratingcore load`: a log made from an export, equal to the last digest."""

import gzip
from pathlib import Path

import pytest

from .conftest import Run


def test_an_export_loads_into_an_equal_log(run: Run, club: Path) -> None:
    plain = run("export", "club.db")
    assert plain.err.startswith("stdout: head 5:")
    assert run("export", "club.db", "club.jsonl").out == ""
    assert run("export", "club.db", "club.jsonl.gz").out == ""
    assert Path("club.jsonl").read_text() == plain.out == gzip.decompress(Path("club.jsonl.gz").read_bytes()).decode()
    loads = [
        run("load", "a.db", "club.jsonl"),
        run("load", "b.db", "club.jsonl.gz"),
        run("load", "c.db", "-", stdin=plain.out),
    ]
    assert [ran.code for ran in loads] == [0, 0, 0]
    for name in ("a.db", "b.db", "c.db"):
        assert run("verify", name).out == run("verify", "club.db").out
        assert run("list", name) == run("list", "club.db")
        assert not Path(f"{name}.part").exists()


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", 1, "the export: it is empty"),
        ("hello\n", 1, "line 1 of the export: this is no line of an export"),
        ("changed", 1, "the chain breaks at position "),
        ("cut", 1, "line "),
    ],
)
def test_a_bad_export_makes_no_log(run: Run, club: Path, tmp_path: Path, text: str, code: int, told: str) -> None:
    lines = run("export", "club.db").out
    bad = {"changed": lines.replace("1600.0", "1700.0"), "cut": "".join(lines.splitlines(keepends=True)[:-3])}
    Path("bad.jsonl").write_text(bad.get(text, text))
    ran = run("load", "new.db", "bad.jsonl")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(f"error: {told}")
    assert not list(tmp_path.glob("new.db*"))


def test_load_replaces_nothing(run: Run, club: Path) -> None:
    run("export", "club.db", "club.jsonl")
    assert run("load", "club.db", "club.jsonl").code == 2
    assert run("load", "new.db", "none.jsonl") == (2, "", "error: cannot read none.jsonl: there is no such file\n")

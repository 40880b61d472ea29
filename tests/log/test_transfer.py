"""Export: a log as lines of JSON."""

import json
from pathlib import Path

import ratingcore as rc
from ratingcore.log import export_lines
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.log.conftest import Store
from tests.log.making import fill, game


def test_an_export_is_lines_of_json_without_line_ends(log: Store) -> None:
    log.append([game(1, "ab", "c d", data={"x": "one\ntwo\r\u2028\u2029"})])
    lines = list(export_lines(log))
    assert all(len(line.split("\n")) == 1 == len(line.split("\r")) for line in lines)
    assert [next(iter(json.loads(line))) for line in lines] == ["head", "batch", "name", "name", "name", "name", "row"]
    assert json.loads(lines[0]) == {"ratingcore": 1, "key": log.key, "head": [1, log.head.digest]}


def test_an_export_ends_where_the_log_ended_when_it_began(log: Store) -> None:
    fill(log)
    before = list(export_lines(log))
    lines = export_lines(log)
    seen = [next(lines)]
    for number, line in enumerate(lines):
        seen.append(line)
        if number % 5 == 0:
            log.append([game(f"meanwhile-{number}", f"new-{number}", "bo")], source=f"s{number}")
    assert seen == before


ANEW = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11" / "made_anew.jsonl"
"""A log that `export --new-uids` of an earlier version made anew twice."""


def test_a_list_that_was_carried_over_from_an_earlier_log_proves_but_for_its_head(run: Run, tmp_path: Path) -> None:
    document, head = ANEW.with_suffix(".json").read_text(), "3:7cdf5404687484c02c511a939626570a7e84265b0b3bc3c6b775d3"
    with rc.open(tmp_path / "anew.db") as anew:
        anew.load(ANEW.read_text().splitlines())
        assert [len(published.before) for published in anew.published()] == [2, 2]
        proof = anew.prove(document)
        assert proof, proof
        assert f"unproved  head: {head}" in str(proof)
        assert (proof.unproved, next(iter(proof))["holds"]) == (("head",), "unproved")
        forged = json.loads(document)
        forged["rows"][0][forged["columns"].index("rating")] += 1
        assert not anew.prove(forged)
    (tmp_path / "half.json").write_text(document)
    ran = run("prove", "half.json", "anew.db", "--format", "json")
    assert ran.code == 0
    assert {row["check"]: row["holds"] for row in json.loads(ran.out)}["head"] == "unproved"
    assert ran.err.splitlines()[-2].startswith("warning: unproved: head; only an anchor or a copy of the log before")
    assert ran.err.splitlines()[-1] == "the rest of the document holds"

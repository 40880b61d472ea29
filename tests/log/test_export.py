"""Export: a log as lines of JSON."""

import json

from ratingcore.log import export_lines
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

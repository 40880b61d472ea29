"""Parsers of cells, which remember the value of each text."""

import pytest

from ratingcore.importer.tables import parsers
from ratingcore.importer.tables.parsers import Group, Parser


def test_a_text_is_read_once() -> None:
    met: list[str] = []
    reader = Parser(0, lambda text: met.append(text) or len(met))
    assert [reader["x"], reader["y"], reader["x"]] == [1, 2, 1]
    assert met == ["x", "y"]


def test_a_reader_forgets_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "CACHE_LIMIT", 10)
    reader, group = Parser(0, str), Group([Parser(0, str)], "".join)
    for n in range(25):
        assert (reader[str(n)], group[str(n)]) == (str(n), str(n))
    assert len(reader) <= 10
    assert len(group) <= 10


@pytest.mark.parametrize(("indexes", "expected"), [((), ""), ((2,), "c"), ((2, 0), "ca")])
def test_a_group_reads_none_one_or_many_cells(indexes: tuple[int, ...], expected: str) -> None:
    group = Group([Parser(index, str) for index in indexes], "".join)
    assert group[group.pick(["a", "b", "c"])] == expected

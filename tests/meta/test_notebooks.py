"""The notebooks of the documents run, and print what they show."""

from pathlib import Path

import pytest

from tests.meta.notebooks import cells, notebooks, printed, run


def test_there_are_notebooks() -> None:
    assert len(notebooks()) >= 3


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_every_cell_prints_what_the_notebook_shows(path: Path) -> None:
    shown = [printed(cell) for cell in cells(path)]
    assert list(run(path)) == shown
    assert sum(map(len, shown)) > 500

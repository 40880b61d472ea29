"""Caches of everything, however short the history, so that a story of some hundred games is told with them."""

import pytest

from ratingcore.columns import cache
from ratingcore.replay import checkpoint_store
from tests.log import conftest

forking, workers = conftest.forking, conftest.workers


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns after every event, and a file of every checkpoint."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(cache, "SMALL", 400)  # games outgrow the file of short columns, others do not
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    monkeypatch.setattr(checkpoint_store, "FILE_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint_store, "CLOSEST", 4)

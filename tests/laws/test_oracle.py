"""The oracle test: views, lists and histories equal a plain-Python fold, whatever was corrected, wherever one cuts."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from ratingcore.columns import sealed_file
from tests.laws import logs
from tests.laws.logs import live
from tests.log import conftest

eager = logs.eager

places = conftest.places


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is not the disk."""
    monkeypatch.setattr(sealed_file.os, "fsync", lambda file: None)


@pytest.mark.parametrize("sessions", [False, True])
def test_lists_views_and_histories_equal_the_oracle_on_a_log_in_memory(sessions: bool) -> None:
    for number in range(60):
        live(Random(number), None, 2 + number % 8, 2, sessions)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("sessions", [False, True])
def test_they_equal_the_oracle_on_a_file_with_its_cache(sessions: bool, tmp_path: Path) -> None:
    for number in range(6):
        (folder := tmp_path / str(number)).mkdir()
        live(Random(1000 + number), folder, 10, 2, sessions)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("sessions", [False, True])
@pytest.mark.parametrize("store", conftest.INSTALLED)
def test_histories_in_installed_stores_equal_the_oracle(
    store: str, sessions: bool, tmp_path: Path, places: Callable[[str], conftest.Place]
) -> None:
    for number in range(2):
        (folder := tmp_path / str(number)).mkdir()
        log = partial(places(store).log, f"oracle_{number}_{sessions}".lower())
        live(Random(2000 + number), folder, 8, 2, sessions, log)

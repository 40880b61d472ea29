"""The oracle test: views, lists and histories equal a plain-Python fold, whatever was corrected, wherever one cuts."""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingcore.columns import sealed_file
from tests.laws import logs
from tests.laws.logs import live
from tests.log import conftest

eager = logs.eager

pinned = settings(derandomize=True, deadline=None, max_examples=120)

places = conftest.places


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is not the disk."""
    monkeypatch.setattr(sealed_file.os, "fsync", lambda file: None)


@pinned
@given(random=st.randoms(use_true_random=False), sessions=st.booleans())
def test_lists_views_and_histories_equal_the_oracle_on_a_log_in_memory(random: Random, sessions: bool) -> None:
    live(random, None, random.randint(1, 8), 2, sessions)


@pytest.mark.usefixtures("unsynced")
@settings(pinned, max_examples=20)
@given(random=st.randoms(use_true_random=False), sessions=st.booleans())
def test_lists_views_and_histories_equal_the_oracle_on_a_file_with_its_cache(random: Random, sessions: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        live(random, Path(folder), random.randint(1, 6), 2, sessions)


@pytest.mark.parametrize("sessions", [False, True])
def test_hundreds_of_longer_histories_equal_the_oracle(sessions: bool) -> None:
    for number in range(120):
        live(Random(number), None, 8, 2, sessions)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("sessions", [False, True])
def test_longer_histories_equal_the_oracle_in_both_stores(sessions: bool, tmp_path: Path) -> None:
    for number in range(12):
        (folder := tmp_path / str(number)).mkdir()
        live(Random(1000 + number), folder, 10, 2, sessions)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("sessions", [False, True])
@pytest.mark.parametrize("store", conftest.INSTALLED)
def test_histories_in_installed_stores_equal_the_oracle(
    store: str, sessions: bool, tmp_path: Path, places: Callable[[str], conftest.Place]
) -> None:
    for number in range(4):
        (folder := tmp_path / str(number)).mkdir()
        log = partial(places(store).log, f"oracle_{number}_{sessions}".lower())
        live(Random(2000 + number), folder, 8, 2, sessions, log)

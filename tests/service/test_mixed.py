"""Under a mixed load nobody is answered anything but 2xx, 304, and 503 with a time to come again."""

from collections.abc import Callable
from pathlib import Path

from tests.log import conftest
from tests.service.mixed import mixed

address, places = conftest.address, conftest.places


def test_readers_listeners_writers_and_an_officer_are_all_answered(
    address: Callable[[str], str], tmp_path: Path
) -> None:
    log = address("mixed")
    load = mixed(log, tmp_path, 3.0, workers=2 if "://" in log else 1)
    assert load.wrong == []
    assert {200, 201} <= load.answers.keys()
    assert sum(load.heads.values()) > 0

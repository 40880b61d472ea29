"""Sharing work among workers: how many there are, and what they hand back, whatever their backend can do."""

import pytest
from joblib import parallel_config

from ratingcore.errors import BadValue
from ratingcore.lists import workers


def double(number: int) -> int:
    return 2 * number


def test_workers_are_those_of_the_user_unless_they_are_counted() -> None:
    assert workers.workers(None) == 1
    assert [workers.workers(3), workers.workers(3, 2), workers.workers(3, 0)] == [3, 2, 1]
    with parallel_config(backend="threading", n_jobs=4):
        assert workers.workers(None) == 4
    with pytest.raises(BadValue, match="jobs must be at most 1000"):
        workers.workers(1_001)


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing"])
@pytest.mark.filterwarnings("ignore")  # a fork of a process with threads
def test_answers_come_in_the_order_of_the_parts(backend: str) -> None:
    """One of these hands over everything at the end."""
    with parallel_config(backend=backend):
        assert list(workers.run_parts(double, range(10), 2)) == list(range(0, 20, 2))

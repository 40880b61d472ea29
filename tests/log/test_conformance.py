"""Every store that is installed keeps the promises of a log."""

from functools import partial

from ratingcore.log.base_log import wall_clock
from ratingcore.testing import check_store
from tests.log.conftest import Make


def test_a_store_keeps_the_promises_of_a_log(make: Make) -> None:
    check_store(partial(make, clock=wall_clock))  # a log that is opened again has no other one

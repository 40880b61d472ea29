"""Every store that is installed keeps the promises of a log."""

from ratingcore.testing import check_store
from tests.log.conftest import Make


def test_a_store_keeps_the_promises_of_a_log(make: Make) -> None:
    check_store(make)

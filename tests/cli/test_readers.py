"""`ratingcore readers`: formats that plugins read."""

from .conftest import Run


def test_readers_are_listed_with_the_plugins_that_offer_them(run: Run) -> None:
    code, out, _ = run("readers")
    assert (code, out.splitlines()[0]) == (0, "name,plugin")

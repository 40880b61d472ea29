"""Formulas before the present ones keep the laws too.

A file of its own with few tests: workers begin with the files that have most, so these formulas find the machine code
that they share with the present ones on disk. At the same time as the tests of plugins, two workers would compile it.
"""

import pytest

from ratingcore.methods.text import called
from ratingcore.plugin import Method
from ratingcore.registry import Registry
from ratingcore.testing import check_method

EARLIER = [kind for kind in Registry.installed().methods.values() if kind.superseded]


@pytest.mark.parametrize("kind", EARLIER, ids=called)
def test_formulas_before_the_present_one_keep_the_laws_too(kind: type[Method]) -> None:
    """The law of the text took them for the present formula, so that `ratingcore check dwz@1` failed."""
    assert [line for line in check_method(kind(), further=()).lines() if line.startswith("FAILED")] == []

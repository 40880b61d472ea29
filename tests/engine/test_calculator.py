"""The calculator's door: methods by text, days by text, the registry that is given."""

import pytest

import ratingcore as rc
from ratingcore.errors import BadValue, MethodNotFound
from ratingcore.registry import Registry


def test_a_method_may_be_a_text_or_a_value() -> None:
    method = Registry.installed().method("elo:curve=normal")
    assert rc.expect(1834, 2179, method) == rc.expect(1834, 2179, "elo:curve=normal")
    assert rc.expect(1500, 1500).expected == 0.5


def test_the_rules_are_those_of_the_day_and_the_latest_without_one() -> None:
    """Differences were capped at 350 before July 2009, at 400 in 2024, and not from 2650 on since October 2025."""
    text = "elo:rule=by-date,period=month"
    on = {day: round(rc.expect(2700, 1700, text, played=day).expected, 6) for day in ("2008-05-01", "2024-05-01")}
    assert on == {"2008-05-01": 0.882338, "2024-05-01": 0.909091}
    assert rc.expect(2700, 1700, text).expected == rc.expect(2700, 1700, text, played="2026-01-01").expected
    with pytest.raises(BadValue):
        rc.expect(2700, 1700, text, played="next year")


def test_methods_come_from_the_registry_that_is_given() -> None:
    with pytest.raises(MethodNotFound):
        rc.expect(1500, 1500, "elo", registry=Registry())

"""Random values for the fields that a method needs, chosen to fit the score."""

from collections.abc import Iterable

import numpy as np

from ratingcore.columns.games import Need
from ratingcore.methods.contract import Method
from ratingcore.testing.form import Form

Fact = str | float

RANGES = {"born": (1930, 2012), "year": (1930, 2012), "boards": (1, 32), "round": (1, 9), "handicap": (0, 9)}
"""Ranges of whole numbers by name of the field; `OTHERS` for all other fields."""
OTHERS = (1, 30)


def result_facts(method: Method, form: Form, rng: np.random.Generator, score: float, part: float) -> dict[str, Fact]:
    """Facts of a result with this score of `a`, at this part of the season."""
    facts = _drawn(method.needs, "result", form, rng, part)
    low = int(rng.integers(0, 7))
    high = low + int(rng.integers(1, 7))
    points = {0.5: (low, low)}.get(score, (high, low) if score > 0.5 else (low, high))
    facts |= {name: points[n] for n, name in enumerate(("points_a", "points_b")) if name in facts}
    if method.period is not None and method.period.unit == "event":
        facts["event"] = f"event {int(part * 6 + rng.uniform(0.0, 1.5))}"
    return facts


def player_facts(method: Method, form: Form, rng: np.random.Generator) -> dict[str, Fact]:
    """Facts of a player."""
    return _drawn(method.needs, "player", form, rng, rng.uniform())


def _drawn(needs: Iterable[Need], of: str, form: Form, rng: np.random.Generator, part: float) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    for need in needs:
        absent = need.default is not None and (form.bare or rng.uniform() < 0.15)
        if need.of == of and not absent:
            facts[need.name] = _value(need, form, rng, part)
    return facts


def _value(need: Need, form: Form, rng: np.random.Generator, part: float) -> Fact:
    if need.words:
        words = sorted(need.words)
        return form.unit if form.unit in words else words[int(rng.integers(len(words)))]
    if need.labels:
        return f"{need.name} {int(part * 4) + 1}"
    low, high = RANGES.get(need.name, OTHERS)
    return float(rng.integers(low, high + 1))

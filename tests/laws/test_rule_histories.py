"""Laws of rules with a history, for every method that can be a step, over random histories.

Late results, voids, amendments, merges, seeds, tournaments, zones and sessions abound in them.
"""

import sys
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from ratingcore.engine import Engine
from ratingcore.errors import BadValue, MethodError
from ratingcore.events import DAY, GamePlayed, PoolDeclared, SessionPlayed, iso
from ratingcore.log import SqliteLog
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.rule_histories import BY, Book, by_tournament
from ratingcore.methods.state import State
from ratingcore.methods.text import text_of
from ratingcore.registry import Registry
from ratingcore.replay import fold
from ratingcore.replay.contract_check import readable_view
from tests.laws.histories import DAYS, League

SUITE = 3
"""Histories for each rule; `python -m tests.laws.test_rule_histories 300` takes as many as are asked for."""

SETTINGS = (
    "elo:k=fide2014", "elo:period=days(2)", "elo:period=event", "elo:floor=1480", "elo:rounding=true,period=days(3)",
    "elo:entry=trial(2)", "elo:entry=mean", "elo:period=days(2),entry=pooled(2,3)", "glicko:period=days(1)",
    "glicko2:period=days(2)", "periodic:period=days(2)", "dwz:initial=1200", "uschess:form=full",
)  # fmt: skip
"""Rules beside the default of every installed method."""

ZONES = ("", "", "Europe/Prague", "Pacific/Auckland")


@cache
def registry() -> Registry:
    return Registry.installed()


@cache
def rules() -> tuple[str, ...]:
    """Texts of the rules that can follow another one."""
    names = [name for name in registry().methods if "@" not in name]
    return tuple(text for text in (*names, *SETTINGS) if _is_step(registry().method(text)))


def _is_step(method: Method) -> bool:
    if method.cadence is Cadence.RETROSPECTIVE or "slicing" in method.excuses:
        return False
    return not any(need.default is None and not need.labels and need.of != "player" for need in method.needs)


def history(random: Random, sessions: bool) -> Engine:
    """A random log with two pools; the days of one may be those of a zone."""
    league, tournaments = League(random, sessions), random.choice([1, 3, 6])
    engine = Engine(SqliteLog(":memory:", salt=lambda: ""), registry())
    if zone := random.choice(ZONES):
        engine.record(PoolDeclared(pool="rapid", zone=zone))
    for _ in range(random.randint(3, 8)):
        batch: list[Any] = []
        for event in league.batch():
            if isinstance(event, GamePlayed | SessionPlayed) and random.random() < 0.8:
                event = evolve(event, data=dict(event.data) | {"event": f"t{random.randint(1, tournaments)}"})
            batch.append(event)
        engine.record(*batch)
    return engine


def same(one: State, other: State) -> bool:
    return all(np.array_equal(one[name], other[name], equal_nan=True) for name in one.names)


def check(text: str, number: int) -> str:
    """The laws of one history; says what of it could be checked."""
    random = Random(f"{text} {number}")
    method = registry().method(text)
    engine = history(random, sessions=random.random() < 0.5 and method.reads.__name__ == "Sides")
    if "rapid" not in engine.pools():
        return "nothing"
    try:
        view = engine.core.view("rapid")
        whole = fold(method, view, keep=True)
    except (MethodError, BadValue):  # a rule that refuses the newcomers or the results of this history
        return "nothing"
    day = random.randint(1, DAYS) * DAY
    for by in BY if by_tournament(method) else BY[:1]:
        book = Book(method, method, day, by)
        assert same(fold(book, view).state, whole.state), (text, number, by)
        kept = fold(book, view, keep=True)
        assert same(kept.state, whole.state), (text, number, by)
        ledger = kept.ledger()
        for player, rating in {int(p): r for p, r in zip(ledger.player, ledger.rating, strict=True)}.items():
            assert rating == pytest.approx(kept.state["rating"][player], abs=1e-9, nan_ok=True), (text, number, by)
    other = f"elo then {text} from {iso(day)}"
    try:
        earlier = engine.rating_list("rapid", other, through=iso(day - DAY))
    except (BadValue, MethodError):  # on a scale of its own, or of a pool of sessions alone
        return "itself"
    assert earlier.digest == engine.rating_list("rapid", "elo", through=iso(day - DAY)).digest, (text, number)
    return by_hand(registry().method(other), view, (text, number))


def by_hand(book: Method, view: Any, where: object) -> str:
    """Two replays, one after the other, for a rule that rates game by game where nobody is seeded after the day."""
    assert isinstance(book, Book)
    view = readable_view(book, view)
    if (view.last_happened or 0) < book.day:
        return "earlier days"
    plain = type(book.method).__name__ != "Entering" and book.cadence is Cadence.CONTINUOUS
    pairs = any(column.per == "pair" for column in book.columns())
    if not plain or pairs or len(view.seeds_after(book.day - 1).played):
        return "earlier days"
    first = fold(book.before, view.cut(book.day - 1)).state
    state = book.method.taking_over(book.before, first)
    results = (view.games if book.method.reads.__name__ == "Games" else view.sides)(
        book.method.needs, book.method.name, book.day - 1
    )
    state = state.grown(State.start(book.method.columns(), view.n_players))
    if len(results):
        state = book.method.rate(state, results).state
    made = fold(book, view).state
    for name in state.names:
        assert np.allclose(made[name], state[name], rtol=0, atol=1e-9, equal_nan=True), (where, name)
    return "two replays"


@pytest.mark.parametrize("text", rules())
def test_laws_of_rules_with_a_history(text: str) -> None:
    for number in range(SUITE):
        check(text, number)


def test_every_kind_of_law_is_reached() -> None:
    told = {check("elo", number) for number in range(12)}
    assert "two replays" in told
    assert text_of(Book(registry().method("elo"), registry().method("elo"), DAY)).startswith("elo:")


if __name__ == "__main__":
    for rule in rules():
        reached = [check(rule, number) for number in range(int(sys.argv[1]))]
        print(f"{rule}: {', '.join(f'{reached.count(kind)} {kind}' for kind in sorted(set(reached)))}", flush=True)

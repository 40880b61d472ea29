"""Plans of random histories: applied late or refused, never otherwise than at once; batches undone to the last bit."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.engine.plans import Plans
from ratingcore.errors import PlanOutdated, RatingCoreError, UnknownName
from ratingcore.events import CORRECTIONS, DAY, Event, PlayerDescribed
from ratingcore.log import Receipt
from ratingcore.log.lookup import corrections_of
from ratingcore.plans import Plan
from tests.columns.making import POOL, game, session

NAMES = ("ann", "bo", "cy", "dee", "eve", "fay", "gus")
SEEDS = range(4)


NEW = ("hal", "ida")
"""Names that a log need not have yet."""


def described(plans: Plans, own_uid: str, player: str, born: int) -> Plan:
    return plans.record(PlayerDescribed(uid=own_uid, pool=POOL, player=player, played=0, data={"born": born}))


class Season:
    """A log that grows at random, and what may be decided about it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.engine = rc.open(":memory:")
        self.number = 0
        self.record(6)

    def uid(self) -> str:
        """A new uid."""
        self.number += 1
        return f"e-{self.number}"

    def results(self, count: int) -> list[Event]:
        """Some results of random players on random days; nobody plays a record of their own."""
        made: list[Event] = []
        log, reading = self.engine.log, corrections_of(self.engine.log)
        while len(made) < count:
            day, names = self.random.randrange(60), self.random.sample((*NAMES, *NEW), 4)
            if len({reading.root(log.book.find("player", name) or -n) for n, name in enumerate(names)}) < 4:
                continue
            if self.random.random() < 0.8:
                score = self.random.choice((0.0, 0.5, 1.0))
                made.append(game(day, names[0], names[1], score, uid=self.uid(), pool=self.pool()))
            else:
                sides = [(names[0][0] + names[1][0], 1.0), (names[2][0], 2.0), (names[3][0], 3.0)]
                made.append(session(day, *sides, uid=self.uid(), pool="sessions"))
        return made

    def pool(self) -> str:
        """One of two pools."""
        return self.random.choice((POOL, "cup"))

    def record(self, count: int) -> Receipt:
        """Records some results."""
        return self.engine.record(*self.results(count))

    def any_uid(self, *kinds: str) -> str:
        """The uid of a random event of some kinds."""
        log = self.engine.log
        return self.random.choice(list(log.rows(0, None, kinds)) or list(log.rows())).uid

    def decision(self) -> Callable[[Engine], Plan]:
        """A random decision; its plan is refused where a log does not allow it."""
        pick, uid = self.random, self.uid()
        one, other = pick.sample(NAMES, 2)
        someone = pick.choice((other, *NEW))
        verbs: Sequence[Callable[[], Callable[..., Plan]]] = (
            lambda: partial(Plans.void, uid=self.any_uid("game", "session")),
            lambda: partial(Plans.void, uid=self.any_uid("void", "amend", "unmerge")),
            lambda: partial(Plans.revive, uid=self.any_uid("game", "session", "merge")),
            lambda: partial(Plans.amend, uid=self.any_uid("game"), changes={"score": pick.random()}),
            lambda: partial(Plans.amend, uid=self.any_uid("game"), changes={pick.choice("ab"): someone}),
            lambda: partial(Plans.merge, keep=one, other=other),
            lambda: partial(Plans.unmerge, uid=self.any_uid("merge")),
            lambda: partial(Plans.split, player=one, into=someone, since=pick.randrange(60) * DAY),
            lambda: partial(Plans.split, player=one, into=someone, games=[self.any_uid("game")]),
            lambda: partial(Plans.rename, player=one, called=pick.choice(("Ann Lee", "Bo Diaz"))),
            lambda: partial(described, player=pick.choice((one, *NEW)), born=pick.randrange(1990, 1993)),
            lambda: partial(Plans.declare, pool=self.pool(), method=pick.choice(("elo", "elo:k=40"))),
        )
        proposal = pick.choice(verbs)()
        return lambda engine: proposal(engine.plan, own_uid=uid)

    def plan(self) -> Plan:
        """The plan of a random decision."""
        return self.decision()(self.engine)

    def publication(self) -> Plan:
        """The publication of a list under a name of few."""
        pool = self.pool()
        return self.engine.plan.publish(self.engine.rating_list(pool, "elo"), f"list {self.random.randrange(9)}")

    def erase(self) -> None:
        """Erases a random player, if the log knows them."""
        with suppress(UnknownName):
            self.engine.erase(self.random.choice(NAMES))

    def decide(self) -> Receipt | None:
        """Applies a random decision; None if the log does not allow it."""
        with suppress(RatingCoreError):
            return self.engine.apply(self.plan())
        return None


def lists(engine: Engine) -> dict[str, Any]:
    """Every rating, by pool and player, to the last bit, and how each pool is asked."""
    found: dict[str, Any] = {}
    for pool, method in ((POOL, "elo"), ("cup", "elo:k=32"), ("sessions", "weng-lin")):
        if pool in engine.pools():
            found[pool] = {row["player"]: row["rating"] for row in engine.rating_list(pool, method)}
            declared = engine.core.declared(pool)
            found[f"{pool} asks"] = declared.question if declared is not None and declared.method else ""
    return found


def corrected(engine: Engine, after: int, to: int | None = None) -> set[str]:
    """Uids of the events at the ends of what corrections between two positions are of, through any number of them."""
    found = set()
    for row in engine.log.rows(after, to, CORRECTIONS):
        while row.ref is not None:
            (row,) = engine.log.rows_at([row.ref])
        found.add(row.uid)
    return found


def copy_of(engine: Engine) -> Engine:
    """The same history in a log of its own."""
    other = rc.open(":memory:")
    other.load(engine.export())
    return other


@pytest.mark.parametrize("seed", SEEDS)
def test_a_plan_that_is_applied_late_is_what_the_events_would_be_then(seed: int) -> None:
    season, late = Season(seed), 0
    for _ in range(60):
        try:
            decided = season.decision() if season.random.random() < 0.9 else None
            plan = season.publication() if decided is None else decided(season.engine)
        except RatingCoreError:  # the log does not allow it
            season.record(1)
            continue
        for _ in range(season.random.randrange(4)):
            if season.random.random() < 0.5:
                season.record(season.random.randrange(1, 3))
            elif season.random.random() < 0.95:
                season.decide()
            else:
                season.erase()
        engine, supposed = season.engine, copy_of(season.engine)
        head = engine.log.head
        refusal: PlanOutdated | None = None
        try:
            engine.apply(plan)
        except PlanOutdated as outdated:
            refusal = outdated
        if refusal is not None:
            assert engine.log.head == head
            if refusal.kind == "erase":
                assert engine.log.look().stamp.erasures > plan.seen.erasures
            else:
                assert plan.head.position < refusal.position <= head.position
            continue
        assert [event for _, event in engine.events(head.position)] == list(plan.events), "what it said is recorded"
        late += head != plan.head
        book = engine.log.book
        into = book.known("player", plan.concerns.split_into).values()
        assert not any(plan.head.position < book.name(one).batch <= head.position for one in into), "they were nobody"
        done = corrected(engine, head.position)
        assert done.isdisjoint(corrected(engine, plan.head.position, head.position)), "others decided about the same"
        if decided is not None and not engine.log.book.erased:
            assert list(decided(supposed).events) == list(plan.events), "made again it is the same"
        supposed.record(*plan.events)
        assert lists(engine) == lists(supposed)
        reading = corrections_of(engine.log)
        for row in engine.log.rows(0, None, ("game",)):  # nobody plays against themselves
            read = reading.read(row)
            assert read is None or reading.root(read.a or 0) != reading.root(read.b or 0)
    assert late > 5, "plans were applied beside what others recorded"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_recorded_is_undone_to_the_last_bit(seed: int) -> None:
    season, undone = Season(seed), 0
    for _ in range(40):
        before = lists(season.engine)
        receipt = season.record(3) if season.random.random() < 0.3 else season.decide()
        if receipt is None or not receipt.accepted:
            continue
        season.engine.apply(season.engine.plan.undo(receipt))
        after = lists(season.engine)
        assert {pool: after[pool] for pool in before} == before
        assert not any(after[pool] for pool in after.keys() - before.keys())
        undone += 1
        if season.random.random() < 0.5:
            season.record(1)
            season.decide()
    assert undone > 10

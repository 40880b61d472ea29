"""Plans: what each verb would record, checked as an append checks it; nothing is recorded here."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec

from attrs import evolve

from ratingcore.corrections.propose import ChosenEvents, Propose
from ratingcore.engine.core import Part
from ratingcore.events import DAY, Event, When, instant
from ratingcore.events.values import Key, player_key
from ratingcore.plans import Plan
from ratingcore.replay.declared import check_fits

Given = ParamSpec("Given")


def _planned(
    proposal: Callable[Concatenate[Propose, Given], Sequence[Event]],
) -> Callable[Concatenate["Plans", Given], Plan]:
    """The plan of what is proposed; parameters and docstring are those of the proposal."""

    @wraps(proposal)
    def plan(plans: "Plans", /, *args: Given.args, **options: Given.kwargs) -> Plan:
        return plans._of(proposal.__name__, proposal(plans._propose, *args, **options))

    return plan


class Plans(Part):
    """What would be recorded, by verb: each method takes what the method of that name takes, and gives a `Plan`.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(uid="g-1", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> plan = engine.plan.amend("g-1", {"score": 0.5}, own_uid="c-1")
    >>> plan.events[0].changes["score"], engine.what_if(plan).log.as_read("g-1").score, engine.log.head.position
    (0.5, 0.5, 1)
    >>> engine.plan.merge("ann", "bo")
    Traceback (most recent call last):
    ratingcore.errors.event.BadCorrection: cannot merge bo: ann and bo have met in pool p
    """

    @property
    def _propose(self) -> Propose:
        return Propose(self.core.log, self.core.view, self.core.needed)

    def _of(self, verb: str, events: Sequence[Event], source: str = "") -> Plan:
        plan = Plan.of(self.core.log, verb, events, source)
        check_fits(self.core.log, plan.events, self.core.method)
        return plan

    void = _planned(Propose.void)
    void_all = _planned(Propose.void_all)
    revive = _planned(Propose.revive)
    amend = _planned(Propose.amend)
    amend_all = _planned(Propose.amend_all)
    merge = _planned(Propose.merge)
    merge_all = _planned(Propose.merge_all)
    unmerge = _planned(Propose.unmerge)
    rename = _planned(Propose.rename)

    def split(
        self, player: Key, into: Key, since: When | None = None, *, games: Sequence[str] = (), why: str = "",
        by: str = "", pools: Iterable[str] | None = None, own_uid: str | None = None,
    ) -> Plan:  # fmt: skip
        """The amendments that give `into` what a player played from a day on, or these games of theirs."""
        options = {"games": games, "why": why, "by": by, "pools": pools, "own_uid": own_uid}
        plan = self._of("split", self._propose.split(player, into, since, **options))  # type: ignore[arg-type]  # as above
        if since is None or plan.concerns.corrected == frozenset():
            return plan
        log = self.core.log  # a day begins at another instant in each zone, at most a day away
        number = log.number_of("player", player_key(player))
        return evolve(plan, concerns=plan.concerns.with_results_of(log, number, instant(since) - DAY))

    def record(self, *events: Event, source: str = "") -> Plan:
        """The events, as `record` appends them."""
        return self._of("record", events, source)

    def chosen(
        self, source: str | None = None, positions: Sequence[tuple[int, int]] | None = None, pool: str | None = None
    ) -> ChosenEvents:
        """Returns the events that batches of a source brought, or those at positions; `void_all` takes them back.

        Of one pool where it is named.
        """
        return ChosenEvents.of(self.core.log, source, positions, pool)

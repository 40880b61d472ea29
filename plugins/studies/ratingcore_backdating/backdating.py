"""The result of a plan: the effect of a new rule on a pool from each of its start dates."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from attrs import field, frozen

from ratingcore import Engine, __version__
from ratingcore.plugin import DAY, BadValue, Cadence, Method
from ratingcore.plugin.analysis import (
    FOREVER,
    Book,
    Instant,
    ListPolicy,
    RatingList,
    Standing,
    View,
    called_by_key,
    failing,
    identity,
    iso,
    rating_list,
    readable_view,
)
from ratingcore.plugin.reports import AsTables, Table, provenance
from ratingcore_backdating.alternatives import OLD, Alternative
from ratingcore_backdating.effects import Effects
from ratingcore_backdating.plan import BEGINNING, TODAY, BackdatingPlan


@frozen(eq=False, repr=False)
class Backdating(AsTables):
    """A new rule compared with the old one: one choice for each start date of the plan, every number in a table.

    Tables beyond the lists are computed on first use.

    Parameters
    ----------
    answer : str
        Two sentences for a committee: whether the new rule forecasts better, and how far ratings move.
    measured : str
        The effect of each choice on forecasts and ratings, with the measures.
    pool, old, new : str
        The rules as they were spelt.
    choices : tuple of str
        `from today`, `from 1980-01-01`, `from the beginning`.
    plan : BackdatingPlan
    summary : Table
        A row per choice: rated players; mean, spread and best of their ratings; moved_by, by how many points a rating
        differs from the old rule's on average, and newcomers_moved_by, the same of players with fewer than ten results;
        risen and fallen over thresholds and grades; games since its start, and better_by how many nats a game its
        forecasts of them are better, with the ends of the 95 % interval.
    lists : Table
        A row per player: rank and rating under the old rule and under each choice, and how far the ratings differ.
    levels : Table
        A row per choice: rated players, the sum, mean and spread of their ratings, quartiles, the best and the mean of
        the best ten, and the differences from the old rule.
    agreement : Table
        A row per choice: how the list agrees with that of the old rule.
    movers : Table
        A row per choice and player: the ratings that move most, up and down, newcomers apart.
    crossings : Table
        A row per choice, threshold or grade: how many players are there under each rule, how many rise and fall.
    crossed : Table
        A row per choice, threshold or grade, and player who crosses it.
    forecasts : Table
        A row per choice and stretch of games, from each start date on: scores, and how much better it is than the old
        rule, in nats a game with an interval. Every forecast was made strictly before its game. All choices by then are
        scored on common games; the one that starts then on its own games, too, where these are others.
    backdating : Table
        A row per start and earlier choice: how much better the earlier one forecasts than the choice that starts then,
        on the games from then on.
    distributions, health, curves : Table
        As in a `Comparison`, with choices in place of methods.
    starts : Table
        A row per choice: the day, how many ratings were carried over, how many results each rule rated.
    carried : Table
        A row per column of the new rule: whether it takes over the old rule's values, and if not, why.
    left_out : Table
        A row per choice without forecasts that could be scored: choice, why.
    provenance : Table
    called : mapping of str to str
        Names of players by key; the report shows them beside the keys.
    """

    answer: str
    measured: str
    pool: str
    old: str
    new: str
    choices: tuple[str, ...]
    plan: BackdatingPlan
    summary: Table
    lists: Table
    levels: Table
    agreement: Table
    movers: Table
    crossings: Table
    crossed: Table
    forecasts: Table
    backdating: Table
    distributions: Table
    health: Table
    curves: Table
    starts: Table
    carried: Table
    left_out: Table
    provenance: Table
    called: Mapping[str, str] = field(factory=dict)

    def __repr__(self) -> str:
        return str(self)

    def facts(self) -> dict[str, object]:
        """Answer, measures, pool, both rules and the choices, by name."""
        return {
            "answer": self.answer, "measured": self.measured, "pool": self.pool, "old": self.old, "new": self.new,
            "choices": list(self.choices),
        }  # fmt: skip

    def shown(self) -> tuple[Table, ...]:
        """Levels and forecasts of each choice, starts, provenance."""
        return self.levels, self.forecasts, self.starts, self.provenance


def backdate(engine: Engine, plan: BackdatingPlan, progress: Callable[[int], None] = lambda done: None) -> Backdating:
    """Rates a pool by the old rule and by each choice of a plan, and compares the choices with the old rule.

    Up to a start date the old rule is used; on that day its ratings, and every further column that both rules have, are
    passed on to the new rule. From the beginning, the new rule rates everything; from today, it rates only what is to
    come, and no list changes yet.

    Parameters
    ----------
    engine : Engine
    plan : BackdatingPlan
    progress : callable
        Called with the number of rules and choices that are rated, each time there are more.

    Returns
    -------
    Backdating

    Raises
    ------
    PoolNotNamed
        If the plan names no pool and the log has several, or none yet.
    BadValue
        If nothing was played, a start lies before the first result or after the last one, or the new rule cannot begin
        with given ratings.
    UnknownName, MethodNotFound, BadParameter, BadCut
    MethodError
        If a rule cannot rate the pool.

    Examples
    --------
    >>> import ratingcore as rc
    >>> with rc.open(":memory:") as engine:
    ...     for day in range(1, 29):
    ...         day_of = {"pool": "p", "played": f"2024-02-{day:02d}"}
    ...         _ = engine.record(rc.GamePlayed(**day_of, a="ann", b="bo", score=float(day % 4 > 0)))
    ...     made = backdate(engine, BackdatingPlan(old="elo", new="elo:k=40", start=("2024-02-15", "beginning")))
    >>> made.choices, len(made.lists)
    (('from 2024-02-15', 'from the beginning'), 2)
    """
    (called_old, old), (called_new, new) = map(engine.registry.named, (plan.old, plan.new))
    view = engine.core.view(engine.core.one_pool(plan.pool), plan.through, plan.known_at)
    view = readable_view(new, readable_view(old, view))  # both rules rate the same results
    followed = tuple(view.row(engine.core.player_id(player)) for player in plan.players)
    _check_times(plan, new, view)
    unchanged = Alternative(OLD, old, view, partial(_listed, plan.policy))
    make = partial(_alternative, unchanged, new)
    grade = None if plan.grades is None else engine.registry.grade(plan.grades)
    effects = Effects(unchanged, tuple(make(start) for start in plan.start), plan, followed, grade)
    for done, way in enumerate(effects.ways, 1):
        _ = way.listed
        progress(done)
    tables = effects.tables()
    return Backdating(
        answer=effects.quality.verdict(
            called_old, called_new,
            {one.name: effects.moved(one.name, newcomers=False) for one in effects.choices},
        ),
        measured=effects.quality.answer(called_old, called_new, effects.agreements),
        pool=view.pool, old=called_old, new=called_new,
        choices=tuple(choice.name for choice in effects.choices), plan=plan, **tables,
        provenance=_provenance(plan, old, new, view, __version__),
        called=called_by_key(view),
    )  # fmt: skip


def _listed(policy: ListPolicy, standing: Standing) -> RatingList:
    with failing(standing.method):
        return rating_list(standing, __version__, policy.of_method(standing.method))


def _alternative(old: Alternative, new: Method, start: Any) -> Alternative:
    view, listing = old.view, old.listing
    if start == TODAY:
        return Alternative("from today", old.method, view, listing)
    if start == BEGINNING:
        return Alternative("from the beginning", new, view, listing, since=_day_of(view.first_played))
    at = view.instant(start)
    return Alternative(f"from {view.clock.iso(at)}", Book(old.method, new, at), view, listing, at)


def _day_of(at: Instant | None) -> Instant | None:
    return None if at is None else at // DAY * DAY


def _check_times(plan: BackdatingPlan, new: Method, view: View) -> None:
    first, last = view.first_played, view.last_played
    if first is None or last is None:
        raise BadValue(plan.where("pool"), view.pool, "has no results at this cut: choose a later cut, or another pool")
    days = [start for start in plan.start if start not in (TODAY, BEGINNING)]
    what = plan.where("start")
    for start in days:
        if new.cadence is Cadence.RETROSPECTIVE:
            raise BadValue(
                what, start,
                f"is not a day that {new.name} can start from: a whole-pool method makes all ratings from all results, "
                "so the only start is 'beginning'",
            )  # fmt: skip
        if view.instant(start) > last:
            raise BadValue(what, start, f"is after the last result, of {iso(last // DAY * DAY)}: write 'today'")
        if view.instant(start) <= first:
            raise BadValue(
                what, start, f"is not after the first result, of {iso(first // DAY * DAY)}: write 'beginning'"
            )


def _provenance(plan: BackdatingPlan, old: Method, new: Method, view: View, version: str) -> Table:
    facts = {
        "pool": view.pool,
        "old rule": identity(old),
        "new rule": identity(new),
        "start": ", ".join(map(str, plan.start)),
        "head": f"{view.known_at}:{view.digest}",
        "through": None if view.through == FOREVER else view.clock.exact(view.through),
        "zone": view.zone,
        "policy": str(plan.policy),
        "thresholds": ", ".join(f"{level:g}" for level in plan.thresholds),
        "grades": plan.grades,
        "players": ", ".join(plan.players),
        "left out": ", ".join(view.unreadable.sentences(view.through)),
        "ratingcore": version,
    }
    return provenance(facts)

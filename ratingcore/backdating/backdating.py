"""The result of a plan: what a new rule would have made of a pool from each of its start dates."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

from attrs import field, frozen

from ratingcore.backdating.alternatives import OLD, Alternative, Listing
from ratingcore.backdating.changeover import Changeover, see_possible
from ratingcore.backdating.effects import Effects
from ratingcore.backdating.plan import BEGINNING, TODAY, Plan
from ratingcore.columns.method_input import in_words
from ratingcore.columns.view import FOREVER, View
from ratingcore.errors import BadValue
from ratingcore.events import DAY, Instant, iso
from ratingcore.lists.people import People
from ratingcore.methods.contract import Method
from ratingcore.methods.text import identity, text_of
from ratingcore.report.table import Table, Tabled


@frozen(eq=False, repr=False)
class Backdating(Tabled):
    """A new rule held against the old one: one choice for each start date of the plan, every number in a table.

    Tables beyond the lists are computed on first use.

    Parameters
    ----------
    answer : str
        What each choice does to forecasts and ratings, in a sentence.
    pool, old, new : str
        The rules as they were spelt.
    choices : tuple of str
        `from today`, `from 1980-01-01`, `from the beginning`.
    plan : Plan
    lists : Table
        A row a player: rank and rating under the old rule and under each choice, and how far the ratings differ.
    levels : Table
        A row a choice: rated players, the sum, mean and spread of their ratings, quartiles, the best and the mean of
        the best ten, and the differences from the old rule.
    agreement : Table
        A row a choice: how the list agrees with that of the old rule.
    movers : Table
        A row a choice and player: the ratings that move most, up and down.
    crossings : Table
        A row a choice, threshold or grade: how many players are there under each rule, how many rise and fall.
    crossed : Table
        A row a choice, threshold or grade, and player who crosses it.
    forecasts : Table
        A row a choice and stretch of games, from each start date on: scores, and how much better it is than the old
        rule, in nats a game with an interval. Every forecast was made strictly before its game.
    backdating : Table
        A row a start and earlier choice: how much better the earlier one forecasts than the choice that starts then,
        on the games from then on.
    distributions, health, curves : Table
        As in a `Comparison`, with choices in place of methods.
    starts : Table
        A row a choice: the day, how many ratings were carried over, how many results each rule rated.
    carried : Table
        A row a column of the new rule: whether it takes over the old rule's values, and if not, why.
    left_out : Table
        A row a choice without forecasts that could be scored: choice, why.
    provenance : Table
    called : mapping of str to str
        What players are called, by key; the report shows it beside the key.
    """

    answer: str
    pool: str
    old: str
    new: str
    choices: tuple[str, ...]
    plan: Plan
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

    def __str__(self) -> str:
        return f"{self.answer}\n\n{self.levels}"

    __repr__ = __str__

    def json(self) -> str:
        """Everything as one JSON text, numbers unrounded."""
        facts = {"answer": self.answer, "pool": self.pool, "old": self.old, "new": self.new}
        tables = {name: table.json() for name, table in self.tables.items()}
        whole = {**facts, "choices": list(self.choices), "tables": tables}
        return json.dumps(whole, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        shown = (self.levels, self.forecasts, self.starts, self.provenance)
        return f"<p>{escape(self.answer)}</p>" + "".join(table._repr_html_() for table in shown if len(table))


def backdate(
    plan: Plan, old: Method, new: Method, view: View, listing: Listing, version: str, followed: Sequence[int] = ()
) -> Backdating:
    """Carries out a plan: rates a pool by the old rule and by each of its choices.

    Parameters
    ----------
    plan : Plan
    old, new : Method
        Its rules.
    view : View
        The pool at the cuts of the plan.
    listing : callable
        Makes a rating list from a standing, under the policy of the plan.
    version : str
        Version of ratingcore.
    followed : sequence of int
        Rows of the players whose ratings are followed; those with most games if empty.

    Raises
    ------
    BadValue
        If nothing was played, a start lies before the first result or after the last one, or the new rule cannot begin
        with given ratings.
    MethodError
        If a rule cannot rate the pool.
    """
    _see_times(plan, new, view)
    unchanged = Alternative(OLD, old, view, listing)
    make = partial(_alternative, unchanged, new)
    effects = Effects(unchanged, tuple(make(start) for start in plan.start), plan, tuple(followed))
    spelt = [rule if isinstance(rule, str) else text_of(rule) for rule in (plan.old, plan.new)]
    tables = effects.tables()
    return Backdating(
        answer=effects.quality.answer(spelt[0], spelt[1], effects.agreements),
        pool=view.pool, old=spelt[0], new=spelt[1],
        choices=tuple(choice.name for choice in effects.choices), plan=plan, **tables,
        provenance=_provenance(plan, old, new, view, version),
        called=People(view.book).called_by_key(view.called),
    )  # fmt: skip


def _alternative(old: Alternative, new: Method, start: Any) -> Alternative:
    view, listing = old.view, old.listing
    if start == TODAY:
        return Alternative("from today", old.method, view, listing)
    if start == BEGINNING:
        return Alternative("from the beginning", new, view, listing, since=_day_of(view.first_played))
    at = view.instant(start)
    return Alternative(f"from {view.clock.iso(at)}", new, view, listing, Changeover(old.method, new, view, at), at)


def _day_of(at: Instant | None) -> Instant | None:
    return None if at is None else at // DAY * DAY


def _see_times(plan: Plan, new: Method, view: View) -> None:
    first, last = view.first_played, view.last_played
    if first is None or last is None:
        raise BadValue(plan.where("pool"), view.pool, "has no results at this cut")
    days = [start for start in plan.start if start not in (TODAY, BEGINNING)]
    what = plan.where("start")
    see_possible(new, what, days)
    for start in days:
        if view.instant(start) > last:
            raise BadValue(what, start, f"is after the last result, of {iso(last // DAY * DAY)}: write 'today'")
        if view.instant(start) <= first:
            raise BadValue(
                what, start, f"is not after the first result, of {iso(first // DAY * DAY)}: write 'beginning'"
            )


def _provenance(plan: Plan, old: Method, new: Method, view: View, version: str) -> Table:
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
        "left out": ", ".join(in_words(why, count) for why, count in view.odd.counts(view.through).items()),
        "ratingcore": version,
    }
    rows = {fact: str(value) for fact, value in facts.items() if value not in (None, "")}
    return Table("provenance", "Made from", {"fact": tuple(rows), "value": tuple(rows.values())})

"""Laws of indifference: to the order inside a period, to the rows of players, to who is called `a`."""

import numpy as np

from ratingcore.columns import Games
from ratingcore.events import DAY
from ratingcore.methods.contract import Cadence, Method, Rated, Solved
from ratingcore.methods.state import State
from ratingcore.testing.assertions import among, nth, outputs, rated, same_columns, same_state
from ratingcore.testing.law import PERIODIC, law_of_seasons
from ratingcore.testing.season import Season
from ratingcore.testing.variants import in_one_day, moved, moved_state, reversed_sides, turned


@law_of_seasons(PERIODIC)
def permutation(method: Method, season: Season) -> None:
    """The order of results inside a period moves nobody."""
    rng = np.random.default_rng(1)
    for stage in season.stages(method):
        n = len(stage.results)
        one = rated(method, stage.state, in_one_day(stage.results, np.arange(n)))
        for order in (np.arange(n)[::-1], rng.permutation(n)):
            other = rated(method, stage.state, in_one_day(stage.results, order))
            same_state(one.state, other.state, "in another order", season.who, exact=False)
            if isinstance(stage.results, Games):
                ordered = {name: column[order] for name, column in outputs(one).items()}
                same_columns(ordered, outputs(other), "in another order", nth, exact=False)
            same_columns(dict(one.after), dict(other.after), "in another order", season.who, exact=False)


@law_of_seasons()
def relabelling(method: Method, season: Season) -> None:
    """Players in other rows get the same ratings there."""
    rng = np.random.default_rng(2)
    for stage in season.stages(method):
        row = rng.permutation(len(stage.state["rating"]))
        one = method.rate(stage.state, stage.results)
        other = method.rate(moved_state(stage.state, method.columns(), row), moved(stage.results, row))
        moved_one = moved_state(one.state, method.columns(), row)
        who = among(np.argsort(row), season.who)
        same_state(moved_one, other.state, "with players in other rows", who, exact=False)
        same_columns(outputs(one), outputs(other), "with players in other rows", nth, exact=False)


@law_of_seasons()
def rows(method: Method, season: Season) -> None:
    """What is shown goes row by row: in other rows the same, of some of the rows what is shown of all.

    The rows of others count for nothing, because histories show players alone. A whole-pool method may look at them,
    and is asked for other rows only; columns of a pool or of pairs stay whole.
    """
    rng = np.random.default_rng(3)
    for stage in season.stages(method):
        state, declared = method.rate(stage.state, stage.results).state, method.columns()
        players = len(state["rating"])
        row, some = rng.permutation(players), np.flatnonzero(rng.random(players) < 0.5)
        for at in (stage.results.span.end, stage.results.span.end + 400 * DAY):
            whole = method.show(state, at)
            other = method.show(moved_state(state, declared, row), at)
            back = {name: column[row] for name, column in other.items()}
            same_columns(whole, back, "shown with players in other rows", season.who, exact=False)
            if method.cadence is not Cadence.RETROSPECTIVE:
                own = {c.name: state[c.name][some] if c.per == "player" else state[c.name] for c in declared}
                cut = {name: column[some] for name, column in whole.items()}
                why = "shown without the rows of others"
                same_columns(cut, method.show(State(own), at), why, among(some, season.who), exact=False)


@law_of_seasons()
def symmetry(method: Method, season: Season) -> None:
    """Who is called `a`, or which side comes first, moves nobody.

    What names a side goes along: `home`, and the facts whose names end in `_a` and `_b`.
    """
    for stage in season.stages(method):
        other = turned(stage.results, method.needs)
        one, back = method.rate(stage.state, stage.results), method.rate(stage.state, other)
        why = "with the sides turned round"
        same_state(one.state, back.state, why, season.who, exact=False)
        given = {"expected score": method.expected(stage.state, stage.results.withheld()).expected, **_by_side(one)}
        turned_round = {"expected score": method.expected(stage.state, other.withheld()).expected, **_by_side(back)}
        for name, column in turned_round.items():
            turned_round[name] = reversed_sides(other, column)
            if isinstance(other, Games):
                turned_round[name] = column[:, ::-1] if column.ndim == 2 else 1.0 - column
        same_columns(given, turned_round, why, nth, exact=False)


def _by_side(outcome: Rated | Solved) -> dict[str, np.ndarray]:
    """What a call returned about each side."""
    if isinstance(outcome, Solved):
        return {"fitted score": outcome.fitted}
    columns = outputs(outcome)
    return {"rated expected score": outcome.expected, **{name: columns[name] for name in ("change", *outcome.before)}}

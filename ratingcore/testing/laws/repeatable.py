"""Laws of replays: repeating, slicing, reordering and renaming, and seeds at any time, do not change ratings."""

from itertools import pairwise
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.columns import Games, Sides
from ratingcore.columns.games import Blanks, Floats, Ints
from ratingcore.columns.games import interleaved as members_of
from ratingcore.events import DAY
from ratingcore.methods.contract import Cadence, Method, Rated, Solved
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.rule_histories import BY, Book, by_tournament
from ratingcore.methods.state import State
from ratingcore.replay import Replay, fold
from ratingcore.replay.run import pairs_in
from ratingcore.testing.law import (
    CONTINUOUS,
    FORWARD,
    PERIODIC,
    DoesNotApply,
    always,
    among,
    columns,
    law_of_seasons,
    nth,
    outputs,
    rated,
    same,
    same_columns,
    same_state,
)
from ratingcore.testing.season import Season, rated_start, start
from ratingcore.testing.variants import in_one_day, moved, moved_state, rebuilt, reversed_sides, turned


class Scrawled(Blanks):
    """Blank columns filled with NaN, to expose a method that reads them before it writes to them."""

    def __init__(self) -> None:
        super().__init__(0)

    def take(self, size: int) -> Floats:
        return np.full(size, np.nan)


@law_of_seasons()
def replay(method: Method, season: Season) -> None:
    """Replaying twice gives the same bits.

    The second replay may use an equal method, keep no history, or get blank columns with other content.
    """
    first = fold(method, season.view, keep=True)
    again = fold(evolve(method), season.view, keep=True)  # type: ignore[misc]  # methods are attrs classes
    same_state(first.state, again.state, "after a second replay", season.who)
    same_columns(_outputs(first), _outputs(again), "after a second replay", nth)
    same_state(first.state, fold(method, season.view).state, "without its history", season.who)
    for stage in season.stages(method):
        if isinstance(stage.results, Games):
            clean = method.rate(stage.state, stage.results)
            n = len(stage.results)
            scrawled = method.rate(stage.state, stage.results.part(0, n, blanks=Scrawled()))
            same_state(clean.state, scrawled.state, "with other content in blank columns", season.who)


def _outputs(replay: Replay) -> dict[str, Floats]:
    if replay.moves is None:
        return {} if replay.fitted is None else {"fitted score": replay.fitted}
    moves = replay.moves
    columns = {"expected score": moves.expected, "change": moves.change, **moves.before, **moves.notes}
    return columns if moves.draw is None else {**columns, "chance of a draw": moves.draw}


@law_of_seasons(FORWARD)
def history(method: Method, season: Season) -> None:
    """A rule that follows itself from a day on gives the same bits as the rule throughout."""
    if "slicing" in method.excuses:
        return  # the day would split a call
    whole, played = fold(method, season.view, keep=True), season.results(method).played
    for part in (0.3, 0.6) if len(played) else ():
        day = int(played[int(len(played) * part)]) // DAY * DAY
        for by in BY if by_tournament(method) else BY[:1]:
            book = Book(method, method, day, by)
            continued, after = fold(book, season.view, keep=True), f"by the rule that follows itself {book.since}"
            same_state(whole.state, continued.state, after, season.who)
            same_columns(_outputs(whole), _outputs(continued), after, nth)
            same_state(whole.state, fold(book, season.view).state, after, season.who)


@law_of_seasons(CONTINUOUS)
def slicing(method: Method, season: Season) -> None:
    """Any slicing of the results gives the same bits."""
    results = season.results(method)
    n = len(results)
    begin = rated_start(method, season.view.n_players, pairs_in(results))
    whole = rated(method, begin, results)
    for size in (1, 7, max(2, n // 2)):
        state, parts = begin, []
        for low, high in pairwise([*range(0, n, size), n]):
            parts.append(rated(method, state, results.part(low, high)))
            state = parts[-1].state
        why = f"in one call and in slices of {size}"
        same_state(whole.state, state, why, season.who)
        same_columns(outputs(whole), _joined(parts, outputs(whole)), why, nth)


def _joined(parts: list[Rated], wanted: dict[str, Floats]) -> dict[str, Floats]:
    """Joins the outputs of parts; a label that is missing from a part is filled with zero changes."""
    by_part = [outputs(part) for part in parts]
    names = dict.fromkeys([*wanted, *(name for part in by_part for name in part)])
    return {name: np.concatenate([_of(part, name, wanted) for part in by_part]) for name in names}


def _of(part: dict[str, Floats], name: str, wanted: dict[str, Floats]) -> Floats:
    if name in part:
        return part[name]
    is_change = (
        name in wanted and wanted[name].shape == wanted["change"].shape and not name.startswith(("note ", "chance"))
    )
    return np.zeros_like(part["change"]) if is_change else np.full(len(part["expected score"]), np.nan)


@law_of_seasons(CONTINUOUS)
def length(method: Method, season: Season) -> None:
    """Players who do not play change no bit, however many there are."""
    for stage in season.stages(method):
        whole = rated(method, stage.state, stage.results)
        players = len(stage.state["rating"])
        for more in (1, 40):
            longer = stage.state.grown(start(method, players + more, pairs_in(stage.results)))
            results = _longer(stage.results, more)
            other = rated(method, longer, results)
            why = f"with {more} more player{'s' * (more > 1)} who do{'es' * (more == 1)} not play"
            first = {c.name: other.state[c.name][: len(whole.state[c.name])] for c in method.columns()}
            same_columns(columns(whole.state), first, why, season.who)
            same_columns(outputs(whole), outputs(other), why, nth)
            idle = {c.name: other.state[c.name][players:] for c in method.columns() if c.per == "player"}
            same_columns(
                {name: longer[name][players:] for name in idle}, idle, why, always("a player who does not play")
            )


def _longer(results: Any, more: int) -> Any:
    """Returns the results with facts of further players, copied from the last player."""
    players = {name: np.concatenate([x, np.repeat(x[-1:], more)]) for name, x in results.players.items()}
    return rebuilt(results, players=players)


@law_of_seasons(CONTINUOUS)
def seeds(method: Method, season: Season) -> None:
    """Seeds take effect just before the next result of their player, at whatever time they are given.

    The replay, which plants many at one cut, agrees with playing result by result.
    """
    if isinstance(method, Entering):
        raise DoesNotApply("newcomers have no rating until the replay gives them one")
    replay = fold(method, season.view, keep=True)
    assert replay.moves is not None
    state, ratings, parts = _one_by_one(method, season)
    why = "in the replay and result by result"
    same_state(replay.state, state, why, season.who)
    if parts:
        same_columns(
            {"expected score": replay.moves.expected, "change": replay.moves.change},
            {
                "expected score": np.concatenate([part.expected for part in parts]),
                "change": np.concatenate([np.ravel(outputs(part)["change"]) for part in parts]),
            },
            why,
            nth,
        )
    rows = _members(season.results(method))
    same("rating before a result", replay.rating_before, ratings, among(rows, season.who), exact=False)


def _one_by_one(method: Method, season: Season) -> tuple[State, Floats, list[Rated]]:
    """Rates a season result by result, and plants every seed alone and at its time."""
    results, table = season.results(method), season.view.seeds
    state = start(method, season.view.n_players, pairs_in(results))
    parts: list[Rated] = []
    ratings: list[Floats] = [np.empty(0)]
    s = 0
    for r in range(len(results)):
        while s < len(table.played) and table.played[s] <= results.played[r]:
            state = _planted(method, state, table, s)
            s += 1
        one = results.part(r, r + 1)
        part = rated(method, state, one)
        moved = sum((np.ravel(outputs(part)[label]) for label in part.before), np.zeros(len(_members(one))))
        ratings.append(state["rating"][_members(one)] + moved)
        parts.append(part)
        state = part.state
    for late in range(s, len(table.played)):
        state = _planted(method, state, table, late)
    return state, np.concatenate(ratings), parts


def _members(results: Any) -> Ints:
    return results.player if isinstance(results, Sides) else members_of(results.a, results.b)


def _planted(method: Method, state: State, table: Any, s: int) -> State:
    changed = {}
    for column in method.columns():
        value = table.values[column.name][s] if column.name in table.values else np.nan
        if (
            np.isnan(value)
            and column.seeded is not None
            and not np.isnan(table.values.get(column.seeded_by, {s: np.nan})[s])
        ):
            value = column.seeded(table.played[s : s + 1])[0]
        if column.per == "player" and not (column.kept and np.isnan(value)):
            changed[column.name] = state.copy(column.name)
            changed[column.name][table.player[s]] = column.start if np.isnan(value) else value
    return state.replace(**changed)


@law_of_seasons(PERIODIC)
def permutation(method: Method, season: Season) -> None:
    """The order of results inside a period changes no rating."""
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
    """The values shown of a player depend only on the player's own row.

    The rows of other players must not matter, because histories show single players. A whole-pool method may use them,
    and is only checked with other rows; columns of a pool or of pairs stay whole.
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
    """Swapping `a` and `b`, or the order of the sides, changes no rating.

    Facts that refer to a side are swapped, too: `home`, and facts whose names end in `_a` and `_b`.
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
    """Returns what a call reported about each side."""
    if isinstance(outcome, Solved):
        return {"fitted score": outcome.fitted}
    columns = outputs(outcome)
    return {"rated expected score": outcome.expected, **{name: columns[name] for name in ("change", *outcome.before)}}

"""Makes variants of results: sides swapped, players in other rows, results of one day in another order."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ratingcore.columns.games import Floats, Games, Ints, Need, frozen_array
from ratingcore.methods.state import Column, State


def rebuilt(results: Any, **other: Any) -> Any:
    """Returns the results with some columns replaced."""
    return results.replaced(**{name: _frozen(column) for name, column in other.items()})


def _frozen(given: Any) -> Any:
    """Makes columns read-only, alone or by name; returns anything else unchanged."""
    if isinstance(given, np.ndarray):
        return frozen_array(given)
    return {name: frozen_array(column) for name, column in given.items()} if isinstance(given, Mapping) else given


def turned(results: Any, needs: Iterable[Need]) -> Any:
    """Returns the same results with sides swapped: `a` becomes `b`, home becomes away, the last side becomes first."""
    facts = _swapped(results.facts, "")
    for need in needs:
        if need.name in facts and {"a", "b"} <= need.words.keys():
            a, b, was = need.words["a"], need.words["b"], facts[need.name]
            facts[need.name] = np.where(was == a, b, np.where(was == b, a, was))
    if isinstance(results, Games):
        return rebuilt(results, a=results.b, b=results.a, score=1.0 - results.score, facts=facts)
    sides = _reversed(results.result)
    members = _joined([_backwards(results.side, side) for side in sides])
    side = np.concatenate([[0], np.cumsum(np.diff(results.side)[sides])]).astype(np.int64)
    seated = {name: column[members] for name, column in results.members.items()}
    return rebuilt(
        results, player=results.player[members], score=results.score[sides], side=side, facts=facts, members=seated
    )


def upset(results: Any) -> Any:
    """Returns the results with reversed outcomes: winners lose by the same margin."""
    facts = _swapped(results.facts, "points")
    if isinstance(results, Games):
        return rebuilt(results, score=1.0 - results.score, facts=facts)
    return rebuilt(results, score=results.score[_reversed(results.result)], facts=facts)


def moved(results: Any, row: Ints) -> Any:
    """Returns the results with the player of row `i` in row `row[i]`."""
    players = {name: _put(column[: len(row)], row) for name, column in results.players.items()}
    if isinstance(results, Games):
        return rebuilt(results, a=row[results.a].astype(np.int32), b=row[results.b].astype(np.int32), players=players)
    return rebuilt(results, player=row[results.player].astype(np.int32), players=players)


def moved_state(state: State, columns: Iterable[Column], row: Ints) -> State:
    """Returns the state with the player of row `i` in row `row[i]`."""
    return state.replace(**{c.name: _put(state[c.name], row) for c in columns if c.per == "player"})


def in_one_day(results: Any, order: Ints) -> Any:
    """Returns the results in another order, all played at one instant and recorded in that order."""
    played = np.full(len(results), results.played[0] if len(results) else 0)
    return rebuilt(results.take(order), played=played, position=np.sort(results.position))


def reversed_sides(results: Any, columns: Floats) -> Floats:
    """Reorders a column of sides or members of `turned` results as in the original results; columns of games stay."""
    if isinstance(results, Games):
        return columns
    sides = _reversed(results.result)
    if len(columns) == len(results.player):
        members = _joined([_backwards(results.side, side) for side in sides])
        return columns[members]
    return columns[sides]


def _put(column: Floats, row: Ints) -> Floats:
    moved = np.empty_like(column)
    moved[row] = column
    return moved


def _swapped(facts: Mapping[str, Floats], prefix: str) -> dict[str, Floats]:
    """Returns facts in which those of `a` and of `b` are exchanged, if their names begin with the prefix."""
    other = {"a": "b", "b": "a"}
    swapped = {}
    for name, column in facts.items():
        stem, _, side = name.rpartition("_")
        partner = f"{stem}_{other[side]}" if stem.startswith(prefix) and side in other else name
        swapped[name] = facts.get(partner, column)
    return swapped


def _reversed(start: Ints) -> Ints:
    """Returns the indices of all items, with each group reversed."""
    return _joined([_backwards(start, group) for group in range(len(start) - 1)])


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])


def _backwards(start: Ints, group: int) -> Ints:
    return np.arange(int(start[group + 1]) - 1, int(start[group]) - 1, -1)

"""The results of a view as a method reads them: games or sides, with columns for the fields that it needs."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np
from attrs import frozen

from ratingcore.columns.arrays import Floats, Ints, frozen_array
from ratingcore.columns.fields import ResultFields
from ratingcore.columns.games import Games, Span
from ratingcore.columns.needs import Need
from ratingcore.columns.sides import Sides
from ratingcore.columns.timeline import Timeline

Results = TypeVar("Results", Games, Sides)


@frozen(eq=False)
class MethodInput:
    """Makes games or sides of a timeline, for one method.

    Parameters
    ----------
    timeline : Timeline
    fields : ResultFields
    span : Span
        Of all results of the view.
    end : (int, int)
        How many games and how many sessions the view holds.
    needs : tuple of Need
    method : str
        Named in errors.
    players : mapping of str to (n,) float64
        The fields of players, aligned with the rows of the state.
    """

    timeline: Timeline
    fields: ResultFields
    span: Span
    end: tuple[int, int]
    needs: tuple[Need, ...]
    method: str
    players: Mapping[str, Floats]

    def games(self, start: int) -> Games:
        """The games from a place in order of play on."""
        table = self.timeline.table.part(start, self.end[0])
        games = Games(
            frozen_array(table.a), frozen_array(table.b), frozen_array(table.score), frozen_array(table.played),
            frozen_array(table.position), self.span, self._of_results(table.position), self.players,
        )  # fmt: skip
        return _without_odd(games, self.needs)

    def sides(self, game: int, session: int) -> Sides:
        """The games and sessions from their places in order of play on, merged into one order."""
        return _without_odd(self._sides(game, session), self.needs)

    def _sides(self, game: int, session: int) -> Sides:
        seated = self._seated(session)
        if game == self.end[0]:
            return seated.frozen()
        table = self.timeline.table.part(game, self.end[0])
        facts = self._of_results(table.position)
        games = Games(table.a, table.b, table.score, table.played, table.position, self.span, facts, self.players)
        n = len(table.position)
        of_games = Sides.of(games, self._of_members(table.position, lambda: np.full(n, 2), 2 * n))
        if session == self.end[1]:
            return of_games.frozen()
        return of_games.merged(
            seated, np.concatenate([table.order, self.timeline.sessions.order[session : self.end[1]]])
        )

    def _seated(self, first: int) -> Sides:
        """The sessions from one on, as sides with members."""
        sessions, last = self.timeline.sessions, self.end[1]
        position = sessions.position[first:last]
        result = sessions.result[first : last + 1]
        side = sessions.side[int(result[0]) : int(result[-1]) + 1]
        members, sides = slice(int(side[0]), int(side[-1])), slice(int(result[0]), int(result[-1]))
        if result[0] or side[0]:  # copies that those who read from the beginning can do without
            result, side = result - result[0], side - side[0]
        return Sides(
            result, side, sessions.player[members], sessions.score[sides],
            sessions.played[first:last], position, self.span, self._of_results(position), self.players,
            members=self._of_members(position, lambda: np.diff(side[result]), len(sessions.player[members])),
        )  # fmt: skip

    def _of_results(self, positions: Ints) -> dict[str, Floats]:
        wanted = [need for need in self.needs if need.of == "result"]
        return {need.name: self.fields.column(need, positions, self.method) for need in wanted}

    def _of_members(self, positions: Ints, sizes: Callable[[], Ints], members: int) -> dict[str, Floats]:
        """The fields of members, for results of so many members each, and of so many in all."""
        found = {}
        for need in self.needs:
            if need.of == "member" and self.fields.absent(need):
                found[need.name] = frozen_array(np.full(members, need.default))
            elif need.of == "member":
                found[need.name] = self.fields.of_members(need, positions, sizes(), self.method)
        return found


def _without_odd(results: Results, needs: tuple[Need, ...]) -> Results:
    """The results that every need can read, where a need leaves out the others."""
    odd = np.zeros(len(results), dtype=np.bool_)
    for need in needs:
        if need.leaves_out:
            odd |= np.isnan(results[need.name])
    return results.take(np.flatnonzero(~odd)) if odd.any() else results

"""Games that a run reads piece by piece, so that only the piece that it rates is in memory."""

from typing import Any, Self

import numpy as np

from ratingcore.columns.games import Blanks, Floats, Games, Span, frozen_array
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.events import Instant
from ratingcore.methods.contract import Method


class Pieces:
    """The games of a view from a place in order of play on, none of which has a field that the method needs.

    Parameters
    ----------
    method : Method
    view : View
    first : int
        Place of the first game.
    """

    def __init__(self, method: Method, view: View, first: int) -> None:
        self._method, self._view, self._first = method, view, first
        self._defaults: dict[str, Floats] = {}
        """Default values of each needed field, for as many results as the longest piece so far."""

    @classmethod
    def of(cls, method: Method, view: View, since: Instant | None) -> Self | None:
        """The games after an instant, if it is given; None if there are sessions, or fields that the method needs."""
        if method.reads is Games:
            view.games_only(method.name, since)
        if view.n_sessions or not view.absent(method.needs):
            return None
        return cls(method, view, 0 if since is None else view.started(since)[0])

    def __len__(self) -> int:
        return self._view.n_games - self._first

    def before(self, at: Instant) -> int:
        """Number of these games played before an instant."""
        return min(max(self._view.timeline.table.before(at) - self._first, 0), len(self))

    def part(self, start: int, stop: int, span: Span | None = None, blanks: Blanks | None = None) -> Any:
        """The games from `start` to before `stop`, in the form that the method reads."""
        facts = self._fields("result", stop - start)
        games = self._view.games_between(self._first + start, self._first + stop, span, blanks, facts)
        if self._method.reads is Games:
            return games
        return Sides.of(games, self._fields("member", 2 * (stop - start)), blanks)

    def _fields(self, of: str, size: int) -> dict[str, Floats]:
        names = [need.name for need in self._method.needs if need.of == of]
        for need in self._method.needs:
            if need.of == of and len(self._defaults.get(need.name, ())) < max(size, 1):
                self._defaults[need.name] = frozen_array(np.full(size, need.default))
        return {name: self._defaults[name][:size] for name in names}

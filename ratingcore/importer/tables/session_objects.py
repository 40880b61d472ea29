"""Makes sessions of many sides of JSON objects that have `sides`."""

import json
from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import evolve

from ratingcore.errors import BadMapping, BadValue
from ratingcore.events import Side
from ratingcore.events.bounds import see_player
from ratingcore.importer.tables.binding import Binding
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.lines import Line, Outcome, Refused
from ratingcore.importer.tables.numbers import required
from ratingcore.importer.tables.rows import known_line, outcome_of
from ratingcore.importer.tables.scores import NO_RESULT
from ratingcore.importer.tables.session_facts import PLACES, Common, made, place_of
from ratingcore.importer.tables.sheets import Object, Sheet, cells_of
from ratingcore.importer.tables.sources import FromColumn


class Objects:
    """Makes sessions of the objects of a file that have `sides`."""

    def __init__(self, sheet: Sheet, fields: FieldMap, pool: str | None) -> None:
        source = fields.fields.get("sides", FromColumn("sides"))
        if not isinstance(source, FromColumn):
            raise BadMapping(fields.where, "the sides of a session are in a column")
        self.column = source.column
        # what tells one session from another must not be missed where the first objects of a file are games
        named = {"uid", "id", "session"} & {*sheet.layout}
        late = ("session",) * ("session" not in named) + ("uid",) * named.isdisjoint({"uid", "id"})
        self._sheet, self._fields, self._pool = evolve(sheet, further=sheet.further + late), fields, pool

    @property
    def expected(self) -> bool:
        """Whether the first objects of the file have sides."""
        return self.column in self._sheet.columns

    @property
    def bound(self) -> Binding:
        """Which columns say what of a session."""
        return self._common[0]

    @cached_property
    def _common(self) -> tuple[Binding, Common]:
        fields = evolve(
            self._fields, fields={name: one for name, one in self._fields.fields.items() if name != "sides"}
        )
        bound = Binding(self._sheet, fields)
        return bound, Common(bound, fields, self._pool)

    def line(self, number: int, parsed: Object) -> Line:
        """The line of an object with sides."""
        bound, sides = self.bound, parsed[self.column]
        parsed = {"uid": parsed.get("id")} | parsed
        cells = cells_of(parsed, self._sheet.layout, frozenset(bound.used))
        if isinstance(cells, Refused):
            return Line(number, cells)
        cells += bound.tail
        outcome = outcome_of(self._sheet, cells, lambda cells: self._made(cells, sides))
        line = known_line(self._sheet, bound, number, outcome, cells)
        if isinstance(line.outcome, Refused):
            return Line(number, line.outcome._replace(text=json.dumps(parsed, ensure_ascii=False)[:200]))
        return line

    def _made(self, cells: list[str], sides: Any) -> Outcome:
        bound, common = self._common
        number = required("score", bound.decimal)
        if not isinstance(sides, list):
            raise BadValue("sides", str(sides)[:60], 'are no list of objects such as {"players": ["ann"], "score": 3}')
        said = common.of(cells)
        name = "" if common.session is None else common.session[cells[common.session.index]]
        read = [_side_of(side, number) for side in sides]
        scores = [score for _, score, _ in read]
        if read and all(score is None for score in scores):
            return NO_RESULT
        if len({places for _, _, places in read}) > 1:
            raise BadValue("sides", "", "are given a score and a place: one of them for all")
        if any(places for _, _, places in read):
            said.setdefault("unit", PLACES)
        return made(said, [Side(players, _known(players, score)) for players, score, _ in read], name)


def _known(players: list[str], score: float | None) -> float:
    if score is None:
        raise BadValue("score", ", ".join(players), "is missing of a side; leave out who did not play")
    return score


def _side_of(side: Any, number: Callable[[str], float | None]) -> tuple[list[str], float | None, bool]:
    """Players and score of a side of an object, and whether it was given as a place."""
    if not isinstance(side, dict):
        raise BadValue("sides", str(side)[:60], 'holds what is no object such as {"players": ["ann"], "score": 3}')
    foreign = next((key for key in side if key not in ("players", "score", "place")), None)
    if foreign is not None:
        raise BadValue("sides", foreign, "is no field of a side, which has players, and a score or a place")
    players = side.get("players")
    players = [players] if isinstance(players, str) else players
    if not isinstance(players, list) or not players or not all(isinstance(one, str) for one in players):
        raise BadValue("players", str(players)[:60], "are no names")
    given, place = (side.get(key) for key in ("score", "place"))
    for text in (given, place):
        if not isinstance(text, str | None):
            raise BadValue("score", str(text)[:60], "is not a finite number")
    who = [see_player("player", one.strip()) for one in players]
    if given is None and place is not None:
        rank = place_of(place.strip())
        return who, None if rank is None else float(-rank), True
    score = None if given is None else number(given.strip())
    return who, None if score is None else float(score), False

"""Reads sessions of many sides from JSON objects with `sides`."""

import json
from collections.abc import Callable
from functools import cached_property, partial
from operator import itemgetter

from attrs import evolve

from ratingcore.errors import BadMapping, BadValue, NotANumber
from ratingcore.events import SessionPlayed, Side
from ratingcore.events.bounds import check_player
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import numeric_parser
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.outcomes import outcome_of
from ratingcore.importer.tables.score_words import NO_RESULT
from ratingcore.importer.tables.sessions import FACTS, PLACES, CommonFacts, made, place_of, with_somebody
from ratingcore.importer.tables.sheets import cells_of_object
from ratingcore.readers import Outcome, Refused
from ratingcore.readers.sheets import Object, Sheet


class Objects:
    """Makes sessions from the objects of a file that have `sides`."""

    def __init__(self, sheet: Sheet, fields: FieldMap, pool: str | None) -> None:
        source = fields.fields.get("sides", FromColumn("sides"))
        if not isinstance(source, FromColumn):
            raise BadMapping(fields.where, "the sides of a session are in a column")
        self.column = source.column
        # if the first objects of a file are games, the uids of later sessions must still be read
        named = {"uid", "id", "session"} & {*sheet.layout}
        late = ("session",) * ("session" not in named) + ("uid",) * named.isdisjoint({"uid", "id"})
        self._sheet, self._fields, self._pool = evolve(sheet, further=sheet.further + late), fields, pool

    @property
    def expected(self) -> bool:
        """True if one of the first objects of the file has sides."""
        return self.column in self._sheet.columns

    @property
    def bound(self) -> Binding:
        """The binding for the facts of a session."""
        return self._common[0]

    @cached_property
    def _common(self) -> tuple[Binding, CommonFacts]:
        fields = evolve(
            self._fields, fields={name: one for name, one in self._fields.fields.items() if name != "sides"}
        )
        bound = Binding(self._sheet, fields)
        return bound, CommonFacts(bound, fields, self._pool, (*FACTS, "first_line"))

    def outcome(self, line: int, parsed: Object) -> Outcome:
        """Returns the outcome of an object with sides."""
        bound, sides = self.bound, parsed[self.column]
        parsed = parsed if "id" in self._fields.spent else {"uid": parsed.get("id")} | parsed
        row = cells_of_object(line, parsed, self._sheet.layout, frozenset(bound.used))
        if isinstance(row, Refused):
            return row
        found = outcome_of(self._sheet, bound, line, row[1] + bound.tail, lambda cells: self._made(cells, sides))
        if isinstance(found, Refused):
            return found._replace(text=json.dumps(parsed, ensure_ascii=False)[:200])
        return found

    def _made(self, cells: list[str], sides: object) -> SessionPlayed | str:
        bound, common = self._common
        number = numeric_parser("score", bound.decimal)
        if not isinstance(sides, list):
            raise BadValue(
                "sides", str(sides)[:60], 'are not a list of objects such as {"players": ["ann"], "score": 3}'
            )
        facts = common.of(cells)
        name = "" if common.session is None else common.session[cells[common.session.index]]
        given = [_side_of(side, number) for side in sides]
        read = with_somebody(given, itemgetter(0), partial(self._fields.player, "player"))
        scores = [score for _, score, _ in read]
        if read and all(score is None for score in scores):
            return NO_RESULT
        if len({places for _, _, places in read}) > 1:
            raise BadValue("sides", "score and place", "must all have a score, or all have a place")
        if any(places for _, _, places in read):
            facts.setdefault("unit", PLACES)
        return made(facts, [Side(players, _known(players, score)) for players, score, _ in read], name)


def _known(players: list[str], score: float | None) -> float:
    if score is None:
        raise BadValue("score", ", ".join(players), "is missing for a side; leave out sides that did not play")
    return score


def _side_of(side: object, number: Callable[[str], float | None]) -> tuple[list[str], float | None, bool]:
    """Returns the players and the score of one side, and whether the score was given as a place."""
    if not isinstance(side, dict):
        raise BadValue("sides", str(side)[:60], 'must hold objects such as {"players": ["ann"], "score": 3}')
    foreign = next((key for key in side if key not in ("players", "score", "place")), None)
    if foreign is not None:
        raise BadValue("sides", foreign, "may not have this field: a side has players, and a score or a place")
    players = side.get("players")
    players = [players] if isinstance(players, str) else players
    if not isinstance(players, list) or not players or not all(isinstance(one, str) for one in players):
        raise BadValue("players", str(players)[:60], "must be names")
    given, place = (side.get(key) for key in ("score", "place"))
    for text in (given, place):
        if not isinstance(text, str | None):
            raise NotANumber("score", str(text)[:60], "must be a finite number")
    who = [check_player("player", one.strip()) for one in players]
    if given is None and place is not None:
        rank = place_of(place.strip())
        return who, None if rank is None else float(-rank), True
    score = None if given is None else number(given.strip())
    return who, None if score is None else float(score), False

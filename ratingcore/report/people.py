"""Players in the tables of a page: their key, and what they are called where that is known."""

from collections.abc import Mapping
from typing import TypeVar

import attrs

from ratingcore.report.table import Table, Tabled

Made = TypeVar("Made", bound=Tabled)


def person(player: str, called: Mapping[str, str]) -> str:
    """A player as pages name them: `fide:15 (Ann Lee)`, or the key alone where nothing else is known.

    Examples
    --------
    >>> person("fide:15", {"fide:15": "Ann Lee"}), person("bo", {})
    ('fide:15 (Ann Lee)', 'bo')
    """
    return f"{player} ({called[player]})" if player in called else player


def with_called(made: Made, called: Mapping[str, str]) -> Made:
    """The same tables for people: columns `player` say what players are called, beside their keys.

    Parameters
    ----------
    made : Tabled
        A value whose fields are tables.
    called : mapping of str to str
        What players are called, by key.
    """
    if not called:
        return made
    fields = attrs.fields(type(made))  # type: ignore[arg-type]  # values of tables are attrs classes
    tables = {one.name: getattr(made, one.name) for one in fields if isinstance(getattr(made, one.name), Table)}
    named = {name: _named(table, called) for name, table in tables.items() if "player" in table.columns}
    return attrs.evolve(made, **named)  # type: ignore[misc]  # as above


def _named(table: Table, called: Mapping[str, str]) -> Table:
    players = tuple(None if one is None else person(str(one), called) for one in table["player"])
    return attrs.evolve(table, columns={**table.columns, "player": players})

"""Reads upcoming games from the command line and from tables."""

from collections.abc import Iterator
from contextlib import contextmanager

from ratingcore.cli.console import Mistake
from ratingcore.cli.fields import typed_facts
from ratingcore.engine import Engine
from ratingcore.errors import BadFile, RatingCoreError
from ratingcore.events.values import Fact
from ratingcore.importer.inputs import source_at
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.short_tables import Fixture, read_fixtures
from ratingcore.registry import Registry

Meeting = tuple[tuple[tuple[str, ...], tuple[str, ...]], dict[str, Fact]]
"""The players of both sides, and further facts of their game."""


def side_of(engine: Engine, text: str) -> tuple[str, ...]:
    """Returns the players of a side: one player with this name, or several names separated by +."""
    if "+" not in text or engine.log.book.find("player", text) is not None:
        return (text,)
    players = tuple(player.strip() for player in text.split("+"))
    if not all(players):
        raise Mistake(f"a player is missing before or after the +: {text}", "write several players as ann+cy")
    return players


def meetings_in(engine: Engine, file: str, fields: FieldMap, facts: dict[str, Fact]) -> list[Meeting]:
    """Returns the upcoming games that a table lists; `facts` are added to each of them.

    Raises
    ------
    BadFile
        If the table cannot be read, or a side in one of its rows has a + without a player beside it.
    """
    fixtures = read_fixtures(source_at(file, Registry.installed().sheets), fields)
    return [meeting_of(engine, file, one, facts) for one in fixtures]


def meeting_of(engine: Engine, file: str, one: Fixture, facts: dict[str, Fact]) -> Meeting:
    """Returns the upcoming game in one row of a table."""
    with in_line(file, one.line):
        return (side_of(engine, one.a), side_of(engine, one.b)), facts | typed_facts(one.facts)


@contextmanager
def in_line(file: str, line: int) -> Iterator[None]:
    """Context manager that adds the file and the line to errors raised in its block."""
    try:
        yield
    except Mistake as mistake:
        raise BadFile(file, f"line {line}: {mistake.message}", mistake.hint) from None
    except RatingCoreError as error:
        raise BadFile(file, f"line {line}: {error}", error.suggestion) from error

"""Players: found by name, their row and their facts, what moved their rating, and two of them against each other."""

from contextlib import suppress
from typing import Any

import numpy as np
from ratingcore_pages import YEAR

from ratingcore import Engine
from ratingcore.errors import CannotSay
from ratingcore.plugin.analysis import View, called_by_key
from ratingcore_service.answers.addresses import player_of
from ratingcore_service.answers.lists import rows_of
from ratingcore_service.answers.question import Question, head_of
from ratingcore_service.routing import Asked
from ratingcore_service.wire.answers import (
    Card,
    Cell,
    Explained,
    Forecast,
    History,
    Peak,
    PlayerFacts,
    Players,
    Row,
    Versus,
)
from ratingcore_service.wire.fixtures import Fixtures


def players(engine: Engine, asked: Asked) -> Players:
    """The players of a pool, by name; those whose name has a part in it."""
    question, query = Question.of(engine, asked), asked.query
    view, sought = question.view, (query.q or "").casefold()
    called, counts = called_by_key(view), view.played_counts()
    found = sorted(
        (key, row)
        for row, key in enumerate(view.names())
        if sought in key.casefold() or sought in (called.get(key) or "").casefold()
    )
    head = head_of(view)
    return Players(
        head=head, pool=question.pool, players=len(found), permalink=question.link(head),
        rows=[_facts(view, row, called, counts) for _, row in found[query.after : query.after + query.top]],
        next=question.following(head, len(found)),
    )  # fmt: skip


def _facts(view: View, row: int, called: Any, counts: Any) -> PlayerFacts:
    """Who stands in a row of the state."""
    number, key = int(view.timeline.players.id[row]), view.name(row)
    facts: dict[str, Cell] = {**view.facts_of(number)}
    return PlayerFacts(id=number, player=key, called=called.get(key), facts=facts, games=int(counts[row]))


def _who(question: Question, number: int) -> PlayerFacts:
    """Who has an id, or the player as whom a merged record counts."""
    player_of(question.engine, number)  # of somebody the log does not know at all there is nothing to say
    view = question.view
    return _facts(view, view.row(number), called_by_key(view), view.played_counts())


def card(engine: Engine, asked: Asked) -> Card:
    """A player: who they are, their row of the list, the highest rating, and the change over a year."""
    question, given = Question.of(engine, asked), int(asked.path["number"])
    who, listed = _who(question, given), question.listed
    places = np.flatnonzero(listed.id == who.id)
    row = rows_of(listed.with_exact(), int(places[0]), int(places[0]) + 1)[0] if len(places) else None
    head, made, why = head_of(listed), listed.provenance, ""
    if row is None:
        why = f"left off: {made.told_left_off()}" if made.left_off else "nothing of theirs is rated yet"
    elif row["rating"] is None:
        why = made.unrated or "unrated"
    return Card(
        head=head, pool=question.pool, method=made.method, permalink=question.link(head), id=who.id,
        player=who.player, called=who.called, facts=who.facts, known_as=_known_as(question, who.id), games=who.games,
        row=row, of=len(listed), peak=_peak(question, who.player), year=_year(question, who.player, made.at), why=why,
    )  # fmt: skip


def _known_as(question: Question, number: int) -> list[str]:
    """The other names under which a player's results were recorded."""
    engine, roots = question.engine, question.engine.log.corrections(question.view.known_at).roots
    return sorted(engine.log.names_book.keys([one for one, root in roots.items() if root == number and one != number]))


def _peak(question: Question, player: str) -> Peak | None:
    with suppress(CannotSay):
        found = question.engine.peaks(*question.cuts, players=[player]).get(player)
        if found is not None:
            return Peak(rating=found.rating, day=question.view.clock.day(found.at))
    return None


def _year(question: Question, player: str, at: int) -> float | None:
    """The rating now less the rating a year before the day of the list; None without a rating then."""
    rated = [line for line in question.engine.history(*_of_player(question, player)) if line.rating == line.rating]
    before = [line.rating for line in rated if line.played <= at - YEAR]
    return rated[-1].rating - before[-1] if before else None


def _of_player(question: Question, player: str) -> tuple[Any, ...]:
    pool, *cuts = question.cuts
    return (pool, player, *cuts)


def history(engine: Engine, asked: Asked) -> History:
    """What moved a player's rating, line by line, in order of play."""
    question, query = Question.of(engine, asked), asked.query
    who = _who(question, int(asked.path["number"]))
    lines, head = engine.history(*_of_player(question, who.player)), head_of(question.view)
    rows = list(lines.as_table())
    return History(
        head=head, pool=question.pool, method=question.identity, permalink=question.link(head), id=who.id,
        player=who.player, lines=len(rows), rows=cells(rows[query.after : query.after + query.top]),
        next=question.following(head, len(rows)),
    )  # fmt: skip


def explanation(engine: Engine, asked: Asked) -> Explained:
    """A player's rating in full: opening, a line for everything that moved it, closing."""
    question, query = Question.of(engine, asked), asked.query
    who = _who(question, int(asked.path["number"]))
    pool, method, through, known_at = question.cuts
    found = engine.explain(pool, who.player, method, query.since, through, known_at)
    opening, closing, rows, notes = found.opening, found.closing, list(found), found.facts()
    if query.against is not None:
        changed = engine.explain(pool, who.player, method or found.method, query.since, through, query.against).diff(
            found
        )
        opening, closing, rows, notes = changed.opening, changed.closing, list(changed), changed.facts()
    head = f"{found.known_at}:{found.digest}"
    return Explained(
        head=head, pool=pool, method=found.method, permalink=question.link(head), id=who.id, player=who.player,
        opening=opening, closing=closing, rows=cells(rows), notes=notes,
    )  # fmt: skip


def versus(engine: Engine, asked: Asked) -> Versus:
    """Two players: what is expected of a game between them, ratings after each result, and their games."""
    question, query = Question.of(engine, asked), asked.query
    one, other = _who(question, query.a), _who(question, query.b)
    pool, method, through, known_at = question.cuts
    games = list(engine.meetings(pool, one.player, other.player, method, through, known_at))
    at = query.at or through
    (ahead,) = engine.predict(pool, method, [(one.player, other.player)], at, known_at)
    head = head_of(question.view)
    return Versus(
        head=head, pool=pool, method=question.identity, permalink=question.link(head), a=one, b=other,
        played=ahead.time, expected=ahead.expected[0], win=ahead.win, draw=ahead.draw, loss=ahead.loss,
        rows=cells(ahead), games=cells(games), notes=list(ahead.notes),
    )  # fmt: skip


def forecasts(engine: Engine, asked: Asked) -> Forecast:
    """What a method expects of games to come, a row a game."""
    question, sent = Question.of(engine, asked), asked.body
    assert isinstance(sent, Fixtures)
    meetings = [(one.a, one.b) for one in sent.games]
    found = engine.predict(
        question.pool, question.method, meetings, sent.at or question.through, question.known_at,
        facts=[one.data for one in sent.games], newcomers=sent.newcomers, after=False,
    )  # fmt: skip
    head = head_of(question.view)
    return Forecast(
        head=head, pool=question.pool, method=question.identity, permalink="", rows=cells(found.as_table()),
        notes=list(found.notes),
    )  # fmt: skip


def cells(rows: Any) -> list[Row]:
    """Rows with plain lists in place of tuples, and nothing where a number is none."""
    return [{name: None if cell != cell else cell for name, cell in row.items()} for row in rows]

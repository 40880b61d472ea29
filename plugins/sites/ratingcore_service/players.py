"""API routes of players: search, card, history and explanation of a rating, comparison of two, and forecasts."""

from typing import Annotated, Any

from attrs import evolve
from msgspec import Meta, Struct

from ratingcore import Engine
from ratingcore.plugin.analysis import View, called_by_key, corrections_of
from ratingcore_service.lists import rows_of
from ratingcore_service.question import Question, cells, head_of, named, player_number
from ratingcore_service.routing import COSTLY, POOL, Asked, Route
from ratingcore_service.wire import Cell, Cut, Headed, KnownAt, Name, OfPool, Part, Row, Through, Who


class PlayersQuery(Part, kw_only=True):
    """Query for players: those whose names contain a text, or the one recorded under a key."""

    q: Name | None = None
    key: Name | None = None


class ExplainQuery(Cut, kw_only=True):
    """Query for the explanation of a rating, or of its changes by corrections since a cut or a published list.

    Against a published list, both ratings are by its method and through its day, unless `through` names another day.
    """

    since: Through | None = None
    against: KnownAt | None = None


class VersusQuery(Cut, kw_only=True):
    """Query about two players."""

    a: Who
    b: Who
    at: Through | None = None


class Fixture(Struct, forbid_unknown_fields=True, kw_only=True):
    """A future game of two players, with further facts such as who is at home."""

    a: Name
    b: Name
    data: Annotated[dict[str, str | int | float | bool], Meta(max_length=40)] = {}


class Fixtures(Struct, forbid_unknown_fields=True, kw_only=True):
    """Future games; each is forecast independently of the others."""

    games: Annotated[list[Fixture], Meta(min_length=1, max_length=1000)]
    at: Through | None = None
    newcomers: bool = False


class PlayerFacts(Struct, kw_only=True):
    """Id, names and facts of a player, and the number of their results."""

    id: int
    player: str
    called: str | None
    facts: dict[str, Cell]
    games: int


class Players(Headed, kw_only=True):
    """Players by name: ids, keys, visible names, facts, and numbers of results."""

    pool: str
    players: int
    rows: list[PlayerFacts]
    permalink: str
    next: str | None = None


class Peak(Struct, kw_only=True):
    """The highest rating of a player, unrounded, and its day."""

    rating: float
    day: str


class OfPlayer(OfPool, kw_only=True):
    """An answer about a player of a pool."""

    id: int
    player: str


class Card(OfPlayer, kw_only=True):
    """A player: facts, row of the list, highest rating, and change over a year.

    `why` is the reason why a player has no row.
    """

    called: str | None
    facts: dict[str, Cell]
    known_as: list[str]
    games: int
    row: Row | None
    of: int
    peak: Peak | None
    year: float | None
    why: str


class History(OfPlayer, kw_only=True):
    """A line for everything that moved a player's rating."""

    lines: int
    rows: list[Row]
    next: str | None = None


class Explained(OfPlayer, kw_only=True):
    """The explanation of a rating: opening, a line for every change, closing; or the effect of corrections."""

    opening: float | None
    closing: float | None
    rows: list[Row]
    notes: list[str]


class Results(Struct, kw_only=True):
    """How often a player finished ahead of, level with, and behind another one."""

    won: int
    drawn: int
    lost: int


class Versus(OfPool, kw_only=True):
    """Two players: the forecast of a game, their ratings after each result, their games, and the record of `a`."""

    a: PlayerFacts
    b: PlayerFacts
    played: str
    expected: float | None
    win: float | None
    draw: float | None
    loss: float | None
    rows: list[Row]
    games: list[Row]
    record: Results
    notes: list[str]


class Forecast(OfPool, kw_only=True):
    """The forecasts of a method, with a row for each game."""

    rows: list[Row]
    notes: list[str]


def players(engine: Engine, asked: Asked) -> Players:
    """Returns the players of a pool by name, or those whose name contains a text."""
    question, query = Question.of(engine, asked), asked.query
    view, fits = question.view, named(query.q or "")
    called, counts, keys = called_by_key(view), view.played_counts(), view.names()
    rows = range(view.n_players) if query.key is None else [view.row(engine.core.player_id(query.key))]
    found = sorted((keys[row], row) for row in rows if fits(keys[row], called.get(keys[row])))
    head = head_of(view)
    return Players(
        head=head, pool=question.pool, players=len(found), permalink=question.link(head),
        rows=[_facts(view, row, called, counts) for _, row in found[query.after : query.after + query.top]],
        next=question.following(head, len(found)),
    )  # fmt: skip


def _facts(view: View, row: int, called: Any, counts: Any) -> PlayerFacts:
    """Returns the facts of the player in a row of the state."""
    number, key = int(view.timeline.players.id[row]), view.name(row)
    facts: dict[str, Cell] = {**view.facts_of(number)}
    return PlayerFacts(id=number, player=key, called=called.get(key), facts=facts, games=int(counts[row]))


def _who(question: Question, who: str) -> PlayerFacts:
    """Returns the player whom an address names; for a merged record, the player it was merged into."""
    view, number = question.view, player_number(question.engine, who)
    return _facts(view, view.row(number), called_by_key(view), view.played_counts())


def card(engine: Engine, asked: Asked) -> Card:
    """Returns a player: facts, row of the list, highest rating, and change over a year."""
    question = Question.of(engine, asked)
    answers, who = question.answers, _who(question, asked.path["player"])
    listed, state = answers.listed, answers.row_of[who.id]
    place = listed.id.tolist().index(who.id) if who.id in listed.id else -1
    row = rows_of(listed.with_exact(), place, place + 1)[0] if place >= 0 else None
    made, why, peak = listed.provenance, "", answers.peak(state)
    if row is None:
        why = f"left off: {made.left_off_text()}" if made.left_off else "nothing of theirs is rated yet"
    elif row["rating"] is None:
        why = made.unrated or "unrated"
    return question.answer(
        Card, head_of(listed), who, known_as=_known_as(question, who.id), row=row, of=len(listed),
        peak=None if peak is None else Peak(rating=peak.rating, day=answers.day(peak.at)),
        year=answers.year_change(answers.lines_of(state)), why=why,
    )  # fmt: skip


def _known_as(question: Question, number: int) -> list[str]:
    """Returns the other names under which a player's results were recorded."""
    engine, roots = question.engine, corrections_of(question.engine.log, question.view.known_at).roots
    return sorted(engine.log.book.keys([one for one, root in roots.items() if root == number and one != number]))


def history(engine: Engine, asked: Asked) -> History:
    """Returns a line for everything that moved a player's rating, in order of play."""
    question, query = Question.of(engine, asked), asked.query
    who = _who(question, asked.path["player"])
    pool, method, through, known_at = question.cuts
    lines, head = engine.history(pool, who.player, method, through, known_at), head_of(question.view)
    shown = evolve(lines, each=lines[query.after : query.after + query.top])
    following = question.following(head, len(lines))
    return question.answer(History, head, who, lines=len(lines), rows=cells(shown.as_table()), next=following)


def explanation(engine: Engine, asked: Asked) -> Explained:
    """Explains a player's rating: opening rating, a line for every change, closing rating."""
    question, query = Question.of(engine, asked), asked.query
    if query.against is not None:
        question = question.like(query.against)
    who = _who(question, asked.path["player"])
    pool, method, through, known_at = question.cuts
    found: Any = engine.explain(pool, who.player, method, query.since, through, known_at)
    head, method = f"{found.known_at}:{found.digest}", found.method
    if query.against is not None:
        before = engine.explain(pool, who.player, method, query.since, through, query.against)
        found = before.diff(found)
    return question.answer(
        Explained, head, method=method, id=who.id, player=who.player, opening=found.opening, closing=found.closing,
        rows=cells(found), notes=found.facts(),
    )  # fmt: skip


def versus(engine: Engine, asked: Asked) -> Versus:
    """Compares two players: forecast of a game between them, ratings after each result, and their games."""
    question, query = Question.of(engine, asked), asked.query
    one, other = _who(question, query.a), _who(question, query.b)
    pool, method, through, known_at = question.cuts
    games = engine.forecasts(pool, method, through, known_at, between=(one.player, other.player))
    (ahead,) = engine.predict(pool, method, [(one.player, other.player)], query.at or through, known_at)
    return question.answer(
        Versus, head_of(question.view), ahead, a=one, b=other, played=ahead.time, expected=ahead.expected[0],
        rows=cells(ahead), games=cells(games), record=Results(**games.record._asdict()), notes=list(ahead.notes),
    )  # fmt: skip


def forecasts(engine: Engine, asked: Asked) -> Forecast:
    """Forecasts future games, with a row for each."""
    question, sent = Question.of(engine, asked), asked.body
    found = engine.predict(
        question.pool, question.method, [(one.a, one.b) for one in sent.games], sent.at or question.through,
        question.known_at, facts=[one.data for one in sent.games], newcomers=sent.newcomers, after=False,
    )  # fmt: skip
    head, rows = head_of(question.view), cells(found.as_table())
    return question.answer(Forecast, head, permalink="", rows=rows, notes=list(found.notes))


PLAYER = f"{POOL}/players/{{player}}"
ROUTES = (
    Route("GET", f"{POOL}/players", players, Players, PlayersQuery),
    Route("GET", PLAYER, card, Card, Cut),
    Route("GET", f"{PLAYER}/history", history, History, Part),
    Route("GET", f"{PLAYER}/explanation", explanation, Explained, ExplainQuery, units=COSTLY),
    Route("GET", f"{POOL}/versus", versus, Versus, VersusQuery, units=COSTLY),
    Route("POST", f"{POOL}/forecasts", forecasts, Forecast, Cut, Fixtures, units=COSTLY),
)

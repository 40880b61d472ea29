"""Answers as they are written to JSON."""

from typing import Any

from msgspec import Struct

Cell = str | int | float | bool | None
Row = dict[str, Cell]


class Problem(Struct, kw_only=True):
    """An error, as RFC 9457 has it [1]_; facts of the error are further members.

    References
    ----------
    .. [1] RFC 9457, "Problem Details for HTTP APIs", section 3.
    """

    type: str
    title: str
    status: int
    detail: str
    hint: str = ""


class Headed(Struct, kw_only=True):
    """An answer of one head of the log."""

    head: str


class Column(Struct, kw_only=True):
    """A column of a list, and the decimals that its numbers have; None where they are texts or whole numbers."""

    name: str
    digits: int | None = None


class Counted(Struct, kw_only=True):
    """A reason, and how many it concerns."""

    why: str
    count: int


class Listed(Headed, kw_only=True):
    """A rating list, or a part of one; a row has the cells of the columns, and the id of the player."""

    pool: str
    method: str
    through: str | None
    day: str
    players: int
    columns: list[Column]
    rows: list[Row]
    left_off: list[Counted]
    left_out: list[Counted]
    notes: list[str]
    permalink: str
    next: str | None = None


class Start(Headed, kw_only=True):
    """What a service has: pools, and where its contract is."""

    name: str
    version: str
    key: str
    pools: list[str]
    links: dict[str, str]


class Pool(Headed, kw_only=True):
    """A pool: what is known of it, and which question is its own."""

    pool: str
    id: int
    players: int
    results: int
    first: str | None
    last: str | None
    published: int
    fits: str
    zone: str
    method: str
    policy: str
    links: dict[str, str]


class Pools(Headed, kw_only=True):
    """All pools of the log."""

    pools: list[Pool]


class OfPool(Headed, kw_only=True):
    """An answer about a pool, and the address that gives it for ever."""

    pool: str
    method: str
    permalink: str


class Diff(OfPool, kw_only=True):
    """Whose rating differs between two lists, the largest change first."""

    against: str
    moved: int
    same: int
    rows: list[Row]
    questions: str


class Players(Headed, kw_only=True):
    """Players by name: id, key, name that people see, facts, and how many results they have."""

    pool: str
    players: int
    rows: list["PlayerFacts"]
    permalink: str
    next: str | None = None


class PlayerFacts(Struct, kw_only=True):
    """Who a player is."""

    id: int
    player: str
    called: str | None
    facts: dict[str, Cell]
    games: int


class Peak(Struct, kw_only=True):
    """The highest rating of a player, unrounded, and its day."""

    rating: float
    day: str


class Card(OfPool, kw_only=True):
    """A player: who they are, their row of the list, the highest rating, and the change over a year.

    Of somebody who is on no row, `why` says why.
    """

    id: int
    player: str
    called: str | None
    facts: dict[str, Cell]
    known_as: list[str]
    games: int
    row: Row | None
    of: int
    peak: Peak | None
    year: float | None
    why: str


class History(OfPool, kw_only=True):
    """What moved a player's rating, line by line."""

    id: int
    player: str
    lines: int
    rows: list[Row]
    next: str | None = None


class Explained(OfPool, kw_only=True):
    """A rating in full: opening, a line for everything that moved it, closing; or what corrections changed of that."""

    id: int
    player: str
    opening: float | None
    closing: float | None
    rows: list[Row]
    notes: list[str]


class Versus(OfPool, kw_only=True):
    """Two players: what to expect of a game, what they would be rated after each result, and their games."""

    a: PlayerFacts
    b: PlayerFacts
    played: str
    expected: float | None
    win: float | None
    draw: float | None
    loss: float | None
    rows: list[Row]
    games: list[Row]
    notes: list[str]


class Forecast(OfPool, kw_only=True):
    """What a method expects of some games, a row a game."""

    rows: list[Row]
    notes: list[str]


class Entrant(Struct, kw_only=True):
    """A player of a tournament: rating before it, points, expected points, and what it moved."""

    id: int
    player: str
    rating: float | None
    points: float
    games: int
    expected: float | None
    change: float | None


class Tournament(OfPool, kw_only=True):
    """A tournament: entrants in order of points."""

    event: str
    first: str
    last: str
    mean: float | None
    entrants: list[Entrant]


class PublishedRows(Headed, kw_only=True):
    """Published lists of a pool, the newest first."""

    pool: str
    rows: list[Row]


class PublishedList(OfPool, kw_only=True):
    """A published list as it was published, and when."""

    name: str
    published: str
    position: int
    seal: str
    through: str | None
    day: str
    players: int
    columns: list[Column]
    rows: list[Row]
    notes: list[str]
    next: str | None = None


class Restated(Headed, kw_only=True):
    """Whose rating on a published list is another one now."""

    pool: str
    name: str
    moved: int
    same: int
    rows: list[Row]


class Proved(Headed, kw_only=True):
    """Whether a published list is what the log gives, check by check."""

    name: str
    holds: bool
    erased: int
    checks: list[Row]


class EventAnswer(Struct, kw_only=True):
    """An event as it was recorded: what happened in words, and its fields."""

    position: int
    uid: str
    kind: str
    what: str
    pool: str | None
    played: str | None
    recorded: str
    source: str | None
    fields: dict[str, Any]


class Events(Headed, kw_only=True):
    """Events in order of the log."""

    events: list[EventAnswer]
    permalink: str
    next: str | None = None


class OneEvent(Headed, kw_only=True):
    """An event, the corrections of it, and how it reads now; nothing where it counts as never recorded."""

    event: EventAnswer
    corrections: list[EventAnswer]
    void: bool
    reads: dict[str, Any] | None


class Moved(Headed, kw_only=True):
    """The players whom an event moves, the largest change first; where it can move nobody, `why` says why."""

    what: str
    pool: str
    method: str
    moved: int
    same: int
    why: str
    rows: list[Row]


class News(Headed, kw_only=True):
    """That the log has grown: to which head, by how many events, in which pools."""

    pools: list[str]
    accepted: int


class MethodAnswer(Struct, kw_only=True):
    """An installed method: its formula number, parameters with defaults, and where its formula is from."""

    name: str
    formula: int
    cadence: str | None
    reads: str
    summary: str
    parameters: dict[str, str]
    presets: list[str]
    plugin: str


class Methods(Headed, kw_only=True):
    """The installed methods."""

    methods: list[MethodAnswer]


class OneMethod(Headed, kw_only=True):
    """A method in full, with what its source says."""

    method: MethodAnswer
    about: str


class ReaderAnswer(Struct, kw_only=True):
    """A format of files that can be uploaded."""

    reader: str
    unit: str
    summary: str


class Readers(Headed, kw_only=True):
    """The formats of files that can be uploaded."""

    readers: list[ReaderAnswer]


class PolicyField(Struct, kw_only=True):
    """A field of a policy: who is listed, and how."""

    name: str
    default: str


class Policies(Headed, kw_only=True):
    """What a policy may say, and the policy that is declared for each pool."""

    fields: list[PolicyField]
    pools: dict[str, str]

"""Types shared by many routes: fields, query strings, and parts of answers."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar

import attrs
from msgspec import Meta, Struct

from ratingcore.plugin.analysis import Filled

POSITION = 2**53
"""Above every position; the largest whole number that JSON programs agree on."""

_TIME = r"^(1[4-9]|2[01])[0-9]{2}-[0-9]{2}-[0-9]{2}([T ][0-9:.]{1,15}(Z|[+-][0-9]{2}:?[0-9]{2})?)?\Z"
"""A time of the years 1400 to 2199: some methods rate every period up to it, which is too slow up to the year 9999."""

_WHO = r"^([1-9][0-9]{0,14}|~.{1,200})\Z"
_KIND = "(game|session|seed|player|void|amend|merge|unmerge|period|list|pool)"
KINDS = rf"^{_KIND}(,{_KIND}){{0,20}}\Z"
WORTH = r"^-?[0-9]{1,6}(\.[0-9]{1,6})?(,-?[0-9]{1,6}(\.[0-9]{1,6})?){2}\Z"
DAY = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?\Z"
SEEN = r"^[0-9]{1,15}(:[0-9A-Fa-f]{12,64})?\Z"
FORMS = {
    _TIME: "a day such as 2024-03-31, or a time such as 2024-03-31T18:30, of the years 1400 to 2199",
    _WHO: "a player: the id that lists give, such as 17, or ~ and a key, such as ~user:17",
    KINDS: "kinds of events between commas, such as void,amend",
    WORTH: "the points of a win, a draw and a loss, such as 3,1,0",
    DAY: "a day such as 2024-03-31",
    SEEN: "a position such as 60, or a head POSITION:DIGEST",
}
"""Descriptions of the patterns of texts, for errors."""

Method = Annotated[str, Meta(min_length=1, max_length=2000, description="Method, such as `elo:k=24`.")]
DAYS = ("2024-03-31", "2024-03-31T18:30")


def _text(pattern: str, about: str, *examples: str) -> Meta:
    """Returns the schema of a text of a pattern."""
    return Meta(pattern=pattern, description=about, examples=[*examples])


Through = Annotated[str, _text(_TIME, "Last day of played time that counts, on the pool's clock.", DAYS[0])]
Moment = Annotated[str, _text(_TIME, "A day, or a time; without an offset on the pool's clock.", *DAYS)]
Played = Annotated[
    str, _text(_TIME, "A day, or a time, of the years 1400 to 2199; without an offset on the pool's clock.", *DAYS)
]
KnownAt = Annotated[
    str,
    Meta(
        min_length=1, max_length=200, examples=["60", "2024-03-31", "list:2024-03"],
        description="Cut in the log: a position, POSITION:DIGEST, a day by which it was recorded, or a published list.",
    ),
]  # fmt: skip
Policy = Annotated[str, Meta(min_length=1, max_length=400, examples=["min_games=5,active=months(12)"])]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Uid = Annotated[str, Meta(min_length=1, max_length=200, description="Unique in the log for ever.")]
Number = Annotated[int, Meta(ge=1, le=POSITION)]
Who = Annotated[
    str,
    _text(_WHO, "A player: the id that lists give, or ~ and the key under which they are recorded.", "17", "~user:17"),
]
Top = Annotated[int, Meta(ge=1, le=1000, description="Largest number of rows.")]
After = Annotated[int, Meta(ge=0, le=POSITION, description="Number of rows to skip.")]
Seen = Annotated[
    str,
    _text(
        SEEN,
        "The position that you have seen last or, better, the head, whose digest is checked.",
        "60",
        "60:4e6ec9efb668",
    ),
]
AtLeast = Annotated[int, Meta(ge=0, le=POSITION, description="Wait for the log to reach this position.")]

Cell = str | int | float | bool | None
Row = dict[str, Cell]
Points = Annotated[float, Meta(ge=-1e9, le=1e9)]
Fact = (
    Annotated[int, Meta(ge=-POSITION, le=POSITION)]
    | Annotated[float, Meta(ge=-POSITION, le=POSITION)]
    | str
    | bool
    | None
)
"""A field of an event as sent: its numbers are finite, and so are sums of them."""
MOST_FIELDS, MOST_CHARACTERS = 100, 32_000
"""Largest number of further fields of an event, and of characters of their names and texts together."""


class ListRow(TypedDict):
    """A row of a list: the columns that every list has; `columns` of the list names all."""

    id: int
    rank: NotRequired[int | None]
    player: str
    rating: NotRequired[float | None]
    games: NotRequired[int | None]


class ChangedRow(TypedDict):
    """A player whose rating differs between two lists; null where a list does not have the player."""

    player: str
    rank: int | None
    new_rank: int | None
    rating: float | None
    new_rating: float | None
    change: float | None


class Query(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of queries, with the only field that every address takes."""

    at_least: AtLeast = 0


class Cut(Query, kw_only=True):
    """Query to a pool: its method and its cuts."""

    method: Method | None = None
    through: Through | None = None
    known_at: KnownAt | None = None


class Part(Cut, kw_only=True):
    """Query to a pool for a part of some rows."""

    after: After = 0
    top: Top = 100


class Problem(Struct, kw_only=True):
    """An error in the form of RFC 9457 [1]_; facts of the error are further members.

    References
    ----------
    .. [1] RFC 9457, "Problem Details for HTTP APIs", section 3.
    """

    type: str
    title: str
    status: int
    detail: str
    hint: str = ""


class Noted(Struct, kw_only=True):
    """Note on a file, a row or a correction: its kind, its facts, and its text."""

    kind: str
    text: str
    facts: dict[str, Any]


def noted(note: Any) -> Noted:
    """Converts a note."""
    return Noted(kind=type(note).__name__, text=str(note), facts=with_forms(attrs.asdict(note)))


def with_forms(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns facts; of those that are sentences, also their templates and their own facts, for translation."""
    filled = {
        name: {"form": one.form, "named": {key: str(fact) for key, fact in one.named.items()}}
        for name, one in facts.items()
        if isinstance(one, Filled)
    }
    plain = {name: str(one) if isinstance(one, Filled) else one for name, one in facts.items()}
    return {**plain, "filled": filled} if filled else plain


class Headed(Struct, kw_only=True):
    """An answer made at one head of the log."""

    head: str


class OfPool(Headed, kw_only=True):
    """An answer about a pool, with an address that always gives this same answer."""

    pool: str
    method: str
    permalink: str


class News(Headed, kw_only=True):
    """The news that the log has grown: its head, the number of new events, and their pools."""

    pools: list[str]
    accepted: int


A = TypeVar("A", bound=Struct)


def answer(kind: type[A], source: object, /, **own: Any) -> A:
    """Makes an answer from the attributes of a value with the same names, and from further fields.

    Parameters
    ----------
    kind : type of Struct
    source : object
        Value of the engine; attributes that are not fields of the answer are ignored.
    **own
        The other fields; they take precedence over attributes of the source.
    """
    found = {
        name: getattr(source, name) for name in kind.__struct_fields__ if name not in own and hasattr(source, name)
    }
    return kind(**found, **own)


class Column(Struct, kw_only=True):
    """A column of a list, with the decimals of its numbers; null for texts and whole numbers."""

    name: str
    digits: int | None = None


class Coefficient(Struct, kw_only=True):
    """The worth, in points, of a field of results to the side that has `per` more of it than the other."""

    name: str
    value: float
    low: float | None
    """Bounds of the 95 % interval; None if the results give none."""
    high: float | None
    per: float


class Counted(Struct, kw_only=True):
    """A reason, and the number of players or results that it concerns."""

    why: str
    count: int

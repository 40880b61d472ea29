"""Questions as query strings: their fields, kinds and limits."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

POSITION = 2**53
"""Above every position; the largest whole number that JSON programs agree on."""

Method = Annotated[str, Meta(min_length=1, max_length=2000, description="Method, such as `elo:k=24`.")]
Through = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]{1,15}(Z|[+-][0-9]{2}:?[0-9]{2})?)?$",
        description="Last day of played time that counts, on the pool's clock.",
        examples=["2024-03-31"],
    ),
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
Number = Annotated[int, Meta(ge=1, le=POSITION)]
Top = Annotated[int, Meta(ge=1, le=1000, description="How many rows at most.")]
After = Annotated[int, Meta(ge=0, le=POSITION, description="How many rows come before.")]
AtLeast = Annotated[int, Meta(ge=0, le=POSITION, description="Wait for the log to reach this position.")]


_KIND = "(game|session|seed|player|void|amend|merge|unmerge|period|list|pool)"
_KINDS = rf"^{_KIND}(,{_KIND}){{0,20}}$"
_WORTH = r"^-?[0-9]{1,6}(\.[0-9]{1,6})?(,-?[0-9]{1,6}(\.[0-9]{1,6})?){2}$"


class Query(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question in an address."""

    at_least: AtLeast = 0


class NoQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question that takes nothing but its address."""


class Cut(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question to a pool: by which method, cut where."""

    method: Method | None = None
    through: Through | None = None
    known_at: KnownAt | None = None


class RowsQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for a part of the rows of something that never changes."""

    after: After = 0
    top: Top = 100


class RestatedQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for what is different now, or at another cut of the log."""

    known_at: KnownAt | None = None
    top: Top = 100


class Part(Cut, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for a part of some rows."""

    after: After = 0
    top: Top = 100


class ListQuery(Part, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for a rating list, or a part of one."""

    policy: Policy | None = None
    since: Annotated[KnownAt, Meta(description="Add changes since this published list.")] | None = None
    q: Annotated[Name, Meta(description="Only players whose name has this in it.")] | None = None
    grades: Annotated[Name, Meta(description="Add what ratings are called by this table.", examples=["egf"])] | None = (
        None
    )
    show: Annotated[Name, Meta(description="Add columns: won, drawn, lost, change, last, peak, ...")] | None = None
    worth: Annotated[str, Meta(pattern=_WORTH, description="Points of win, draw, loss.", examples=["3,1,0"])] | None = (
        None
    )
    where: Annotated[Name, Meta(description="Only players who fit: sex=w")] | None = None
    sort: Annotated[Name, Meta(description="Column or fact by which rows are sorted; -column backwards")] | None = None
    format: Literal["json", "csv", "csv-spreadsheet", "document", "arrow"] = "json"


class DiffQuery(Cut, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for what differs between a list and another one: by a published name, or at another cut of the log."""

    against: KnownAt
    top: Top = 100


class PlayersQuery(Part, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for players by a part of their names."""

    q: Name | None = None


class ExplainQuery(Cut, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for what moved a rating, or for what corrections changed of it."""

    since: Through | None = None
    against: KnownAt | None = None


class VersusQuery(Cut, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question about two players, by their ids."""

    a: Number
    b: Number
    at: Through | None = None


class EventsQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for events of the log: those after a position, those before one, or the last ones."""

    after: After | None = None
    before: Number | None = None
    uid: Name | None = None
    kinds: (
        Annotated[str, Meta(pattern=_KINDS, description="Kinds, separated by commas.", examples=["void,amend"])] | None
    ) = None
    pool: Name | None = None
    player: Annotated[Number, Meta(description="Id of a player.")] | None = None
    top: Top = 100


class ImpactQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for who moved because of an event."""

    pool: Name | None = None
    method: Method | None = None
    top: Top = 100


class SearchQuery(Cut, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for a rating list, or for the players whose names have a text in them."""

    q: Annotated[str, Meta(max_length=200, description="A part of a name.")] = ""


class PairQuery(Cut, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question about two players."""

    a: Name
    b: Name


class LogQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A question for events, the newest first."""

    before: Annotated[int, Meta(ge=0, le=POSITION, description="Only events before this position.")] = 0

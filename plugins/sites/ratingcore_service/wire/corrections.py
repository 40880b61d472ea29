"""Corrections as officers send them, each with the fields that it needs, and what is answered."""

from typing import Annotated

from msgspec import Meta, Struct

from ratingcore_service.wire.answers import Cell, Headed
from ratingcore_service.wire.events import Moment, SessionSide, Uid
from ratingcore_service.wire.queries import KnownAt, Method, Name, Policy, Query, Through

Why = Annotated[str, Meta(min_length=1, max_length=2000, description="The reason, which everybody can read.")]
Value = Cell | dict[str, float] | list[SessionSide]


class _Correction(Struct, tag_field="what", forbid_unknown_fields=True, kw_only=True):
    """A correction; trying again under the same uid of its own repeats nothing."""

    own_uid: Uid | None = None


class Void(_Correction, tag="void", forbid_unknown_fields=True, kw_only=True):
    """An event counts as never recorded; of a void or an amendment, that takes it back."""

    uid: Uid
    why: Why


class Revive(_Correction, tag="revive", forbid_unknown_fields=True, kw_only=True):
    """An event that was voided counts again."""

    uid: Uid
    why: Why


class Amend(_Correction, tag="amend", forbid_unknown_fields=True, kw_only=True):
    """Fields of a result read otherwise from now on; null removes one."""

    uid: Uid
    changes: Annotated[dict[str, Value], Meta(min_length=1)]
    why: Why


class Merge(_Correction, tag="merge", forbid_unknown_fields=True, kw_only=True):
    """Two records are one person: results of `other` count for `keep`."""

    keep: Name
    other: Name
    why: Why


class Unmerge(_Correction, tag="unmerge", forbid_unknown_fields=True, kw_only=True):
    """A merge counts as never recorded."""

    uid: Uid
    why: Why


class Split(_Correction, tag="split", forbid_unknown_fields=True, kw_only=True):
    """One record is two people: `into` has played what `player` played from a day on, or these games of theirs."""

    player: Name
    into: Name
    why: Why
    since: Moment | None = None
    games: list[Uid] = []
    pools: list[Name] | None = None


class Rename(_Correction, tag="rename", forbid_unknown_fields=True, kw_only=True):
    """A player is shown by another name."""

    player: Name
    called: Name
    pool: Name | None = None
    at: Moment | None = None


Correction = Void | Revive | Amend | Merge | Unmerge | Split | Rename
Corrections = Correction | Annotated[list[Correction], Meta(min_length=1, max_length=100)]


class PreviewQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Where to look who would move; the pool that is concerned if none is named."""

    pool: Name | None = None
    method: Method | None = None


class Corrected(Headed, kw_only=True):
    """The events that a correction recorded, or that the log had already."""

    accepted: int
    uids: list[str]


class Publication(Struct, forbid_unknown_fields=True, kw_only=True):
    """A list to be published; at the head of `If-Match` if no other cut in the log is named."""

    name: Name
    method: Method | None = None
    through: Through | None = None
    known_at: KnownAt | None = None
    policy: Policy | None = None


class ListPublished(Headed, kw_only=True):
    """A list that was published."""

    name: str
    seal: str
    players: int
    address: str

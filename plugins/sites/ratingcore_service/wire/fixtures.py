"""Games to come, as programs send them."""

from typing import Annotated

from msgspec import Meta, Struct

from ratingcore_service.wire.queries import Name, Through


class Fixture(Struct, forbid_unknown_fields=True, kw_only=True):
    """A game to come of two players, with further facts of it, such as who is at home."""

    a: Name
    b: Name
    data: Annotated[dict[str, str | int | float | bool], Meta(max_length=40)] = {}


class Fixtures(Struct, forbid_unknown_fields=True, kw_only=True):
    """Games to come, each looked at as if it were the only one."""

    games: Annotated[list[Fixture], Meta(min_length=1, max_length=1000)]
    at: Through | None = None
    newcomers: bool = False

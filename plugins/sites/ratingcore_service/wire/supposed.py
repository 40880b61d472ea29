"""What is supposed: events that are never recorded, and the list that is asked for with them."""

from typing import Annotated

from msgspec import Meta, Struct

from ratingcore_service.wire.events import SentEvent
from ratingcore_service.wire.queries import Method, Name, Policy, Through, Top


class Supposed(Struct, forbid_unknown_fields=True, kw_only=True):
    """Events as if they were recorded now, and a question for the list of a pool."""

    events: Annotated[list[SentEvent], Meta(min_length=1, max_length=100)]
    pool: Name
    method: Method | None = None
    through: Through | None = None
    policy: Policy | None = None
    top: Top = 100

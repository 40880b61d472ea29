"""The hook `ratingcore_service_pages`: pages that other plugins add to a service, each with its answer for programs."""

from collections.abc import Callable
from typing import Any

from attrs import field, frozen, validators
from msgspec import Struct

from ratingcore import Engine
from ratingcore_service.routing import PAGE
from ratingcore_service.wire import Query

__all__ = ["HOOK", "Query", "ServedPage", "offered_pages"]

HOOK = "ratingcore_service_pages"


@frozen(kw_only=True)
class ServedPage:
    """A page of a plugin, which is checked, limited, remembered and described as the service's own are.

    Parameters
    ----------
    path : str
        Small letters, digits and `-`. The page is at `/x/PLUGIN/PATH`, its answer as JSON at `/api/v1/x/PLUGIN/PATH`.
    title : str
        What it answers, in a few words: the link at the foot of every page, and the summary in the contract.
    answer : callable
        `(engine, query) -> value`. It runs in a reading thread; the value is remembered until the log changes.
    kind : type of Struct
        Of the value.
    template : str
        Text of a Jinja template, which is given the value as `answer`; it may extend `base.html`.
    query : type of Query
        The fields that the address takes. One named `known_at` is a cut of the log, at which an answer stays the same
        for ever.
    units : float
        What a request takes from the caller's rate.
    """

    path: str = field(validator=validators.matches_re(r"[a-z0-9-]{1,60}"))
    title: str
    answer: Callable[[Engine, Any], Struct]
    kind: type[Struct]
    template: str
    query: type[Query] = Query
    units: float = PAGE


def offered_pages(engine: Engine) -> dict[str, list[ServedPage]]:
    """The pages of plugins, by the name of the plugin: the hook returns a list of them."""

    def read(pages: object) -> list[ServedPage]:
        if not isinstance(pages, list) or not all(isinstance(page, ServedPage) for page in pages):
            raise TypeError(f"{HOOK} returns a list of ServedPage")
        return pages

    return engine.registry.offered(HOOK, read)

"""Pages that people read, made of a log: lists, players, meetings, tournaments, and a whole site as a folder."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ratingcore.plugin import hookimpl

if TYPE_CHECKING:
    from ratingcore_pages.look import Look
    from ratingcore_pages.pages import Page, Pages
    from ratingcore_pages.site import Written, write_site

__all__ = ["Look", "Page", "Pages", "Written", "write_site"]

_HOME = {"Look": "look", "Page": "pages", "Pages": "pages", "Written": "site", "write_site": "site"}


def __getattr__(name: str) -> object:
    """Imports a name when it is first used: the help of a command needs no templates."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return found


@hookimpl
def ratingcore_pages() -> dict[str, Callable[..., Any]]:
    """The pages that commands write to files."""
    from ratingcore_pages import alone  # it needs the extra

    return {"list": alone.list_page, "published": alone.published_page, "player": alone.player_page, "pdf": alone.pdf}

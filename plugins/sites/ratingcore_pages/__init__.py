"""The plugin pages: HTML pages made from a log, for lists, players, meetings and tournaments, and whole sites."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ratingcore.plugin import hookimpl

if TYPE_CHECKING:  # names for type checkers
    from ratingcore_pages.answers import YEAR as YEAR
    from ratingcore_pages.answers import PoolAnswers as PoolAnswers
    from ratingcore_pages.career import ResultChoice as ResultChoice
    from ratingcore_pages.explanation import explanation_values as explanation_values
    from ratingcore_pages.feed import atom as atom
    from ratingcore_pages.feed import calendar as calendar
    from ratingcore_pages.lineup import side_by_side as side_by_side
    from ratingcore_pages.list_table import CHOSEN as CHOSEN
    from ratingcore_pages.list_table import Choice as Choice
    from ratingcore_pages.look import Look as Look
    from ratingcore_pages.look import closed_up as closed_up
    from ratingcore_pages.pages import Page as Page
    from ratingcore_pages.pages import Pages as Pages
    from ratingcore_pages.pages import event_part as event_part
    from ratingcore_pages.pages import list_named as list_named
    from ratingcore_pages.rules import rules_of as rules_of
    from ratingcore_pages.site import Written as Written
    from ratingcore_pages.site import write_site as write_site
    from ratingcore_pages.tournaments import cross_table as cross_table
    from ratingcore_pages.words import FIELDS as FIELDS

_NAMES = {
    "answers": ("PoolAnswers", "YEAR"), "career": ("ResultChoice",), "explanation": ("explanation_values",),
    "feed": ("atom", "calendar"), "lineup": ("side_by_side",), "list_table": ("CHOSEN", "Choice"),
    "look": ("Look", "closed_up"), "pages": ("Page", "Pages", "event_part", "list_named"), "rules": ("rules_of",),
    "site": ("Written", "write_site"), "tournaments": ("cross_table",), "words": ("FIELDS",),
}  # fmt: skip
_HOME = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Imports a name on first use: the help of a command needs no templates."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return found


@hookimpl
def ratingcore_pages() -> dict[str, Callable[..., Any]]:
    """The pages that commands write to files."""
    made = {
        "comparison": "comparison.report_html", "explanation": "explanation.explanation_page",
        "list": "single_pages.list_page", "meeting": "single_pages.meeting_page", "pdf": "single_pages.pdf",
        "player": "single_pages.player_page", "published": "single_pages.published_page",
        "season": "season.season_page", "season_picture": "season.season_picture",
    }  # fmt: skip
    return {kind: _later(place) for kind, place in made.items()}


def _later(place: str) -> Callable[..., Any]:
    """Returns a function of this package that imports its module when called."""

    def call(*of: object, **look: str) -> object:
        module, _, name = place.partition(".")
        return getattr(import_module(f"{__name__}.{module}"), name)(*of, **look)

    return call

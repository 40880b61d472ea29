"""Backdating: the effect of a new rule on a pool from today, from a past day, or from the beginning."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ratingcore.plugin import hookimpl

if TYPE_CHECKING:
    from ratingcore import Engine
    from ratingcore_backdating.backdating import Backdating, backdate
    from ratingcore_backdating.plan import BackdatingPlan

__all__ = ["Backdating", "BackdatingPlan", "backdate"]


def __getattr__(name: str) -> object:
    """Imports a name on first use: a registry loads this package to ask for its pages."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{'plan' if name == 'BackdatingPlan' else 'backdating'}"), name)
    return value


@hookimpl
def ratingcore_pages() -> dict[str, Callable[..., Any]]:
    """The page of a backdating, as part of a report."""
    return {"backdating": _part}


def _part(engine: "Engine", given: Mapping[str, Any]) -> tuple[str, str]:
    """The verdict and the page of a plan given as the keys of a table."""
    from ratingcore_backdating.backdating import backdate  # heavy, and rarely needed
    from ratingcore_backdating.page import backdating_html
    from ratingcore_backdating.plan import BackdatingPlan

    made = backdate(engine, BackdatingPlan.of(given))
    return made.answer, backdating_html(made)

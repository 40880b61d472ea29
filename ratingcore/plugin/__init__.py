"""Imports for plugins: the contract of a method here, and a module below for every other kind of plugin.

`ratingcore.plugin.contract` lists the names of this door; they are imported when the first of them is used, so that a
plugin that only registers something costs nothing. The other doors are modules of this package: `curves`, `tails`,
`rules`, `readers`, `stores`, `commands`, `reports` and `analysis`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pluggy import HookimplMarker

if TYPE_CHECKING:
    from ratingcore.plugin.contract import *  # noqa: F403  # every name of the contract is public here

hookimpl = HookimplMarker("ratingcore")
"""Marks a function that implements one of the hooks in `ratingcore.hooks`."""

if not TYPE_CHECKING:  # a type checker would accept every name

    def __getattr__(name: str) -> object:
        """Returns a name of the contract, and imports the contract for the first of them."""
        if name.startswith("__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.contract"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *dir(import_module(f"{__name__}.contract"))})

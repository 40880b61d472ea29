"""Imports for plugins: the contract of methods here, and a module of this package for every other purpose.

`ratingcore.plugin.contract` lists the names that this module offers. They are imported when the first of them is used,
so that a plugin that only registers something starts fast. The modules are `curves`, `tails`, `rules`, `readers`,
`stores`, `commands`, `reports` and `analysis`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pluggy import HookimplMarker

if TYPE_CHECKING:
    from ratingcore.plugin.contract import *  # noqa: F403  # every name of the contract is public here

hookimpl = HookimplMarker("ratingcore")
"""Marks a function that implements one of the hooks in `ratingcore.hooks`."""

if not TYPE_CHECKING:  # with it, a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Returns the value of a name in the contract, which is imported on first use."""
        if name.startswith("__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.contract"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *dir(import_module(f"{__name__}.contract"))})

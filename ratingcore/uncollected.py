"""Work during which nobody looks for garbage: it makes many objects, and none of them is any."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType


@contextmanager
def uncollected() -> Iterator[None]:
    """Switches off garbage collection."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def imported(name: str) -> ModuleType:
    """Imports a module: the search for garbage among classes and functions is a fifth of an import of hundreds.

    Examples
    --------
    >>> imported("ratingcore.events").__name__
    'ratingcore.events'
    """
    with uncollected():
        return import_module(name)

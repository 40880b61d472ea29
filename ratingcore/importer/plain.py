"""The readers that are installed, those that are plain functions from a path to events among them."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import evolve, frozen

from ratingcore.errors import PluginFails
from ratingcore.events import NO_ID, Event, GamePlayed, RatingSeeded
from ratingcore.importer.tables.tables import TABLES
from ratingcore.readers import Options, Reader, Source
from ratingcore.registry import Registry

_RANDOM = re.compile(r"[0-9a-f]{32}")
"""Uids that events get where nobody gives them one."""


@frozen
class PlainReader(Reader):
    """A reader made of a function: what a file says otherwise than before is amended, and nothing is taken back."""


def readers_of(registry: Registry) -> dict[str, Reader]:
    """The readers of tables and those of plugins, by name; plain functions are made into readers."""
    offered = registry.readers.items()
    return {**TABLES, **{name: one if isinstance(one, Reader) else _made(name, one) for name, one in offered}}


def _made(name: str, function: Callable[[Any], Iterable[Any]]) -> PlainReader:
    def read(source: Source, options: Options) -> Iterator[Any]:
        if source.path is None:
            source.refuse(f"the reader {name} takes plain files only", "unpack it, or write it to a file")
        plugin = f"of the reader {name}"
        given = function(source.path)
        if not isinstance(given, Iterable):
            raise PluginFails(plugin, f"it returned {type(given).__name__}, not events")
        events = list(given)  # if it fails in the middle, nothing is imported
        foreign = next((n for n, event in enumerate(events, 1) if not isinstance(event, Event)), 0)
        if foreign:
            raise PluginFails(plugin, f"number {foreign} is of {type(events[foreign - 1]).__name__}, no event")
        for event in events:
            random = isinstance(event, GamePlayed | RatingSeeded) and _RANDOM.fullmatch(event.uid)
            yield evolve(event, uid=NO_ID) if random else event

    summary = (function.__doc__ or "").strip().partition("\n")[0]
    return PlainReader(name, summary, read=read)

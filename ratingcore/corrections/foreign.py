"""Events of a plugin's reader, each seen to be one before it is taken."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ratingcore.errors import BadFile, PluginFails
from ratingcore.events import Event
from ratingcore.methods.failing import failing

_END = object()
"""What follows the last event."""


def events_of(name: str, reader: Callable[[Any], Iterable[Event]], path: str | Path) -> Iterator[Event]:
    """The events that a reader makes of a file; the reader is called at once, and its events when they are asked for.

    Raises
    ------
    PluginFails
        If it fails, or makes something else of it.
    BadFile
        If the file cannot be opened.
    """
    plugin = f"of the reader {name} (module {getattr(reader, '__module__', 'unknown')})"
    given = _asked(plugin, path, lambda: reader(path))
    if not isinstance(given, Iterable):
        raise PluginFails(plugin, f"it returned {type(given).__name__}, not events")
    return _each(plugin, path, _asked(plugin, path, lambda: iter(given)))


def _each(plugin: str, path: str | Path, events: Iterator[Any]) -> Iterator[Event]:
    number, event = 0, _asked(plugin, path, lambda: next(events, _END))
    while event is not _END:
        number += 1
        if not isinstance(event, Event):
            raise PluginFails(plugin, f"number {number} is of {type(event).__name__}, no event")
        yield event
        event = _asked(plugin, path, lambda: next(events, _END))


def _asked(plugin: str, path: str | Path, ask: Callable[[], Any]) -> Any:
    """What a reader answers; a file that is not there is the user's, whatever else fails is the plugin's."""
    try:
        with failing(plugin):
            return ask()
    except OSError as error:
        if str(error.filename) != str(path):
            raise
        raise BadFile(str(path), (error.strerror or str(error)).lower()) from None

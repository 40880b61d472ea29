"""The whole extension surface: three hooks, each called once when a registry is made."""

from typing import Any

from pluggy import HookspecMarker

hookspec = HookspecMarker("ratingcore")


@hookspec
def ratingcore_methods() -> list[type[Any]]:  # type: ignore[empty-body]  # a specification
    """Rating methods: subclasses of `ratingcore.plugin.Method`.

    Called once when the registry is made. A name that is taken already is refused and shown.
    """


@hookspec
def ratingcore_readers() -> dict[str, Any]:  # type: ignore[empty-body]  # a specification
    """Readers of foreign files by name: functions from a path to an iterator of events.

    Called once when the registry is made.
    """


@hookspec
def ratingcore_commands() -> list[Any]:  # type: ignore[empty-body]  # a specification
    """Further commands of the command line: click commands.

    Called once, when the command line starts.
    """

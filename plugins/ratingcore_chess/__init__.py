"""The plugin chess: games and tournaments of chess programs, and lists of the federations."""

from ratingcore.plugin import Reader, hookimpl


@hookimpl
def ratingcore_readers() -> dict[str, Reader]:
    """The readers of this plugin."""
    return {}

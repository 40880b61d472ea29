"""The plugin fesa: the shogi ratings of the Federation of European Shogi Associations."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_fesa.fesa import Fesa

__all__ = ["Fesa"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    """The methods of this plugin."""
    return [Fesa]

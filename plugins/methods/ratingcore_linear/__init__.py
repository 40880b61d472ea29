"""The plugin linear: ratings of a whole pool by linear algebra, after Colley, Massey and Keener."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_linear.colley import Colley
from ratingcore_linear.keener import Keener
from ratingcore_linear.massey import Massey

__all__ = ["Colley", "Keener", "Massey"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    """The methods of this plugin."""
    return [Colley, Massey, Keener]

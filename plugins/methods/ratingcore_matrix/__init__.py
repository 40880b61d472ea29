"""The plugin matrix: ratings of a whole pool by linear algebra, after Colley, Massey and Keener."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_matrix.colley import Colley
from ratingcore_matrix.keener import Keener
from ratingcore_matrix.massey import Massey

__all__ = ["Colley", "Keener", "Massey"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Colley, Massey, Keener]

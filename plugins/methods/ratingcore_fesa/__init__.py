"""The plugin fesa: the shogi ratings of the Federation of European Shogi Associations."""

from collections.abc import Callable, Mapping

from ratingcore.plugin import Method, hookimpl
from ratingcore_fesa.fesa import Fesa
from ratingcore_fesa.grades import fesa

__all__ = ["Fesa"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Fesa]


@hookimpl
def ratingcore_grades() -> Mapping[str, Callable[[float], str | int | None]]:
    """Functions from a rating to its grade, by table."""
    return {"fesa": fesa}

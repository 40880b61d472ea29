"""The plugin egf: the European Go Federation's ratings, since 2021 and before."""

from collections.abc import Callable, Mapping

from ratingcore.plugin import Method, hookimpl
from ratingcore_egf.egf import EarlierEgf, Egf
from ratingcore_egf.grades import egf, ru_go

__all__ = ["EarlierEgf", "Egf"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Egf, EarlierEgf]


@hookimpl
def ratingcore_grades() -> Mapping[str, Callable[[float], str | int | None]]:
    """Functions from a rating to its grade, by table."""
    return {"egf": egf, "ru_go": ru_go}

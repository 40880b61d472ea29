"""The plugin egf: the European Go Federation's ratings, since 2021 and before."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_egf.egf import Egf

__all__ = ["Egf"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    """The methods of this plugin."""
    return [Egf]

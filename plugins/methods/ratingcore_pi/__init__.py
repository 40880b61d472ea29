"""The plugin pi: the pi-ratings of football teams, one at home and one away."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_pi.pi_ratings import PiRatings

__all__ = ["PiRatings"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [PiRatings]

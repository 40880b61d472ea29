"""Players against each other: their results, and who is the stronger; brings `versus` and `superiority`."""

from ratingcore_rivals.superiority import Superiority, superiority

__all__ = ["Superiority", "superiority"]

"""Players against each other: their results, and who is stronger; brings `versus`, `superiority` and `order`."""

from ratingcore_rivals.superiority import Superiority, order, superiority

__all__ = ["Superiority", "order", "superiority"]

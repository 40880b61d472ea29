"""Performance ratings over a span or in an event; brings the command `performance`."""

from ratingcore_performance.kinds import PERFORMANCES, RATIO_PERFORMANCES, Performance

__all__ = ["PERFORMANCES", "RATIO_PERFORMANCES", "Performance"]

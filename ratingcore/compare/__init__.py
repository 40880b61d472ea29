"""Methods side by side: honest forecasts scored, lists compared, pools watched, parameters tuned."""

from ratingcore.compare.comparison import Comparison

__all__ = ["Comparison"]

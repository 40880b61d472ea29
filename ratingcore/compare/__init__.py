"""Methods side by side: honest forecasts scored, lists compared, pools watched, parameters tuned."""

from ratingcore.compare.comparison import Comparison
from ratingcore.compare.table import Table

__all__ = ["Comparison", "Table"]

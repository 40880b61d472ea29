"""Imports for curves of expected scores, and for functions based on them: scores, gaps, losses."""

from ratingcore.methods.curves import (
    LN10,
    Curve,
    curved,
    expit,
    logistic,
    logistic_even,
    logistic_gap,
    logistics,
    ndtr,
    normal,
    normal_gap,
    power_even,
    sigmoid,
    table_gap,
    tabled,
)
from ratingcore.methods.game_loops import add_log_losses, close_log_losses

"""Curves of expectation and what is made of them: expected scores, gaps, losses, performance ratings."""

from ratingcore.methods.curves import (
    LN10,
    Curve,
    curved,
    expit,
    logistic,
    logistic_even,
    logistics,
    ndtr,
    normal,
    power_even,
    sigmoid,
    tabled,
)
from ratingcore.methods.game_loops import add_log_losses, close_log_losses
from ratingcore.methods.performance import (
    PERFORMANCES,
    RATIO_PERFORMANCES,
    Performance,
    berkin_performance,
    linear_performance,
    logistic_gap,
    logistic_performance,
    normal_gap,
    normal_performance,
    ratio_performance,
    table_gap,
    table_performance,
    true_logistic_performance,
    true_normal_performance,
    weighted_opposition,
)

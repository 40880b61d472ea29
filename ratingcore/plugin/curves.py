"""Curves of expectation and what is made of them: expected scores, gaps, tails, losses, performance ratings."""

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
    tabled,
)
from ratingcore.methods.gaps import logistic_gap, normal_gap, table_gap
from ratingcore.methods.log_losses import add_log_losses, close_log_losses
from ratingcore.methods.performance import (
    PERFORMANCES,
    Performance,
    linear_performance,
    logistic_performance,
    normal_performance,
    table_performance,
    true_logistic_performance,
    true_normal_performance,
)
from ratingcore.methods.ratio_performance import (
    RATIO_PERFORMANCES,
    berkin_performance,
    ratio_performance,
    weighted_opposition,
)
from ratingcore.methods.tails import above, decay, drawn, mills, mills_excess, normal_near, pull_near, won

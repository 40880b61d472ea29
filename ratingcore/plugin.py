"""The door for authors of methods: everything a plugin may import, and nothing deeper."""

from pluggy import HookimplMarker

from ratingcore.errors import BadField, BadFile, BadParameter, BadResult, BadValue, MissingField, RatingCoreError
from ratingcore.events import DAY, SessionPlayed, Side
from ratingcore.methods.contract import (
    Cadence,
    Change,
    Estimate,
    Fitted,
    Forecast,
    Method,
    Rated,
    Solved,
    Track,
    opposed,
)
from ratingcore.methods.curves import LN10, Curve, curved, expit, logistic, ndtr, normal, tabled
from ratingcore.methods.dates import ALWAYS, day, in_force, years
from ratingcore.methods.gaps import logistic_gap, normal_gap, table_gap
from ratingcore.methods.k_rules import K, KRegime, KRule, as_k, k_of, packed
from ratingcore.methods.kernels import kernel
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
from ratingcore.methods.periods import Period
from ratingcore.methods.ratio_performance import (
    RATIO_PERFORMANCES,
    berkin_performance,
    ratio_performance,
    weighted_opposition,
)
from ratingcore.methods.state import Column, State, significant_digits
from ratingcore.methods.sums import summed
from ratingcore.methods.tails import decay, mills, mills_excess, normal_near, pull_near
from ratingcore.methods.text import QUIET
from ratingcore.methods.wrapped import Wrapped
from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.games import Games, Span
from ratingcore.tables.needs import Need
from ratingcore.tables.sides import Sides

hookimpl = HookimplMarker("ratingcore")

__all__ = [
    "ALWAYS",
    "DAY",
    "LN10",
    "PERFORMANCES",
    "QUIET",
    "RATIO_PERFORMANCES",
    "BadField",
    "BadFile",
    "BadParameter",
    "BadResult",
    "BadValue",
    "Cadence",
    "Change",
    "Column",
    "Curve",
    "Estimate",
    "Fitted",
    "Floats",
    "Forecast",
    "Games",
    "Ints",
    "K",
    "KRegime",
    "KRule",
    "Method",
    "MissingField",
    "Need",
    "Performance",
    "Period",
    "Rated",
    "RatingCoreError",
    "SessionPlayed",
    "Side",
    "Sides",
    "Solved",
    "Span",
    "State",
    "Track",
    "Wrapped",
    "as_k",
    "berkin_performance",
    "curved",
    "day",
    "decay",
    "expit",
    "hookimpl",
    "in_force",
    "k_of",
    "kernel",
    "linear_performance",
    "logistic",
    "logistic_gap",
    "logistic_performance",
    "mills",
    "mills_excess",
    "ndtr",
    "normal",
    "normal_gap",
    "normal_near",
    "normal_performance",
    "opposed",
    "packed",
    "pull_near",
    "ratio_performance",
    "significant_digits",
    "summed",
    "table_gap",
    "table_performance",
    "tabled",
    "true_logistic_performance",
    "true_normal_performance",
    "weighted_opposition",
    "years",
]

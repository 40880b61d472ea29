"""The contract of rating methods, and functions that methods share."""

from ratingcore.methods.contract import Cadence, Change, Forecast, Method, Rated, Solved, Track
from ratingcore.methods.kernels import Kernel, has_numba, kernel
from ratingcore.methods.periods import Period
from ratingcore.methods.state import Column, State
from ratingcore.methods.text import identity, parameters, text_of

__all__ = [
    "Cadence",
    "Change",
    "Column",
    "Forecast",
    "Kernel",
    "Method",
    "Period",
    "Rated",
    "Solved",
    "State",
    "Track",
    "has_numba",
    "identity",
    "kernel",
    "parameters",
    "text_of",
]

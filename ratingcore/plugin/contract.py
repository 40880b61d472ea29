"""The contract of a rating method: the names that `ratingcore.plugin` offers."""

from ratingcore.columns.games import Floats, Games, Ints, Need, Span, unsigned
from ratingcore.columns.sides import Sides
from ratingcore.errors import BadField, BadParameter, BadResult, BadValue, MissingField, RatingCoreError
from ratingcore.events import DAY
from ratingcore.methods.contract import (
    Bools,
    Cadence,
    Change,
    Coefficient,
    Estimate,
    Fitted,
    Forecast,
    Method,
    Rated,
    Solved,
    Track,
    opposed,
)
from ratingcore.methods.game_loops import STRETCH, disjoint, prefetch, summed
from ratingcore.methods.kernels import COMPILED, kernel
from ratingcore.methods.left_out import leaving_out, of_players
from ratingcore.methods.periods import Period
from ratingcore.methods.state import Column, State, significant_digits
from ratingcore.methods.strengths import Strengths
from ratingcore.methods.text import QUIET
from ratingcore.methods.wrapped import Wrapped

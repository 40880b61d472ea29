"""Imports for rules that methods share: K by experience and age, days on which rules change, fields that they read."""

from ratingcore.methods.common_needs import BORN, HOME, WEIGHTS, member_weights, no_year, unattended
from ratingcore.methods.k_rules import (
    ALWAYS,
    K,
    KRegime,
    KRule,
    as_k,
    day,
    goal_index,
    half_away,
    in_force,
    k_of,
    lifted,
    packed,
    years,
)

"""Rules that methods share: K by experience and age, days on which rules change, and the fields that they read."""

from ratingcore.methods.rules import (
    ALWAYS,
    BORN,
    HOME,
    WEIGHTS,
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
    member_weights,
    packed,
    years,
)

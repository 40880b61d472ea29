"""Rules that methods share: K by experience and age, days on which rules change, and the fields that they read."""

from ratingcore.methods.dates import ALWAYS, day, in_force, years
from ratingcore.methods.k_rules import K, KRegime, KRule, as_k, k_of, packed
from ratingcore.methods.shared_needs import BORN, HOME, WEIGHTS, member_weights

"""Plans: proposed changes of a log, as values that can be shown, stored, sent and applied."""

from ratingcore.plans.concerns import Concerns
from ratingcore.plans.plan import Plan

__all__ = ["Concerns", "Plan"]

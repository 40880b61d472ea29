"""Plans: what would happen to a log, as a value that can be shown, kept, sent and applied."""

from ratingcore.plans.concerns import Concerns
from ratingcore.plans.plan import Plan

__all__ = ["Concerns", "Plan"]

"""Backdating: what a change of rule makes of a pool from today, from a past day, or from the beginning."""

from ratingcore.backdating.backdating import Backdating
from ratingcore.backdating.plan import Plan

__all__ = ["Backdating", "Plan"]

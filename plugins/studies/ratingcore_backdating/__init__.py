"""Backdating: what a change of rule makes of a pool from today, from a past day, or from the beginning."""

from ratingcore_backdating.backdating import Backdating, backdate
from ratingcore_backdating.plan import Plan

__all__ = ["Backdating", "Plan", "backdate"]

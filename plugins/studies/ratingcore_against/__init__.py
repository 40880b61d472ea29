"""Compares a list with ratings that others published; brings the command `against`, and `against(...)` in Python."""

from ratingcore_against.against import Against, against

__all__ = ["Against", "against"]

"""Ratings that others published, held against a list; brings the command `against`, and `against(...)` in Python."""

from ratingcore_against.against import Against, against

__all__ = ["Against", "against"]

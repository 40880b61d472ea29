"""Rating lists: made, rounded, ranked, published, compared and proved."""

from ratingcore.lists.compilation import rating_list
from ratingcore.lists.policy import ListPolicy, Window
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.published import Published
from ratingcore.lists.rating_list import ListedRow, RatingList

__all__ = [
    "ListPolicy",
    "ListedRow",
    "Provenance",
    "Published",
    "RatingList",
    "Window",
    "rating_list",
]

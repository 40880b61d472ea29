"""Rating lists: made, rounded, ranked, published, compared and proved."""

from ratingcore.lists.compilation import rating_list
from ratingcore.lists.diff import ListDiff, Moved
from ratingcore.lists.policy import ListPolicy, Window
from ratingcore.lists.proof import Proof
from ratingcore.lists.provenance import Provenance
from ratingcore.lists.published import Published
from ratingcore.lists.rating_list import RatingList

__all__ = [
    "ListDiff",
    "ListPolicy",
    "Moved",
    "Proof",
    "Provenance",
    "Published",
    "RatingList",
    "Window",
    "rating_list",
]

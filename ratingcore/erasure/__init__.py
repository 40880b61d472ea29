"""Erasure: a player's names and facts, and the notes and sources that mention them, go; results and ratings stay."""

from ratingcore.erasure.erase import Asked, Drop, Erased, Erasure, known_as

__all__ = ["Asked", "Drop", "Erased", "Erasure", "known_as"]

"""Erasure: a player's names and facts go, with the notes and sources that mention them; results and ratings stay."""

from ratingcore.erasure.erase import Asked, Drop, Erased, Erasure, known_as

__all__ = ["Asked", "Drop", "Erased", "Erasure", "known_as"]

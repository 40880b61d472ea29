"""Erasure: a player's names and facts, and the notes and sources that mention them, go; results and ratings stay."""

from ratingcore.erasure.erase import Erased, erase, known_as

__all__ = ["Erased", "erase", "known_as"]

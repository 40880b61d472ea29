"""Erasure of a player's names and facts, and of notes and sources that mention them; results and ratings stay."""

from ratingcore.erasure.erase import Drop, Erased, Erasure, ErasureRequest, known_as

__all__ = ["Drop", "Erased", "Erasure", "ErasureRequest", "known_as"]

"""Proofs of lists: checks the claims of a list's document against the log."""

from ratingcore.proof.list_document import ListDocument
from ratingcore.proof.prove import Proof, prove

__all__ = ["ListDocument", "Proof", "prove"]

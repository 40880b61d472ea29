"""Proof of a list: the claims of its document, checked against the log."""

from ratingcore.proof.list_document import ListDocument
from ratingcore.proof.prove import Proof, prove

__all__ = ["ListDocument", "Proof", "prove"]

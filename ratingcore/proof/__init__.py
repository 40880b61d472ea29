"""Proof of a list: what a document of it claims, checked against the log."""

from ratingcore.proof.list_document import ListDocument
from ratingcore.proof.prove import Proof, prove

__all__ = ["ListDocument", "Proof", "prove"]

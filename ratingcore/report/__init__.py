"""Presents tables to people: as aligned text, as pictures, and in a self-contained HTML report."""

from ratingcore.report.table import Table

__all__ = ["Table"]

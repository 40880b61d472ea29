"""Drawing for people, from tables alone: aligned text, pictures, and the frame of a self-contained HTML report."""

from ratingcore.report.table import Table

__all__ = ["Table"]

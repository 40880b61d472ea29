"""Tables and pictures for people: aligned text, tables of numbers, charts, and the frame of an HTML report."""

from ratingcore.report.table import Table

__all__ = ["Table"]

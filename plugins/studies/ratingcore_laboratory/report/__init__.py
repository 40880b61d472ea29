"""The report of a study: one HTML file."""

from ratingcore_laboratory.report.page import lab_html

__all__ = ["lab_html"]

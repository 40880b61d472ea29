"""The report of a comparison: one HTML file, and the pictures only it has."""

from ratingcore.compare.report.page import report_html
from ratingcore.compare.report.pictures import calibration, health

__all__ = ["calibration", "health", "report_html"]

"""The report of a comparison: one HTML file, and the pictures only it has."""

from ratingcore.compare.report.calibration import calibration
from ratingcore.compare.report.health import health
from ratingcore.compare.report.page import report_html

__all__ = ["calibration", "health", "report_html"]

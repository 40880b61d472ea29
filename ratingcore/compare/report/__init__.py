"""Comparisons for people: a report in one HTML file, and single pictures as PNG and SVG."""

from ratingcore.compare.report.calibration import calibration
from ratingcore.compare.report.curves import curves
from ratingcore.compare.report.distributions import distributions
from ratingcore.compare.report.health import health
from ratingcore.compare.report.page import report_html
from ratingcore.report.pictures import png, svg
from ratingcore.report.style import Picture, see_installed

__all__ = [
    "Picture",
    "calibration",
    "curves",
    "distributions",
    "health",
    "png",
    "report_html",
    "see_installed",
    "svg",
]

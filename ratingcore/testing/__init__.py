"""The kit for authors of methods: a method is whatever keeps these laws."""

from ratingcore.testing.checking import Report, Result, check_method
from ratingcore.testing.law import DoesNotApply, Law, LawBroken
from ratingcore.testing.laws import LAWS
from ratingcore.testing.parametrizing import method_checks
from ratingcore.testing.settings import settings

__all__ = ["LAWS", "DoesNotApply", "Law", "LawBroken", "Report", "Result", "check_method", "method_checks", "settings"]

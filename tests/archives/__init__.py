"""Tests of ratingcore.archives."""

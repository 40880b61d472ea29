"""Tests of ratingcore.importer.tables."""

"""Which bundled plugins are there, and marks of tests that are skipped where the folder of one was deleted."""

from importlib.util import find_spec

import pytest

HAS_TABLES = find_spec("ratingcore_tables") is not None
"""Whether the plugin for Parquet, Arrow, spreadsheets and databases is there."""

needs_tables = pytest.mark.skipif(not HAS_TABLES, reason="the plugin ratingcore_tables is not there")

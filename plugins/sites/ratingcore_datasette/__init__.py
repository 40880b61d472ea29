"""A log in Datasette: its views as pages with facets, filters and exports."""

from ratingcore_datasette.metadata import SETTINGS, metadata

__all__ = ["SETTINGS", "metadata"]

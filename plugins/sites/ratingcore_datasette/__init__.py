"""The plugin datasette: shows the views of a log in Datasette, with facets, filters and exports."""

from ratingcore_datasette.metadata import SETTINGS, metadata

__all__ = ["SETTINGS", "metadata"]

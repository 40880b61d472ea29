"""The version of ratingcore, as it goes into provenance."""

__version__ = "0.1.0"

"""The version of ratingcore, as it goes into provenance."""

VERSION = "0.1.0"

"""Compares methods on the same results: scores forecasts, compares lists, tunes parameters."""

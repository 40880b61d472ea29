"""Corrections: the events that change how earlier events read, and their checks before they are appended."""

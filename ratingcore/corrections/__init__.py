"""Corrections: which events change how earlier events read, and whether the log would allow them."""

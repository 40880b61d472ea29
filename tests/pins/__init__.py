"""Pins: what users see today, kept as files, so that a change of it is a decision and never an accident."""

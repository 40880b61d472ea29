"""Builds corrections, the events that change how earlier events read, and checks them before they are appended."""

"""Comparability of players; brings the command `connect`, which is `connectedness(view)` in Python."""

from ratingcore_connect.connectedness import Bridge, Component, Connectedness, Strong, connectedness

__all__ = ["Bridge", "Component", "Connectedness", "Strong", "connectedness"]

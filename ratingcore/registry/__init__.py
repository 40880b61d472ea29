"""Installed plugins: their methods and readers, found through entry points."""

from ratingcore.registry.registry import GROUP, Plugin, Registry

__all__ = ["GROUP", "Plugin", "Registry"]

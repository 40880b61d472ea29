"""Backdating: what a change of rule makes of a pool from today, from a past day, or from the beginning."""

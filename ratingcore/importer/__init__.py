"""Imports files: games, sessions and ratings are appended, corrected or refused, and a report counts every row."""

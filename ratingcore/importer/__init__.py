"""Imports files of games, sessions and ratings into a log, with a report that counts every row."""

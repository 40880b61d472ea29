"""Explanations: the causes of a player's rating, line by line, and the players moved by one event."""

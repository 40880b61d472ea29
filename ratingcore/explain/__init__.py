"""Explains ratings: the causes of a player's rating, line by line, and the players whom an event moves."""

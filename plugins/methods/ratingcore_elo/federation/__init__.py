"""Elo by the rules of federations; `Elo.rate` uses them only if a parameter requires it.

Rules of K live in the core (`KRule`). `cap` limits differences of ratings, `players` has the policies for unrated
players, and `list_rules` changes ratings when a list is made. `views` shows each game from both sides, `period` rates
the games of a period, and `rules` combines all of these.
"""

"""Elo by the rules of federations; `Elo.rate` comes here only where a parameter asks for one of these rules.

Rules of K live in the core (`KRule`). `cap` limits differences of ratings, `players` has the policies for unrated
players, and `list_rules` changes ratings when a list is made. `views` shows each game from both sides, `period` rates
the games of a period, and `rules` combines all of these.
"""

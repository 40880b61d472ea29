"""Elo by the rules of federations; `Elo.rate` comes here only where a parameter asks for one of these rules.

Rules of K live in the core (`KRule`). Here: `cap` says how much of a difference counts, `players` what is known of
the players, `views` shows each game from both sides, `period` rates the games of a period, `list_rules` says what
happens to ratings when a list is made, and `rules` puts these together.
"""

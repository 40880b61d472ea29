"""Elo by the rules of federations; `Elo.rate` comes here only where a parameter asks for one of these rules.

Rules of K live in the core (`KRule`). Parameters are made of `cap`, how much of a difference counts, of `players`, what
becomes of the unrated, and of `list_rules`, what happens to ratings when a list is made. `views` shows each game from
both sides, `period` rates the games of a period, and `rules` puts all of these together.
"""

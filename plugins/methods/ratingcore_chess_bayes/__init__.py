"""The plugin chess-bayes: ratings with deviations, and win, draw and loss as three outcomes."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_chess_bayes.chess_bayes import ChessBayes, EarlierChessBayes

__all__ = ["ChessBayes"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [ChessBayes, EarlierChessBayes]

"""The plugin contests: rankings of thousands, as Codeforces rates them and by Elo-MMR."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_contests.codeforces import Codeforces
from ratingcore_contests.elo_mmr import EloMmr

__all__ = ["Codeforces", "EloMmr"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Codeforces, EloMmr]

"""The plugin weng-lin: Weng and Lin's Bayesian ratings of players in teams."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_weng_lin.weng_lin import EarlierWengLin, WengLin

__all__ = ["EarlierWengLin", "WengLin"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [WengLin, EarlierWengLin]

"""The plugin bridge-bayes: ratings of people who play in pairs and teams, with their deviations."""

from ratingcore.plugin import Fitted, Method, hookimpl
from ratingcore_bridge_bayes.bridge_bayes import BridgeBayes, EarlierBridgeBayes
from ratingcore_bridge_bayes.conditioning import condition
from ratingcore_bridge_bayes.deviations import deviation_of
from ratingcore_bridge_bayes.fitting import fit, likelihood

__all__ = ["BridgeBayes", "Fitted", "condition", "deviation_of", "fit", "likelihood"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [BridgeBayes, EarlierBridgeBayes]

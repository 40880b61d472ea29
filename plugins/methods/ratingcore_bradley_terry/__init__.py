"""The plugin bradley-terry: strengths of a whole pool by maximum likelihood, with draws, home ground and deviations."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_bradley_terry.bradley_terry import BradleyTerry, EarlierBradleyTerry, SecondBradleyTerry, superiority
from ratingcore_bradley_terry.covariates import Covariates

__all__ = ["BradleyTerry", "Covariates", "EarlierBradleyTerry", "SecondBradleyTerry", "superiority"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [BradleyTerry, SecondBradleyTerry, EarlierBradleyTerry]

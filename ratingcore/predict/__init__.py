"""Predictions: what a method expects of future games, and how their results would change ratings."""

from ratingcore.predict.matchup import Matchup, matchup
from ratingcore.predict.predict import predict
from ratingcore.predict.prediction import Aftermath, Prediction, Predictions

__all__ = ["Aftermath", "Matchup", "Prediction", "Predictions", "matchup", "predict"]

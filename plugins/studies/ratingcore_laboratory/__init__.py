"""The simulation laboratory: methods are judged in simulated worlds, where true strengths are known."""

from ratingcore_laboratory.as_log import write
from ratingcore_laboratory.contender import Contender, combinations
from ratingcore_laboratory.measures import MEASURES, Measures
from ratingcore_laboratory.run import Laboratory, trials
from ratingcore_laboratory.study import Study, simulate
from ratingcore_laboratory.trial import Band, People, Standing, Trial
from ratingcore_laboratory.world import PRESETS, World

__all__ = [
    "MEASURES",
    "PRESETS",
    "Band",
    "Contender",
    "Laboratory",
    "Measures",
    "People",
    "Standing",
    "Study",
    "Trial",
    "World",
    "combinations",
    "simulate",
    "trials",
    "write",
]

"""The simulation laboratory: methods are judged in simulated worlds, where true strengths are known."""

from ratingcore.laboratory.as_log import write
from ratingcore.laboratory.bands import Band
from ratingcore.laboratory.contender import Contender, combinations
from ratingcore.laboratory.measures import MEASURES, Measures
from ratingcore.laboratory.run import Laboratory, trials
from ratingcore.laboratory.study import Study, study
from ratingcore.laboratory.trial import People, Standing, Trial
from ratingcore.laboratory.world import PRESETS, World

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
    "study",
    "trials",
    "write",
]

"""The plugin trueskill: ratings of players in teams, updated by each result, and in hindsight through time."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_trueskill.through_time import EarlierThroughTime, TrueSkillThroughTime
from ratingcore_trueskill.trueskill import EarlierTrueSkill, ShorterTrueSkill, TrueSkill

__all__ = ["EarlierThroughTime", "EarlierTrueSkill", "ShorterTrueSkill", "TrueSkill", "TrueSkillThroughTime"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [TrueSkill, ShorterTrueSkill, EarlierTrueSkill, TrueSkillThroughTime, EarlierThroughTime]

"""The rest of a season, simulated many times; brings the command `season`, which is `season(...)` in Python."""

from ratingcore_season.season import Season, season

__all__ = ["Season", "season"]

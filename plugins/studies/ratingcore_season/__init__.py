"""The rest of a season, played many times over; brings the command `season`, which is `season(...)` in Python."""

from ratingcore_season.season import Season, season

__all__ = ["Season", "season"]

"""The matches of two World Cups in the archive of internationals, of which independent programs gave ratings."""

import csv
import gzip
from pathlib import Path

import numpy as np

from ratingcore.plugin import Games
from tests.golden.playing import games

FIXTURES = Path(__file__).parents[2] / "fixtures"


def world_cups() -> tuple[list[str], Games]:
    """The teams, and their 128 matches in order; the first team is the side at home."""
    with gzip.open(FIXTURES / "archives" / "football" / "results.csv.gz", "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["tournament"] == "FIFA World Cup"]
    rows = [row for row in rows if row["date"][:4] in ("2010", "2014")]
    teams = sorted({row[side] for row in rows for side in ("home_team", "away_team")})
    own, other = (np.array([float(row[f"{side}_score"]) for row in rows]) for side in ("home", "away"))
    a, b = ([teams.index(row[f"{side}_team"]) for row in rows] for side in ("home", "away"))
    return teams, games(a, b, (np.sign(own - other) + 1.0) / 2.0, points_a=own, points_b=other, home=[1.0] * len(a))

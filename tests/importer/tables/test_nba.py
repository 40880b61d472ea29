"""The NBA archive: read whole, and replayed in plain Python against FiveThirtyEight's published ratings."""

import csv
import gzip
from pathlib import Path
from runpy import run_path

from ratingcore.events import GamePlayed, RatingSeeded, iso
from ratingcore.importer.tables import FieldMap, read_results, read_seeds

FOLDER = Path(__file__).parents[3] / "fixtures" / "archives" / "nba"
GAMES = FOLDER / "games.csv.gz"


def games() -> list[GamePlayed]:
    mapping = FieldMap.load(FOLDER / "mapping.toml")
    return [line.event for line in read_results(GAMES, pool="nba", fields=mapping)]


def seeds() -> list[RatingSeeded]:
    return [line.event for line in read_seeds(FOLDER / "seeds.csv", pool="nba")]


def test_every_game_is_read_in_order() -> None:
    found = games()
    assert len(found) == 50_257
    assert all(isinstance(game, GamePlayed) for game in found)
    first, last = found[0], found[-1]
    assert (first.a, first.b, first.score, iso(first.played), first.order) == ("TRH", "NYK", 0.0, "1946-11-01", 0)
    assert dict(first.data) == {"home": "a", "points_a": 66, "points_b": 68, "season": 1947}
    assert (last.a, last.b, last.score, iso(last.played), last.order) == ("SAS", "DET", 1.0, "2005-06-23", 50_256)


def test_the_seeds_are_what_the_script_derives() -> None:
    derived = run_path(str(FOLDER / "make_seeds.py"))["seeds"]()
    found = [(iso(seed.played), seed.player, seed.values["rating"]) for seed in seeds()]
    assert found == [(day, team, float(rating)) for day, team, rating in derived]
    assert len(found) == 101


def test_results_and_seeds_alone_give_the_published_ratings() -> None:
    waiting = {(seed.played, seed.player): seed.values["rating"] for seed in seeds()}
    rating: dict[str, float] = {}
    season: dict[str, object] = {}
    worst_rating = worst_chance = 0.0
    with gzip.open(GAMES, "rt", encoding="utf-8", newline="") as file:
        for game, row in zip(games(), csv.DictReader(file), strict=True):
            now = game.data["season"]
            for team in (game.a, game.b):
                if (game.played, team) in waiting:
                    rating[team] = waiting.pop((game.played, team))
                elif season[team] != now:
                    rating[team] = 0.75 * rating[team] + 0.25 * 1505
                season[team] = now
            before = rating[game.a], rating[game.b]
            gap = before[0] - before[1] + (100 if game.data.get("home") == "a" else 0)
            chance = 1 / (1 + 10 ** (-gap / 400))
            margin = game.data["points_a"] - game.data["points_b"]
            boost = (abs(margin) + 3) ** 0.8 / (7.5 + 0.006 * (gap if margin > 0 else -gap))
            change = 20 * boost * (game.score - chance)
            rating[game.a] += change
            rating[game.b] -= change
            ours = *before, rating[game.a], rating[game.b]
            theirs = (float(row[name]) for name in ("elo1_pre", "elo2_pre", "elo1_post", "elo2_post"))
            worst_rating = max(worst_rating, *(abs(x - y) for x, y in zip(ours, theirs, strict=True)))
            worst_chance = max(worst_chance, abs(chance - float(row["elo_prob1"])))
    assert not waiting
    assert worst_rating < 0.001
    assert worst_chance < 5e-6

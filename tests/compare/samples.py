"""Comparisons made up for reports: every table filled, with names, sizes and holes as a test wants them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ratingcore.compare.comparison import Comparison
from ratingcore.report.table import Table

NAMES = ("Ann", "Björn Ångström", "周冠宇 (上海)", 'Дарья "Рыба" <b>', "</script><script>window.broken = 1</script>")
METHODS = (
    "elo", "elo-margin:preset=nba538", "berkin", "periodic", "adaptive-k", "elo:k=40", "elo:k=10,scale=400",
    "egf", "fesa", "dwz", "chess-bayes", "usebio",
)  # fmt: skip

Columns = dict[str, list[Any]]


def table(name: str, rows: Sequence[dict[str, Any]], unit: str = "") -> Table:
    """Rows as a table."""
    columns = {key: tuple(row[key] for row in rows) for key in rows[0]} if rows else {}
    return Table(name, name.replace("_", " ").capitalize(), columns, unit)


def made_up(
    methods: int = 3, players: Sequence[str] = NAMES, periods: int = 40, listed: int = 60, draws: bool = False
) -> Comparison:
    """A comparison of so many methods; the first method is the reference."""
    draw = np.random.default_rng(1)
    names = METHODS[:methods]
    reference = names[0]
    dates = np.datetime64("1950-01-01", "us") + np.arange(periods) * np.timedelta64(180 * 86_400_000_000, "us")
    log_loss = 0.60 + 0.01 * np.arange(methods)
    scores = [
        {
            "rank": n + 1, "method": name, "games": 41_300, "log_loss": loss, "log_loss_low": loss - 0.004,
            "log_loss_high": loss + 0.004, "brier": 0.21, "accuracy": 0.66, "deviance": 0.26, "ece": 0.01,
            "better_by": log_loss[0] - loss, "error": 0.0004, "better_by_low": log_loss[0] - loss - 0.001,
            "better_by_high": log_loss[0] - loss + 0.001, "verdict": "not distinguishable", "unrated": 12,
            "seconds": 0.1,
        }
        for n, (name, loss) in enumerate(zip(names, log_loss.tolist(), strict=True))
    ]  # fmt: skip
    bins = np.arange(10) / 10
    reliability = [
        {
            "method": name, "low": low, "high": low + 0.1, "games": int(200 + 4000 * low * (1 - low)),
            "expected": low + 0.05, "scored": low + 0.05 + float(draw.normal(0, 0.02)), "scored_low": low,
            "scored_high": low + 0.1,
        }
        for name in names for low in bins.tolist()
    ]  # fmt: skip
    pairs = [
        {
            "method": name, "against": reference, "games": 41_300, "better_by": -0.01, "error": 0.0004, "low": -0.011,
            "high": -0.009, "blocks": 120, "by": "players", "used": True,
            "verdict": f"{reference} is better than {name}",
        }
        for name in names[1:]
    ]  # fmt: skip
    kinds = {
        "gap": ("0-50", "50-100", "100-200", "200 and more"),
        "experience": ("newcomers, fewer than 10", "10-29", "30 and more"),
        "year": tuple(str(year) for year in range(1950, 1990)),
    }
    cohorts = [
        {
            "by": by, "cohort": cohort, "method": name, "games": 900, "log_loss": 0.6, "brier": 0.2, "accuracy": 0.6,
            "better_by": (gap := float(draw.normal(0, 0.002))), "error": 0.001, "better_by_low": gap - 0.002,
            "better_by_high": gap + 0.002,
        }
        for by, labels in kinds.items() for cohort in labels for name in names
    ]  # fmt: skip
    walks = 1500 + draw.normal(0, 15, (methods, len(players), periods)).cumsum(axis=2)
    curves = [
        {"method": name, "player": player, "at": dates[t], "rating": float(walks[m, p, t])}
        for m, name in enumerate(names) for p, player in enumerate(players) for t in range(p, periods)
    ]  # fmt: skip
    ladder = [players[n] if n < len(players) else f"player {n}" for n in range(listed)]
    ranks = {name: tuple((draw.permutation(listed) + 1).tolist()) for name in names}
    movers = [
        {
            "method": name, "against": reference, "player": ladder[n], "rank": ranks[name][n],
            "rank_against": ranks[reference][n], "rating": 1500.0, "rating_against": 1510.0,
        }
        for name in names[1:] for n in range(min(6, listed))
    ]  # fmt: skip
    agreement = [
        {
            "method": name, "against": reference, "players": listed, "pearson": 0.99, "kendall": 0.9, "spearman": None,
            "largest": 120.0, "whose": ladder[0],
        }
        for name in names[1:]
    ]  # fmt: skip
    health = [
        {
            "method": name, "at": dates[t], "games": 800, "active": 300 + t, "newcomers": 9, "leavers": 4,
            "mean": 1500.0 + t, "top_mean": 1900.0 + 2 * t, "panel_mean": 1600.0 - t if t > 3 else None,
            "brought": 13500.0, "carried": 900.0, "taken": 6000.0 + 10 * t,
            "made": 0.0, "components": max(9 - t, 1), "bridges": 3, "largest_share": 0.9,
        }
        for name in names for t in range(periods)
    ]  # fmt: skip
    bars = [
        {
            "method": name, "low": 1200.0 + 25 * n, "high": 1225.0 + 25 * n,
            "players": int(60 * np.exp(-((n - 12) ** 2) / 30)),
        }
        for name in names for n in range(25)
    ]  # fmt: skip
    outcomes = [{"method": name, "games": 900, "log_loss": 0.9, "brier": 0.5, "rps": 0.15} for name in names]
    facts = {
        "pool": "football <i>", "games": "41300", "players": "300", "first": "1990-01-06", "last": "2024-06-30",
        "log head": "51234:" + "0f" * 16, "through": "everything played",
        "method 1": "elo@1(k=20.0, curve=logistic, scale=400.0)", "ratingcore": "0.1.0", "numpy": np.__version__,
    }  # fmt: skip
    return Comparison(
        answer=f"Of 100 games {reference} names the winner in 3 more than the next",
        measured=f"{reference} forecasts best: log loss 0.6000; better than the next by 0.0100 ± 0.0004 nats a game",
        pool="football <i>",
        methods=names,
        reference=reference,
        scores=table("scores", scores, "nats a game"),
        outcomes=table("outcomes", outcomes if draws else []),
        reliability=table("reliability", reliability),
        pairs=table("pairs", pairs, "nats a game"),
        cohorts=table("cohorts", cohorts, "nats a game"),
        agreement=table("agreement", agreement),
        movers=table("movers", movers),
        first=table("first", [{"place": n + 1, **dict.fromkeys(names, ladder[n])} for n in range(min(20, listed))]),
        ranks=Table("ranks", "Ranks", {"player": ladder, **ranks}),
        health=table("health", health),
        curves=Table(
            "curves", "Ratings of chosen players",
            {
                "method": [row["method"] for row in curves], "player": [row["player"] for row in curves],
                "at": np.array([row["at"] for row in curves], dtype="M8[us]"),
                "rating": np.array([row["rating"] for row in curves]),
            }, "rating points",
        ),
        distributions=table("distributions", bars),
        left_out=table("left_out", [{"method": "bridge-bayes", "why": "reads sides, and these are games"}]),
        provenance=table("provenance", [{"fact": fact, "value": value} for fact, value in facts.items()]),
    )  # fmt: skip

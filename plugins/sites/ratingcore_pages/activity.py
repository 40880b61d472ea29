"""The activity of a pool: games played, leaders, upsets, and the fit of its ratings to the results."""

from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from ratingcore import RatingList
from ratingcore.plugin.analysis import RESULT, Lines, described_lines
from ratingcore_pages.answers import YEAR, PoolAnswers
from ratingcore_pages.curves import bars, curves, month_step, ticks
from ratingcore_pages.words import number

UPSETS, FIRSTS = 10, 20
"""Largest numbers of upsets and of leaders on a page."""
UNLIKELY = 0.35
"""Expected score below which a win is an upset."""
ENOUGH, CROWD = 50, 10
"""Fewest results for the fit of favourites, and fewest players for a distribution of ratings."""


_COLUMNS = ("games", "players", "active", "newcomers", "components", "mean")


class Upset(NamedTuple):
    """An unexpected win, with the score that the winner was expected to make."""

    day: str
    id: int
    name: str
    other: int
    opponent: str
    expected: float


class Favourites(NamedTuple):
    """The expected and the actual score of favourites, in percent, and the number of results.

    `way` is 1 if they scored significantly more (two standard errors) than expected, -1 if less, else 0.
    """

    expected: float
    scored: float
    results: int
    way: int


class First(NamedTuple):
    """A player who led the active players at the ends of consecutive periods."""

    id: int
    name: str
    since: str
    until: str


def activity(answers: PoolAnswers) -> dict[str, Any]:
    """Returns the values about activity for the page of a pool."""
    health = answers.periods.health
    columns = {name: np.asarray(health[name]).tolist() for name in _COLUMNS}
    ends = np.asarray(health["at"]).astype(np.int64).tolist()
    days = [answers.day(at) for at in ends]
    cells = zip(days, *columns.values(), strict=True)
    rows = [dict(zip(("day", *_COLUMNS), row, strict=True)) for row in cells]
    levels = [(at, row["mean"]) for at, row in zip(ends, rows, strict=True) if row["mean"] == row["mean"]]
    flat = len({round(level, answers.places) for _, level in levels}) < 2
    yearly = len(ends) > 1 and ends[1] - ends[0] > YEAR * 0.9
    labels = [day[: 4 if yearly else 7] for day in days]
    lines = year_lines(answers)
    spread, numbers = distribution(answers.listed)
    return {
        "rows": rows[::-1], "curve": Markup() if flat else curves([np.array(levels)]),
        "played": by_period(labels, columns["games"]), "new": by_period(labels, columns["newcomers"]),
        "spread": spread, "numbers": numbers,
        "upsets": [] if lines is None else upsets(answers, lines), "fit": None if lines is None else favourites(lines),
        "firsts": firsts(answers),
    }  # fmt: skip


def year_lines(answers: PoolAnswers) -> Lines | None:
    """Returns the lines of the games in the year before the last result; None if the method has no lines of results."""
    replay = answers.replay
    ledger = answers.lines.ledger if "lines" in vars(answers) else replay.ledger()
    results, played = np.flatnonzero(ledger.kind == RESULT), np.asarray(replay.results.played)
    if not len(results):
        return None
    of_result = played[replay.result_of(ledger.source[results])]
    lines = described_lines(replay, ledger.take(results[of_result > played[-1] - YEAR]))
    games = (lines.score.placing[:, 2] == 0) & np.isfinite(lines.expected) & (lines.opponent >= 0)
    return lines.take(np.flatnonzero(games))


def upsets(answers: PoolAnswers, lines: Lines) -> list[Upset]:
    """Returns the least expected wins, least expected first."""
    won = np.flatnonzero((lines.score.number == 1.0) & (lines.expected < UNLIKELY))
    least = won[np.lexsort((-lines.played[won], lines.expected[won]))[:UPSETS]]
    columns = (lines.played, lines.ledger.player, lines.opponent, lines.expected)
    return [
        Upset(
            answers.day(played), int(answers.ids[row]), answers.names[row], int(answers.ids[other]),
            answers.names[other], expected,
        )
        for played, row, other, expected in zip(*(column[least].tolist() for column in columns), strict=True)
    ]  # fmt: skip


def favourites(lines: Lines) -> Favourites | None:
    """Compares the score of favourites with their expected score; None for too few results."""
    ahead = lines.expected > 0.5
    p, score = lines.expected[ahead], lines.score.number[ahead]
    if len(p) < ENOUGH:
        return None
    error = sqrt(float((p * (1.0 - p)).sum())) / len(p)
    beyond = float((score - p).mean()) / error
    way = 0 if abs(beyond) <= 2.0 else int(np.sign(beyond))
    return Favourites(100.0 * float(p.mean()), 100.0 * float(score.mean()), len(p), way)


def firsts(answers: PoolAnswers) -> list[First]:
    """Returns the leaders at the ends of periods, newest first; empty if the leader never changed."""
    over = answers.periods
    ratings, ends = over.ratings, over.ends.tolist()
    best = [int(np.nanargmax(row)) if np.isfinite(row).any() else -1 for row in ratings]
    starts = [at for at, row in enumerate(best) if not at or best[at - 1] != row]
    found = [
        First(int(answers.ids[best[a]]), answers.names[best[a]], *(answers.day(ends[n])[:10] for n in (a, b - 1)))
        for a, b in pairwise([*starts, len(best)])
        if best[a] >= 0
    ]
    return found[: -FIRSTS - 1 : -1] if len(found) > 1 else []


def distribution(listed: RatingList) -> tuple[Markup, list[tuple[str, int]]]:
    """Returns the distribution of a list's ratings as a picture and as numbers; both empty for few players."""
    rating = np.array([cell if cell is not None else np.nan for cell in listed.values["rating"]], dtype=np.float64)
    rating = rating[np.isfinite(rating)]
    if len(rating) < CROWD or rating.min() == rating.max():
        return Markup(), []
    marks = ticks(float(rating.min()), float(rating.max()), 12)
    if len(marks) < 3:
        return Markup(), []
    step = marks[1] - marks[0]
    edges = [marks[0] - step, *marks, marks[-1] + step]
    counts, _ = np.histogram(rating, edges)
    named, heights = [number(edge) for edge in edges], counts.tolist()
    shown = ["" if at % 2 else edge for at, edge in enumerate(named[:-1])]
    ranges = [f"{a}\N{EN DASH}{b}" for a, b in pairwise(named)]
    return bars(list(zip(shown, heights, strict=True)), across=0.0), list(zip(ranges, heights, strict=True))


def by_period(labels: list[str], counts: list[Any]) -> Markup:
    """Draws counts by month, quarter or year, some with labels; empty for fewer than three, or if all are equal."""
    if len(counts) < 3 or len(set(counts)) == 1:
        return Markup()
    months = [12 * int(label[:4]) + int(label[5:] or 1) - 1 for label in labels]
    step, first = month_step(months[-1] - months[0]), months[0] % (months[1] - months[0])
    shown = ["" if (month - first) % step else label for month, label in zip(months, labels, strict=True)]
    return bars(list(zip(shown, counts, strict=True)))

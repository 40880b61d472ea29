"""The coverage of deviations: how often an interval of 95 % contains the true gap of two players in simulated leagues.

The expected score E of a game is the logistic function of the true gap; a share of 2 d min(E, 1 - E) of the games is
drawn. A likelihood that counts draws as half points estimates these gaps without bias. In leagues of voters each voter
prefers some players, and in leagues of openings each opening is played twice, with the sides exchanged; both change E
and are 0 on average. Only gaps are compared, since results do not determine a level.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from bench.measure import Results
from bench.worlds import START
from ratingcore.columns import Games
from ratingcore.columns.games import Floats, Ints, Span
from ratingcore.columns.sides import Sides
from ratingcore.events import DAY
from ratingcore.explain.order import critical
from ratingcore.methods.contract import Method, Solved
from ratingcore.methods.curves import LN10
from ratingcore.methods.state import State
from ratingcore.registry import Registry

DRAWS = (0.0, 0.2, 0.5, 0.75)
CLUSTERS = ("none", "60 voters", "pairs of openings")
PLAYERS = (12, 40)
EQUALS = ((10, "none"), (40, "none"), (200, "none"), (10, "30 voters"), (30, "30 voters"), (60, "60 voters"))

ELO, WENG_LIN, GAUSS = 400.0 / LN10, 25.0 / 6.0 * 2.0**0.5, 25.0 / 6.0 * 2.0**0.5 / 1.702
OTHERS = {
    "bradley-terry@2:parts=yes": ELO, "whr": ELO, "glicko": ELO, "glicko2": ELO,
    "chess-bayes": ELO, "elo-mmr": ELO, "weng-lin": WENG_LIN, "trueskill": GAUSS,
    "trueskill-through-time": GAUSS * 0.24,
}  # fmt: skip
"""Methods without a bound on their coverage, each with the rating points of a natural unit of the gap."""


class League(NamedTuple):
    """True strengths in natural units, and results; `newcomer` marks players with two to six results."""

    strength: Floats
    newcomer: Ints
    a: Ints
    b: Ints
    score: Floats
    cluster: Ints


def league(
    players: int, drawn: float, kind: str, games: int, random: np.random.Generator, spread: float = 0.3, new: int = 3
) -> League:
    """Simulates a league: regulars meet each other equally often, and newcomers meet a few of them."""
    strength = random.normal(0.0, spread, players + new)
    a = random.integers(0, players, games)
    b = (a + random.integers(1, players, games)) % players
    if kind == "pairs of openings":
        a, b = np.repeat(a[::2], 2), np.repeat(b[::2], 2)
    count = random.integers(1, 4, new) * 2
    came = np.repeat(np.arange(players, players + new), count)
    rivals = np.repeat(random.integers(0, players, int(count.sum()) // 2), 2)
    a, b = np.concatenate([a, came]), np.concatenate([b, rivals])
    n = len(a)
    expected = 1.0 / (1.0 + np.exp(strength[b] - strength[a]))
    cluster = np.arange(n)
    if kind.endswith("voters"):
        cluster = random.integers(0, int(kind.split()[0]), n)
        taste = random.uniform(-0.15, 0.15, (cluster.max() + 1, players + new))
        expected = expected + taste[cluster, a] - taste[cluster, b]
    elif kind == "pairs of openings":
        cluster = np.arange(n) // 2
        expected = expected + random.uniform(-0.25, 0.25, n)[cluster] * np.where(np.arange(n) % 2, 1.0, -1.0)
    expected = np.clip(expected, 0.02, 0.98)
    least = np.minimum(expected, 1.0 - expected)
    tie = np.minimum(drawn / least.mean(), 2.0) * least
    won = expected - 0.5 * tie
    lot = random.random(n)
    score = np.where(lot < won, 1.0, np.where(lot < won + tie, 0.5, 0.0))
    newcomer = np.arange(players + new) >= players
    return League(strength, newcomer, a, b, score, cluster + 1)


def gaps(method: Method, made: League) -> tuple[Floats, Floats]:
    """Returns a method's estimates of all gaps, and the half widths of their intervals of 95 %, in its points."""
    from scipy.stats import t

    players, n = len(made.strength), len(made.a)
    facts = {
        need.name: made.cluster.astype(np.float64) if need.labels else np.full(n, need.default or 0.0)
        for need in method.needs
        if need.of == "result"
    }
    when = START + DAY // 24 * np.arange(n)
    games = Games(made.a, made.b, made.score, when, np.arange(1, n + 1), Span(START, int(when[-1]) + 1), facts)
    results = games if method.reads is Games else Sides.of(games, {need.name: np.ones(2 * n) for need in method.needs})
    outcome = method.rate(State.start(method.columns(), players), results)
    joint = outcome.covariance if isinstance(outcome, Solved) else None
    shown = method.show(outcome.state, int(when[-1]))
    covariance = np.diag(shown["deviation"] ** 2)
    if joint is not None:
        covariance = np.array([[joint(i, j) for j in range(players)] for i in range(players)])
    own = np.diag(covariance)
    times = t.ppf(0.975, outcome.degrees if isinstance(outcome, Solved) else np.inf)
    width = times * np.sqrt(np.maximum(own[:, None] + own - 2.0 * covariance, 0.0))
    return shown["rating"][:, None] - shown["rating"], width


class Coverage(NamedTuple):
    """Shares of intervals that contain the truth, for pairs of regulars and for pairs with a newcomer."""

    regulars: float
    newcomers: float
    spread: float
    """Standard deviation of the errors of regulars, each divided by its reported deviation: 1 is right."""


def coverage(text: str, unit: float, players: int, drawn: float, kind: str, leagues: int) -> Coverage:
    """Simulates leagues and returns how often a method's intervals contain the true gap."""
    method = Registry.installed().method(text)
    held: list[list[float]] = [[], []]
    off: list[float] = []
    for number in range(leagues):
        random = np.random.default_rng((players, int(100 * drawn), CLUSTERS.index(kind), number))
        made = league(players, drawn, kind, 80 * players, random)
        estimate, width = gaps(method, made)
        one, other = np.triu_indices(len(made.strength), 1)
        error = (estimate - unit * (made.strength[:, None] - made.strength))[one, other]
        new = made.newcomer[one] | made.newcomer[other]
        for group, which in enumerate((~new, new)):
            held[group] += (np.abs(error) <= width[one, other])[which & ~np.isnan(error)].tolist()
        off += (1.96 * error / width[one, other])[~new & ~np.isnan(error)].tolist()
    return Coverage(float(np.mean(held[0])), float(np.mean(held[1])), float(np.std(off)))


def partnerships(text: str, leagues: int, players: int = 40, results: int = 1600) -> float:
    """Returns how often intervals of `bridge-bayes` contain the gap of two players with changing partners."""
    method, held = Registry.installed().method(text), list[float]()
    start = State.start(method.columns(), players)
    spread, slope, noise = start["deviation"][0], getattr(method, "k"), getattr(method, "sigma1")  # noqa: B009  # of a plugin
    for number in range(leagues):
        random = np.random.default_rng((players, number))
        strength = random.normal(1500.0, spread, players)
        seats = np.argsort(random.random((results, players)), axis=1)[:, :4]
        ahead = slope * (strength[seats] @ [1.0, 1.0, -1.0, -1.0]) + random.normal(0.0, noise, results)
        score = np.column_stack([50.0 + ahead, 50.0 - ahead]).ravel()
        when = START + DAY * np.arange(results)
        sides = Sides(
            2 * np.arange(results + 1), 2 * np.arange(2 * results + 1), seats.ravel(), score, when,
            np.arange(1, results + 1), Span(START, int(when[-1]) + 1),
            {need.name: np.full(results, need.default or 0.0) for need in method.needs if need.of == "result"},
            members={need.name: np.ones(4 * results) for need in method.needs if need.of == "member"},
            games=np.zeros(results, dtype=np.bool_),
        )  # fmt: skip
        state = method.rate(start, sides).state
        covariance = state["covariance"][0] if "covariance" in state else np.diag(state["deviation"] ** 2)
        own = np.diag(covariance)
        width = 1.96 * np.sqrt(own[:, None] + own - 2.0 * covariance)
        error = np.abs(np.subtract.outer(state["rating"], state["rating"]) - np.subtract.outer(strength, strength))
        held += (error <= width)[np.triu_indices(players, 1)].tolist()
    return float(np.mean(held))


def false_orders(players: int, kind: str, leagues: int) -> float:
    """Returns the share of leagues of equals in which some pair differs at a level of 95 % for all pairs."""
    clusters = kind.endswith("voters")
    method = Registry.installed().method(f"bradley-terry{':clusters=cluster' if clusters else ''}")
    degrees = int(kind.split()[0]) - 1.0 if clusters else np.inf
    wider = critical(0.95, players, degrees) / critical(0.95, 2, degrees)
    false = 0
    for number in range(leagues):
        random = np.random.default_rng((players, number))
        estimate, width = gaps(method, league(players, 0.5, kind, 40 * players, random, 0.0, 0))
        false += bool((np.abs(estimate) > wider * width).any())
    return false / leagues


def run(results: Results, games: int) -> None:
    """Print the coverage of bradley-terry against its bounds, then that of every other method with deviations."""
    leagues = max(games // 25_000, 10)
    for kind in CLUSTERS:
        by = "" if kind == "none" else ",clusters=cluster"
        for drawn, players in product(DRAWS, PLAYERS):
            measured = coverage(f"bradley-terry:parts=yes{by}", ELO, players, drawn, kind, leagues)
            work = f"bradley-terry, {players} players, {drawn:.0%} drawn, {kind}"
            results.row(f"{work}: pairs", measured.regulars, "", 0.93, at_most=False)
            results.row("  no more", measured.regulars, "", 0.97)
            results.row("  pairs with a newcomer of two to six results", measured.newcomers, "", 0.92, at_most=False)
    for players, kind in EQUALS:
        share = false_orders(players, kind, leagues)
        results.row(f"false orders of {players} equals, {kind}", share, "", 0.05 + 2.0 * (0.05 * 0.95 / leagues) ** 0.5)
    for text, unit in OTHERS.items():
        shares = [coverage(text, unit, 40, drawn, "none", leagues // 10) for drawn in DRAWS]
        shown = ", ".join(f"{one.regulars:.3f} ({one.spread:.2f})" for one in shares)
        print(f"{text}, 40 players, 0, 20, 50, 75 % drawn: pairs (spread of errors) {shown}", flush=True)
    for text in ("bridge-bayes", "bridge-bayes:tracking=full,players=40"):
        share = partnerships(text, leagues // 10)
        print(f"{text}, 40 players with changing partners: pairs {share:.3f}", flush=True)

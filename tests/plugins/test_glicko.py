"""Glicko: growth while idle, Stephenson's additions by another program's formulas, game by game, what is refused."""

from math import log, pi, sqrt
from typing import Any

import numpy as np
import pytest
from ratingcore_glicko import Glicko, Glicko2

import ratingcore as rc
from ratingcore.compare.sweep import pass_of, sweep
from ratingcore.plugin import DAY, Floats, Games, Period, Span, State
from ratingcore.testing import Law, method_checks
from tests.columns.making import POOL, engine, game, seed
from tests.golden.playing import games, state

Q = log(10.0) / 400.0


def known(method: Glicko | Glicko2, rating: list[float], deviation: list[float]) -> State:
    return state(method, rating).replace(deviation=np.array(deviation))


def on_day(a: list[int], b: list[int], score: list[float], day: float) -> Games:
    """Games of the month that holds a day."""
    played = games(a, b, score)
    at = round(day * DAY)
    month = np.int64(at).astype("M8[us]").astype("M8[M]")
    start, end = (int(edge.astype("M8[us]").astype(np.int64)) for edge in (month, month + 1))
    return played.replaced(played=np.full(len(a), at), span=Span(start, end))


def by_hand(
    rating: Floats, variance: Floats, played: Games, *, h: float, b: float, lam: float
) -> tuple[Floats, Floats]:
    """A period as the function `steph` of the R package PlayerRatings has it, player by player."""
    g = 1.0 / np.sqrt(1.0 + 3.0 * (Q / pi) ** 2 * variance)
    new, left = rating.copy(), variance.copy()
    for i in range(len(rating)):
        score = d = gaps = n = 0.0
        for x, y, s in zip(played.a, played.b, played.score, strict=True):
            if i in (x, y):
                j, own = (y, s) if i == x else (x, 1.0 - s)
                e = 1.0 / (1.0 + 10.0 ** (g[j] * (rating[j] - rating[i]) / 400.0))
                d += Q**2 * g[j] ** 2 * e * (1.0 - e)
                score += g[j] * (own + b / 100.0 - e)
                gaps += rating[j] - rating[i]
                n += 1.0
        if n:
            left[i] = 1.0 / (1.0 / (variance[i] + n * h**2) + d)
            new[i] += left[i] * Q * score + lam / 100.0 * gaps / n
    return new, np.sqrt(left)


@pytest.mark.parametrize(
    "values",
    [{}, {"h": 10.0}, {"b": 2.5}, {"neighbourhood": 2.0}, {"h": 25.0, "b": 1.0, "neighbourhood": 7.0}],
    ids=lambda values: ",".join(values) or "plain",
)
def test_a_period_is_that_of_another_program(values: dict[str, float]) -> None:
    method = Glicko(c=15.0, **values)
    rating, deviation = [2200.0, 2100.0, 2350.0, 1900.0], [349.8, 80.0, 120.0, 340.0]
    played = games([0, 1, 0, 2, 1], [1, 2, 2, 0, 0], [1.0, 0.5, 0.0, 1.0, 0.25])
    after = method.rate(known(method, rating, deviation), played).state
    grown = np.minimum(np.array(deviation) ** 2 + 15.0**2, 350.0**2)
    wanted, spread = by_hand(
        np.array(rating), grown, played, h=method.h, b=method.b, lam=method.neighbourhood
    )  # fmt: skip
    assert after["rating"] == pytest.approx(wanted, rel=1e-12)
    assert after["deviation"][:3] == pytest.approx(spread[:3], rel=1e-12)
    assert after["deviation"][3] == 340.0  # did not play


@pytest.mark.parametrize("kind", [Glicko, Glicko2])
def test_deviations_grow_by_the_periods_that_are_over(kind: Any) -> None:
    method = kind(deviation=300.0, max_deviation=350.0)
    first = method.rate(state(method, [1500.0, 1600.0, 1500.0]), on_day([0], [1], [1.0], 10.0)).state
    own = first["deviation"][0]
    step = method.c**2 if kind is Glicko else (173.7178 * first["volatility"][0]) ** 2
    for day, periods in ((10.0, 0), (30.9, 0), (58.9, 0), (59.0 - 1.0 / DAY, 1), (90.0 - 1.0 / DAY, 2)):
        shown = method.show(first, round(day * DAY))["deviation"]
        assert shown[0] == pytest.approx(sqrt(own**2 + periods * step), rel=1e-12), day
    assert method.show(first, round(40_000 * DAY))["deviation"][0] == pytest.approx(350.0)
    assert method.show(first, round(40_000 * DAY))["deviation"][2] == pytest.approx(300.0)  # has not played


@pytest.mark.parametrize("kind", [Glicko, Glicko2])
def test_an_idle_player_plays_with_the_deviation_that_the_list_shows(kind: Any) -> None:
    """The list has the periods that are over; the one that is played in comes upon them."""
    method = kind()
    first = method.rate(known(method, [1500.0, 1600.0], [60.0, 60.0]), on_day([0], [1], [1.0], 10.0)).state
    late = on_day([0], [1], [0.0], 165.0)
    listed = first.replace(
        deviation=method.show(first, round(165.0 * DAY))["deviation"], last=np.full(2, method.clock.now(late) - 1.0)
    )
    one, other = (method.rate(start, late).state for start in (first, listed))
    assert one["rating"] == pytest.approx(other["rating"], rel=1e-12)
    assert one["deviation"] == pytest.approx(other["deviation"], rel=1e-12)


@pytest.mark.parametrize("method", [Glicko(period=None, c=20.0), Glicko2(period=None)], ids=lambda method: method.name)
def test_game_by_game_parts_of_a_period_count(method: Any) -> None:
    """Ten days of thirty are a third of a period."""
    start = known(method, [1500.0, 1600.0], [60.0, 80.0])
    first = method.rate(start, on_day([0], [1], [1.0], 100.0)).state
    step = 20.0**2 if isinstance(method, Glicko) else (173.7178 * first["volatility"]) ** 2
    grown = np.sqrt(first["deviation"] ** 2 + step / 3.0)
    assert method.show(first, round(110.0 * DAY))["deviation"] == pytest.approx(grown, rel=1e-9)
    second = method.rate(first, on_day([0], [1], [1.0], 110.0))
    still = first.replace(deviation=grown, last=np.full(2, np.nan))
    assert second.state["rating"] == pytest.approx(method.rate(still, on_day([0], [1], [1.0], 110.0)).state["rating"])
    asked = method.expected(first, on_day([0], [1], [np.nan], 110.0)).expected
    assert asked == pytest.approx(second.expected, rel=1e-12)


def test_lichess_rates_a_game_as_its_program_does() -> None:
    """Step by step as `RatingCalculator` of scalachess, with no increase of the deviation within the game."""
    method = Glicko2(**Glicko2.presets["lichess"])
    start = known(method, [1520.0, 1700.0], [110.0, 60.0])
    after = method.rate(start, on_day([0], [1], [1.0], 5.0)).state
    for i, j, s in ((0, 1, 1.0), (1, 0, 0.0)):
        mu, phi, sigma = (start["rating"][i] - 1500.0) / 173.7178, start["deviation"][i] / 173.7178, 0.09
        mu_j, phi_j = (start["rating"][j] - 1500.0) / 173.7178, start["deviation"][j] / 173.7178
        g = 1.0 / sqrt(1.0 + 3.0 * phi_j**2 / pi**2)
        e = 1.0 / (1.0 + np.exp(-g * (mu - mu_j)))
        v = 1.0 / (g * g * e * (1.0 - e))
        delta, tau = v * g * (s - e), 0.75

        def f(
            x: float, delta: float = delta, phi: float = phi, v: float = v, a: float = log(sigma**2), tau: float = tau
        ) -> float:
            ex = np.exp(x)
            return float(ex * (delta**2 - phi**2 - v - ex) / (2.0 * (phi**2 + v + ex) ** 2) - (x - a) / tau**2)

        low, high = -12.0, 4.0
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if f(middle) > 0.0 else (low, middle)
        assert after["volatility"][i] == pytest.approx(np.exp(low / 2.0), rel=1e-11)
        new_phi = 1.0 / sqrt(1.0 / phi**2 + 1.0 / v)
        assert after["rating"][i] == pytest.approx(1500.0 + 173.7178 * (mu + new_phi**2 * g * (s - e)), rel=1e-12)
        assert after["deviation"][i] == pytest.approx(173.7178 * new_phi, rel=1e-12)


def test_lichess_keeps_its_bounds() -> None:
    method = Glicko2(**Glicko2.presets["lichess"])
    at_floor = method.rate(known(method, [401.0, 405.0], [300.0, 46.0]), on_day([0], [1], [0.0], 5.0)).state
    assert at_floor["rating"][0] == 400.0
    assert at_floor["deviation"][1] >= 45.0
    assert method.show(at_floor, round(1e5 * DAY))["deviation"].tolist() == [500.0, 500.0]


@pytest.mark.parametrize(("upsets", "tau"), [(1, 0.3), (1, 1.2), (12, 0.5), (60, 1.2)], ids=lambda value: str(value))
def test_the_volatility_is_the_root_of_the_equation(upsets: int, tau: float) -> None:
    """Also after many wins against all odds, where Newton's method is not trusted."""
    method = Glicko2(tau=tau, volatility=0.1)
    rating = [1200.0] + [2000.0] * upsets
    start = known(method, rating, [50.0] + [30.0] * upsets)
    after = method.rate(start, games([0] * upsets, range(1, upsets + 1), [1.0] * upsets)).state
    phi, x = 50.0 / 173.7178, 2.0 * log(after["volatility"][0])
    g = 1.0 / sqrt(1.0 + 3.0 * (30.0 / 173.7178) ** 2 / pi**2)
    e = 1.0 / (1.0 + np.exp(g * 800.0 / 173.7178))
    v = 1.0 / (upsets * g * g * e * (1.0 - e))
    delta, ex = v * upsets * g * (1.0 - e), np.exp(x)
    f = ex * (delta**2 - phi**2 - v - ex) / (2.0 * (phi**2 + v + ex) ** 2) - (x - log(0.01)) / tau**2
    assert f == pytest.approx(0.0, abs=1e-8)
    assert after["volatility"][0] > 0.1


def test_settings_in_one_pass_have_the_log_losses_that_they_have_alone() -> None:
    rng = np.random.default_rng(9)
    seats = [
        (f"p{i}", f"p{(i + j) % 12}") for i, j in zip(rng.integers(0, 12, 200), rng.integers(1, 12, 200), strict=True)
    ]
    scores = rng.choice([0.0, 0.5, 1.0, 0.25], 200).tolist()
    days = rng.integers(1, 400, 200).tolist()
    view = engine(
        *(game(day, *who, score) for day, who, score in zip(days, seats, scores, strict=True)),
        seed(1, "p3", rating=1900.0),
    ).core.view(POOL)
    first, last = view.first_played or 0, view.last_played or 0
    spans = (Span(first, (first + last) // 2), Span((first + last) // 2, last + 1))
    several = [
        Glicko2(period=None, tau=tau, days=30.0 / tau, volatility=0.02 * tau) for tau in np.linspace(0.3, 3.0, 70)
    ]
    settings = [
        *several, Glicko2(**Glicko2.presets["lichess"]), Glicko2(period=None, floor=1480.0, min_deviation=300.0),
        Glicko2(period=None, max_volatility=0.061, max_deviation=360.0, tau=1.2, deviation=360.0, initial=0.0),
    ]  # fmt: skip
    swept = pass_of(settings, view, spans)
    assert swept is not None
    some = [0, 1, 34, 63, 64, 69, 70, 71, 72]  # at the ends of groups that share a pass, and in one
    alone = np.concatenate([sweep([settings[n]], view, spans).score for n in some])
    assert swept.score[some] == pytest.approx(alone, rel=1e-11)
    assert pass_of([*several[:1], Glicko2()], view, spans) is None  # a period is not game by game


@pytest.mark.parametrize("text", ["glicko:", "glicko2:", "glicko:period=none,", "glicko2:period=none,"])
def test_no_deviation_falls_below_the_least(text: str) -> None:
    with rc.open(":memory:") as log:
        games_of_a_day = ({"a": "ann", "b": "bo", "score": n % 2, "order": n} for n in range(60))
        log.record(*(rc.GamePlayed(pool="p", played="2024-03-31", **one) for one in games_of_a_day))
        found = log.rating_list("p", f"{text}min_deviation=100", through="2024-03-31")
        assert [row.get("deviation") for row in found] == [100.0, 100.0]
        assert sum(row["rating"] or 0.0 for row in found) == pytest.approx(3000.0), "both are moved alike"


@method_checks(
    Glicko(), Glicko(period=None, first_move=30.0), Glicko(**Glicko.presets["stephenson"]),
    Glicko(period=Period("event")),
    Glicko2(), Glicko2(period=Period("event"), floor=1490.0), Glicko2(**Glicko2.presets["lichess"]),
)  # fmt: skip
def test_glicko_keeps_the_laws(law: Law, method: Any) -> None:
    law(method)


@pytest.mark.parametrize(
    ("method", "idle", "deviation"),
    [
        (Glicko(c=63.2), 5, 153.922708),
        (Glicko(c=63.2), 0, 61.0),
        (Glicko2(), 5, sqrt(61.0**2 + 5 * (0.06 * 173.717793) ** 2)),
    ],
)
def test_a_deviation_from_a_seed_grows_from_its_own_day(method: Glicko | Glicko2, idle: int, deviation: float) -> None:
    """It stayed at 61 on a list of seeds alone, and grew by one period at the first game, however late that was."""
    values = {"rating": 1500.0, "deviation": 61.0}
    seeds = [seed(0, player, values=values) for player in ("ann", "bo")]
    last_day = np.datetime64("1970-01", "M").astype("M8[M]") + 1 + idle - np.timedelta64(1, "D")
    listed = engine(*seeds).rating_list(POOL, method, through=str(last_day))
    assert [row["deviation"] for row in listed] == pytest.approx([deviation] * 2, abs=1e-4)

"""The page of a pool: its numbers are those of lists and forecasts, and what is flat is left out."""

import re
from random import Random

import pytest
from ratingcore_pages import Pages
from ratingcore_pages.activity import by_period

import ratingcore as rc

PLAYERS = [f"p{n:02d}" for n in range(14)]


@pytest.fixture(scope="module")
def engine() -> rc.Engine:
    """Two years of a league in which those with a greater number are stronger."""
    engine, random = rc.open(":memory:"), Random(7)
    engine.declare("p", method="elo:k=40", digits=0, starting="2022-01-05")
    for day in range(2, 26):
        for month in range(1, 13):
            a, b = random.sample(range(14 if day < 20 else 10), 2)
            score = float(random.random() < 1.0 / (1.0 + 10.0 ** ((b - a) / 8.0)))
            played = f"{2022 + (day > 13)}-{month:02d}-{day:02d}"
            engine.record(rc.GamePlayed(pool="p", played=played, a=PLAYERS[a], b=PLAYERS[b], score=score))
    return engine


def test_number_ones_are_those_of_lists_of_active_players(engine: rc.Engine) -> None:
    found = Pages(engine).health("p").values["firsts"]
    assert len(found) > 2
    for one in found:
        for day in (one.since, one.until):
            listed = engine.rating_list("p", through=day, policy=rc.ListPolicy(active="12 months"))
            assert listed.player[0] == one.name, day


def test_upsets_are_the_least_expected_wins_of_a_year(engine: rc.Engine) -> None:
    forecasts = [row for row in engine.forecasts("p") if row["played"] > "2022-12-25"]
    wins = [
        (row["expected"] if row["score"] else 1.0 - row["expected"], row["played"], *who)
        for row in forecasts
        for who in [(row["a"], row["b"]) if row["score"] else (row["b"], row["a"])]
    ]
    least = sorted(win for win in wins if win[0] < 0.35)[:10]
    found = Pages(engine).health("p").values["upsets"]
    assert len(found) == 10
    shown = [(pytest.approx(one.expected), one.day, one.name, one.opponent) for one in found]
    assert shown == least


def test_favourites_are_counted_as_forecast(engine: rc.Engine) -> None:
    chances = [
        (max(row["expected"], 1.0 - row["expected"]), row["score"] == (row["expected"] > 0.5))
        for row in engine.forecasts("p")
        if row["played"] > "2022-12-25" and row["expected"] != 0.5
    ]
    found = Pages(engine).health("p").values["fit"]
    assert found.results == len(chances) > 100
    assert found.expected == pytest.approx(100 * sum(chance for chance, _ in chances) / len(chances))
    assert found.scored == pytest.approx(100 * sum(won for _, won in chances) / len(chances))
    variance = sum(chance * (1 - chance) for chance, _ in chances)
    surprise = sum(won - chance for chance, won in chances) / variance**0.5
    assert found.way == (0 if abs(surprise) < 2 else 1 if surprise > 0 else -1)


def test_everybody_on_the_list_is_in_the_distribution(engine: rc.Engine) -> None:
    page = Pages(engine).health("p")
    ratings = [row["rating"] for row in engine.rating_list("p")]
    for span, n in page.values["numbers"]:
        low, high = map(float, span.split("\N{EN DASH}"))
        assert n == sum(low <= rating < high for rating in ratings), span
    assert sum(n for _, n in page.values["numbers"]) == len(ratings) == 14
    assert "Elo with K = 40" in page.html()


@pytest.mark.parametrize(
    ("months", "labels"),
    [
        (range(2023 * 12 + 4, 2025 * 12 + 9), ["2023-07", "2024-01", "2024-07", "2025-01", "2025-07"]),
        (range(2021 * 12 + 2, 2025 * 12 + 3, 3), ["2021-03", "2022-03", "2023-03", "2024-03", "2025-03"]),
        (range(1872 * 12, 2018 * 12, 12), ["1900", "1950", "2000"]),
    ],
)
def test_bars_are_labelled_at_round_years_and_months(months: range, labels: list[str]) -> None:
    """A fixed fault: 1872, 1893, 1914, and half players beside the bars."""
    yearly = months.step == 12
    named = [f"{month // 12}" if yearly else f"{month // 12}-{month % 12 + 1:02d}" for month in months]
    drawn = by_period(named, [n % 3 for n in range(len(months))])
    assert re.findall('middle">([^<]*)<', drawn) == labels
    assert re.findall('end">([^<]*)<', drawn) == ["0", "1", "2"]


def test_what_is_flat_is_left_out() -> None:
    """Three months of one game each between equals: every bar is as high as the others, and everything is 1500."""
    engine = rc.open(":memory:")
    for month in (1, 2, 3):
        engine.record(rc.GamePlayed(pool="p", played=f"2024-0{month}-01", a="ann", b="bo", score=0.5))
    html = Pages(engine).health("p").html()
    assert "<svg" in html  # of newcomers, who all came in January
    for text in ("Players by rating", "Upsets", "Number one", "Mean rating of active players", "Do ratings fit"):
        assert text not in html, text

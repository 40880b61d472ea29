"""Elo with margins, home advantage and seasons: its worked numbers, and the laws of a continuous rating."""

import numpy as np
import pytest
from ratingcore_elo_margin import EloMargin

from ratingcore.errors import BadResult
from ratingcore.plugin import Games, Rated
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated, state

NBA, NFL, FOOTBALL = (EloMargin(**EloMargin.presets[name]) for name in ("nba538", "nfl538", "football"))
WNBA = EloMargin(**{**EloMargin.presets["nba538"], "k": 28.0, "home": 80.0, "carry": 0.5, "carry_to": 1500.0})
PLAIN = EloMargin(margin="none")
EVERY = {"nba": NBA, "nfl": NFL, "football": FOOTBALL, "wnba": WNBA, "plain": PLAIN}
each_method = pytest.mark.parametrize("method", EVERY.values(), ids=EVERY)


def one(method: EloMargin, ra: float, rb: float, points: str, home: float = 0.0, **facts: float) -> Rated:
    a, b = (float(text) for text in points.split("-"))
    facts = {"points_a": a, "points_b": b, "home": home, "season": 1.0, "importance": np.nan} | facts
    score = 0.5 + 0.5 * np.sign(a - b)
    return rated(method, [ra, rb], games([0], [1], [score], **{name: [value] for name, value in facts.items()}))


@pytest.fixture
def seasons() -> Games:
    """Three seasons without ties."""
    rng = np.random.default_rng(2)
    a = rng.integers(0, 16, 300)
    b = (a + rng.integers(1, 16, 300)) % 16
    margin = rng.integers(1, 30, 300) * rng.choice([-1.0, 1.0], 300)
    return games(
        a, b, (margin > 0) * 1.0, points_a=100.0 + margin, points_b=np.full(300, 100.0),
        home=rng.choice([1.0, -1.0, 0.0], 300), season=np.array([7.0, 3.0, 5.0])[np.arange(300) // 100],
        importance=rng.choice([20.0, 60.0, np.nan], 300),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("method", "carried"), [(NBA, 0.75 * 1600.0 + 0.25 * 1505.0), (NFL, (2 * 1600.0 + 1505.0) / 3)]
)
def test_a_new_season_carries_over_before_its_first_game(method: EloMargin, carried: float) -> None:
    """R becomes 0.75 R + 0.25 * 1505, or (2 R + 1505) / 3."""
    two = games(
        [0, 0], [1, 1], [1.0, 1.0], points_a=[3.0, 3.0], points_b=[0.0, 0.0], home=[0.0, 0.0], season=[9.0, 9.0]
    )
    start = state(method, [1600.0, 1505.0]).replace(season=np.array([4.0, np.nan]))
    result = method.rate(start, two)
    line = result.before["season carry-over"]
    assert line[0] == pytest.approx([carried - 1600.0, 0.0])
    assert line[1].tolist() == [0.0, 0.0]
    assert result.state["season"].tolist() == [9.0, 9.0]
    assert result.expected[0] == pytest.approx(1.0 / (1.0 + 10.0 ** ((1505.0 - carried) / 400.0)))
    assert result.state["rating"][0] == pytest.approx(carried + result.change[0].sum())


def test_a_game_without_a_season_carries_nothing_over_and_is_not_remembered() -> None:
    start = state(NBA, [1600.0, 1500.0]).replace(season=np.array([4.0, np.nan]))
    facts = {"points_a": [9.0], "points_b": [0.0], "home": [0.0], "season": [np.nan]}
    result = NBA.rate(start, games([0], [1], [1.0], **facts))
    assert result.before["season carry-over"][0].tolist() == [0.0]
    assert result.state["season"][0] == 4.0
    assert np.isnan(result.state["season"][1])


def test_a_seed_stands_in_place_of_the_carry_over() -> None:
    """A seed returns a column that is not kept to its start: the season last seen is forgotten."""
    season = NBA.columns()[1]
    assert (season.name, season.kept, season.digits) == ("season", False, None)
    assert np.isnan(season.start)
    assert one(NBA, 1600.0, 1500.0, "9-0").before["season carry-over"][0].tolist() == [0.0]


def test_who_won_says_the_score_and_the_points_only_by_how_much() -> None:
    facts = {"points_a": [90.0], "points_b": [100.0], "home": [0.0], "season": [1.0]}
    result = rated(NBA, [1500.0, 1500.0], games([0], [1], [1.0], **facts))
    assert result.change[0][0] == one(NBA, 1500.0, 1500.0, "100-90").change[0][0]


def test_level_points_with_a_winner_count_as_a_margin_of_one() -> None:
    facts = {"points_a": [20.0], "points_b": [20.0], "home": [0.0], "season": [1.0]}
    result = rated(NFL, [1500.0, 1500.0], games([0], [1], [1.0], **facts))
    assert result.notes["multiplier"][0] == pytest.approx(np.log(2.0))


def test_a_tie_in_the_power_form_is_refused_with_its_position() -> None:
    with pytest.raises(BadResult, match="position 1: margin=power has no multiplier for a tie"):
        one(NBA, 1500.0, 1500.0, "90-90")


@each_method
def test_only_season_labels_that_are_equal_matter(method: EloMargin, seasons: Games) -> None:
    codes = {name: seasons[name] for name in ("points_a", "points_b", "home", "importance")}
    other = games(seasons.a, seasons.b, seasons.score, season=-1.0 / (1.0 + seasons["season"]), **codes)
    first, second = (rated(method, np.full(16, 1500.0), played) for played in (seasons, other))
    assert first.state["rating"].tobytes() == second.state["rating"].tobytes()


@method_checks(*EVERY.values())
def test_elo_margin_keeps_the_laws(law: Law, method: EloMargin) -> None:
    law(method)


def test_a_method_asks_only_for_the_fields_it_reads() -> None:
    assert [need.name for need in NBA.needs] == ["points_a", "points_b", "home", "season"]
    assert [need.name for need in FOOTBALL.needs] == ["points_a", "points_b", "home", "importance"]
    assert PLAIN.needs == ()
    assert [need.default is None for need in NBA.needs] == [True, True, False, False]
